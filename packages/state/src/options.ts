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

/** The longest time, 366 days: stores and timers have greater ones, but no state of this package needs them. */
export const LONGEST_MS = 31_622_400_000

/** Rules that several options share. */
export const RULES: Readonly<Record<'any' | 'flag' | 'fn' | 'text' | 'count' | 'ms' | 'state', Rule>> = {
  any: rule('a value', () => true),
  flag: rule('true or false', (value) => typeof value === 'boolean'),
  fn: rule('a function', (value) => typeof value === 'function'),
  text: rule('a text', (value) => typeof value === 'string' && value !== ''),
  count: rule('a whole number from 1 on', (value) => Number.isSafeInteger(value) && Number(value) >= 1),
  ms: rule(
    'a whole number of milliseconds from 1 on, at most 366 days',
    (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= LONGEST_MS,
  ),
  state: rule('a state', (value) => isRecord(value) && typeof value['put'] === 'function'),
}

/** The options of `register` that the framework reads, beside those of a plugin. */
export const REGISTER_RULES: Readonly<Record<string, Rule>> = {
  prefix: RULES.any,
  logLevel: RULES.any,
  logSerializers: RULES.any,
  serialization: RULES.any,
}

/** Shows a wrong value in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

/**
 * Returns what is wrong with options: an unknown name, or a value that its rule does not accept; `null` if nothing is.
 *
 * @param path - of the options, for the message; empty, or with a dot at its end
 */
export function problemOf(
  given: unknown,
  rules: Readonly<Record<string, Rule>>,
  path: string,
): string | null {
  if (!isRecord(given)) return `${path.slice(0, -1) || 'the options'} must be an object, not ${shown(given)}`
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const known = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (known === undefined)
      return `there is no option '${path}${name}', only ${Object.keys(rules).join(', ')}`
    if (!known.accepts(value))
      return `the option '${path}${name}' must be ${known.wanted}, not ${shown(value)}`
  }
  return null
}
