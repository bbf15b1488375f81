import { canCompile } from './codegen/compile.ts'
import type { CodeGeneration } from './options.ts'
import { TurnQueue } from './queues.ts'

/** The form of a function. */
export type Tier = 'closures' | 'code'

/**
 * After about this number of calls, closures have lost the time that code needs until it is fast: V8 compiles and
 * optimizes each generated function separately, while all closures of an app run the same functions.
 */
export const HOT_CALLS = 5000

/**
 * Decides for the functions of one engine whether they are closures or generated code.
 *
 * Closures are created in a fifth of the time and run at a third of the speed, so a function starts as closures. It
 * counts its calls itself, so that counting costs no call: after `patience` calls it passes its code to `later`.
 */
export class Tiers {
  readonly #wanted: CodeGeneration
  readonly #turns: TurnQueue = new TurnQueue()
  #mode: CodeGeneration | undefined

  constructor(wanted: CodeGeneration) {
    this.#wanted = wanted
  }

  /** Also `never` if the process forbids code generation from strings; the first call detects that. */
  get mode(): CodeGeneration {
    this.#mode ??= this.#wanted !== 'never' && canCompile() ? this.#wanted : 'never'
    return this.#mode
  }

  /** Why no code is generated; undefined if it may be. */
  get forbiddance(): string | undefined {
    if (this.mode !== 'never') return undefined
    return this.#wanted === 'never' ? "`codeGeneration` is 'never'" : 'this process forbids code made of text'
  }

  /** Returns the form of a function that has, or has not yet, been called often. */
  tierOf(isHot: boolean): Tier {
    return isHot || this.mode === 'always' ? 'code' : 'closures'
  }

  /** How many calls a function gets before its code replaces its first form; 0 if nothing does. */
  get patience(): number {
    return this.mode === 'hot' ? HOT_CALLS : 0
  }

  /** Replaces a function by its code, in a separate turn of the event loop; it stays as it is if that fails. */
  later(replace: () => void): void {
    this.#turns.add(replace)
  }
}
