import type { Random } from '../../../packages/schema/test/validator/random.ts'

/** What came of one input. */
export interface Outcome {
  /** what kind of outcome it is; an input with a kind of its own is worth keeping */
  readonly kind: string
  /** what may not be */
  readonly faults: readonly string[]
}

/** What inputs are made for. An input is a text of latin-1: one character is one octet. */
export interface Target {
  readonly name: string
  /** pieces that inputs are likely to need */
  readonly words: readonly string[]
  /** Draws a new input. */
  draw(random: Random): string
  check(input: string): Outcome | Promise<Outcome>
}
