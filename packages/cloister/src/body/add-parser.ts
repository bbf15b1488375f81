import { isFunction, recordOf, typeName, type Dictionary } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { adaptHook } from '../hooks/adapt.ts'
import type { ParserTable, BodyParser, ParserKey } from './parser-table.ts'
import { createError } from '../errors.ts'
import { warn } from '../logging/warnings.ts'

/** The options of a parser. */
export const PARSER_OPTIONS = ['parseAs', 'bodyLimit'] as const

/** The parts of a context that adding a parser needs. */
export interface ParserOwner {
  readonly parsers: ParserTable
  readonly instance: object
}

/**
 * Adds a body parser to a context, given as `(types, parser)` or `(types, options, parser)`.
 *
 * @throws `CLO_ERR_CTP_*` if the type or the parser is invalid, or the type already has a parser
 */
export function addParser(
  context: ParserOwner,
  callSite: CallSite,
  types: unknown,
  first: unknown,
  second: unknown,
): void {
  const fn = isFunction(first) ? first : second
  if (!isFunction(fn)) throw createError('CTP_INVALID_HANDLER', { type: typeName(fn) })
  const options = checkParserOptions(recordOf(first))
  const describe = (): string =>
    `the parser of '${[types].flat().join(', ')}', added at ${callSite.toString()},`
  const parse = adaptHook(fn, 2, context.instance, describe)
  for (const type of [types].flat()) {
    const key = checkParserKey(type)
    if (typeof key === 'string' && key !== '*' && key.includes('*'))
      warn('PARSER_WILDCARD', { type: key, callSite })
    context.parsers.add(key, {
      ...options,
      takesBytes: false,
      dropsMark: false,
      parse,
      isDefault: false,
      callSite,
    })
  }
}

/**
 * Checks and normalizes the media type of a parser.
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
 * @throws `CLO_ERR_CTP_INVALID_PARSE_TYPE`, `CLO_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT`
 */
function checkParserOptions(options: Dictionary): Pick<BodyParser, 'parseAs' | 'bodyLimit'> {
  const { parseAs = null, bodyLimit = null } = options
  if (parseAs !== null && parseAs !== 'string' && parseAs !== 'buffer') {
    throw createError('CTP_INVALID_PARSE_TYPE', { type: String(parseAs) })
  }
  if (bodyLimit !== null && (!Number.isInteger(bodyLimit) || Number(bodyLimit) <= 0)) {
    throw createError('ROUTE_BODY_LIMIT_OPTION_NOT_INT', { value: String(bodyLimit) })
  }
  return { parseAs, bodyLimit: bodyLimit === null ? null : Number(bodyLimit) }
}
