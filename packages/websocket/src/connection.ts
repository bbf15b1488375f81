import { isFunction } from './guards.ts'

/** A message of a client: its size in bytes, and its text. */
export interface SocketMessage {
  readonly length: number
  toString(): string
}

/** The server's end of an open WebSocket: one of `ws`, or of a platform. */
export interface SocketConnection {
  /** bytes that were sent, but not written yet */
  readonly bufferedAmount: number
  readonly protocol: string
  readonly isPaused: boolean
  on(event: 'message', listener: (data: SocketMessage, isBinary: boolean) => void): unknown
  on(event: 'pong', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'close', listener: (code: number, reason: SocketMessage | string) => void): unknown
  send(data: string, written: (error?: Error | null) => void): void
  /** absent where the platform itself finds out that a client has gone */
  ping?(): void
  pause(): void
  resume(): void
  close(code?: number, reason?: string): void
  /** ends the connection without a handshake */
  terminate(): void
}

/** How a WebSocket is opened. */
export interface OpenOptions {
  /** the subprotocol; `''` for none */
  readonly protocol: string
  /** headers for the response, without those of the handshake */
  readonly headers: Readonly<Record<string, number | string | string[]>>
  /** the most bytes of a message */
  readonly maxPayload: number
  /** the most bytes that wait for the handler, or for the client */
  readonly maxBuffered: number
}

/** The listeners of a connection. */
export class Listeners {
  readonly #entries: { readonly event: unknown; readonly listener: (...args: unknown[]) => unknown }[] = []

  on(event: unknown, listener: unknown): this {
    if (isFunction(listener)) this.#entries.push({ event, listener })
    return this
  }

  protected emit(event: unknown, ...args: readonly unknown[]): void {
    for (const entry of this.#entries) if (entry.event === event) entry.listener(...args)
  }
}
