/** The types that the emitters of text share. */
import { code, type Code } from '../../../codegen/code.ts'
import type { Node, StringNode } from '../../ir.ts'
import type { Out } from './out.ts'
import type { FunctionScope, UnitBuilder } from '../unit.ts'

/** Where text is appended. */
export interface TextContext {
  readonly scope: FunctionScope
  readonly out: Out
  /** JSON pointer of the value, relative to the generated function that prefixes its errors. */
  readonly pointer: string
  /** The value is an object (no array, no date) whose `toJSON` has been called. */
  readonly isRecord: boolean
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
  /** The text of a value as one expression, when it needs no statements. */
  expression(node: Node, value: Code, pointer: string): TextExpression | undefined
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
