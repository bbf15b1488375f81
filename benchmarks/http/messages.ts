import type { Profiler } from 'node:inspector/promises'
import type { Tally } from './tally.ts'

/** What the runner asks of a server process. */
export type Question =
  | { readonly ask: 'cpu' }
  | { readonly ask: 'startAllocation' }
  | { readonly ask: 'stopAllocation' }
  | { readonly ask: 'startProfile' }
  | { readonly ask: 'stopProfile' }

/** What a server process replies. */
export type Sendable =
  | { readonly tell: 'listening'; readonly port: number }
  | { readonly tell: 'cpu'; readonly micros: number }
  | { readonly tell: 'counting' }
  | ({ readonly tell: 'allocated' } & Allocated)
  | { readonly tell: 'profiling' }
  | { readonly tell: 'profile'; readonly profile: Profiler.Profile }

/** What a server process has done between two questions. */
export interface Allocated extends Readonly<Tally> {
  /** bytes that were allocated on the heap of V8, those that have been freed included */
  readonly bytes: number
}
