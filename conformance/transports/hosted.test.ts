// Requests that a server of the platform hands to an app, as in cloud functions.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callMember } from '../call-member.ts'
import type { App } from '../harness/app-shape.ts'
import { code, isPeer } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'

type Raw = IncomingMessage & { rawBody?: Uint8Array; body?: unknown }
type HandOver = (app: App, request: Raw, response: ServerResponse) => void

const HAND_OVER: readonly (readonly [name: string, handOver: HandOver])[] = [
  ['app.routing', (app, request, response) => callMember(app, 'routing', request, response)],
  ['server.emit', (app, request, response) => app.server.emit('request', request, response)],
]

const BODY = {
  type: 'object',
  required: ['a'],
  properties: { a: { type: 'integer' } },
} as const

/** Reads the body, as some platforms do before they call a function. */
async function read(request: Raw): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Starts the server of a platform. */
async function host(call: (request: Raw, response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((request, response) => void call(request, response))
  onTestFinished(() => void server.close())
  await once(server.listen(0), 'listening')
  return `http://127.0.0.1:${String(Object(server.address()).port)}`
}

async function post(url: string, body: string | ReadableStream): Promise<readonly [number, unknown]> {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half' })
  return [response.status, await response.json()]
}

describe.each(HAND_OVER)('an app that gets its requests through %s', (_name, handOver) => {
  const createApp = useApps()

  function createHosted(): App {
    const app = createApp()
    app.post('/', { schema: { body: BODY } }, (request) => ({ got: request.body }))
    return app
  }

  it('validates their bodies', async () => {
    const app = createHosted()
    await app.ready()
    const url = await host(async (request, response) => handOver(app, request, response))
    expect(await post(url, '{"a":"1"}')).toEqual([200, { got: { a: 1 } }])
    expect(await post(url, '{"a":"x"}')).toMatchObject([400, { message: 'body/a must be integer' }])
  })

  it('sends streams to a response whose write returns nothing', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => reply.send(Readable.from(['a', 'b', 'c'])))
    await app.ready()
    const url = await host(async (request, response) => {
      const write = response.write.bind(response)
      const writeOnly = (...args: unknown[]): void => void Reflect.apply(write, response, args)
      handOver(app, request, Object.assign(response, { write: writeOnly }))
    })
    const response = await fetch(url, { headers: { connection: 'close' } })
    expect(await response.text()).toBe('abc')
  })

  it('gives what the platform has parsed to a parser that takes it', async () => {
    const app = createApp()
    app.addContentTypeParser('application/json', {}, (_request, payload, done) =>
      done(null, Object(payload).body),
    )
    app.post('/', { schema: { body: BODY } }, (request) => ({ got: request.body }))
    await app.ready()
    const url = await host(async (request, response) => {
      request.body = JSON.parse(String(await read(request)))
      handOver(app, request, response)
    })
    expect(await post(url, '{"a":"1"}')).toEqual([200, { got: { a: 1 } }])
  })

  it.skipIf(isPeer)('reads the bytes that the platform keeps in rawBody', async () => {
    const app = createHosted()
    await app.ready()
    const url = await host(async (request, response) => {
      request.rawBody = await read(request)
      handOver(app, request, response)
    })
    expect(await post(url, '{"a":"1"}')).toEqual([200, { got: { a: 1 } }])
    expect(await post(url, new Blob(['{"a":"2"}']).stream())).toEqual([200, { got: { a: 2 } }])
    expect(await post(url, '{"a":"x"}')).toMatchObject([400, { message: 'body/a must be integer' }])
    expect(await post(url, JSON.stringify({ a: 1, b: 'x'.repeat(1_100_000) }))).toMatchObject([413, {}])
  })

  it.skipIf(isPeer)(
    'refuses a body for which its own parsers need the stream that the platform has read',
    async () => {
      const app = createApp()
      const content = {
        'application/x-ndjson': { schema: BODY },
        'multipart/form-data': { schema: { type: 'object', properties: { a: { type: 'string' } } } },
      }
      app.post('/', { schema: { body: { content } } }, async (request) => {
        const items: unknown[] = []
        for await (const item of Object(request.body)) items.push(item)
        return { items }
      })
      await app.ready()
      const url = await host(async (request, response) => {
        request.rawBody = await read(request)
        request.body = {}
        handOver(app, request, response)
      })
      const form = new FormData()
      form.set('a', 'b')
      const lines = new Blob(['{"a":1}\n'], { type: 'application/x-ndjson' })
      for (const body of [lines, form]) {
        const response = await fetch(url, { method: 'POST', headers: { connection: 'close' }, body })
        expect([response.status, await response.json()]).toMatchObject([
          500,
          { code: code('CTP_BODY_CONSUMED') },
        ])
      }
    },
  )

  it.skipIf(isPeer)('refuses a rawBody of another length, and a body that has gone', async () => {
    const app = createHosted()
    await app.ready()
    const url = await host(async (request, response) => {
      await read(request)
      if (request.url !== '/') request.rawBody = Buffer.from('{"a":3}')
      request.url = '/'
      handOver(app, request, response)
    })
    for (const path of ['/', '/other'])
      expect(await post(`${url}${path}`, '{"a":12}')).toMatchObject([
        500,
        { code: code('CTP_BODY_CONSUMED') },
      ])
  })
})
