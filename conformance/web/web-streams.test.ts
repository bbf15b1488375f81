// Content codings of payloads of the web platform: streams, `Response`, `Blob`.
import { get } from 'node:http'
import { Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import { describe, expect as plainExpect, it as plainIt } from 'vitest'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { listenOnce } from '../harness/send.ts'
import { useApps } from '../harness/transports.ts'
import { callReply, describeWeb, register } from './web-app.ts'

const TEXT = 'a book about books '.repeat(200)
const GZIP = { 'accept-encoding': 'gzip' }
const TYPE = { 'content-type': 'text/plain' }
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A stream that gives chunks, then ends, fails or stays silent. */
function streamOf(
  chunks: readonly unknown[],
  then: 'ends' | 'fails' | 'is silent' = 'ends',
  cancel: (reason: unknown) => void = () => {},
): ReadableStream {
  const rest = [...chunks]
  return new ReadableStream({
    pull(controller) {
      if (rest.length > 0) controller.enqueue(rest.shift())
      else if (then === 'ends') controller.close()
      else if (then === 'fails') controller.error(new Error('broken'))
    },
    cancel,
  })
}

describeWeb('compression of web payloads', ({ createApp, send, it, expect }) => {
  const start = async (make: (reply: Reply) => unknown, options: object = {}): Promise<{ app: App }> => {
    const app = createApp()
    await register(app, { compress: { codings: ['gzip'], crossSite: true }, ...options })
    app.get('/', (_request: Request, reply: Reply) => make(reply))
    return { app }
  }

  const PAYLOADS: Readonly<Record<string, (reply: Reply) => unknown>> = {
    'a stream of bytes': (reply) => reply.type('text/plain').send(streamOf([encode(TEXT), encode(TEXT)])),
    'a stream of texts': (reply) => reply.type('text/plain').send(streamOf([TEXT, '', TEXT])),
    'a stream of buffers': (reply) =>
      reply.type('text/plain').send(streamOf([encode(TEXT).buffer, Buffer.from(TEXT)])),
    'a Blob': () => new Blob([TEXT, TEXT], { type: 'text/plain' }),
    'a Response of a text': () => new Response(TEXT + TEXT),
    'a Response of a stream': () => new Response(streamOf([encode(TEXT), encode(TEXT)]), { headers: TYPE }),
  }

  for (const [name, make] of Object.entries(PAYLOADS))
    it(`${name} comes whole, in the coding that the client accepts`, async () => {
      const { app } = await start(make)
      const coded = await send(app, { path: '/', headers: GZIP })
      expect([coded.headers['content-encoding'], coded.headers['vary']]).toEqual(['gzip', 'Accept-Encoding'])
      expect(zlib.gunzipSync(coded.bytes).toString()).toBe(TEXT + TEXT)
      const plain = await send(app, { path: '/' })
      expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
        undefined,
        'Accept-Encoding',
      ])
      expect(plain.text).toBe(TEXT + TEXT)
      const head = await send(app, { method: 'HEAD', path: '/', headers: GZIP })
      expect([head.status, head.text]).toEqual([200, ''])
    })

  it('a Response keeps its status and fields, and its tag names the coding', async () => {
    const headers = new Headers({
      ...TYPE,
      etag: '"v1"',
      'content-length': String(TEXT.length),
      vary: 'Accept-Language',
      'x-made': 'yes',
    })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    const { app } = await start(() => new Response(TEXT, { status: 404, headers }))
    const sent = await send(app, { path: '/', headers: GZIP })
    expect([sent.status, zlib.gunzipSync(sent.bytes).toString()]).toEqual([404, TEXT])
    expect(sent.headers).toMatchObject({
      etag: '"v1-gzip"',
      vary: 'Accept-Language, Accept-Encoding',
      'x-made': 'yes',
      'set-cookie': ['a=1', 'b=2'],
    })
    expect(sent.headers['content-length']).not.toBe(String(TEXT.length))
  })

  it('the Vary of a Response does not hide that of the app', async () => {
    const headers = { ...TYPE, vary: 'Accept-Language' }
    const { app } = await start(() => new Response('short', { headers }), {
      compress: false,
      origins: ['https://a.example', 'https://b.example'],
    })
    expect((await send(app, { path: '/' })).headers['vary']).toBe('Accept-Language, Origin')
  })

  const LEFT: Readonly<Record<string, () => unknown>> = {
    'coded already': () => new Response(TEXT, { headers: { ...TYPE, 'content-encoding': 'x-own' } }),
    'not to be transformed': () =>
      new Response(TEXT, { headers: { ...TYPE, 'cache-control': 'no-transform' } }),
    'of a type that is not compressed': () => new Blob([TEXT], { type: 'image/png' }),
    short: () => new Blob(['short'], { type: 'text/plain' }),
    'a part': () => new Response(TEXT, { status: 206, headers: { ...TYPE, 'content-range': 'bytes 0-3/9' } }),
    'without content': () => new Response(null, { status: 204, headers: TYPE }),
  }

  for (const [name, make] of Object.entries(LEFT))
    it(`content is sent as it is if it is ${name}`, async () => {
      const sent = await send((await start(make)).app, { path: '/', headers: GZIP })
      expect([undefined, 'x-own']).toContain(sent.headers['content-encoding'])
      expect(['', 'short', TEXT]).toContain(sent.text)
    })

  it('an error that a client can read is sent where a stream fails before its first byte', async () => {
    const chunks: readonly unknown[][] = [[], [{ an: 'object' }]]
    for (const given of chunks) {
      const { app } = await start((reply) => reply.type('text/plain').send(streamOf(given, 'fails')))
      const sent = await send(app, { path: '/', headers: GZIP })
      expect([sent.status, sent.headers['content-encoding']]).toEqual([500, undefined])
      expect(sent.json()).toMatchObject({
        message: expect.stringMatching(given.length === 0 ? /broken/ : /text or bytes/),
      })
    }
  })

  it('a listener of the error of a stream of Node responds', async () => {
    const { app } = await start((reply) => {
      const file = new Readable({ read() {} })
      file.on('error', () => void reply.code(404).send({ nothing: 'there' }))
      setImmediate(() => file.destroy(new Error('no such file')))
      return reply.type('application/json').send(file)
    })
    const sent = await send(app, { path: '/', headers: GZIP })
    expect([sent.status, sent.headers['content-encoding'], sent.text]).toEqual([
      404,
      undefined,
      '{"nothing":"there"}',
    ])
  })

  it('a stream that a 304 replaces is cancelled', async () => {
    let cancelled = 0
    const { app } = await start((reply) => {
      callReply(reply, 'version', 'v1')
      return reply.type('text/plain').send(streamOf([TEXT], 'is silent', () => void cancelled++))
    })
    const sent = await send(app, { path: '/', headers: { ...GZIP, 'if-none-match': '"v1"' } })
    expect([sent.status, cancelled]).toEqual([304, 1])
  })
})

