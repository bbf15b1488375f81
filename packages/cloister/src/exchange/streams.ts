import type { ContentWriter } from './exchange.ts'
import { attempt, look } from '../foreign.ts'
import { hush, isFunction } from '../guards.ts'

/**
 * The part of Node's `Readable` that the core uses, for a stream of bytes. Transports create it from their own source;
 * hooks and parsers of the application get it unchanged.
 */
export interface ByteStream extends AsyncIterable<unknown> {
  readonly readableObjectMode?: boolean
  readonly readableLength?: number
  /** the bytes were read to their end */
  readonly readableEnded?: boolean
  readonly destroyed?: boolean
  /** bytes read so far, before decoding; set by streams that decode a body */
  receivedEncodedLength?: number
  on(event: string, listener: (value: unknown) => void): unknown
  off(event: string, listener: (value: unknown) => void): unknown
  emit(event: string, ...args: unknown[]): boolean
  listenerCount(event: string): number
  /** the listeners of a Node stream; other streams may not have it */
  listeners?(event: string): readonly unknown[]
  /** adds bytes to a Node stream; other streams don't have it */
  push?(chunk: unknown, encoding?: BufferEncoding): boolean
  /** returns what a Node stream has stored; other streams don't have it */
  read?(): unknown
  resume(): unknown
  pause(): unknown
  /** iterates a Node stream without closing it at the end of the loop; other streams don't have it */
  iterator?(options: { readonly destroyOnReturn: boolean }): AsyncIterable<unknown>
}

/** The part of a web stream (WHATWG Streams) that the core uses. */
export interface WebStream {
  readonly locked: boolean
  getReader(): WebReader
  cancel(reason?: unknown): Promise<void>
}

export interface WebReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
  cancel(reason?: unknown): Promise<void>
}

/** The failure of a source. The thrown value may be anything. */
export interface PumpFailure {
  readonly thrown: unknown
}

/** Called with `null` when the source has ended, otherwise with its failure, which may also come after its end. */
export type PumpSettled = (failure: PumpFailure | null) => void

/** Ends the source; the promise resolves when it has ended. */
export type StopPump = (reason: unknown) => Promise<void>

/** The destination of content in chunks. */
export type ContentTarget = Pick<ContentWriter, 'write' | 'whenDrained'>

/** Writes a stream to a response; see `transport/streams/pump.ts`. */
export type Pump = (source: ByteStream | WebStream, writer: ContentTarget, settled: PumpSettled) => StopPump

/**
 * The methods that end a stream; the first one that exists is called. `return` runs the `finally` blocks of a
 * generator, `cancel` is for web streams, the others are for Node's and older streams.
 */
const ENDINGS = ['return', 'cancel', 'destroy', 'close', 'abort']

/**
 * Ends a stream or a generator that will not be read further.
 *
 * @param failed - gets the error of an end that fails, such as that of a `finally` block; by default nothing does
 * @returns a promise that resolves when it has ended
 */
export function release(source: object, failed: (error: unknown) => void = hush): Promise<void> {
  cancelStream(source)
  for (const name of ENDINGS) {
    const end: unknown = Reflect.get(source, name)
    if (!isFunction(end)) continue
    // A web stream with a reader rejects `cancel`, and doesn't need it.
    const ended = new Promise((resolve) => resolve(end.call(source)))
    return ended
      .then(() => whenClosed(source))
      .catch((error: unknown) => {
        // What it returns may be a promise, which is not awaited.
        failed(error)
      })
  }
  return Promise.resolve()
}

/** `CANCEL` of HTTP/2 (RFC 9113 section 7) */
const CANCEL = 8

/**
 * Cancels the stream of an HTTP/2 client, whose response is not needed any more. `destroy()` sends `NO_ERROR`, after which
 * a server of Node may wait forever for the end of what it still writes.
 */
function cancelStream(source: object): void {
  const close: unknown = look(source, 'close')
  if (typeof look(source, 'rstCode') === 'number' && look(source, 'closed') === false && isFunction(close))
    attempt(() => void close.call(source, CANCEL), undefined)
}

/** Waits for the `close` of a Node stream that was destroyed, whose source may still run. */
function whenClosed(source: object): Promise<void> | undefined {
  const on: unknown = Reflect.get(source, 'on')
  if (Reflect.get(source, 'closed') !== false || Reflect.get(source, 'destroyed') !== true || !isFunction(on))
    return undefined
  if (look(look(source, '_readableState'), 'emitClose') === false) return undefined
  return new Promise((resolve) => void on.call(source, 'close', () => resolve()))
}

export type StreamListeners = Readonly<Record<'data' | 'end' | 'error' | 'close', (value: unknown) => void>>

/**
 * Adds listeners to a stream.
 *
 * @returns a function that removes them
 */
export function listenTo(
  source: Pick<ByteStream, 'on' | 'off'>,
  { data, end, error, close }: StreamListeners,
): () => void {
  source.on('data', data)
  source.on('end', end)
  source.on('error', error)
  source.on('close', close)
  return () => {
    source.off('data', data)
    source.off('end', end)
    source.off('error', error)
    source.off('close', close)
  }
}
