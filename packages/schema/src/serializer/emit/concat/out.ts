/**
 * Collects what is appended to the output string: neighbouring literals become one, and everything up to
 * the next branch or loop becomes one expression.
 */
import { code, nothing, type Code } from '../../../codegen/code.ts'
import type { CodeWriter } from '../../../codegen/writer.ts'

/** Fixed text, or a choice between texts that the generated code makes. */
export type Literal = string | { readonly flag: Code; readonly yes: Literal; readonly no: Literal }

/** A literal with text after it. */
export function extend(literal: Literal, text: string): Literal {
  return typeof literal === 'string'
    ? literal + text
    : { flag: literal.flag, yes: extend(literal.yes, text), no: extend(literal.no, text) }
}

function literalCode(literal: Literal): Code {
  return typeof literal === 'string'
    ? code`${literal}`
    : code`(${literal.flag} ? ${choiceOf(literal.yes)} : ${choiceOf(literal.no)})`
}

/** A text is quoted where it is inserted. */
function choiceOf(literal: Literal): Code | string {
  return typeof literal === 'string' ? literal : literalCode(literal)
}

/** The text that one generated function builds, in the local variable `target`. */
export class Out {
  readonly #writer: CodeWriter
  readonly #target: Code
  /** What has been collected, as one expression. */
  #sum: Code = nothing
  #pending: Literal = ''

  constructor(writer: CodeWriter, target: Code) {
    this.#writer = writer
    this.#target = target
  }

  /** Appends fixed text. */
  text(text: string): this {
    this.#pending = extend(this.#pending, text)
    return this
  }

  /** Appends a literal. */
  literal(literal: Literal): this {
    if (typeof literal === 'string') return this.text(literal)
    return this.pair(literal.flag, literal.yes, literal.no)
  }

  /** Appends one of two literals, by a condition of the generated code. */
  pair(flag: Code, yes: Literal, no: Literal): this {
    if (typeof this.#pending !== 'string') this.#settle()
    const before = typeof this.#pending === 'string' ? this.#pending : ''
    this.#pending = { flag, yes: prepend(before, yes), no: prepend(before, no) }
    return this
  }

  /** Appends the value of an expression. */
  value(expression: Code): this {
    this.#settle()
    this.#add(expression)
    return this
  }

  /** Takes back the fixed text at the end, to be written in front of something else. */
  takeText(): string {
    const last = this.#pending
    if (typeof last !== 'string') return ''
    this.#pending = ''
    return last
  }

  /** Writes all but the literal at the end, which is taken back for what follows to begin with. */
  hold(): Literal {
    const kept = this.#pending
    this.#pending = ''
    this.flush()
    return kept
  }

  /** Writes what has been collected as a statement; needed before a branch and at the end of each block. */
  flush(): this {
    this.#settle()
    if (this.#sum !== nothing) {
      this.#writer.line(code`${this.#target} += ${this.#sum}`)
      this.#sum = nothing
    }
    return this
  }

  #settle(): void {
    if (this.#pending === '') return
    this.#add(literalCode(this.#pending))
    this.#pending = ''
  }

  #add(expression: Code): void {
    this.#sum = this.#sum === nothing ? expression : code`${this.#sum} + ${expression}`
  }
}

function prepend(text: string, literal: Literal): Literal {
  if (text === '') return literal
  return typeof literal === 'string'
    ? text + literal
    : { flag: literal.flag, yes: prepend(text, literal.yes), no: prepend(text, literal.no) }
}
