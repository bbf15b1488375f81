/** Closures of what is reached by reference. */
import { isObject } from '../../guards.ts'
import { remember } from '../../remember.ts'
import { refuse } from '../../runtime/describe.ts'
import { Descent } from '../../runtime/descent.ts'
import { Misfit } from '../../runtime/errors.ts'
import type { Closures, Writer } from './closures.ts'
import type { Node } from './node.ts'
import { RefNode, type Definition } from './reference.ts'

/** The maximum depth of a recursive schema; the stack of a small process is large enough for it. */
export const MAX_DEPTH = 2500
/** The reason for which a deeper value is refused. */
export const TOO_DEEP: string = `the value is nested more than ${MAX_DEPTH} levels deep`

/** The writers of shared definitions, each made once for all serializers of a mode. */
export type SharedWriters<Result> = WeakMap<Definition, Writer<Result>>

/** The maximum nesting of recursive writers. The default stack has room for three times as many. */
const MAX_RUNNING = 500

/** The result of a recursive writer, or the error that it has thrown. */
type Outcome<Result> = { readonly result: Result } | { readonly error: unknown }

/** The writers of definitions, each made once. */
export class DefinitionTable<Result> {
  readonly #shared: SharedWriters<Result>
  readonly #own: Map<Definition, Writer<Result>> = new Map()
  /** The level of the whole value: it counts as none where it is recursive itself, as in generated code. */
  #start: number = 0
  /** How many recursive writers are running. Frames are no measure: closures need more of them than generated code. */
  #descent: Descent = new Descent(MAX_RUNNING)
  #made: Map<Writer<Result>, WeakMap<object, Outcome<Result>>> = new Map()
  #isRecursive: boolean = false

  constructor(shared: SharedWriters<Result>) {
    this.#shared = shared
  }

  /** Completes the writer of the whole value. */
  finish(root: Node, write: Writer<Result>): Writer<Result> {
    // The definitions hold what has been read; all closures are made.
    this.#own.clear()
    if (!this.#isRecursive) return write
    this.#start = root instanceof RefNode && root.target.isRecursive ? -1 : 0
    return (value) => this.#run(write, value)
  }

  /** The writer of a shared definition. */
  shared(definition: Definition, closures: Closures<Result>): Writer<Result> {
    return remember(this.#shared, definition, () => definition.node.writer(closures, false))
  }

  /** The writer of a definition. Within itself a definition finds a function that calls it. */
  reference(definition: Definition, closures: Closures<Result>): Writer<Result> {
    const make = (): Writer<Result> => definition.node.writer(closures, false)
    if (!definition.isRecursive) return remember(this.#own, definition, make)
    const known = this.#own.get(definition)
    if (known !== undefined) return known
    this.#isRecursive = true
    const box: { write: Writer<Result> } = { write: () => refuse(TOO_DEEP, '') }
    const counted = this.#counted((value) => box.write(value))
    this.#own.set(definition, counted)
    box.write = make()
    return counted
  }

  /** Writes the whole value. A getter of a value may write another one meanwhile. */
  #run(write: Writer<Result>, value: unknown): Result {
    const outer = { descent: this.#descent, made: this.#made }
    this.#descent = new Descent(MAX_RUNNING)
    this.#made = new Map()
    try {
      return this.#descent.run(() => {
        this.#descent.level = this.#start
        return write(value)
      })
    } finally {
      this.#descent = outer.descent
      this.#made = outer.made
    }
  }

  #counted(write: Writer<Result>): Writer<Result> {
    return (value) => {
      if (this.#descent.level >= MAX_DEPTH) refuse(TOO_DEEP, '')
      const { isDeep, isFull } = this.#descent
      return (isDeep || isFull) && isObject(value) ? this.#kept(write, value) : this.#within(write, value)
    }
  }

  #within(write: Writer<Result>, value: unknown): Result {
    this.#descent.level += 1
    this.#descent.open += 1
    const result = write(value)
    this.#descent.open -= 1
    this.#descent.level -= 1
    return result
  }

  /** Returns the stored result for a value, or computes it. */
  #kept(write: Writer<Result>, value: object): Result {
    const descent = this.#descent
    const made = remember(this.#made, write, () => new WeakMap<object, Outcome<Result>>())
    const known = made.get(value)
    if (known === undefined && descent.isFull) {
      descent.pause(() => {
        const outcome = this.#outcomeOf(write, value)
        made.set(value, outcome)
        return outcome
      })
    }
    if (known !== undefined) descent.found(known)
    const outcome = known ?? this.#outcomeOf(write, value)
    if (known === undefined) made.set(value, outcome)
    if ('error' in outcome) throw outcome.error
    return outcome.result
  }

  #outcomeOf(write: Writer<Result>, value: object): Outcome<Result> {
    try {
      return { result: this.#within(write, value) }
    } catch (error) {
      if (error instanceof Misfit) return { error }
      throw error
    }
  }
}
