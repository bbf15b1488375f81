/** Scalars other than strings. */
import { code, type Code } from '../../codegen/code.ts'
import type { RuntimeName } from '../../codegen/reference.ts'
import { projectable } from '../../runtime/projection.ts'
import {
  ceilInteger,
  compatBoolean,
  compatNumber,
  compatNumberText,
  floorInteger,
  roundInteger,
  strictBoolean,
  strictInteger,
  strictNull,
  strictNumber,
  strictNumberText,
  truncInteger,
} from '../../runtime/scalars.ts'
import type { TextContext, TextExpression } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import type { Writer } from './closures.ts'
import { FormedNode, type ListTest } from './node.ts'

/** How a fraction becomes an integer in compat mode. */
export type Rounding = (typeof ROUNDINGS)[number]

/** All of them. */
export const ROUNDINGS = ['trunc', 'floor', 'ceil', 'round'] as const

/** The conversions of values that are not of the type, under the names that generated code has for them. */
const BOOLEANS = { compatBoolean, strictBoolean } as const
const NUMBERS = { compatNumber, strictNumber } as const
const NUMBER_TEXTS = { compatNumberText, strictNumberText } as const
const INTEGERS = { ceilInteger, floorInteger, roundInteger, strictInteger, truncInteger } as const

/** A boolean or a number: unchanged if a test passes, otherwise converted. */
abstract class ConvertedNode<Name extends RuntimeName> extends FormedNode {
  protected readonly conversion: Name

  constructor(conversion: Name) {
    super()
    this.conversion = conversion
  }

  protected abstract test(value: Code): Code
  protected abstract converter(): Writer<unknown>

  textWriter(): Writer<string> {
    const convert = this.converter()
    return (value) => String(convert(value))
  }

  copyWriter(): Writer<unknown> {
    const convert = this.converter()
    return (value) => projectable(convert(value))
  }

  override expression(value: Code, context: CodeContext): TextExpression {
    return { before: '', value: this.valueCode(value, context), after: '' }
  }

  copyInline(value: Code, context: CodeContext): Code {
    const { unit, pointer } = context
    const finish = unit.writer.use('projectable')
    const converted = code`${unit.writer.use(this.conversion)}(${value}, ${pointer})`
    return code`(${this.test(value)} ? ${value} : ${finish}(${converted}))`
  }

  protected valueCode(value: Code, { unit, pointer }: CodeContext): Code {
    return code`(${this.test(value)} ? ${value} : ${unit.writer.use(this.conversion)}(${value}, ${pointer}))`
  }
}

/** `true` or `false`. */
export class BooleanNode extends ConvertedNode<'compatBoolean' | 'strictBoolean'> {
  constructor(strict: boolean) {
    super(strict ? 'strictBoolean' : 'compatBoolean')
  }

  protected converter(): Writer<boolean> {
    const convert = BOOLEANS[this.conversion]
    return (value) => (typeof value === 'boolean' ? value : convert(value, ''))
  }

  protected test(value: Code): Code {
    return code`typeof ${value} === 'boolean'`
  }

  /** Merges `true` and `false` with the literals around them. */
  override appendInline(value: Code, context: TextContext): void {
    const truth = context.unit.writer.unique('b')
    context.scope.writer.line(code`const ${truth} = ${this.valueCode(value, context)}`)
    context.out.pair(truth, 'true', 'false')
  }
}

/** A number. */
export class NumberNode extends ConvertedNode<'compatNumber' | 'strictNumber'> {
  override readonly listTest: ListTest = 'areNumbers'

  constructor(strict: boolean) {
    super(strict ? 'strictNumber' : 'compatNumber')
  }

  override textWriter(): Writer<string> {
    const convert = NUMBER_TEXTS[`${this.conversion}Text`]
    return (value) => String(Number.isInteger(value) ? value : convert(value, ''))
  }

  protected converter(): Writer<unknown> {
    const convert = NUMBERS[this.conversion]
    return (value) => (Number.isFinite(value) ? value : convert(value, ''))
  }

  protected test(value: Code): Code {
    return code`Number.isFinite(${value})`
  }

  /** Integers become text when they are appended. */
  protected override valueCode(value: Code, { unit, pointer }: CodeContext): Code {
    const convert = unit.writer.use(`${this.conversion}Text`)
    return code`(Number.isInteger(${value}) ? ${value} : ${convert}(${value}, ${pointer}))`
  }
}

/** A number without a fraction. */
export class IntegerNode extends ConvertedNode<'strictInteger' | `${Rounding}Integer`> {
  override readonly listTest: ListTest = 'areIntegers'

  constructor(strict: boolean, rounding: Rounding) {
    super(strict ? 'strictInteger' : `${rounding}Integer`)
  }

  protected converter(): Writer<unknown> {
    const convert = INTEGERS[this.conversion]
    return (value) => (Number.isInteger(value) ? value : convert(value, ''))
  }

  protected test(value: Code): Code {
    return code`Number.isInteger(${value})`
  }
}

/** `null`. In compat mode every value becomes `null`. */
export class NullNode extends FormedNode {
  readonly #strict: boolean

  constructor(strict: boolean) {
    super()
    this.#strict = strict
  }

  textWriter(): Writer<string> {
    const write = this.copyWriter()
    return (value) => String(write(value))
  }

  copyWriter(): Writer<null> {
    return this.#strict ? (value) => (value === null ? null : strictNull(value, '')) : () => null
  }

  override expression(value: Code, context: CodeContext): TextExpression {
    return { before: '', value: this.copyInline(value, context), after: '' }
  }

  override appendInline(value: Code, context: TextContext): void {
    if (this.#strict) context.scope.writer.line(code`void ${this.copyInline(value, context)}`)
    context.out.text('null')
  }

  copyInline(value: Code, { unit, pointer }: CodeContext): Code {
    if (!this.#strict) return code`null`
    return code`(${value} === null ? null : ${unit.writer.use('strictNull')}(${value}, ${pointer}))`
  }
}
