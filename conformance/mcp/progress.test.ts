// Tools of which the response is a stream of items: progress, results, limits, cancellation; over real sockets with both
// lines of the official client.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import fc from 'fast-check'
import type { App, Request } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'
import { connect, register } from './tool-app.ts'

interface Told {
  readonly progress: number
  readonly message?: string | undefined
}
interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (told: Told) => void
}
interface Caller {
  call(name: string, options?: CallOptions): Promise<object>
  close(): Promise<void>
}

async function first(address: string): Promise<Caller> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)))
  await client.listTools()
  return {
    call: async (name, options) => client.callTool({ name, arguments: {} }, undefined, options),
    close: async () => client.close(),
  }
}

async function second(address: string): Promise<Caller> {
  const client = new NewClient(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new NewTransport(new URL(`${address}/mcp`)))
  await client.listTools()
  return {
    call: async (name, options) => client.callTool({ name, arguments: {} }, options),
    close: async () => client.close(),
  }
}

const CLIENTS = [
  ['the first line of the client', first],
  ['the client of the revision 2026-07-28', second],
] as const
const TYPES = [
  'text/event-stream',
  'application/x-ndjson',
  'application/jsonl',
  'application/json-seq',
] as const
const item = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

/** A deferred that a test waits for. */
function signalled(): { readonly done: Promise<void>; readonly now: () => void } {
  let now = (): void => undefined
  const done = new Promise<void>((resolve) => {
    now = resolve
  })
  return { done, now: () => now() }
}

/** Adds a tool that sends items. */
function stream(app: App, name: string, type: string, handler: (request: Request) => AsyncGenerator): void {
  app.route({
    method: 'GET',
    url: `/${name}`,
    mcp: { name },
    schema: { response: { 200: { content: { [type]: { schema: item } } } } },
    handler,
  })
}

describeTransports(
  'streams of items that are tools',
  ({ createApp, it, expect }) => {
    it.each(CLIENTS)('%s is told of each item when it comes, and gets all of them', async (_name, reach) => {
      const app = createApp()
      await register(app)
      let next = signalled()
      for (const [index, type] of TYPES.entries()) {
        stream(app, `s${index}`, type, async function* () {
          for (const n of [1, 2, 3]) {
            if (n > 1) await next.done
            next = signalled()
            yield { n, secret: true }
          }
        })
      }
      const client = await reach(await app.listen({ port: 0 }))
      for (const index of TYPES.keys()) {
        const told: Told[] = []
        const result = await client.call(`s${index}`, {
          onprogress: (one) => {
            told.push(one)
            // The next item exists only after this one was told.
            next.now()
          },
        })
        expect(told).toEqual([1, 2, 3].map((n) => ({ progress: n, message: `{"n":${n}}` })))
        expect(result).toMatchObject({
          content: [{ type: 'text', text: '[{"n":1},{"n":2},{"n":3}]' }],
          structuredContent: { result: [{ n: 1 }, { n: 2 }, { n: 3 }] },
        })
      }
      await client.close()
    })

    it.each(CLIENTS)('%s that cancels a call aborts the signal of its request', async (_name, reach) => {
      const app = createApp()
      await register(app)
      const ended = signalled()
      const seen: unknown[] = []
      stream(app, 'endless', 'text/event-stream', async function* ({ signal }) {
        if (!(signal instanceof AbortSignal)) throw new TypeError('no signal')
        try {
          for (let n = 1; ; n += 1) {
            yield { n }
            await new Promise((resolve) => {
              signal.addEventListener('abort', resolve, { once: true })
            })
          }
        } finally {
          seen.push(signal.aborted)
          ended.now()
        }
      })
      const address = await app.listen({ port: 0 })
      const client = await reach(address)
      const other = await reach(address)
      const cancel = new AbortController()
      const isRunning = signalled()
      const call = client.call('endless', { signal: cancel.signal, onprogress: () => isRunning.now() })
      const failed = call.catch(() => 'cancelled')
      await isRunning.done
      expect(seen).toEqual([])
      cancel.abort()
      await ended.done
      expect([await failed, seen]).toEqual(['cancelled', [true]])
      await client.close()
      await other.close()
    })

    it('a cancellation without the session of the call ends nothing', async () => {
      const app = createApp()
      await register(app)
      const go = signalled()
      stream(app, 'slow', 'application/x-ndjson', async function* () {
        yield { n: 1 }
        await go.done
        yield { n: 2 }
      })
      const address = await app.listen({ port: 0 })
      const client = await first(address)
      const isRunning = signalled()
      const call = client.call('slow', { onprogress: () => isRunning.now() })
      await isRunning.done
      for (const session of [{}, { 'mcp-session-id': 'other' }]) {
        for (let requestId = 0; requestId < 9; requestId += 1) {
          const { status } = await fetch(`${address}/mcp`, {
            method: 'POST',
            headers: {
              accept: 'application/json, text/event-stream',
              'content-type': 'application/json',
              ...session,
            },
            body: JSON.stringify({
              jsonrpc: '2.0',
              method: 'notifications/cancelled',
              params: { requestId },
            }),
          })
          expect(status).toBe(202)
        }
      }
      go.now()
      expect(await call).toMatchObject({ structuredContent: { result: [{ n: 1 }, { n: 2 }] } })
      await client.close()
    })

    it.each(CLIENTS)('%s reads what has come before a stream failed', async (_name, reach) => {
      const app = createApp({ logger: false })
      await register(app)
      for (const [index, type] of TYPES.entries()) {
        stream(app, `f${index}`, type, async function* () {
          yield { n: 1 }
          throw new Error('out of order')
        })
      }
      const client = await reach(await app.listen({ port: 0 }))
      for (const index of TYPES.keys()) {
        expect(await client.call(`f${index}`)).toMatchObject({
          isError: true,
          content: [
            {
              text: expect.stringMatching(
                new RegExp(`^GET /f${index}: the stream has ended after 1 items: .*\\n\\[\\{"n":1\\}\\]$`),
              ),
            },
          ],
        })
      }
      await client.close()
    })

    it('numbers of items are those that the route wrote', async () => {
      const app = createApp()
      await register(app)
      stream(app, 'big', 'application/x-ndjson', async function* () {
        yield { n: 9_007_199_254_740_993n }
        yield { n: 2 }
      })
      const address = await app.listen({ port: 0 })
      for (const progressToken of [undefined, 'p']) {
        const meta = progressToken === undefined ? {} : { _meta: { progressToken } }
        const response = await fetch(`${address}/mcp`, {
          method: 'POST',
          headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'big', arguments: {}, ...meta },
          }),
        })
        const isStream = progressToken !== undefined
        expect(response.headers.get('content-type')).toBe(isStream ? 'text/event-stream' : 'application/json')
        const text = await response.text()
        expect(text).toContain('"structuredContent":{"result":[{"n":9007199254740993},{"n":2}]}')
        expect(text.split('notifications/progress').length - 1).toBe(isStream ? 2 : 0)
      }
    })
  },
  ['socket'],
)

