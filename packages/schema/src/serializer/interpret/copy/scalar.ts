/** Copies of scalars, for one native `JSON.stringify`. */
import { compatDateText, createDateWriter, strictDateText, type DateWriter } from '../../../runtime/dates.ts'
import { projectable } from '../../../runtime/projection.ts'
import {
  ceilInteger,
  compatBoolean,
  compatNumber,
  compatText,
  floorInteger,
  roundInteger,
  strictBoolean,
  strictInteger,
  strictNull,
  strictNumber,
  strictText,
  truncInteger,
} from '../../../runtime/scalars.ts'
import type { Rounding, ScalarNode, StringNode } from '../../ir.ts'
import type { Writer } from '../writer.ts'

/** The conversions of values that are no integers, in the compat mode. */
const INTEGERS: Readonly<Record<Rounding, typeof truncInteger>> = {
  trunc: truncInteger,
  floor: floorInteger,
  ceil: ceilInteger,
  round: roundInteger,
}

/** Copies the scalars of one serializer, which share what their date writer remembers. */
export class ScalarCopies {
  #dates: DateWriter | undefined

  /** The writer of a scalar. */
  writer(node: ScalarNode): Writer<unknown> {
    switch (node.kind) {
      case 'null':
        return node.strict ? (value) => (value === null ? null : strictNull(value, '')) : () => null
      case 'boolean': {
        const convert = node.strict ? strictBoolean : compatBoolean
        return (value) => (typeof value === 'boolean' ? value : convert(value, ''))
      }
      case 'number': {
        const convert = node.strict ? strictNumber : compatNumber
        return (value) => (Number.isFinite(value) ? value : projectable(convert(value, '')))
      }
      case 'integer': {
        const convert = node.strict ? strictInteger : INTEGERS[node.rounding]
        return (value) => (Number.isInteger(value) ? value : projectable(convert(value, '')))
      }
      case 'string':
        return this.#string(node)
    }
  }

  #string({ strict, format }: StringNode): Writer<string> {
    if (format === 'plain') {
      const convert = strict ? strictText : compatText
      return (value) => (typeof value === 'string' ? value : convert(value, ''))
    }
    this.#dates ??= createDateWriter()
    const dateText = this.#dates[format]
    const convert = strict ? strictDateText : compatDateText
    return (value) => (value instanceof Date ? dateText(value, '') : convert(value, format, ''))
  }
}
