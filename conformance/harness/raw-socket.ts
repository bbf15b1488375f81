// Byte-exact requests: tests write exactly the bytes to be sent.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { App } from './app-shape.ts'
import { isEncrypted, listenOnce, TRUSTING } from './send.ts'

/** What the server has sent over a raw socket. */
export interface RawResponse {
  /** Every byte received, as latin-1 text. */
  readonly text: string
  /** Status of the first response, 0 if there is none. */
  readonly status: number
  /** Statuses of all responses on the connection, including interim ones. */
  readonly statuses: readonly number[]
  /** Headers of the first response, with lower-case names. */
  readonly headers: Record<string, string>
  /** The bytes after the first head. */
  readonly body: string
}

/** How to drive a raw exchange. */
export interface RawOptions {
  /** Stop reading at this text; by default, read until the server closes the connection. */
  readonly until?: string | RegExp
  /** End the client's side after writing. */
  readonly end?: boolean
}

function parseRaw(text: string): RawResponse {
  const headEnd = text.indexOf('\r\n\r\n')
  const head = headEnd === -1 ? text : text.slice(0, headEnd)
  const lines = head.split('\r\n').slice(1)
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map((match) => Number(match[1]))
  return {
    text,
    status: statuses[0] ?? 0,
    statuses,
    headers,
    body: headEnd === -1 ? '' : text.slice(headEnd + 4),
  }
}

/** Opens a connection to the app, for tests that drive it themselves. */
export async function openSocket(app: App): Promise<Socket> {
  const { address, port } = await listenOnce(app)
  return new Promise((resolve, reject) => {
    const ready = (): void => {
      socket.off('error', reject)
      resolve(socket)
    }
    const socket: Socket = isEncrypted(app)
      ? connectTls({ port, host: address, ...TRUSTING }, ready)
      : connect(port, address, ready)
    socket.once('error', reject)
  })
}

/**
 * Writes the bytes to a new connection and reads until the server closes it or sends `until`. Send `Connection:
 * close`, or give `until`: a persistent connection does not end by itself.
 */
export async function rawSocket(
  app: App,
  bytes: string | Buffer | readonly (string | Buffer)[],
  options: RawOptions = {},
): Promise<RawResponse> {
  const socket = await openSocket(app)
  return new Promise((resolve) => {
    let text = ''
    const finish = (): void => {
      socket.destroy()
      resolve(parseRaw(text))
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const { until } = options
      if (until !== undefined && (typeof until === 'string' ? text.includes(until) : until.test(text)))
        finish()
    })
    // Some refusals end with a reset after the response; the bytes until then are the response.
    socket.on('error', finish)
    socket.on('close', finish)
    const parts = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes
    for (const part of parts) socket.write(part)
    if (options.end === true) socket.end()
  })
}