describeTransports(
  'items of a tool',
  ({ createApp, send, it, expect }) => {
    it('come as events over every transport', async () => {
      const app = createApp()
      await register(app)
      stream(app, 'two', 'application/x-ndjson', async function* () {
        yield { n: 1 }
        yield { n: 2 }
      })
      const { status, headers, text } = await send(app, {
        method: 'POST',
        path: '/mcp',
        headers: { accept: 'application/json, text/event-stream' },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'two', arguments: {}, _meta: { progressToken: 'p' } },
        },
      })
      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
      expect(text.split('notifications/progress').length - 1).toBe(2)
      expect(text).toContain('"structuredContent":{"result":[{"n":1},{"n":2}]}')
    })

    it('are the same however the bytes of the stream are cut', async () => {
      const app = createApp()
      await register(app)
      let sent: { readonly type: string; readonly chunks: readonly Uint8Array[] } = { type: '', chunks: [] }
      app.route({
        method: 'GET',
        url: '/cut',
        mcp: { name: 'cut' },
        handler: (_request, reply) =>
          reply.type(sent.type).send(
            new ReadableStream({
              start: (to) => {
                for (const chunk of sent.chunks) to.enqueue(chunk)
                to.close()
              },
            }),
          ),
      })
      const client = await connect(app, send)
      const forms = fc.constantFrom(
        ...['\n', '\r\n', '\r'].map((end) => ({
          type: 'text/event-stream',
          write: (text: string) => `: note${end}event: x${end}data: ${text}${end}${end}`,
        })),
        { type: 'application/x-ndjson', write: (text: string) => `${text}\n` },
        { type: 'application/jsonl', write: (text: string) => `${text}\r\n` },
        { type: 'application/json-seq', write: (text: string) => `\u001E${text}\n` },
      )
      const values = fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(
          forms,
          values,
          fc.integer({ min: 1, max: 9 }),
          async ({ type, write }, given, size) => {
            const bytes = Buffer.from(given.map((value) => write(JSON.stringify(value))).join(''))
            const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_one, index) =>
              bytes.subarray(index * size, (index + 1) * size),
            )
            sent = { type, chunks }
            const { content } = Object(await client.callTool({ name: 'cut', arguments: {} }))
            expect(content).toEqual([
              { type: 'text', text: `[${given.map((one) => JSON.stringify(one)).join(',')}]` },
            ])
          },
        ),
        { numRuns: 40 },
      )
      await client.close()
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
