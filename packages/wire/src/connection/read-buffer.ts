import { Socket } from 'node:net'

/** Fits all that the system hands over at once. */
const LENGTH = 65_536

/** The keys under which Node's sockets keep what their option `onread` was given. */
interface Keys {
  readonly buffer: symbol
  readonly callback: symbol
}

/** Gets the number of bytes that have come. @returns false to stop reading */
type Take = (size: number) => boolean

/**
 * The buffer into which all plain connections of one server read, so that none is made for each read. Its bytes are
 * those of another connection as soon as the event of a read is over: whatever keeps some of them has to copy them
 * (`own`).
 *
 * Node has the option `onread` for this, but only for sockets of clients. Where a version of Node, or a socket, does
 * not have what that option needs, sockets emit `data`.
 */
export class ReadBuffer {
  readonly bytes: Buffer = Buffer.allocUnsafeSlow(LENGTH)
  readonly #keys: Keys | null = findKeys()

  /**
   * Lets a socket read into this buffer from now on.
   *
   * @param take - called for each read, before the next
   * @returns false where the socket has to be read by its event `data`
   */
  attach(socket: Socket, take: Take): boolean {
    const handle: unknown = Reflect.get(socket, '_handle')
    if (this.#keys === null || !canUseBuffer(handle) || !isUnread(socket)) return false
    Reflect.set(socket, this.#keys.buffer, this.bytes)
    Reflect.set(socket, this.#keys.callback, take)
    handle.useUserBuffer(this.bytes)
    return true
  }

  /** Makes an attached socket emit `data` for what comes from now on, as others do. */
  release(socket: Socket): void {
    if (this.#keys === null || Reflect.get(socket, this.#keys.buffer) !== this.bytes) return
    const push: Take = (size) => socket.push(this.own(this.bytes, 0, size))
    Reflect.set(socket, this.#keys.callback, push)
  }

  /** Returns a part of some bytes that may be kept: a copy, where they are those of this buffer. */
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

/** Nothing has been read of it, and nothing else reads it. */
function isUnread(socket: Socket): boolean {
  return (
    socket.readableFlowing === null && socket.readableLength === 0 && socket.listenerCount('readable') === 0
  )
}

/** Finds the keys on a socket that has the option; `null` where this version of Node keeps it in another way. */
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
