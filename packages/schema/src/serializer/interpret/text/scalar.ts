/** Text of scalars. */
import { compatDateText, createDateWriter, strictDateText, type DateWriter } from '../../../runtime/dates.ts'
import {
  compatBoolean,
  ceilInteger,
  compatNumberText,
  floorInteger,
  roundInteger,
  strictBoolean,
  strictInteger,
  strictNull,
  strictNumberText,
  truncInteger,
} from '../../../runtime/scalars.ts'
import { compatStringText, escapeText, strictStringText } from '../../../runtime/text.ts'
import type { Rounding, ScalarNode, StringNode } from '../../ir.ts'
import type { Writer } from '../writer.ts'

/** Writes the scalars of one serializer, which share what their date writer remembers. */
export class ScalarTexts {
  #dates: DateWriter | undefined

  /** The writer of a scalar. */
  writer(node: ScalarNode): Writer<string> {
    switch (node.kind) {
      case 'null':
        return node.strict ? strictNullText : nullText
      case 'boolean':
        return node.strict ? strictBooleanText : compatBooleanText
      case 'number':
        return node.strict ? strictNumber : compatNumber
      case 'integer':
        return node.strict ? strictIntegerText : INTEGER_TEXTS[node.rounding]
      case 'string': {
        const content = this.content(node)
        return (value) => `"${content(value)}"`
      }
    }
  }

  /** The writer of what is between the quotation marks of a string. */
  content({ strict, format }: StringNode): Writer<string> {
    if (format === 'plain') return strict ? strictPlainText : compatPlainText
    this.#dates ??= createDateWriter()
    const dateText = this.#dates[format]
    const convert = strict ? strictDateText : compatDateText
    return (value) => (value instanceof Date ? dateText(value, '') : escapeText(convert(value, format, '')))
  }
}

const INTEGER_TEXTS: Readonly<Record<Rounding, Writer<string>>> = {
  trunc: (value) => String(Number.isInteger(value) ? value : truncInteger(value, '')),
  floor: (value) => String(Number.isInteger(value) ? value : floorInteger(value, '')),
  ceil: (value) => String(Number.isInteger(value) ? value : ceilInteger(value, '')),
  round: (value) => String(Number.isInteger(value) ? value : roundInteger(value, '')),
}

function strictIntegerText(value: unknown): string {
  return String(Number.isInteger(value) ? value : strictInteger(value, ''))
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
