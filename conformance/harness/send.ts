// How each transport sends a request and reads the response, which has the same shape for all.
import * as http from 'node:http'
import * as https from 'node:https'
import * as http2 from 'node:http2'
import { connect, type AddressInfo } from 'node:net'
import type { App } from './app-shape.ts'
import { exchangeInMemory } from './memory/send-memory.ts'

/** One request. An object as `body` is sent as JSON with its content type. */
export interface SendRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Buffer | object
}

/** One response, with the same shape for every transport. */
export interface SentResponse {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly trailers: Record<string, string | undefined>
  readonly bytes: Buffer
  readonly text: string
  json(): unknown
}

interface Outgoing {
  method: string
  path: string
  headers: Record<string, string | string[]>
  payload: Buffer | undefined
}

function toOutgoing(request: SendRequest): Outgoing {
  const headers = lowerNames(request.headers ?? {})
  const method = request.method ?? 'GET'
  const { body } = request
  if (body === undefined) return { method, path: request.path, headers, payload: undefined }
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    return { method, path: request.path, headers, payload: Buffer.from(body) }
  }
  headers['content-type'] ??= 'application/json'
  return { method, path: request.path, headers, payload: Buffer.from(JSON.stringify(body)) }
}

function lowerNames(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function toResponse(
  status: number,
  headers: Record<string, string | string[] | number | undefined>,
  bytes: Buffer,
  trailers: Record<string, string | undefined> = {},
): SentResponse {
  const text = bytes.toString()
  const plain = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ])
  const parse = (): unknown => JSON.parse(text)
  return { status, headers: Object.fromEntries(plain), trailers, bytes, text, json: parse }
}

/** Sends through the app's in-process injection. */
export async function sendInject(app: App, request: SendRequest): Promise<SentResponse> {
  const { method, path, headers, payload } = toOutgoing(request)
  const injected = await app.inject({
    method,
    url: path,
    headers,
    ...(payload === undefined ? {} : { payload }),
  })
  return toResponse(injected.statusCode, injected.headers, injected.rawPayload, injected.trailers)
}

// Simultaneous requests must not make the app listen twice.
const listening = new WeakMap<App, Promise<AddressInfo>>()

/** Returns where the app listens; makes it listen on a free port of 127.0.0.1 if it does not yet. */
export function listenOnce(app: App): Promise<AddressInfo> {
  const started = listening.get(app) ?? listen(app)
  listening.set(app, started)
  return started
}

async function listen(app: App): Promise<AddressInfo> {
  await app.ready()
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the app does not listen on a port')
  return address
}

/** Whether the app listens with TLS. */
export function isEncrypted(app: App): boolean {
  return 'setSecureContext' in app.server
}

/** The certificate of the tests is self-signed. */
export const TRUSTING = { rejectUnauthorized: false } as const

/** Begins a request over a new HTTP/1.1 connection, with TLS if the app uses it. */
export async function openRequest(app: App, options: http.RequestOptions): Promise<http.ClientRequest> {
  const { address, port } = await listenOnce(app)
  const { request } = isEncrypted(app) ? https : http
  return request({ ...options, host: address, port, agent: false, ...TRUSTING })
}

/** Sends over a new connection with node:http, or node:https if the app uses TLS. */
export async function sendSocket(app: App, request: SendRequest): Promise<SentResponse> {
  const { address, port } = await listenOnce(app)
  const { method, path, headers, payload } = toOutgoing(request)
  if (payload !== undefined && headers['transfer-encoding'] === undefined) {
    headers['content-length'] ??= String(payload.length)
  }
  return new Promise((resolve, reject) => {
    const { request: ask } = isEncrypted(app) ? https : http
    const outgoing = ask(
      { host: address, port, method, path, headers, agent: false, ...TRUSTING },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          resolve(
            toResponse(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks), incoming.trailers),
          )
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}

/** How long the HTTP/2 client waits for a server that has not read its body. */
const UNREAD_MS = 200

/** Sends over a new clear-text HTTP/2 session. */
export async function sendHttp2(app: App, request: SendRequest): Promise<SentResponse> {
  const { address, port } = await listenOnce(app)
  const { method, path, headers, payload } = toOutgoing(request)
  const socket = connect({ port, host: address })
  const session = http2.connect(`http://${address}:${port}`, { createConnection: () => socket })
  try {
    return await new Promise<SentResponse>((resolve, reject) => {
      session.on('error', reject)
      const stream = session.request({ ':method': method, ':path': path, ...headers })
      const chunks: Buffer[] = []
      let head: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader = {}
      let trailers: Record<string, string | undefined> = {}
      stream.on('response', (received) => {
        head = received
      })
      stream.on('trailers', (received: http2.IncomingHttpHeaders) => {
        trailers = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)]))
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('end', () => {
        const { ':status': status = 0, ...rest } = head
        resolve(toResponse(status, rest, Buffer.concat(chunks), trailers))
      })
      stream.end(payload)
    })
  } finally {
    session.close()
    // A body that the server does not read keeps the session open after the response, until `close` would cut it.
    setTimeout(() => socket.destroy(), UNREAD_MS).unref()
  }
}

/** Sends over the in-memory transport, which has no object of Node's HTTP. */
export async function sendMemory(app: App, request: SendRequest): Promise<SentResponse> {
  const { method, path: target, headers, payload } = toOutgoing(request)
  headers['host'] ??= 'localhost'
  if (payload !== undefined && headers['transfer-encoding'] === undefined) {
    headers['content-length'] ??= String(payload.length)
  }
  const headerLines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((line) => [name, line]),
  )
  const body = payload ?? new Uint8Array(0)
  const { head, content, trailers } = await exchangeInMemory(app, { method, target, headerLines, body })
  const sent = Object.entries(head?.headers ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'set-cookie' ? value.join(', ') : value,
  ])
  return toResponse(head?.status ?? 0, Object.fromEntries(sent), Buffer.concat(content), trailers)
}

/** Sends a `Request` to the app, and reads its `Response`. */
export async function sendFetch(app: App, request: SendRequest): Promise<SentResponse> {
  const { method, path, headers, payload } = toOutgoing(request)
  if (payload !== undefined && headers['transfer-encoding'] === undefined) {
    headers['content-length'] ??= String(payload.length)
  }
  const lines = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value].flat()) lines.append(name, line)
  }
  const url = `http://${lines.get('host') ?? 'localhost'}${path}`
  // What Bun passes beside the request. Deno writes some lengths itself.
  const info = { requestIP: () => ({ address: '127.0.0.1' }) }
  const response = await app.fetch(new Request(url, { method, headers: lines, body: payload ?? null }), info)
  const bytes = Buffer.from(await response.arrayBuffer())
  const cookies = response.headers.getSetCookie()
  const received = Object.fromEntries(response.headers)
  return toResponse(
    response.status,
    cookies.length === 0 ? received : { ...received, 'set-cookie': cookies },
    bytes,
  )
}
