// Clients that send a whole request and leave before they have its response, over every transport.
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { App } from './app-shape.ts'
import { certificate } from './certificate.ts'
import { openSocket } from './raw-socket.ts'
import { listenOnce } from './send.ts'
import { createGate, never } from './time.ts'

/** Leaves, whatever has arrived. */
export type Leave = () => void

/** A transport that a client can leave. */
export interface Lane {
  readonly name: string
  readonly options: Record<string, unknown>
  /** Node's objects of its requests exist */
  readonly hasRaw: boolean
  /** Sends a POST with a JSON body, to `/` unless another path is named. */
  readonly post: (app: App, body: string, path?: string) => Promise<Leave>
}

function headOf(body: string, path: string): string {
  const length = Buffer.byteLength(body)
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
}

const overTcp =
  (end: 'destroy' | 'resetAndDestroy'): Lane['post'] =>
  async (app, body, path = '/') => {
    const socket = connect((await listenOnce(app)).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(headOf(body, path))
    return () => void socket[end]()
  }

const overTls: Lane['post'] = async (app, body, path = '/') => {
  const socket = connectTls({
    port: (await listenOnce(app)).port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
  })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  socket.write(headOf(body, path))
  return () => void socket.destroy()
}

/** The client cancels the stream, and keeps its connection. */
const overHttp2: Lane['post'] = async (app, body, path = '/') => {
  const session = connectHttp2(`http://127.0.0.1:${(await listenOnce(app)).port}`)
  session.on('error', () => {})
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' })
  stream.on('error', () => {})
  stream.on('close', () => session.close())
  stream.resume()
  stream.end(body)
  return () => stream.close(8)
}

const overFetch: Lane['post'] = async (app, body, path = '/') => {
  await app.ready()
  const { signal, abort } = abortable()
  const headers = { 'content-type': 'application/json' }
  const request = new Request(`http://x${path}`, { method: 'POST', body, headers, signal })
  void Promise.resolve(app.fetch(request))
    .then((response) => response.text())
    .catch(() => {})
  return abort
}

function abortable(): { signal: AbortSignal; abort: Leave } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** Defines the route `/slow`, whose handler never ends, and leaves it once it runs: over a socket of its own. */
export async function leaveSlowRequest(app: App): Promise<void> {
  const begun = createGate()
  app.get('/slow', () => {
    begun.open()
    return never()
  })
  const socket = await openSocket(app)
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await begun.promise
  socket.destroy()
}

/** The transports of Cloister that a client can leave. */
export const LANES: readonly Lane[] = [
  { name: 'the engine', options: {}, hasRaw: true, post: overTcp('destroy') },
  { name: 'the engine, with a reset', options: {}, hasRaw: true, post: overTcp('resetAndDestroy') },
  { name: 'the engine over TLS', options: { https: certificate() }, hasRaw: true, post: overTls },
  { name: 'node:http', options: { transport: 'node' }, hasRaw: true, post: overTcp('destroy') },
  {
    name: 'node:https',
    options: { transport: 'node', https: certificate() },
    hasRaw: true,
    post: overTls,
  },
  { name: 'HTTP/2', options: { http2: true }, hasRaw: true, post: overHttp2 },
  { name: 'app.fetch', options: {}, hasRaw: false, post: overFetch },
]
