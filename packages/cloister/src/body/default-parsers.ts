import { dependencies } from '../dependencies.ts'
import { prefixCode, withPrefix } from '../error-prefix.ts'
import { createError } from '../errors.ts'
import { isFunction, type AnyFunction } from '../guards.ts'
import type { Adapted } from '../hooks/adapt.ts'
import { ParserTable } from './parser-table.ts'

const { parse: secureParse } = dependencies.secureJsonParse()

/** The action for a `__proto__` or `constructor` key in a JSON body. */
export type Poisoning = 'error' | 'remove' | 'ignore'

/**
 * Creates the parser of JSON bodies: `(request, body) => value`. The actions say what to do with keys that can poison
 * prototypes.
 *
 * @throws `CLO_ERR_CTP_EMPTY_JSON_BODY`, `CLO_ERR_CTP_INVALID_JSON_BODY`
 */
export function createJsonParser(protoAction: Poisoning, constructorAction: Poisoning): Adapted {
  const options = { protoAction, constructorAction }
  return function parseJson(_request: unknown, body: unknown): unknown {
    const text = String(body)
    if (text.length === 0) throw createError('CTP_EMPTY_JSON_BODY', {})
    try {
      return secureParse(text, options)
    } catch (cause) {
      throw createError('CTP_INVALID_JSON_BODY', {}, { cause })
    }
  }
}

/** The parser of text bodies. It returns the text unchanged. */
export function parseText(_request: unknown, body: unknown): unknown {
  return body
}

/**
 * Wraps a parser of the framework so that user code can call it with a `done` callback, or without one for the return
 * value.
 *
 * @param prefix - the prefix of error codes
 */
export function withCallback(parse: (...args: unknown[]) => unknown, prefix: string): AnyFunction {
  return function parser(request: unknown, body: unknown, done?: unknown): unknown {
    if (!isFunction(done)) return withPrefix(prefix, () => parse(request, body))
    let value: unknown
    try {
      value = parse(request, body)
    } catch (error) {
      prefixCode(error, prefix)
      done(error)
      return undefined
    }
    done(null, value)
    return undefined
  }
}

/** Creates the parsers that every app starts with. */
export function createDefaultParsers(protoAction: Poisoning, constructorAction: Poisoning): ParserTable {
  const table = new ParserTable(null)
  const common = { bodyLimit: null, isDefault: true, callSite: null, parseAs: 'string' } as const
  table.add('application/json', { ...common, parse: createJsonParser(protoAction, constructorAction) })
  table.add('text/plain', { ...common, parse: parseText })
  return table
}
