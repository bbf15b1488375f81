/** Closures that write scalars. */
import { compatDateText, createDateWriter, strictDateText, type DateWriter } from '../../runtime/dates.ts'
import { projectable } from '../../runtime/projection.ts'
import {
  ceilInteger,
  compatBoolean,
  compatNumber,
  compatNumberText,
  compatText,
  floorInteger,
  roundInteger,
  strictBoolean,
  strictInteger,
  strictNull,
  strictNumber,
  strictNumberText,
  strictText,
  truncInteger,
} from '../../runtime/scalars.ts'
import { compatStringText, escapeText, strictStringText } from '../../runtime/text.ts'
import type { ScalarNode, StringNode } from '../ir.ts'
import type { Writer } from './writer.ts'

/** The conversions of values that are no integers, in the compat mode. */
const INTEGERS = {
  trunc: truncInteger,
  floor: floorInteger,
  ceil: ceilInteger,
  round: roundInteger,
} as const

function integerConverter({
  strict,
  rounding,
}: Extract<ScalarNode, { kind: 'integer' }>): typeof truncInteger {
  return strict ? strictInteger : INTEGERS[rounding]
}

/** The scalars of one serializer, which share what their date writer remembers. */
abstract class Scalars {
  #dates: DateWriter | undefined

  /** The writer of a string field that takes dates; undefined for any other. */
  protected dateWriter(
    { strict, format }: StringNode,
    finish: (text: string) => string,
  ): Writer<string> | undefined {
    if (format === 'plain') return undefined
    this.#dates ??= createDateWriter()
    const dateText = this.#dates[format]
    const convert = strict ? strictDateText : compatDateText
    return (value) => (value instanceof Date ? dateText(value, '') : finish(convert(value, format, '')))
  }
}

/** Writes the text of scalars. */
export class ScalarTexts extends Scalars {
  /** The writer of a scalar. */
  writer(node: ScalarNode): Writer<string> {
    const { strict } = node
    switch (node.kind) {
      case 'null':
        return (value) => {
          if (strict && value !== null) strictNull(value, '')
          return 'null'
        }
      case 'boolean': {
        const convert = strict ? strictBoolean : compatBoolean
        return (value) => ((typeof value === 'boolean' ? value : convert(value, '')) ? 'true' : 'false')
      }
      case 'number': {
        const convert = strict ? strictNumberText : compatNumberText
        return (value) => String(Number.isInteger(value) ? value : convert(value, ''))
      }
      case 'integer': {
        const convert = integerConverter(node)
        return (value) => String(Number.isInteger(value) ? value : convert(value, ''))
      }
      case 'string': {
        const content = this.content(node)
        return (value) => `"${content(value)}"`
      }
    }
  }

  /** The writer of what is between the quotation marks of a string. */
  content(node: StringNode): Writer<string> {
    const convert = node.strict ? strictStringText : compatStringText
    return this.dateWriter(node, escapeText) ?? ((value) => convert(value, ''))
  }
}

/** Copies scalars, for one native `JSON.stringify`. */
export class ScalarCopies extends Scalars {
  /** The writer of a scalar. */
  writer(node: ScalarNode): Writer<unknown> {
    const { strict } = node
    switch (node.kind) {
      case 'null':
        return (value) => (strict && value !== null ? strictNull(value, '') : null)
      case 'boolean': {
        const convert = strict ? strictBoolean : compatBoolean
        return (value) => (typeof value === 'boolean' ? value : convert(value, ''))
      }
      case 'number': {
        const convert = strict ? strictNumber : compatNumber
        return (value) => (Number.isFinite(value) ? value : projectable(convert(value, '')))
      }
      case 'integer': {
        const convert = integerConverter(node)
        return (value) => (Number.isInteger(value) ? value : projectable(convert(value, '')))
      }
      case 'string': {
        const convert = strict ? strictText : compatText
        const plain: Writer<string> = (value) => (typeof value === 'string' ? value : convert(value, ''))
        return this.dateWriter(node, (text) => text) ?? plain
      }
    }
  }
}