describe('compression of web payloads for a client that leaves', () => {
  const createApp = useApps()

  for (const form of ['stream', 'Response'])
    plainIt(`the source is cancelled, also while it is silent (${form})`, async () => {
      const app = createApp()
      await register(app, { compress: { codings: ['gzip'] } })
      const cancelled = new Promise((resolve) => {
        app.get('/', (_request: Request, reply: Reply) => {
          const stream = streamOf([encode(TEXT)], 'is silent', resolve)
          return form === 'stream'
            ? reply.type('text/plain').send(stream)
            : new Response(stream, { headers: TYPE })
        })
      })
      const request = 'GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n'
      const { text } = await rawSocket(app, request, { until: /\r\n\r\n[^]{20}/ })
      plainExpect(text).not.toContain('a book')
      await cancelled
    })
})

/** The decoders of this Node, by coding. */
const DECODERS = Object.entries({
  gzip: 'createGunzip',
  br: 'createBrotliDecompress',
  zstd: 'createZstdDecompress',
}).flatMap(([coding, name]) => {
  const create: unknown = Reflect.get(zlib, name)
  return typeof create === 'function' ? [[coding, create] as const] : []
})

describe.each(DECODERS)('a compressed stream whose source makes pauses (%s)', (coding, createDecoder) => {
  const createApp = useApps()

  plainIt('gives clients each chunk at once', async () => {
    const app = createApp()
    await register(app, { compress: true })
    app.get('/', (_request: Request, reply: Reply) =>
      reply.type('text/plain').send(streamOf([encode('first')], 'is silent')),
    )
    const { port } = await listenOnce(app)
    const first = await new Promise((resolve, reject) => {
      get({ port, headers: { 'accept-encoding': coding } }, (response) => {
        plainExpect(response.headers['content-encoding']).toBe(coding)
        response
          .pipe(createDecoder())
          .setEncoding('utf8')
          .once('data', (chunk: string) => {
            resolve(chunk)
            response.destroy()
          })
      }).once('error', reject)
    })
    plainExpect(first).toBe('first')
  })
})
