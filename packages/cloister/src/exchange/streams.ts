import type { ContentWriter } from './exchange.ts'
import { hush, isFunction } from '../guards.ts'

/**
 * A stream of bytes in the shape of Node's `Readable`, as far as the core uses it. Transports make one of what they
 * have; hooks and parsers of the application get it as it is.
 */
export interface ByteStream extends AsyncIterable<unknown> {
  readonly readableObjectMode?: boolean
  readonly readableLength?: number
  /** bytes read so far, before decoding; set by streams that decode a body */
  receivedEncodedLength?: number
  on(event: string, listener: (value: unknown) => void): unknown
  off(event: string, listener: (value: unknown) => void): unknown
  emit(event: string, ...args: unknown[]): boolean
  listenerCount(event: string): number
  /** Node's way to add bytes to a stream; other streams have none */
  push?(chunk: unknown, encoding?: BufferEncoding): boolean
  resume(): unknown
  pause(): unknown
  /** Node's way to iterate a stream that stays open behind the loop; other streams have none */
  iterator?(options: { readonly destroyOnReturn: boolean }): AsyncIterable<unknown>
}

/** A stream of the web platform (WHATWG Streams), as far as the core uses it. */
export interface WebStream {
  readonly locked: boolean
  getReader(): WebReader
  cancel(reason?: unknown): Promise<void>
}

/** The reader of a web stream. */
export interface WebReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
  cancel(reason?: unknown): Promise<void>
}

/** Why a source has given no whole content; what it failed with may be anything. */
export interface PumpFailure {
  readonly thrown: unknown
}

/** Called once: with `null` when the source has ended, else with its failure. */
export type PumpSettled = (failure: PumpFailure | null) => void

/** Stops reading a source and frees it. */
export type StopPump = (reason: unknown) => void

/** Takes content piece by piece. */
export type ContentTarget = Pick<ContentWriter, 'write' | 'whenDrained'>

/** Writes what a stream yields to a response; see `transport/streams/pump.ts`. */
export type Pump = (source: ByteStream | WebStream, writer: ContentTarget, settled: PumpSettled) => StopPump

/**
 * The ways in which streams end, the first that a stream has: a generator's, which runs its `finally` blocks, a web
 * stream's, then those of Node's and older ones.
 */
const ENDINGS = ['return', 'cancel', 'destroy', 'close', 'abort']

/** Ends a stream, or a generator, that will not be read any more. */
export function release(source: object): void {
  for (const name of ENDINGS) {
    const end: unknown = Reflect.get(source, name)
    if (!isFunction(end)) continue
    // A web stream that was read already cannot be cancelled, and need not be.
    new Promise((resolve) => resolve(end.call(source))).catch((error: unknown) => void hush(error))
    return
  }
}

/** What a reader hears of a stream. */
export type StreamListeners = Readonly<Record<'data' | 'end' | 'error' | 'close', (value: unknown) => void>>

/**
 * Listens to a stream.
 *
 * @returns ends that
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
