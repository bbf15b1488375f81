/** Values that the schema names, `null` among them. */
import { code, jsonLiteral, type Code } from '../../codegen/code.ts'
import { refuse } from '../../runtime/describe.ts'
import { isConstant, isOneOf } from '../../runtime/literals.ts'
import { quoted, type TextContext, type TextExpression } from '../emit/out.ts'
import type { CodeContext, Unit } from '../emit/unit.ts'
import type { Closures, Writer } from './closures.ts'
import { Node } from './node.ts'

const NOT_CONSTANT = 'the value is not the constant of the schema'
const NOT_IN_ENUM = 'the value is not one of the values of the enum'

/** A value that is written as the constant of the schema. */
export class ConstNode extends Node {
  readonly #strict: boolean
  readonly #value: unknown

  constructor(strict: boolean, value: unknown) {
    super()
    this.#strict = strict
    this.#value = value
  }

  writer<Result>(closures: Closures<Result>): Writer<Result> {
    const [strict, literal] = [this.#strict, this.#value]
    const made = closures.form.constant(literal)
    return (value) => (!strict || isConstant(value, literal) ? made : refuse(NOT_CONSTANT, ''))
  }

  override appendInline(value: Code, context: TextContext): void {
    this.#refuseOthers(value, context)
    context.out.text(JSON.stringify(this.#value))
  }

  copyInline(value: Code, context: CodeContext): Code {
    this.#refuseOthers(value, context)
    return literalOf(context.unit, this.#value)
  }

  #refuseOthers(value: Code, context: CodeContext): void {
    if (this.#strict) refuseUnless('isConstant', this.#value, NOT_CONSTANT, value, context)
  }
}

/** A node around another one. */
abstract class OuterNode extends Node {
  protected readonly inner: Node

  constructor(inner: Node) {
    super([inner])
    this.inner = inner
  }

  override get written(): Node {
    return this.inner.written
  }
}

/** A value that must be one of several. */
export class EnumNode extends OuterNode {
  readonly #values: readonly unknown[]

  constructor(values: readonly unknown[], inner: Node) {
    super(inner)
    this.#values = values
  }

  writer<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    const [inner, values] = [this.inner.writer(closures, isRecord), this.#values]
    return (value) => (isOneOf(value, values) ? inner(value) : refuse(NOT_IN_ENUM, ''))
  }

  override appendInline(value: Code, context: TextContext): void {
    refuseUnless('isOneOf', this.#values, NOT_IN_ENUM, value, context)
    this.inner.append(value, context)
  }

  copyInline(value: Code, context: CodeContext): Code {
    refuseUnless('isOneOf', this.#values, NOT_IN_ENUM, value, context)
    return this.inner.copy(value, context)
  }
}

/** A value that may be `null`. */
export class NullableNode extends OuterNode {
  override readonly isLeaf: boolean = false
  /** Fastify 4.x writes `{}` for `null` where the object is not nullable. */
  readonly #text: 'null' | '{}'

  constructor(inner: Node, text: 'null' | '{}' = 'null') {
    super(inner)
    this.#text = text
  }

  writer<Result>(closures: Closures<Result>, isRecord: boolean): Writer<Result> {
    const [inner, text] = [
      this.inner.writer(closures, isRecord),
      closures.form.constant(this.#text === 'null' ? null : {}),
    ]
    return (value) => (value === null ? text : inner(value))
  }

  override expression(value: Code, context: CodeContext): TextExpression | undefined {
    const inner = this.inner.expression(value, context)
    if (inner === undefined) return undefined
    return { before: '', value: code`(${value} === null ? ${this.#text} : ${quoted(inner)})`, after: '' }
  }

  override appendInline(value: Code, context: TextContext): void {
    this.inner.appendUnless(code`${value} === null`, this.#text, value, context)
  }

  copyInline(value: Code, context: CodeContext): Code {
    const fallback = this.#text === 'null' ? code`null` : code`{}`
    return this.inner.copyUnless(code`${value} === null`, fallback, value, context)
  }
}

/** A JSON value of the schema. */
export function literalOf({ writer }: Unit, value: unknown): Code {
  return typeof value === 'object' && value !== null
    ? writer.bind({ kind: 'literal', value }, 'literal')
    : jsonLiteral(value)
}

/** Writes the test of a value beside those of the schema. */
function refuseUnless(
  test: 'isConstant' | 'isOneOf',
  expected: unknown,
  reason: string,
  value: Code,
  { unit, scope, pointer }: CodeContext,
): void {
  const literal = unit.writer.bind({ kind: 'literal', value: expected }, 'literal')
  const refusal = unit.refuse(reason, pointer)
  scope.writer.line(code`if (!${unit.writer.use(test)}(${value}, ${literal})) ${refusal}`)
}
