import { Socket } from 'node:net'

/** As much as the system delivers at once. */
const LENGTH = 65_536

/** The keys under which Node's sockets store the values of their option `onread`. */
interface Keys {
  readonly buffer: symbol
  readonly callback: symbol
}

/** Called as a method of its socket with the number of bytes that have arrived. @returns false to stop reading */
type Take = (this: Socket, size: number) => boolean

/**
 * The buffer into which all plain connections of one server read, so that no buffer is allocated for each read.
 * After the event of a read, its bytes may be those of another connection: code that keeps some of them must copy
 * them (`own`).
 *
 * Node has the option `onread` for this, but only for client sockets. If a version of Node, or a socket, lacks what
 * that option needs, sockets emit `data` instead.
 */
export class ReadBuffer {
  readonly bytes: Buffer = Buffer.allocUnsafeSlow(LENGTH)
  readonly #keys: Keys | null = findKeys()

  /**
   * Makes a socket read into this buffer from now on.
   *
   * @param take - called for each read, before the next
   * @returns false when the socket must be read through its event `data`
   */
  attach(socket: Socket, take: Take): boolean {
    const handle: unknown = Reflect.get(socket, '_handle')
    if (this.#keys === null || !canUseBuffer(handle) || !isUnread(socket)) return false
    Reflect.set(socket, this.#keys.buffer, this.bytes)
    Reflect.set(socket, this.#keys.callback, take)
    handle.useUserBuffer(this.bytes)
    return true
  }

  /** Makes an attached socket emit `data` again, as other sockets do. */
  release(socket: Socket): void {
    if (this.#keys === null || Reflect.get(socket, this.#keys.buffer) !== this.bytes) return
    const push: Take = (size) => socket.push(this.own(this.bytes, 0, size))
    Reflect.set(socket, this.#keys.callback, push)
  }

  /** Returns a range of bytes that may be kept: a copy if they are in this buffer. */
  own(bytes: Buffer, start: number, end: number): Buffer {
    return bytes === this.bytes ? Buffer.from(bytes.subarray(start, end)) : bytes.subarray(start, end)
  }
}

interface BufferedHandle {
  useUserBuffer(buffer: Uint8Array): void
}

function canUseBuffer(handle: unknown): handle is BufferedHandle {
  return typeof handle === 'object' && handle !== null && 'useUserBuffer' in handle
}

/** Whether nothing has been read from the socket, and nothing else reads it. */
function isUnread(socket: Socket): boolean {
  return (
    socket.readableFlowing === null && socket.readableLength === 0 && socket.listenerCount('readable') === 0
  )
}

/** Finds the keys on a socket that has the option; returns `null` if this version of Node stores it differently. */
function findKeys(): Keys | null {
  const buffer = new Uint8Array(1)
  const callback = (): boolean => true
  const options = { allowHalfOpen: true, onread: { buffer, callback } }
  const socket = new Socket(options)
  const keys = Object.getOwnPropertySymbols(socket)
  const found = (value: unknown): symbol | undefined => keys.find((key) => Reflect.get(socket, key) === value)
  const bufferKey = found(buffer)
  const callbackKey = found(callback)
  if (bufferKey === undefined || callbackKey === undefined) return null
  const plain = new Socket()
  const isPlain = [bufferKey, callbackKey].every((key) => Reflect.get(plain, key) === null)
  return isPlain ? { buffer: bufferKey, callback: callbackKey } : null
}
