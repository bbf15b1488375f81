import type { OpenOptions, SocketConnection } from '../connection.ts'
import { isFunction, isRecord, look, type AnyFunction } from '../guards.ts'
import { takeInBun } from './bun.ts'
import { FetchConnection, headersOf, IS_GONE } from './fetch-connection.ts'

/** A WebSocket, and the response that opens it. */
export interface TakenSocket {
  readonly connection: SocketConnection
  readonly response: Response
}

/**
 * Takes the connection of a request for a WebSocket; `null` if the platform cannot. Workers and Deno have a global for
 * that.
 *
 * @param server - the server of Bun, which has a method for it
 */
export function takeSocket(request: Request, server: unknown, options: OpenOptions): TakenSocket | null {
  const Pair: unknown = Reflect.get(globalThis, 'WebSocketPair')
  if (isFunction(Pair)) return takeInWorker(Pair, options)
  const upgrade = look(Reflect.get(globalThis, 'Deno'), 'upgradeWebSocket')
  return isFunction(upgrade) ? takeInDeno(upgrade, request, options) : takeInBun(server, request, options)
}

/** The part of `WebSocket` that a server uses. */
interface PlatformSocket {
  readonly bufferedAmount?: number
  addEventListener(event: string, listener: (event: object) => void): void
  accept?(): void
  send(data: string): void
  close(code?: number, reason?: string): void
}

function isSocket(value: unknown): value is PlatformSocket {
  return ['addEventListener', 'send', 'close'].every((name) => isFunction(look(value, name)))
}

function takeInWorker(Pair: AnyFunction, options: OpenOptions): TakenSocket | null {
  const pair: unknown = Reflect.construct(Pair, [])
  const [client, server] = isRecord(pair) ? Object.values(pair) : []
  if (!isSocket(server)) return null
  server.accept?.()
  const headers = headersOf(options)
  const init: ResponseInit & { webSocket: unknown } = { status: 101, headers, webSocket: client }
  return { connection: new EventConnection(server, options), response: new Response(null, init) }
}

function takeInDeno(upgrade: AnyFunction, request: Request, options: OpenOptions): TakenSocket | null {
  const taken: unknown = Reflect.apply(upgrade, undefined, [request])
  const [socket, response] = [look(taken, 'socket'), look(taken, 'response')]
  if (!isSocket(socket) || !(response instanceof Response)) return null
  // Its own option for the protocol refuses a list without blanks.
  for (const [name, line] of headersOf(options)) response.headers.append(name, line)
  return { connection: new EventConnection(socket, options), response }
}

/** A socket with events. */
class EventConnection extends FetchConnection {
  readonly #socket: PlatformSocket

  constructor(socket: PlatformSocket, options: OpenOptions) {
    super(options)
    this.#socket = socket
    socket.addEventListener('message', (event) => this.received(look(event, 'data')))
    socket.addEventListener('error', (event) => {
      const message = look(event, 'message')
      this.emit('error', new Error(typeof message === 'string' ? message : 'the connection failed'))
    })
    socket.addEventListener('close', (event) => {
      const [code, reason] = [look(event, 'code'), look(event, 'reason')]
      // Deno has the code 0 for a connection that failed.
      this.ended(
        typeof code === 'number' && code > 0 ? code : IS_GONE,
        typeof reason === 'string' ? reason : '',
      )
      // A worker closes its end itself.
      this.startClosing(undefined, undefined)
    })
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount ?? 0
  }

  protected write(data: string): void {
    this.#socket.send(data)
  }

  protected startClosing(code: number | undefined, reason: string | undefined): void {
    try {
      this.#socket.close(code, reason)
    } catch {
      // It is closed.
    }
  }
}
