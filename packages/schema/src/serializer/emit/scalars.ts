/** Code that turns a value into a scalar: a number, a boolean, or the text of a string. */
import { code, type Code } from '../../codegen/code.ts'
import type { Node } from '../ir.ts'
import { compatDateText, exactDateText } from '../runtime/dates.ts'
import {
  compatBoolean,
  compatInteger,
  compatNumber,
  compatNumberText,
  compatText,
  exactBoolean,
  exactInteger,
  exactNull,
  exactNumber,
  exactNumberText,
  exactText,
} from '../runtime/scalars.ts'
import type { Unit } from './unit.ts'

/** Nodes whose value is one scalar. */
export type ScalarNode = Extract<Node, { kind: 'null' | 'boolean' | 'number' | 'integer' | 'string' }>

/** Whether a node is a scalar. */
export function isScalar(node: Node): node is ScalarNode {
  return ['null', 'boolean', 'number', 'integer', 'string'].includes(node.kind)
}

/** The value as a number, boolean or `null`; `finish` is put around what had to be converted. */
export function scalarValue(
  unit: Unit,
  node: Exclude<ScalarNode, { kind: 'string' }>,
  value: Code,
  pointer: string,
  finish: (converted: Code) => Code = (converted) => converted,
): Code {
  const { writer } = unit
  const slow = (convert: unknown, hint: string): Code =>
    finish(code`${writer.bind(convert, hint)}(${value}, ${pointer})`)
  switch (node.kind) {
    case 'null':
      return node.exact ? code`(${value} === null ? null : ${slow(exactNull, 'toNull')})` : code`null`
    case 'boolean':
      return code`(typeof ${value} === 'boolean' ? ${value} : ${slow(node.exact ? exactBoolean : compatBoolean, 'toBoolean')})`
    case 'number':
      return code`(Number.isFinite(${value}) ? ${value} : ${slow(node.exact ? exactNumber : compatNumber, 'toNumber')})`
    case 'integer': {
      const convert = node.exact ? exactInteger : compatInteger[node.rounding]
      return code`(Number.isInteger(${value}) ? ${value} : ${slow(convert, 'toInteger')})`
    }
  }
}

/** The value of a number field as text, or as an integer that becomes text when it is appended. */
export function numberTextValue(
  unit: Unit,
  node: Extract<ScalarNode, { kind: 'number' }>,
  value: Code,
  pointer: string,
): Code {
  const convert = unit.writer.bind(node.exact ? exactNumberText : compatNumberText, 'toNumberText')
  return code`(Number.isInteger(${value}) ? ${value} : ${convert}(${value}, ${pointer}))`
}

/** The value as a string; `finish` is put around text that may need escaping. */
export function stringValue(
  unit: Unit,
  node: Extract<ScalarNode, { kind: 'string' }>,
  value: Code,
  pointer: string,
  finish: (text: Code) => Code,
): Code {
  const { writer } = unit
  if (node.format === 'plain') {
    const convert = writer.bind(node.exact ? exactText : compatText, 'toText')
    return finish(code`(typeof ${value} === 'string' ? ${value} : ${convert}(${value}, ${pointer}))`)
  }
  const format = writer.bind(unit.dates[node.format], 'dateText')
  const convert = writer.bind(node.exact ? exactDateText : compatDateText, 'toDateText')
  const other = finish(code`${convert}(${value}, ${node.format}, ${pointer})`)
  return code`(${value} instanceof Date ? ${format}(${value}, ${pointer}) : ${other})`
}
