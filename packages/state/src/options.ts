/** What a value of an option may be. */
export interface Rule {
  readonly wanted: string
  readonly accepts: (value: unknown) => boolean
  readonly isRequired?: boolean
}

/** The rules of options, by name. */
export type Rules = Readonly<Record<string, Rule>>

/** Creates a rule. */
export const rule = (wanted: string, accepts: Rule['accepts']): Rule => ({ wanted, accepts })

/** The rule of an option that has no default. */
export const required = (given: Rule): Rule => ({ ...given, isRequired: true })

/** The rule of an option that is one of some texts. */
export const oneOf = (...values: readonly string[]): Rule =>
  rule(values.map(shown).join(' or '), (value) => values.some((one) => one === value))

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

/** The longest time that something is kept: 366 days. Stores have greater ones, but nothing needs them. */
export const MAX_MS = 31_622_400_000
/** The longest time of a timer: Node takes a greater one for a millisecond. */
const MAX_TIMER_MS = 2_147_483_647

const whole =
  (most: number): Rule['accepts'] =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most

/** Rules that several options share. */
export const RULES: Readonly<
  Record<'any' | 'flag' | 'fn' | 'text' | 'count' | 'ms' | 'timer' | 'state', Rule>
> = {
  any: rule('a value', () => true),
  flag: rule('true or false', (value) => typeof value === 'boolean'),
  fn: rule('a function', (value) => typeof value === 'function'),
  text: rule('a text', (value) => typeof value === 'string' && value !== ''),
  count: rule('a whole number from 1 on', whole(Number.MAX_SAFE_INTEGER)),
  ms: rule('a whole number of milliseconds from 1 on, at most 366 days', whole(MAX_MS)),
  timer: rule('a whole number of milliseconds from 1 on, at most 24 days', whole(MAX_TIMER_MS)),
  state: rule('a state', (value) => isRecord(value) && typeof value['put'] === 'function'),
}

/** Shows a wrong value in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

/**
 * Returns what is wrong with options: an unknown name, a value that its rule does not accept, or a missing one; `null`
 * if nothing is.
 *
 * @param path - of the options, for the message; empty, or with a dot at its end
 */
export function problemOf(given: unknown, rules: Rules, path: string): string | null {
  if (!isRecord(given)) return `${path.slice(0, -1) || 'the options'} must be an object, not ${shown(given)}`
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(rules, name) && given[name] !== undefined)
  if (unknown !== undefined)
    return `there is no option '${path}${unknown}', only ${Object.keys(rules).join(', ')}`
  for (const [name, { wanted, accepts, isRequired }] of Object.entries(rules)) {
    const value = given[name]
    if (value === undefined ? isRequired !== true : accepts(value)) continue
    const problem = value === undefined ? `is missing: ${wanted}` : `must be ${wanted}, not ${shown(value)}`
    return `the option '${path}${name}' ${problem}`
  }
  return null
}
