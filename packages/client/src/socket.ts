import { parseJson } from './json-error.ts'
import type { ParseJson } from './parse-json.ts'
import type { ClientSocket, SocketEnd } from './types.ts'
import { writeJson } from './write-json.ts'

/** The members of all events of a `WebSocket`. */
interface SocketEvent {
  readonly type: string
  readonly data?: unknown
  readonly code?: number
  readonly reason?: string
}

/** A `WebSocket` of the platform or of the package `ws`. */
export interface PlainSocket {
  /** Adds a listener for an event. */
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: SocketEvent) => void): void
  /** Sends a text. */
  send(text: string): void
  /** Closes the socket. */
  close(code?: number, reason?: string): void
}

/** The class of sockets. */
export type SocketClass = new (url: string, protocols?: string[]) => PlainSocket

/** Opens a socket with JSON messages. */
export function openSocket(
  Socket: SocketClass,
  url: string,
  protocols: string[],
  parse: ParseJson,
): ClientSocket<unknown, unknown> {
  const socket = new Socket(url, protocols)
  const messages: unknown[] = []
  let count = 0
  let wake = (): void => {}
  let end: SocketEnd | undefined
  const opened = new Promise((resolve) => socket.addEventListener('open', resolve))
  const closed = new Promise<SocketEnd>((resolve) => {
    socket.addEventListener('close', ({ code = 1006, reason = '' }) => {
      resolve((end = { code, reason }))
      wake()
    })
  })
  // The event `close` follows.
  socket.addEventListener('error', () => {})
  socket.addEventListener('message', ({ data }) => {
    messages.push(data)
    wake()
  })
  return {
    closed,
    close: (code, reason) => socket.close(code, reason),
    async send(message) {
      await Promise.race([opened, closed])
      if (end) throw new Error(`the socket is closed (${end.code} ${end.reason})`)
      socket.send(writeJson(message))
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          while (messages.length > 0) yield parseJson(messages.shift(), `message ${++count}`, parse)
          if (end) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      } finally {
        socket.close()
      }
    },
  }
}
