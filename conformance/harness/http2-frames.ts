// Frames of HTTP/2 as bytes (RFC 9113 section 4.1), for input that no client library sends.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { App } from './app-shape.ts'
import { listenOnce } from './send.ts'

export const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

/** Types of frames (section 6). */
export const TYPE = {
  data: 0,
  headers: 1,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const

export const END_STREAM = 0x1
export const ACK = 0x1
export const END_HEADERS = 0x4
export const PADDED = 0x8

/** Codes of errors (section 7). */
export const CODE = {
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  compression: 9,
} as const

/** Returns one frame; `length` may differ from that of the payload. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
  length: number = payload.length,
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** Returns a number as four bytes. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** `GET http://x/`, in HPACK (RFC 7541): three indexed fields and a literal `:authority`. */
export const GET_ROOT: Buffer = Buffer.from([0x82, 0x86, 0x84, 0x41, 0x01, 0x78])

/** Returns a literal field without indexing (RFC 7541 section 6.2.2), with a short name. */
export function field(name: string, value: string): Buffer {
  const text = (part: string): Buffer => {
    const bytes = Buffer.from(part, 'latin1')
    if (bytes.length > 126) throw new Error('the text must have fewer than 127 bytes')
    return Buffer.concat([Buffer.from([bytes.length]), bytes])
  }
  return Buffer.concat([Buffer.from([0]), text(name), text(value)])
}

/** Returns the complete head of a GET request that ends its stream. */
export const get = (stream: number): Buffer => frame(TYPE.headers, END_HEADERS | END_STREAM, stream, GET_ROOT)

/** A frame from the server. */
export interface ReceivedFrame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

/** A connection that the test drives itself. */
export interface FrameClient {
  readonly socket: Socket
  /** resolves when the server has closed the connection */
  readonly closed: Promise<void>
  /** waits for a matching frame, or for the end of the connection */
  waitFor(wanted: (received: ReceivedFrame) => boolean): Promise<ReceivedFrame | undefined>
}

/** Connects, and sends the preface with empty settings or the given bytes. */
export async function openFrames(
  app: App,
  first: Buffer = Buffer.concat([Buffer.from(PREFACE), frame(TYPE.settings, 0, 0)]),
): Promise<FrameClient> {
  const { address, port } = await listenOnce(app)
  const socket = connect(port, address)
  const frames: ReceivedFrame[] = []
  const waiting = new Set<() => void>()
  let isClosed = false
  let rest = Buffer.alloc(0)
  const wake = (): void => {
    for (const look of waiting) look()
  }
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const end = 9 + rest.readUIntBE(0, 3)
      const stream = rest.readUInt32BE(5) & 0x7fffffff
      frames.push({
        type: rest.readUInt8(3),
        flags: rest.readUInt8(4),
        stream,
        payload: rest.subarray(9, end),
      })
      rest = rest.subarray(end)
    }
    wake()
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      wake()
      resolve()
    })
  })
  socket.write(first)
  return {
    socket,
    closed,
    waitFor: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = frames.find(wanted)
          if (found === undefined && !isClosed) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
  }
}
