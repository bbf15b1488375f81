import { canCompile } from './codegen/compile.ts'
import type { CodeGeneration } from './options.ts'
import { TurnQueue } from './queues.ts'

/** A function with two forms: closures and generated code. */
export type Tiered<Result> = (value: unknown, holder?: { value: unknown }) => Result

/** The form of a function. */
export type Tier = 'closures' | 'code'

/** Creates both forms of a function. */
export interface Forms<Result> {
  interpret(): Tiered<Result>
  generate(): Tiered<Result>
}

/**
 * After about this number of calls, closures have lost the time that code needs until it is fast: V8 compiles and
 * optimizes each generated function separately, while all closures of an app run the same functions.
 */
export const HOT_CALLS = 5000

/**
 * Decides for the functions of one engine whether they are closures or generated code.
 *
 * Closures are created in a fifth of the time and run at a third of the speed, so a function starts as closures.
 * After {@link HOT_CALLS} calls its code is generated, in a separate turn of the event loop, and replaces them.
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

  /**
   * Creates the first form of a function.
   * @param replace - called later with the form that replaces it
   */
  start<Result>(forms: Forms<Result>, replace: (next: Tiered<Result>) => void): Tiered<Result> {
    if (this.mode === 'always') return forms.generate()
    const closures = forms.interpret()
    if (this.mode === 'never') return closures
    let calls = 0
    return (value, holder) => {
      if (++calls === HOT_CALLS) this.#turns.add(() => replace(forms.generate()))
      return closures(value, holder)
    }
  }
}
