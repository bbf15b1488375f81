import type { ByteStream, WebStream } from './byte-stream.ts'
import type { ContentWriter } from './exchange.ts'

/** Why a source has given no whole content; what it failed with may be anything. */
export interface PumpFailure {
  readonly thrown: unknown
}

/** Called once: with `null` when the source has ended, else with its failure. */
export type PumpSettled = (failure: PumpFailure | null) => void

/** Releases a source, of which nothing more is wanted. */
export type StopPump = (reason: unknown) => void

/** Takes content piece by piece. */
export type ContentTarget = Pick<ContentWriter, 'write' | 'whenDrained'>

/** Writes what a stream yields to a response; see `transport/streams/pump.ts`. */
export type Pump = (source: ByteStream | WebStream, writer: ContentTarget, settled: PumpSettled) => StopPump
