import { isFunction, isRecord } from '../functions.ts'
import type { CallSite } from '../call-site.ts'
import { adaptHook } from '../hooks/adapt.ts'
import { checkParserKey, checkParserOptions } from './parser-options.ts'
import type { ParserTable } from './parser-table.ts'

/** A context, as far as its parsers go. */
export interface ParserOwner {
  readonly parsers: ParserTable
  readonly instance: object
}

/**
 * Adds a body parser to a context, given as `(types, parser)` or `(types, options, parser)`.
 *
 * @throws `CLO_ERR_CTP_*` for what is no media type, no parser, or already there
 */
export function addParser(
  context: ParserOwner,
  callSite: CallSite,
  types: unknown,
  first: unknown,
  second: unknown,
): void {
  const fn = isFunction(first) ? first : second
  const options = checkParserOptions(isRecord(first) ? first : {}, fn)
  if (!isFunction(fn)) return
  const describe = (): string =>
    `the parser of '${[types].flat().join(', ')}', added at ${callSite.toString()},`
  const parse = adaptHook(fn, 2, context.instance, describe)
  for (const type of [types].flat()) {
    context.parsers.add(checkParserKey(type), { ...options, parse, isDefault: false, callSite })
  }
}
