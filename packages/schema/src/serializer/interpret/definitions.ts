/** Closures of what is reached by reference. */
import { refuse } from '../../runtime/describe.ts'
import { MAX_DEPTH, TOO_DEEP } from '../depth.ts'
import type { Definition, Node, SharedDefinition } from '../ir.ts'
import type { Writer } from './writer.ts'

type Make<Result> = (node: Node) => Writer<Result>

/** The writers of shared definitions, each made once for all serializers of a mode. */
export type SharedWriters<Result> = WeakMap<SharedDefinition, Writer<Result>>

/** The writers of definitions, each made once. */
export class DefinitionTable<Result> {
  readonly #shared: SharedWriters<Result>
  readonly #own: Map<Definition, Writer<Result>> = new Map()
  /** How many recursive writers are running. Frames are no measure: closures need more of them than generated code. */
  #depth: number = 0

  constructor(shared: SharedWriters<Result>) {
    this.#shared = shared
  }

  /** Has the whole value counted as no level, as generated code does. */
  startAt(root: Node): void {
    if (root.kind === 'ref' && root.target.isRecursive) this.#depth = -1
  }

  /** Forgets the definitions, which hold what has been read: all closures are made. */
  finish(): void {
    this.#own.clear()
  }

  /** The writer of a shared definition. */
  shared(definition: SharedDefinition, make: Make<Result>): Writer<Result> {
    const known = this.#shared.get(definition)
    if (known !== undefined) return known
    const writer = make(definition.node)
    this.#shared.set(definition, writer)
    return writer
  }

  /** The writer of a definition. Within itself a definition finds a function that calls it. */
  reference(definition: Definition, make: Make<Result>): Writer<Result> {
    const known = this.#own.get(definition)
    if (known !== undefined) return known
    if (!definition.isRecursive) {
      const writer = make(definition.node)
      this.#own.set(definition, writer)
      return writer
    }
    const box: { write: Writer<Result> } = { write: () => refuse(TOO_DEEP, '') }
    const counted: Writer<Result> = (value) => {
      if (this.#depth >= MAX_DEPTH) refuse(TOO_DEEP, '')
      this.#depth += 1
      try {
        return box.write(value)
      } finally {
        this.#depth -= 1
      }
    }
    this.#own.set(definition, counted)
    box.write = make(definition.node)
    return counted
  }
}
