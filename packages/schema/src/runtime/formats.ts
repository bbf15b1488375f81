import { loadFormat } from '../dependencies.ts'

/** The test of a format, with the type of value that it applies to. */
export interface FormatTest {
  readonly kind: 'number' | 'string'
  readonly test: RegExp | ((value: never) => boolean)
}

/**
 * Common forms of the values of a format. A value that matches is valid; the full test decides about others. Days up
 * to the 28th exist in every month, so they need no calendar.
 */
const COMMON_FORMS: Readonly<Record<string, RegExp>> = {
  date: /^\d\d\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/,
  'date-time':
    /^\d\d\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/,
  uri: /^https?:\/\/[a-z\d.-]+(?::\d+)?(?:\/[\w.~!$&'()*+,;=:@/-]*)?(?:\?[\w.~!$&'()*+,;=:@/?-]*)?(?:#[\w.~!$&'()*+,;=:@/?-]*)?$/,
}

const TIMES = /^\d\d\d\d-\d\d-\d\d[t\s]\d\d:\d\d:\d\d[^t\s]*$/i
/**
 * Forms that every value of a format has. The full tests of these formats split a text at each blank, even if there
 * are a million; a text without the form never gets there.
 */
const NECESSARY_FORMS: Readonly<Record<string, RegExp>> = { 'date-time': TIMES, 'iso-date-time': TIMES }

/** Returns the test of a baseline format; undefined for an unknown name, or for a format that tests nothing. */
export function formatTest(name: string): FormatTest | undefined {
  const format = loadFormat(name)
  if (name === 'url') return { kind: 'string', test: isUrl }
  if (format === true) return { kind: 'string', test: anything }
  const test = toTest(format)
  const common = Object.hasOwn(COMMON_FORMS, name) ? COMMON_FORMS[name] : undefined
  const necessary = Object.hasOwn(NECESSARY_FORMS, name) ? NECESSARY_FORMS[name] : undefined
  if (test === undefined || test.test instanceof RegExp || (common ?? necessary) === undefined) return test
  const full = test.test
  const isPossible = (value: never): boolean => necessary === undefined || necessary.test(value)
  if (common === undefined)
    return { kind: 'string', test: (value: never) => isPossible(value) && full(value) }
  return { kind: 'string', test: (value: never) => common.test(value) || (isPossible(value) && full(value)) }
}

/**
 * Returns the test of a known format.
 * @throws TypeError for an unknown format
 */
export function formatChecker(name: string): FormatTest['test'] {
  const format = formatTest(name)
  if (format === undefined) throw new TypeError(`"${name}" is no format`)
  return format.test
}

/** A format as printed code of Ajv calls it. */
export type FormatRule =
  | ((value: string) => boolean)
  | { readonly type: 'number'; readonly validate: (value: number) => boolean }

/** Returns a format for Ajv: a function of texts, or the definition of a format of numbers. */
export function formatRule(name: string): FormatRule {
  const { kind, test } = formatTest(name) ?? { kind: 'string', test: anything }
  const passes = (value: unknown): boolean =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Ajv passes values of the kind
    test instanceof RegExp ? test.test(String(value)) : test(value as never)
  return kind === 'number' ? { type: 'number', validate: passes } : passes
}

function anything(): boolean {
  return true
}

function toTest(format: unknown): FormatTest | undefined {
  if (format instanceof RegExp) return { kind: 'string', test: format }
  if (isTest(format)) return { kind: 'string', test: format }
  if (typeof format !== 'object' || format === null || !('validate' in format)) return undefined
  const { validate } = format
  const kind = 'type' in format && format.type === 'number' ? 'number' : 'string'
  return validate instanceof RegExp || isTest(validate) ? { kind, test: validate } : undefined
}

function isTest(value: unknown): value is (value: never) => boolean {
  return typeof value === 'function'
}

/*
 * The format `url` with the same results as the usual regular expression, in linear time. That expression allows any
 * characters before an `@`, which costs quadratic time on a long text full of colons. Here the text is split at each
 * `@` first.
 */

const SCHEME = /^(?:https?|ftp):\/\//iu
const WHITESPACE = /\s/u
const IPV4 =
  /(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))/u
const NAME =
  /(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*\.[a-z\u{00a1}-\u{ffff}]{2,}/u
const HOST = new RegExp(`^(?:${IPV4.source}|${NAME.source})(?::\\d{2,5})?$`, 'iu')

/** Whether a text is an absolute `http`, `https` or `ftp` URL with a public host. */
export function isUrl(text: string): boolean {
  const scheme = SCHEME.exec(text)
  if (scheme === null) return false
  const rest = text.slice(scheme[0].length)
  const firstSpace = rest.search(WHITESPACE)
  const lastSpace = firstSpace === -1 ? -1 : lastWhitespace(rest)
  let start = 0
  for (;;) {
    const next = rest.indexOf('@', start)
    // User information is any non-empty text without white space before an `@`.
    const emptyUser = start === 1
    if (!emptyUser && isHostAndPath(rest, start, next === -1 ? rest.length : next, lastSpace)) return true
    if (next === -1 || (firstSpace !== -1 && firstSpace < next)) return false
    start = next + 1
  }
}

/** Whether a host, with or without a port, extends to `limit`, or to a path without white space. */
function isHostAndPath(text: string, start: number, limit: number, lastSpace: number): boolean {
  const slash = text.slice(start, limit).indexOf('/')
  if (slash === -1) return limit === text.length && HOST.test(text.slice(start))
  return start + slash > lastSpace && HOST.test(text.slice(start, start + slash))
}

function lastWhitespace(text: string): number {
  for (let i = text.length - 1; i >= 0; i--) {
    if (WHITESPACE.test(text.charAt(i))) return i
  }
  return -1
}
