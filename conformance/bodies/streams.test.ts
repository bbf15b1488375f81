// Bodies of parsers that are handed the stream: what the framework's limits have to say there, and what failing streams do.
import { Readable, Transform, Writable, pipeline } from 'node:stream'
import { vi } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { code } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

const HEADERS = { 'content-type': 'x/stream' }

/** Adds a parser that reads the stream itself and gives the number of its bytes. */
function addCounter(app: App, options: { bodyLimit?: number } = {}): void {
  app.addContentTypeParser('x/stream', options, async (_request, payload: NodeJS.ReadableStream) => {
    let bytes = 0
    for await (const chunk of payload) bytes += Buffer.byteLength(chunk)
    return { bytes }
  })
}

describeTransports(
  'bodies: parsers of streams',
  ({ createApp, send, it, ours, overNode, expect, transport }) => {
    const isChunked = transport === 'http2' ? {} : { 'transfer-encoding': 'chunked' }

    it('get bodies above the limit of the app', async () => {
      const app = createApp({ bodyLimit: 10 })
      addCounter(app)
      app.post('/', (request) => request.body)
      const body = 'x'.repeat(200_000)
      const whole = await send(app, { method: 'POST', path: '/', headers: HEADERS, body })
      expect(whole.json()).toEqual({ bytes: 200_000 })
      const headers = { ...HEADERS, ...isChunked }
      const chunked = await send(app, { method: 'POST', path: '/', headers, body })
      expect(chunked.json()).toEqual({ bytes: 200_000 })
    })

    const hold = ours('the peers do not touch streams')

    hold('are held to a limit of their own', async () => {
      const app = createApp()
      addCounter(app, { bodyLimit: 10 })
      app.post('/', (request) => request.body)
      const post = (body: string): ReturnType<typeof send> =>
        send(app, { method: 'POST', path: '/', headers: HEADERS, body })
      expect((await post('x'.repeat(10))).json()).toEqual({ bytes: 10 })
      const refused = await post('x'.repeat(11))
      expect([refused.status, refused.json()]).toMatchObject([413, { code: code('CTP_BODY_TOO_LARGE') }])
    })

    hold('are held to the limit of the route, which comes before their own', async () => {
      const app = createApp()
      addCounter(app, { bodyLimit: 100_000 })
      app.post('/', { bodyLimit: 10 }, (request) => request.body)
      const post = (body: string): ReturnType<typeof send> =>
        send(app, { method: 'POST', path: '/', headers: { ...HEADERS, ...isChunked }, body })
      expect((await post('x'.repeat(10))).json()).toEqual({ bytes: 10 })
      expect((await post('x'.repeat(50_000))).status).toBe(413)
    })

    overNode('it reads request.raw', hold)(
      'get no end of a body that was refused, and the request gets its response without them',
      async () => {
        const app = createApp()
        const seen: string[] = []
        app.addContentTypeParser('x/stream', { bodyLimit: 10 }, (request, payload, done) => {
          for (const stream of [request.raw, payload]) {
            stream.on('end', () => seen.push('end'))
            stream.on('error', (error: Error) => seen.push(error.message))
            stream.resume()
          }
          done(null, payload)
        })
        app.post('/', () => new Promise(() => {}))
        const refused = await send(app, {
          method: 'POST',
          path: '/',
          headers: HEADERS,
          body: 'x'.repeat(100_000),
        })
        expect(refused.status).toBe(413)
        expect(seen).not.toContain('end')
        expect(seen).toContain('Request body is too large')
      },
    )

    hold('are held to the limit over a stream of a hook as well', async () => {
      const app = createApp()
      addCounter(app, { bodyLimit: 100 })
      app.addHook('preParsing', async (_request, _reply, payload: NodeJS.ReadableStream) =>
        pipeline(payload, doubling(), () => {}),
      )
      app.post('/', (request) => request.body)
      const post = (body: string): ReturnType<typeof send> =>
        send(app, { method: 'POST', path: '/', headers: HEADERS, body })
      expect((await post('x'.repeat(50))).json()).toEqual({ bytes: 100 })
      expect((await post('x'.repeat(51))).status).toBe(413)
    })

    it('learn from failing streams that the body is bad', async () => {
      const app = createApp()
      app.addHook('preParsing', (_request, _reply, payload: NodeJS.ReadableStream, done) =>
        done(
          null,
          pipeline(payload, failing(Object.assign(new Error('bad'), { statusCode: 422 })), () => {}),
        ),
      )
      app.post('/', (request) => request.body)
      const response = await send(app, { method: 'POST', path: '/', body: { a: 1 } })
      expect([response.status, response.json()]).toMatchObject([422, { message: 'bad' }])
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

function doubling(): Transform {
  return new Transform({ transform: (chunk, _encoding, done) => done(null, Buffer.concat([chunk, chunk])) })
}

function failing(error: unknown): Transform {
  return new Transform({
    transform: (_chunk, _encoding, done) => Reflect.apply(done, undefined, [error]),
  })
}

describeTransports(
  'bodies: streams that fail',
  ({ createApp, it, ours, expect }) => {
    const post = async (error: unknown): Promise<{ status: number; json: unknown }> => {
      const app = createApp()
      app.addHook('preParsing', (_request, _reply, payload: NodeJS.ReadableStream, done) =>
        done(
          null,
          pipeline(payload, failing(error), () => {}),
        ),
      )
      app.post('/', (request) => request.body)
      const response = await app.inject({
        url: '/',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        payload: Readable.from(['{"a":1}']),
      })
      return { status: response.statusCode, json: JSON.parse(response.payload) }
    }

    it('get a response where the injected body is itself a stream', async () => {
      expect(await post(new Error('bad'))).toMatchObject({ status: 400, json: { message: 'bad' } })
    })

    ours('the peers write to the error')('get a response whatever they fail with', async () => {
      expect(await post(Object.freeze(new Error('frozen')))).toMatchObject({
        status: 400,
        json: { message: 'frozen' },
      })
      expect(await post({ statusCode: 409, message: 'plain' })).toEqual({
        status: 409,
        json: { statusCode: 409, message: 'plain' },
      })
      expect(await post({ message: 'plain' })).toEqual({ status: 400, json: { message: 'plain' } })
    })
  },
  ['in-process'],
)

describeTransports(
  'bodies: lengths that do not concern the framework',
  ({ createApp, ours, expect }) => {
    ours('4.x has no such limit')('counts the bytes that arrive, whatever the length says', async () => {
      const app = createApp()
      app.addContentTypeParser('x/stream', { bodyLimit: 50 }, (_request, payload, done) =>
        done(null, payload),
      )
      app.post('/', (_request, reply) => reply.header('connection', 'close').send('reached'))
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: x/stream\r\nContent-Length: 1000\r\n\r\n{'
      expect((await rawSocket(app, head)).status).toBe(200)
    })
  },
  ['socket'],
)

const READERS: Readonly<Record<string, (body: Readable, took: (bytes: number) => void) => void>> = {
  'a pipe': (body, took) => {
    body.pipe(
      new Writable({
        write: (chunk, _encoding, done) => {
          took(Buffer.byteLength(chunk))
          done()
        },
      }),
    )
  },
  'a listener': (body, took) => body.on('data', (chunk) => took(Buffer.byteLength(chunk))),
}

describeTransports(
  'bodies: streams that are read after the response',
  ({ createApp, send, it, unlessFetch, expect }) => {
    const test = unlessFetch('the body of a Request ends with its response', it)
    for (const [reader, read] of Object.entries(READERS)) {
      test(`come whole to ${reader} of a handler that has responded in the same turn`, async () => {
        const app = createApp()
        app.addContentTypeParser(
          'x/stream',
          (_request: unknown, body: Readable, done: (error: null, body: Readable) => void) =>
            done(null, body),
        )
        let bytes = 0
        app.post('/', (request, reply) => {
          read(Object(request.body), (more) => void (bytes += more))
          reply.send('early')
        })
        const body = 'x'.repeat(2_000_000)
        expect((await send(app, { method: 'POST', path: '/', headers: HEADERS, body })).text).toBe('early')
        await vi.waitFor(() => expect(bytes).toBe(2_000_000))
      })
    }
  },
)
