import { dependencies } from '../dependencies.ts'
import { prefixCode, withPrefix, type Prefixed } from '../error-prefix.ts'
import { createError } from '../errors.ts'
import { isFunction, type AnyFunction } from '../guards.ts'
import type { Adapted } from '../hooks/adapt.ts'
import { chunkBytes, utf8Text } from '../bytes.ts'
import { errorOfBytes } from './exact/encodings.ts'
import { checkJson } from './exact/exact-json.ts'
import { exactRules } from './exact/exact-rules.ts'
import { TextScanner } from './exact/scan-bytes.ts'
import {
  refuseInexact,
  type ExactOptions,
  type ExactRules,
  type Literals,
  type Refuse,
} from './exact/rules.ts'
import { OWN_PARSER, ParserTable } from './parser-table.ts'

const { parse: secureParse } = dependencies.secureJsonParse()

/** The action for a `__proto__` or `constructor` key in a JSON body. */
export type Poisoning = 'error' | 'remove' | 'ignore'

/** The options of an app for JSON. */
export type JsonOptions = ExactOptions & {
  readonly onProtoPoisoning: Poisoning
  readonly onConstructorPoisoning: Poisoning
  /** the default throws */
  readonly refuse?: Refuse
  /** rules whose errors must be thrown, if `refuse` does not throw all of them */
  readonly own?: ExactRules | null
  /** gets the texts of numbers in JSON for `integers: 'bigint'` */
  readonly literals?: Literals | null
}

/**
 * Creates the parser of JSON bodies: `(request, body) => value`.
 *
 * @throws `CLO_ERR_CTP_EMPTY_JSON_BODY`, `CLO_ERR_CTP_INVALID_JSON_BODY`, `CLO_ERR_INPUT_INEXACT`
 */
export function createJsonParser(options: JsonOptions): Adapted {
  const parse = createParse(options)
  const rules = exactRules(options)
  const { own = null, literals = null, refuse = refuseInexact } = options
  if (rules === null) return parse
  const scanner = new TextScanner()
  return function parseExactJson(request: unknown, body: unknown): unknown {
    const bytes = typeof body === 'string' ? null : chunkBytes(body)
    const text = bytes === null ? String(body) : utf8Text(bytes)
    if (rules.text && bytes !== null) refuse(errorOfBytes(text, bytes, 'body'), request)
    const value = parse(request, text)
    try {
      checkJson({ bytes, text, value, literals, scanner }, rules)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      refuse(error, request)
      if (own !== null) checkJson({ bytes, text, value, literals, scanner }, own)
    }
    return value
  }
}

/** Creates the parser of the text of JSON. */
function createParse({ onProtoPoisoning, onConstructorPoisoning }: JsonOptions): Adapted {
  const actions = { protoAction: onProtoPoisoning, constructorAction: onConstructorPoisoning }
  return (_request, body) => {
    const text = String(body)
    if (text.length === 0) throw createError('CTP_EMPTY_JSON_BODY', {})
    try {
      const value: unknown = mayPoison(text) ? secureParse(text, actions) : JSON.parse(text)
      return value
    } catch (cause) {
      throw createError('CTP_INVALID_JSON_BODY', {}, { cause })
    }
  }
}

const BYTE_ORDER_MARK = 0xfeff

/** In V8, this finds both many times faster than a search for `constructor`, whose first letter many texts have. */
const POISON = /__proto__|constructor/

/**
 * Whether JSON may have a name that reaches a prototype, or a byte order mark. This is many times faster than the
 * patterns of the library; names with escapes are left to it.
 */
function mayPoison(text: string): boolean {
  return text.includes('\\u') || POISON.test(text) || text.charCodeAt(0) === BYTE_ORDER_MARK
}

/** The parser of text bodies. It returns the text unchanged. */
export function parseText(_request: unknown, body: unknown): unknown {
  return body
}

/**
 * Wraps a parser of the framework so that user code can call it with a `done` callback, or without one for the return
 * value. Its errors have the prefix of the app.
 */
export function withCallback(parse: (...args: unknown[]) => unknown, options: Prefixed): AnyFunction {
  return function parser(request: unknown, body: unknown, done?: unknown): unknown {
    if (!isFunction(done)) return withPrefix(options, () => parse(request, body))
    let value: unknown
    try {
      value = parse(request, body)
    } catch (error) {
      prefixCode(error, options)
      done(error)
      return undefined
    }
    done(null, value)
    return undefined
  }
}

/** Creates the parsers that every app starts with. */
export function createDefaultParsers(options: JsonOptions): ParserTable {
  const table = new ParserTable(null)
  const ofText = { ...OWN_PARSER, parseAs: 'string' } as const
  const takesBytes = exactRules(options) !== null
  table.add('application/json', {
    ...ofText,
    takesBytes,
    dropsMark: true,
    parse: createJsonParser(options),
  })
  table.add('text/plain', { ...ofText, parse: parseText })
  return table
}
