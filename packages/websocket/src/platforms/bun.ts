import type { OpenOptions } from '../connection.ts'
import { isFunction, look } from '../guards.ts'
import { FetchConnection, headersOf } from './fetch-connection.ts'

/** The part of a `ServerWebSocket` of Bun that is used. */
export interface BunSocket {
  /** What the app gave the socket when it was opened. */
  readonly data: unknown
  /** Returns how many bytes wait for the client. */
  getBufferedAmount(): number
  /** Sends a text; returns 0 if the connection is closed. */
  send(data: string): number
  /** Closes the socket. */
  close(code?: number, reason?: string): void
}

/** Handlers of the WebSockets of a server of Bun. */
export interface BunWebSocketHandlers {
  /** A socket is open. */
  open(socket: BunSocket): void
  /** A message has come. */
  message(socket: BunSocket, data: unknown): void
  /** A socket is closed. */
  close(socket: BunSocket, code: number, reason: string): void
}

/**
 * The handlers of WebSockets for `Bun.serve`, which gives them to all sockets of a server.
 *
 * @example
 * ```ts fragment
 * Bun.serve({ fetch: app.fetch, websocket: bunWebSocket })
 * ```
 */
export const bunWebSocket: BunWebSocketHandlers = {
  open: (socket) => connectionOf(socket)?.opened(socket),
  message: (socket, data) => connectionOf(socket)?.take(data),
  close: (socket, code, reason) => connectionOf(socket)?.left(code, reason),
}

function connectionOf({ data }: BunSocket): BunConnection | null {
  return data instanceof BunConnection ? data : null
}

/** Takes the connection of a request from a server of Bun. */
export function takeInBun(
  server: unknown,
  request: Request,
  options: OpenOptions,
): { readonly connection: FetchConnection; readonly response: Response } | null {
  const upgrade = look(server, 'upgrade')
  if (!isFunction(upgrade)) return null
  const connection = new BunConnection(options)
  const headers = headersOf(options)
  // Bun itself would accept the first protocol that the client offers; an empty field is not sent.
  if (options.protocol === '') headers.set('sec-websocket-protocol', '')
  const isTaken: unknown = Reflect.apply(upgrade, server, [request, { headers, data: connection }])
  // Bun has sent the response itself, and uses no other.
  return isTaken === true ? { connection, response: new Response(null) } : null
}

class BunConnection extends FetchConnection {
  #socket: BunSocket | null = null
  /** what was sent before the socket was open */
  #early: string[] = []

  opened(socket: BunSocket): void {
    this.#socket = socket
    for (const data of this.#early) this.write(data)
    this.#early = []
  }

  take(data: unknown): void {
    this.received(data)
  }

  left(code: number, reason: string): void {
    this.ended(code, reason)
  }

  get bufferedAmount(): number {
    return this.#socket?.getBufferedAmount() ?? 0
  }

  protected write(data: string): void {
    if (this.#socket === null) this.#early.push(data)
    else if (this.#socket.send(data) === 0 && data !== '') throw new Error('the connection is closed')
  }

  protected startClosing(code: number | undefined, reason: string | undefined): void {
    this.#socket?.close(code, reason)
  }
}
