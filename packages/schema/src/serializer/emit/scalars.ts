/** Code that turns a value into a scalar: a number, a boolean, or the text of a string. */
import { code, type Code } from '../../codegen/code.ts'
import type { RuntimeName } from '../../codegen/reference.ts'
import type { ScalarNode, StringFormat, StringNode } from '../ir.ts'
import type { UnitBuilder } from './unit.ts'

/** The value as a number, boolean or `null`; `finish` wraps a converted value. */
export function scalarValue(
  unit: UnitBuilder,
  node: Exclude<ScalarNode, { kind: 'string' }>,
  value: Code,
  pointer: string,
  finish: (converted: Code) => Code = (converted) => converted,
): Code {
  const { writer } = unit
  const slow = (convert: RuntimeName): Code => finish(code`${writer.use(convert)}(${value}, ${pointer})`)
  switch (node.kind) {
    case 'null':
      return node.strict ? code`(${value} === null ? null : ${slow('strictNull')})` : code`null`
    case 'boolean':
      return code`(typeof ${value} === 'boolean' ? ${value} : ${slow(node.strict ? 'strictBoolean' : 'compatBoolean')})`
    case 'number':
      return code`(Number.isFinite(${value}) ? ${value} : ${slow(node.strict ? 'strictNumber' : 'compatNumber')})`
    case 'integer': {
      const convert = node.strict ? 'strictInteger' : (`${node.rounding}Integer` as const)
      return code`(Number.isInteger(${value}) ? ${value} : ${slow(convert)})`
    }
  }
}

/** The value of a number field as text, or as an integer that becomes text when it is appended. */
export function numberTextValue(
  unit: UnitBuilder,
  node: Extract<ScalarNode, { kind: 'number' }>,
  value: Code,
  pointer: string,
): Code {
  const convert = unit.writer.use(node.strict ? 'strictNumberText' : 'compatNumberText')
  return code`(Number.isInteger(${value}) ? ${value} : ${convert}(${value}, ${pointer}))`
}

/** The value of a string field as a string. */
export function stringValue(unit: UnitBuilder, node: StringNode, value: Code, pointer: string): Code {
  const { strict, format } = node
  if (format !== 'plain') return dateValue(unit, strict, format, value, pointer, undefined)
  const convert = unit.writer.use(strict ? 'strictText' : 'compatText')
  return code`(typeof ${value} === 'string' ? ${value} : ${convert}(${value}, ${pointer}))`
}

/** The value of a string field as the content of a JSON string. */
export function stringText(unit: UnitBuilder, node: StringNode, value: Code, pointer: string): Code {
  const { writer } = unit
  const { strict, format } = node
  if (format === 'plain')
    return code`${writer.use(strict ? 'strictStringText' : 'compatStringText')}(${value}, ${pointer})`
  return dateValue(unit, strict, format, value, pointer, writer.use('escapeText'))
}

/** A date as text; `escape` is called with other values, which may need escaping. */
function dateValue(
  unit: UnitBuilder,
  strict: boolean,
  format: Exclude<StringFormat, 'plain'>,
  value: Code,
  pointer: string,
  escape: Code | undefined,
): Code {
  const dateText = unit.dateText(format)
  const convert = unit.writer.use(strict ? 'strictDateText' : 'compatDateText')
  const other = code`${convert}(${value}, ${format}, ${pointer})`
  const escaped = escape === undefined ? other : code`${escape}(${other})`
  return code`(${value} instanceof Date ? ${dateText}(${value}, ${pointer}) : ${escaped})`
}
