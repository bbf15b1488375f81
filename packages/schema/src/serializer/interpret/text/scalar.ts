/** Text of scalars. */
import { compatDateText, createDateWriter, strictDateText, type DateWriter } from '../../../runtime/dates.ts'
import {
  compatBoolean,
  compatNumberText,
  strictBoolean,
  strictInteger,
  strictNull,
  strictNumberText,
} from '../../../runtime/scalars.ts'
import { compatStringText, escapeText, strictStringText } from '../../../runtime/text.ts'
import { integerConverter } from '../convert.ts'
import type { ScalarNode, StringNode } from '../../ir.ts'
import type { Writer } from '../writer.ts'

/** Writes the scalars of one serializer, which share what their date writer remembers. */
export class ScalarTexts {
  readonly #dates: DateWriter = createDateWriter()

  /** The writer of a scalar. */
  writer(node: ScalarNode): Writer<string> {
    switch (node.kind) {
      case 'null':
        return node.strict ? strictNullText : nullText
      case 'boolean':
        return node.strict ? strictBooleanText : compatBooleanText
      case 'number':
        return node.strict ? strictNumber : compatNumber
      case 'integer': {
        const convert = node.strict ? strictInteger : integerConverter(node.rounding)
        return (value) => (Number.isInteger(value) ? String(value) : String(convert(value, '')))
      }
      case 'string': {
        const content = this.content(node)
        return (value) => `"${content(value)}"`
      }
    }
  }

  /** The writer of what is between the quotation marks of a string. */
  content({ strict, format }: StringNode): Writer<string> {
    if (format === 'plain') return strict ? strictPlainText : compatPlainText
    const dateText = this.#dates[format]
    const convert = strict ? strictDateText : compatDateText
    return (value) => (value instanceof Date ? dateText(value, '') : escapeText(convert(value, format, '')))
  }
}

function nullText(): string {
  return 'null'
}

function strictNullText(value: unknown): string {
  if (value !== null) strictNull(value, '')
  return 'null'
}

function compatBooleanText(value: unknown): string {
  return (typeof value === 'boolean' ? value : compatBoolean(value, '')) ? 'true' : 'false'
}

function strictBooleanText(value: unknown): string {
  return (typeof value === 'boolean' ? value : strictBoolean(value, '')) ? 'true' : 'false'
}

function compatNumber(value: unknown): string {
  return Number.isInteger(value) ? String(value) : String(compatNumberText(value, ''))
}

function strictNumber(value: unknown): string {
  return Number.isInteger(value) ? String(value) : String(strictNumberText(value, ''))
}

function compatPlainText(value: unknown): string {
  return compatStringText(value, '')
}

function strictPlainText(value: unknown): string {
  return strictStringText(value, '')
}
