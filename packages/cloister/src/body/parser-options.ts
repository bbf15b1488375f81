import { createError } from '../errors.ts'
import { isFunction, typeName } from '../functions.ts'
import type { BodyParser, ParserKey } from './parser-table.ts'

/**
 * Checks the type that a parser is added for and brings it to one form.
 *
 * @throws `CLO_ERR_CTP_INVALID_TYPE`, `CLO_ERR_CTP_EMPTY_TYPE`
 */
export function checkParserKey(type: unknown): ParserKey {
  if (type instanceof RegExp) return type
  if (typeof type !== 'string') throw createError('CTP_INVALID_TYPE', { type: typeName(type) })
  const key = type.trim().toLowerCase()
  if (key === '') throw createError('CTP_EMPTY_TYPE', {})
  return key
}

/**
 * Checks the options of a parser.
 *
 * @throws `CLO_ERR_CTP_INVALID_HANDLER`, `CLO_ERR_CTP_INVALID_PARSE_TYPE`, `CLO_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT`
 */
export function checkParserOptions(
  options: Readonly<Record<string, unknown>>,
  fn: unknown,
): Pick<BodyParser, 'parseAs' | 'bodyLimit'> {
  if (!isFunction(fn)) throw createError('CTP_INVALID_HANDLER', { type: typeName(fn) })
  const { parseAs = null, bodyLimit = null } = options
  if (parseAs !== null && parseAs !== 'string' && parseAs !== 'buffer') {
    throw createError('CTP_INVALID_PARSE_TYPE', { type: String(parseAs) })
  }
  if (bodyLimit !== null && (!Number.isInteger(bodyLimit) || Number(bodyLimit) <= 0)) {
    throw createError('ROUTE_BODY_LIMIT_OPTION_NOT_INT', { value: String(bodyLimit) })
  }
  return { parseAs, bodyLimit: bodyLimit === null ? null : Number(bodyLimit) }
}
