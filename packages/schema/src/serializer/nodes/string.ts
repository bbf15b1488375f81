import { code, type Code } from '../../codegen/code.ts'
import { compatDateText, strictDateText } from '../../runtime/dates.ts'
import { compatText, strictText } from '../../runtime/scalars.ts'
import { compatStringText, escapeText, strictStringText } from '../../runtime/text.ts'
import type { TextExpression } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import type { Closures, Writer } from './closures.ts'
import { FormedNode, type ListTest } from './node.ts'

/** The form of a date in a string field. */
export type StringFormat = 'plain' | 'date-time' | 'date' | 'time'

/** Returns the format of a string, as far as it changes the form of a date. */
export function stringFormat(format: unknown): StringFormat {
  return format === 'date-time' || format === 'date' || format === 'time' ? format : 'plain'
}

/** A string, or a date that becomes one. */
export class StringNode extends FormedNode {
  readonly #strict: boolean
  readonly format: StringFormat
  override readonly listTest: ListTest | undefined

  constructor(strict: boolean, format: StringFormat) {
    super()
    this.#strict = strict
    this.format = format
    this.listTest = format === 'plain' ? 'areStrings' : undefined
  }

  textWriter(closures: Closures<string>): Writer<string> {
    const content = this.contentWriter(closures)
    return (value) => `"${content(value)}"`
  }

  /** The writer of what is between the quotation marks. */
  contentWriter(closures: Closures<unknown>): Writer<string> {
    const convert = this.#strict ? strictStringText : compatStringText
    return this.#dateWriter(closures, escapeText) ?? ((value) => convert(value, ''))
  }

  copyWriter(closures: Closures<unknown>): Writer<string> {
    const convert = this.#strict ? strictText : compatText
    const plain: Writer<string> = (value) => (typeof value === 'string' ? value : convert(value, ''))
    return this.#dateWriter(closures, (text) => text) ?? plain
  }

  /** The writer of a field that takes dates; undefined for any other. */
  #dateWriter(closures: Closures<unknown>, finish: (text: string) => string): Writer<string> | undefined {
    const { format } = this
    if (format === 'plain') return undefined
    const dateText = closures.dates[format]
    const convert = this.#strict ? strictDateText : compatDateText
    return (value) => (value instanceof Date ? dateText(value, '') : finish(convert(value, format, '')))
  }

  override expression(value: Code, context: CodeContext): TextExpression {
    const { unit, pointer } = context
    const text =
      this.format === 'plain'
        ? code`${unit.writer.use(this.#strict ? 'strictStringText' : 'compatStringText')}(${value}, ${pointer})`
        : this.#dateCode(value, context, unit.writer.use('escapeText'))
    return { before: '"', value: text, after: '"' }
  }

  copyInline(value: Code, context: CodeContext): Code {
    if (this.format !== 'plain') return this.#dateCode(value, context)
    const convert = context.unit.writer.use(this.#strict ? 'strictText' : 'compatText')
    return code`(typeof ${value} === 'string' ? ${value} : ${convert}(${value}, ${context.pointer}))`
  }

  /** A date as text; `escape` is called with other values, which may need escaping. */
  #dateCode(value: Code, { unit, pointer }: CodeContext, escape?: Code): Code {
    const dateText = unit.dateText(this.format)
    const convert = unit.writer.use(this.#strict ? 'strictDateText' : 'compatDateText')
    const other = code`${convert}(${value}, ${this.format}, ${pointer})`
    const text = escape === undefined ? other : code`${escape}(${other})`
    return code`(${value} instanceof Date ? ${dateText}(${value}, ${pointer}) : ${text})`
  }
}
