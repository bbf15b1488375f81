import type { ParseJson, ReadIntegers, ReadsInt64 } from './parse-json.ts'
import { encodeBody, fill, fillPath } from './request.ts'
import type { CallInput } from './request.ts'
import { readBody } from './response.ts'
import { openSocket } from './socket.ts'
import type { SocketClass } from './socket.ts'
import type { Client, FetchSettings, HeaderValues } from './types.ts'

/** Sends a request: `fetch`, `app.fetch` of an app, or a function around one of them. */
export type Send = (request: Request) => Promise<Response>

/** Settings of a client. Those of `fetch`, such as `credentials`, apply to all calls. */
export interface ClientOptions extends FetchSettings {
  /** Headers of all calls, or a function that returns them for each call. Headers of a call override them. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>)
  /**
   * Sends the requests.
   * @default the global `fetch`
   */
  readonly fetch?: Send
  /**
   * Opens the sockets: a class with the interface of `WebSocket`, such as `WebSocket` of the package `ws`.
   * @default the global `WebSocket`, which Node.js has since version 22
   */
  readonly WebSocket?: SocketClass
  /**
   * Reads integers beyond 2^53 - 1 exactly: `exactIntegers` of `@cloister/client/integers`, or the constant `integers` that
   * `cloister types` writes.
   * @default the nearest number, as of `JSON.parse`
   */
  readonly integers?: ReadIntegers
}

/** The settings of a client; `integers` is required where replies have 64-bit integers. */
export type ClientArguments<Api> = Api extends ReadsInt64
  ? [options: ClientOptions & { readonly integers: ReadIntegers }]
  : [options?: ClientOptions]

/**
 * Creates a client.
 *
 * @param target - the URL that paths are appended to, or `app.fetch` of an app, which needs no server
 * @typeParam Api - the table of routes that `cloister types` writes
 *
 * @example
 * ```ts
 * import { client } from '@cloister/client'
 * import { cloister } from 'cloister'
 *
 * interface Api {
 *   'GET /users/:id': { params: { id: number }; replies: { 200: { name: string }; 404: { message: string } } }
 * }
 *
 * const app = cloister()
 * app.get('/users/:id', (request) => ({ name: `user ${request.params.id}` }))
 * const api = client<Api>(app.fetch)
 * const reply = await api('GET /users/:id', { params: { id: 7 } })
 * if (reply.status === 200) reply.body.name.toUpperCase()
 * ```
 */
export function client<Api>(target: string | URL | Send, ...options: ClientArguments<Api>): Client<Api>
// Only the compiler knows the types of routes.
export function client(target: string | URL | Send, options: ClientOptions = {}): object {
  const isSend = typeof target === 'function'
  const base = isSend ? 'http://localhost' : String(target).replace(/\/+$/, '')
  if (/[?#]/.test(base)) throw new TypeError("the client's URL has a query or fragment")
  const urlOf = (path: string, { params, query }: CallInput): string => {
    const text = String(fill(new URLSearchParams(), query))
    return base + fillPath(path, params) + (text && `?${text}`)
  }
  const parserOf = (route: string, ...keys: string[]): ParseJson =>
    options.integers?.(route, keys) ?? ((text): unknown => JSON.parse(text))
  const call = async (route: string, input: CallInput = {}): Promise<object> => {
    const [method = '', path = ''] = route.split(' ')
    const url = urlOf(path, input)
    const headers = new Headers()
    const common = options.headers
    for (const values of [typeof common === 'function' ? await common() : common, input.headers])
      fill(headers, values, 'set')
    // Streams need `duplex`, which the platforms' types do not have yet.
    const init = {
      ...options,
      ...input,
      method,
      headers,
      body: encodeBody(input, headers),
      duplex: 'half' as const,
    }
    const request = new Request(url, init)
    const { signal } = init
    const send = isSend ? target : options.fetch
    // Node forgets the signal of a request that is collected while its response is read; that of the call stays.
    const response = await (send ? send(request) : fetch(request, { signal: signal ?? null }))
    const { status, ok, headers: received } = response
    const parse = parserOf(route, `${status}`, `${`${status}`[0]}xx`, 'default')
    return { status, ok, headers: received, body: await readBody(response, parse, signal) }
  }
  const ws = (route: string, input: CallInput & { protocols?: string | string[] } = {}): object => {
    const Socket = options.WebSocket ?? globalThis.WebSocket
    if (isSend || !Socket) throw new TypeError('sockets need a URL and a WebSocket')
    const url = urlOf(route.split(' ')[1] ?? '', input).replace(/^http/, 'ws')
    return openSocket(Socket, url, [input.protocols ?? []].flat(), parserOf(route, 'outgoing'))
  }
  return Object.assign(call, { ws })
}
