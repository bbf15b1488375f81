import { loadFormats } from '../dependencies.ts'
import { isUrl } from './url.ts'

/** The test of a format, and the kind of value that it applies to. */
export interface FormatTest {
  readonly kind: 'number' | 'string'
  readonly test: RegExp | ((value: never) => boolean)
}

/**
 * Common forms of the values of a format. A value that matches is valid; the full test decides the others. Days up to
 * the 28th exist in every month, so these need no calendar.
 */
const COMMON_FORMS: Readonly<Record<string, RegExp>> = {
  date: /^\d\d\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/,
  'date-time':
    /^\d\d\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/,
  uri: /^https?:\/\/[a-z\d.-]+(?::\d+)?(?:\/[\w.~!$&'()*+,;=:@/-]*)?(?:\?[\w.~!$&'()*+,;=:@/?-]*)?(?:#[\w.~!$&'()*+,;=:@/?-]*)?$/,
}

const TIMES = /^\d\d\d\d-\d\d-\d\d[t\s]\d\d:\d\d:\d\d[^t\s]*$/i
/**
 * Forms that every value of a format has. The full tests of these split a text at its blanks, be they a million: what
 * has another form never gets there.
 */
const NECESSARY_FORMS: Readonly<Record<string, RegExp>> = { 'date-time': TIMES, 'iso-date-time': TIMES }

/**
 * Returns the test of a baseline format; undefined for an unknown name, or for a format that tests nothing.
 */
export function formatTest(name: string): FormatTest | undefined {
  const formats: Readonly<Record<string, unknown>> = loadFormats().fullFormats
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined
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
