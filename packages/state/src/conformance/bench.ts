import type { State } from '../types.ts'

/** What a test of the suite works with. */
export interface Bench {
  /** Two states over one store, as two processes have them. */
  readonly states: readonly [State, State]
  /** Returns a key that no other test uses. */
  readonly key: () => string
  readonly wait: (ms: number) => Promise<void>
  readonly draw: (below: number) => number
  readonly histories: number
}

/** A test of the suite: its title, and what it does. */
export type SuiteTest = readonly [title: string, run: (bench: Bench) => Promise<void>]
