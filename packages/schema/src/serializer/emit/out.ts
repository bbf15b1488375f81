/**
 * Collects the pieces of the output string: neighbouring literals become one, and everything up to the next branch or
 * loop becomes one expression.
 *
 * text('{"a":') value(x) text(',"b":') value(y) text('}') flush() → json += '{"a":' + x + ',"b":' + y + '}'
 *
 * `#pending` is the literal at the end, which the next append may still extend; `#sum` is the expression before it.
 */
import { code, nothing, type Code } from '../../codegen/code.ts'
import type { CodeWriter } from '../../codegen/writer.ts'
import type { CodeContext } from './unit.ts'

/** Fixed text, or a choice between texts that the generated code makes. */
export type Literal = string | { readonly flag: Code; readonly yes: Literal; readonly no: Literal }

/** Puts text around a literal. */
export function around(before: string, literal: Literal, after: string): Literal {
  if (typeof literal === 'string') return before + literal + after
  return {
    flag: literal.flag,
    yes: around(before, literal.yes, after),
    no: around(before, literal.no, after),
  }
}

function literalCode(literal: Literal): Code {
  if (typeof literal === 'string') return code`${literal}`
  return code`(${literal.flag} ? ${literalCode(literal.yes)} : ${literalCode(literal.no)})`
}

/** The text that one generated function builds, in the local variable `target`. */
export class Out {
  readonly #writer: CodeWriter
  readonly #target: Code
  /** The collected expression, without the pending literal. */
  #sum: Code = nothing
  #pending: Literal = ''

  constructor(writer: CodeWriter, target: Code) {
    this.#writer = writer
    this.#target = target
  }

  /** Appends fixed text. */
  text(text: string): this {
    this.#pending = around('', this.#pending, text)
    return this
  }

  /** Appends a literal. */
  literal(literal: Literal): this {
    if (typeof literal === 'string') return this.text(literal)
    return this.pair(literal.flag, literal.yes, literal.no)
  }

  /** Appends one of two literals, which a condition of the generated code chooses. */
  pair(flag: Code, yes: Literal, no: Literal): this {
    if (typeof this.#pending !== 'string') this.#settle()
    const before = typeof this.#pending === 'string' ? this.#pending : ''
    this.#pending = { flag, yes: around(before, yes, ''), no: around(before, no, '') }
    return this
  }

  /** Appends the value of an expression. */
  value(expression: Code): this {
    this.#settle()
    this.#add(expression)
    return this
  }

  /** Appends an expression between two literals. */
  expression({ before, value, after }: TextExpression): this {
    return this.text(before).value(value).text(after)
  }

  /** Appends one of two texts, fixed text or an expression, with the text before it in both. */
  either(test: Code, fixed: string, other: TextExpression): void {
    const last = this.#pending
    const prefix = typeof last === 'string' ? last : ''
    if (typeof last === 'string') this.#pending = ''
    this.value(code`(${test} ? ${prefix + fixed} : ${quoted(other, prefix)})`)
  }

  /**
   * Flushes everything except a trailing literal and returns that literal, so that the next append can start with it.
   */
  hold(): Literal {
    const kept = this.#pending
    this.#pending = ''
    this.flush()
    return kept
  }

  /** Writes the collected pieces as a statement; needed before a branch and at the end of each block. */
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

/** Where text is appended. */
export interface TextContext extends CodeContext {
  readonly out: Out
}

/** An expression between two literals. */
export interface TextExpression {
  readonly before: string
  readonly value: Code
  readonly after: string
}

/** Merges an expression with the literals around it, after some fixed text. */
export function quoted({ before, value, after }: TextExpression, prefix: string = ''): Code {
  const start = prefix + before
  const head = start === '' ? value : code`${start} + ${value}`
  return after === '' ? head : code`${head} + ${after}`
}
