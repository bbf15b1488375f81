import { WebOptionError } from './errors.ts'
import type { Duration } from './types.ts'

/** Returns a mistake in an option, with its place. */
export function invalid(option: string, wanted: string, given: unknown): WebOptionError {
  return new WebOptionError(
    'CLO_ERR_WEB_OPTION',
    `the option '${option}' must be ${wanted}, not ${shown(given)}`,
  )
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

/** What a value of an option may be. */
export interface Rule {
  readonly wanted: string
  readonly accepts: (value: unknown) => boolean
}

/** Creates a rule. */
export const rule = (wanted: string, accepts: Rule['accepts']): Rule => ({ wanted, accepts })

/** Whether a value is an object, but no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the options that are set: one that is `undefined` takes the place of no default. */
export function defined<Options extends object>(given: Options): Partial<Options> {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- some of the same members
  return Object.fromEntries(set) as Partial<Options>
}

/** Whether a value is a list of texts. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Rules that several options share. */
export const RULES: Readonly<Record<'flag' | 'fn' | 'texts' | 'text' | 'count' | 'positive', Rule>> = {
  flag: rule('true or false', (value) => typeof value === 'boolean'),
  fn: rule('a function', (value) => typeof value === 'function'),
  texts: rule('a list of texts', isTexts),
  text: rule('a text', (value) => typeof value === 'string' && value !== ''),
  count: rule('a whole number from 0 on', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
  positive: rule('a whole number from 1 on', (value) => Number.isSafeInteger(value) && Number(value) >= 1),
}

/**
 * Checks the members of an option.
 *
 * @param path - the name of the option, for messages; empty for the options of the plugin
 * @throws WebOptionError `CLO_ERR_WEB_OPTION` for an unknown name, which names the known ones, or for another value
 */
export function assertRules(given: unknown, rules: Readonly<Record<string, Rule>>, path: string): void {
  if (!isRecord(given)) throw invalid(path, 'an object', given)
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const place = path === '' ? name : `${path}.${name}`
    const known = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (known === undefined) {
      const names = Object.keys(rules).join(', ')
      throw new WebOptionError('CLO_ERR_WEB_OPTION', `there is no option '${place}', only ${names}`)
    }
    if (!known.accepts(value)) throw invalid(place, known.wanted, value)
  }
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const PERIOD = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** Returns a period in milliseconds; `NaN` for any other value. */
export function milliseconds(duration: Duration | unknown): number {
  if (typeof duration === 'number') return duration > 0 && Number.isFinite(duration) ? duration : Number.NaN
  const [, count, unit] = typeof duration === 'string' ? (PERIOD.exec(duration) ?? []) : []
  const factor = unit === undefined ? undefined : UNITS[unit]
  return factor === undefined || Number(count) === 0 ? Number.NaN : Number(count) * factor
}

/** The characters of names of fields and cookies (RFC 9110 section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~\da-z]+$/i

/** Whether a text is a token. */
export const isToken = (text: string): boolean => TOKEN.test(text)
