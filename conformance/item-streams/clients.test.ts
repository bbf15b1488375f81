// Generators and their clients: one that goes ends the generator, one that does not read stops it.
import { setTimeout as sleep } from 'node:timers/promises'
import type * as http from 'node:http'
import * as http2 from 'node:http2'
import type { App, Handler } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { listenOnce, openRequest } from '../harness/send.ts'
import { createGate } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'
import type { TransportName } from '../harness/transports.ts'

/** A response that nobody reads. */
interface Unread {
  leave(): void
}

/** Begins a request and leaves its response unread. */
async function begin(transport: TransportName, app: App): Promise<Unread> {
  if (transport === 'fetch') {
    const { body } = await app.fetch(new Request('http://localhost/'))
    return { leave: () => void body?.cancel() }
  }
  if (transport === 'http2') {
    const { port } = await listenOnce(app)
    const session = http2.connect(`http://127.0.0.1:${port}`)
    session.on('error', () => {})
    const stream = session.request({ ':path': '/' })
    stream.on('error', () => {})
    await new Promise((resolve) => stream.once('response', resolve))
    return { leave: () => stream.close(http2.constants.NGHTTP2_CANCEL, () => session.destroy()) }
  }
  const request = await openRequest(app, { path: '/' })
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject).end()
  })
  response.on('error', () => {})
  return { leave: () => response.destroy() }
}

describeTransports(
  'item streams: clients',
  ({ transport, createApp, expect, ours }) => {
    const test = ours('the peers have no such handlers')
    const lines = (schema: object): object => ({ content: { 'application/x-ndjson': { schema } } })

    test('ends the generator and aborts the signal when its client goes', async () => {
      const app = createApp()
      const ended = createGate()
      const aborted = createGate()
      app.get('/', { schema: { response: { 200: lines({ type: 'number' }) } } }, async function* (request) {
        const { signal } = request
        if (!(signal instanceof AbortSignal)) throw new TypeError('no signal')
        signal.addEventListener('abort', () => aborted.open())
        try {
          for (let n = 0; ; n++) {
            yield n
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        } finally {
          ended.open()
        }
      })
      const response = await begin(transport, app)
      response.leave()
      // The test fails by its time where one of them does not come.
      await Promise.all([ended.promise, aborted.promise])
    })

    test('logs once that the generator fails while it is ended because its client goes', async () => {
      const { lines: logged, line, stream } = createLogSink()
      const app = createApp({ logger: { level: 'error', stream } })
      app.get('/', { schema: { response: { 200: lines({ type: 'number' }) } } }, async function* () {
        try {
          for (let n = 0; ; n++) {
            yield n
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        } finally {
          await Promise.reject(new Error('the cursor is not closed'))
        }
      })
      const response = await begin(transport, app)
      response.leave()
      await line(/failed while it was ended/)
      expect(logged).toMatchObject([{ level: 50, err: { message: 'the cursor is not closed' } }])
    })

    // A client that reads nothing asks for nothing there.
    for (const type of transport === 'fetch' ? [] : ['application/x-ndjson', 'text/event-stream'])
      test(`logs once what a generator throws for a pending ${type} item when its client has gone`, async () => {
        const { lines: logged, line, stream } = createLogSink()
        const app = createApp({ logger: { level: 'error', stream } })
        const content = { [type]: { schema: { type: 'number' } } }
        let requests = 0
        app.get('/', { schema: { response: { 200: { content } } } }, async function* (request) {
          const isFirst = ++requests === 1
          const signal = Reflect.get(Object(request), 'signal')
          yield 1
          await sleep(60_000, null, { signal }).catch((error: unknown) => {
            throw isFirst ? error : new Error('the cursor is lost')
          })
        })
        // The first one only ends by its signal, which is no error.
        for (let i = 0; i < 2; i++) (await begin(transport, app)).leave()
        await line(/failed while it was ended/)
        await app.close()
        expect(logged).toMatchObject([{ level: 50, err: { message: 'the cursor is lost' } }])
      })

    test('has a signal that is aborted, first looked at when its client has gone', async () => {
      const app = createApp()
      const ended = createGate()
      let aborted: unknown
      app.get('/', { schema: { response: { 200: lines({ type: 'number' }) } } }, async function* (request) {
        try {
          for (let n = 0; ; n++) {
            yield n
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        } finally {
          aborted = Reflect.get(Object(request.signal), 'aborted')
          ended.open()
        }
      })
      const response = await begin(transport, app)
      response.leave()
      await ended.promise
      expect(aborted).toBe(true)
    })

    test('asks the generator for nothing while its client does not read', async () => {
      const app = createApp()
      const text = 'x'.repeat(65_536)
      let items = 0
      // What waits in this process for the client; buffers of the system are not of it.
      let most = 0
      const waiting = (request: Parameters<Handler>[0]): number => {
        if (transport === 'fetch') return items * text.length
        const raw: http.IncomingMessage & { readonly stream?: http2.ServerHttp2Stream } = request.raw
        return raw.stream?.writableLength ?? raw.socket.writableLength
      }
      app.get('/', { schema: { response: { 200: lines({ type: 'string' }) } } }, async function* (request) {
        for (;;) {
          items += 1
          most = Math.max(most, waiting(request))
          yield text
        }
      })
      const response = await begin(transport, app)
      // Buffers of the system take what they take; it ends when nothing has been asked for during many turns.
      let before = -1
      for (let quiet = 0; quiet < 20; quiet++) {
        if (items !== before) quiet = 0
        before = items
        await new Promise((resolve) => setTimeout(resolve, 10))
        if (items > 2000) break
      }
      response.leave()
      // 2000 items would be 128 MB.
      expect(items).toBeLessThan(2000)
      expect(most).toBeLessThanOrEqual(4 * text.length)
    })
  },
  ['socket', 'http2', 'fetch'],
)
