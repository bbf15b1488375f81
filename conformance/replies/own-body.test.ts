// A reply whose content is the body of its own request, as proxies and converters send it, and a client that ends
// within that body. An error that nobody catches would end the process, and fails the run of this file.
import { createServer } from 'node:http'
import { pipeline, PassThrough, type Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { expect, it } from 'vitest'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { certificate } from '../harness/certificate.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { useApps } from '../harness/transports.ts'

type Echo = (body: Readable, request: Request, reply: Reply) => unknown

const ECHOES: Readonly<Record<string, Echo>> = {
  'the stream itself': (body, _request, reply) => reply.send(body),
  gzip: (body, _request, reply) => reply.send(pipeline(body, createGzip(), () => {})),
  'another stream behind it': (body, _request, reply) => reply.send(body.pipe(new PassThrough())),
  'request.raw': (_body, { raw }, reply) => reply.send(raw),
  'pieces of a generator': (body, _request, reply) => {
    async function* pieces(): AsyncGenerator<Buffer> {
      for await (const piece of body) yield Buffer.from(piece)
    }
    return reply.send(PassThrough.from(pieces()))
  },
  'raw.pipe': (body, _request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'application/octet-stream' })
    body.pipe(reply.raw)
  },
  'a copy in the handler': async (body, _request, reply) => {
    const pieces: Buffer[] = []
    for await (const piece of body) pieces.push(Buffer.from(piece))
    return reply.send(Buffer.concat(pieces))
  },
}

/** What hands a connection to Node's server, beside the option `transport`. */
const SETTINGS: Readonly<Record<string, (createApp: ReturnType<typeof useApps>) => App>> = {
  engine: (createApp) => createApp(),
  'transport node': (createApp) => createApp({ transport: 'node' }),
  TLS: (createApp) => createApp({ https: certificate() }),
  'TLS on transport node': (createApp) => createApp({ https: certificate(), transport: 'node' }),
  serverFactory: (createApp) => createApp({ serverFactory: (handler: () => void) => createServer(handler) }),
  insecureHTTPParser: (createApp) => createApp({ http: { insecureHTTPParser: true } }),
  'a listener of requests': (createApp) => {
    const app = createApp()
    app.server.on('request', () => {})
    return app
  },
  'a tracer that wraps emit': (createApp) => {
    const app = createApp()
    const { server } = app
    const emit = server.emit.bind(server)
    server.emit = (name: string, ...args: unknown[]) => emit(name, ...args)
    return app
  },
}

const BEGUN = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n'
const BODIES = {
  'of a length': `Content-Length: 100000\r\n\r\n${'half'.repeat(100)}`,
  'in chunks': `Transfer-Encoding: chunked\r\n\r\n190\r\n${'half'.repeat(100)}\r\n`,
} as const

const createApp = useApps()

function echoing(app: App, echo: Echo): App {
  app.addContentTypeParser('application/octet-stream', (_request, payload: Readable, done) =>
    done(null, payload),
  )
  app.post('/echo', (request, reply) => echo(request.body as never, request, reply))
  app.get('/', () => 'lives')
  return app
}

/** Sends a part of a request, ends or resets, and resolves when the connection is closed. */
async function leave(app: App, text: string, first: string | null, resets: boolean): Promise<void> {
  const socket = await openSocket(app)
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  if (first !== null) {
    socket.write(first)
    await new Promise((resolve) => socket.once('data', resolve))
  }
  socket.resume()
  socket.write(text)
  // The handler has begun when the response does, or soon after.
  await new Promise((resolve) => setTimeout(resolve, 30))
  if (resets) socket.destroy()
  else socket.end()
  await closed
}

const KEPT = 'GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n'

it.each(
  Object.keys(SETTINGS).flatMap((setting) => Object.keys(ECHOES).map((echo) => [setting, echo] as const)),
)('does not end the process, over %s: %s', async (setting, echo) => {
  const app = SETTINGS[setting]?.(createApp)
  const run = ECHOES[echo]
  if (app === undefined || run === undefined) throw new Error('no such case')
  echoing(app, run)
  const cases = Object.values(BODIES).flatMap((body) => [false, true].map((resets) => ({ body, resets })))
  await Promise.all(
    cases.flatMap(({ body, resets }) => [
      leave(app, BEGUN + body, null, resets),
      // The engine hands a connection that HTTP/1.0 keeps to Node's server.
      leave(app, BEGUN + body, KEPT, resets),
    ]),
  )
  expect((await app.inject('/')).payload).toBe('lives')
})
