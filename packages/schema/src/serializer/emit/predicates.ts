/** Writes predicates into a unit. */
import { code, type Code } from '../../codegen/code.ts'
import type { CodeWriter } from '../../codegen/writer.ts'
import type { Block, Emission, Target } from '../../walk/code.ts'
import { JUDGE } from '../../walk/look.ts'
import type { SchemaNode } from '../../walk/node.ts'

/** Writes predicates as functions of a unit, each once. */
export class PredicateEmitter implements Emission {
  readonly log: Code = code`undefined`
  isLogged: boolean = false
  readonly #writer: CodeWriter
  readonly #known: Map<SchemaNode, Code> = new Map()

  constructor(writer: CodeWriter) {
    this.#writer = writer
  }

  /** The name of the function of a predicate. */
  nameOf(predicate: SchemaNode): Code {
    const known = this.#known.get(predicate)
    if (known !== undefined) return known
    const [own, value] = [this.#writer.unique('is'), this.#writer.unique('v')]
    this.#known.set(predicate, own)
    const writer = this.#writer.nested()
    const exit = code`return false`
    writer.block(code`function ${own}(${value})`, () => {
      predicate.plan.emit(
        { value },
        { writer, reject: exit, defer: exit, use: JUDGE, edits: undefined, unit: this },
      )
      writer.line(code`return true`)
    })
    this.#writer.line(writer.toCode())
    return own
  }

  reference(node: SchemaNode, { value }: Target, { writer, reject }: Block): boolean {
    writer.line(code`if (!${this.nameOf(node)}(${value})) ${reject}`)
    return false
  }
}
