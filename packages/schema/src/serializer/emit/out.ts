/**
 * Collects what is appended to the output string: neighbouring literals become one, and everything up to
 * the next branch or loop becomes one expression.
 */
import { code, join, type Code } from '../../codegen/code.ts'
import type { CodeWriter } from '../../codegen/writer.ts'

type Pending =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pair'; readonly flag: Code; readonly yes: string; readonly no: string }

/** The text that one generated function builds, in the local variable `target`. */
export class Out {
  readonly #writer: CodeWriter
  readonly #target: Code
  #pieces: Code[] = []
  #pending: Pending = { kind: 'none' }

  constructor(writer: CodeWriter, target: Code) {
    this.#writer = writer
    this.#target = target
  }

  /** Appends fixed text. */
  text(text: string): this {
    const last = this.#pending
    if (last.kind === 'pair') this.#pending = { ...last, yes: last.yes + text, no: last.no + text }
    else this.#pending = { kind: 'text', text: last.kind === 'text' ? last.text + text : text }
    return this
  }

  /** Appends one of two texts, by a condition of the generated code. */
  pair(flag: Code, yes: string, no: string): this {
    this.#settle()
    this.#pending = { kind: 'pair', flag, yes, no }
    return this
  }

  /** Appends the value of an expression. */
  value(expression: Code): this {
    this.#settle()
    this.#pieces.push(expression)
    return this
  }

  /** Writes what has been collected as a statement; needed before a branch and at the end of each block. */
  flush(): this {
    this.#settle()
    if (this.#pieces.length > 0) {
      this.#writer.line(code`${this.#target} += ${join(this.#pieces, code` + `)}`)
      this.#pieces = []
    }
    return this
  }

  #settle(): void {
    const last = this.#pending
    if (last.kind === 'text') this.#pieces.push(code`${last.text}`)
    if (last.kind === 'pair') this.#pieces.push(code`(${last.flag} ? ${last.yes} : ${last.no})`)
    this.#pending = { kind: 'none' }
  }
}
