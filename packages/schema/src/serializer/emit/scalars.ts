/** Code that turns a value into a scalar: a number, a boolean, or the text of a string. */
import { code, type Code } from '../../codegen/code.ts'
import type { Node, StringFormat } from '../ir.ts'
import { compatDateText, exactDateText } from '../../runtime/dates.ts'
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
} from '../../runtime/scalars.ts'
import { compatStringText, escapeText, exactStringText } from '../../runtime/text.ts'
import type { Unit } from './unit.ts'

/** Nodes whose value is one scalar. */
export type ScalarNode = Extract<Node, { kind: 'null' | 'boolean' | 'number' | 'integer' | 'string' }>

/** Whether a node is a scalar. */
export function isScalar(node: Node): node is ScalarNode {
  switch (node.kind) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'integer':
    case 'string':
      return true
    default:
      return false
  }
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

/** A string field. */
export type StringNode = Extract<ScalarNode, { kind: 'string' }>

/** The value of a string field as a string. */
export function stringValue(unit: Unit, node: StringNode, value: Code, pointer: string): Code {
  const { exact, format } = node
  if (format !== 'plain') return dateValue(unit, exact, format, value, pointer, undefined)
  const convert = unit.writer.bind(exact ? exactText : compatText, 'toText')
  return code`(typeof ${value} === 'string' ? ${value} : ${convert}(${value}, ${pointer}))`
}

/** The value of a string field as the content of a JSON string. */
export function stringText(unit: Unit, node: StringNode, value: Code, pointer: string): Code {
  const { writer } = unit
  const { exact, format } = node
  if (format === 'plain')
    return code`${writer.bind(exact ? exactStringText : compatStringText, 'text')}(${value}, ${pointer})`
  return dateValue(unit, exact, format, value, pointer, writer.bind(escapeText, 'escapeText'))
}

/** A date as text; `escape` is called with what is no date and may need it. */
function dateValue(
  unit: Unit,
  exact: boolean,
  format: Exclude<StringFormat, 'plain'>,
  value: Code,
  pointer: string,
  escape: Code | undefined,
): Code {
  const dateText = unit.writer.bind(unit.dates[format], 'dateText')
  const convert = unit.writer.bind(exact ? exactDateText : compatDateText, 'toDateText')
  const other = code`${convert}(${value}, ${format}, ${pointer})`
  const escaped = escape === undefined ? other : code`${escape}(${other})`
  return code`(${value} instanceof Date ? ${dateText}(${value}, ${pointer}) : ${escaped})`
}
