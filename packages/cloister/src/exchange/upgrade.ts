import type { ResponseHeaders } from './exchange.ts'

/** A message of a client: its size in bytes, and its text. */
export interface SocketMessage {
  readonly length: number
  toString(): string
}

/** The server's end of an open WebSocket. */
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

/** How a platform opens a WebSocket. */
export interface UpgradeOptions {
  /** the subprotocol; `''` for none */
  readonly protocol: string
  /** headers for the response, without those of the handshake */
  readonly headers: ResponseHeaders
  /** the most bytes of a message */
  readonly maxPayload: number
  /** the most bytes that wait for the handler, or for the client */
  readonly maxBuffered: number
}
