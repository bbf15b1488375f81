/**
 * Collects the pieces of the output string: neighbouring literals become one, and everything up to the next branch or
 * loop becomes one expression.
 *
 * text('{"a":') value(x) text(',"b":') value(y) text('}') flush() → json += '{"a":' + x + ',"b":' + y + '}'
 *
 * `#pending` is the literal at the end, which the next append may still extend; `#sum` is the expression before it.
 */
import { code, nothing, type Code } from '../../../codegen/code.ts'
import type { CodeWriter } from '../../../codegen/writer.ts'
import type { Node, StringNode } from '../../ir.ts'
import type { ValueContext } from '../containers.ts'
import type { UnitBuilder } from '../unit.ts'

/** Fixed text, or a choice between texts that the generated code makes. */
export type Literal = string | { readonly flag: Code; readonly yes: Literal; readonly no: Literal }

/** Appends text to a literal. */
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

/** Code of a literal; the `code` tag quotes a plain text. */
function choiceOf(literal: Literal): Code | string {
  return typeof literal === 'string' ? literal : literalCode(literal)
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
    this.#pending = extend(this.#pending, text)
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
    this.#pending = { flag, yes: prepend(before, yes), no: prepend(before, no) }
    return this
  }

  /** Appends the value of an expression. */
  value(expression: Code): this {
    this.#settle()
    this.#add(expression)
    return this
  }

  /** Takes back the fixed text at the end, so that the caller can put it in front of another piece. */
  takeText(): string {
    const last = this.#pending
    if (typeof last !== 'string') return ''
    this.#pending = ''
    return last
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

function prepend(text: string, literal: Literal): Literal {
  if (text === '') return literal
  return typeof literal === 'string'
    ? text + literal
    : { flag: literal.flag, yes: prepend(text, literal.yes), no: prepend(text, literal.no) }
}

/** Where text is appended. */
export interface TextContext extends ValueContext {
  readonly out: Out
}

/** An expression between two literals. */
export interface TextExpression {
  readonly before: string
  readonly value: Code
  readonly after: string
}

/** Writes the text of nodes. */
export interface TextEmitter {
  readonly unit: UnitBuilder
  /** Appends the text of a value. */
  emit(node: Node, value: Code, context: TextContext): void
  /** Appends the text of a string field, which most fields are. */
  emitString(node: StringNode, value: Code, context: TextContext): void
  /** Appends fixed text where a test holds, else the text of a value. */
  emitUnless(test: Code, fixed: string, node: Node, value: Code, context: TextContext): void
  /** Text of any value as an expression that may be `undefined`. */
  anyText(value: Code, pointer: string): Code
}

/** Merges an expression with the literals around it, after some fixed text. */
export function quoted({ before, value, after }: TextExpression, prefix: string = ''): Code {
  const start = prefix + before
  const head = start === '' ? value : code`${start} + ${value}`
  return after === '' ? head : code`${head} + ${after}`
}

/** Appends one of two texts, fixed text or an expression, with the text before it in both. */
export function appendEither(out: Out, test: Code, fixed: string, other: TextExpression): void {
  const prefix = out.takeText()
  out.value(code`(${test} ? ${prefix + fixed} : ${quoted(other, prefix)})`)
}
