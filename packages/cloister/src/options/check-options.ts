import { createError } from '../errors.ts'
import { isRecord, recordOf, typeName } from '../guards.ts'
import { nearestName } from '../suggest.ts'
import type { AppOptions } from './checked-options.generated.ts'
import { mustBe, type OptionRow } from './option-row.ts'
import { checkSchemaOptions } from './check-schema-options.ts'
import { OPTIONS, ROUTER_OPTIONS } from './option-table.ts'

function refuse(problem: string): never {
  throw createError('INIT_OPTS_INVALID', { problem })
}

/**
 * Checks the version of a route, for the router and the deprecated option `versioning`.
 *
 * @throws `CLO_ERR_VERSION_CONSTRAINT_NOT_STR`
 */
export function checkVersion(version: unknown): void {
  if (typeof version !== 'string')
    throw createError('VERSION_CONSTRAINT_NOT_STR', { type: typeName(version) })
}

/** Options that stand for others. */
const FOLDED: readonly string[] = ['routerOptions', 'versioning']

/** Sets the options for which `versioning` and `routerOptions` stand. */
function fold(given: Record<string, unknown>): void {
  const { routerOptions, versioning } = given
  if (versioning !== undefined) {
    const { storage, deriveVersion } = recordOf(versioning)
    const strategy = { name: 'version', mustMatchWhenDerived: true, storage, validate: checkVersion }
    const version = { ...strategy, deriveConstraint: deriveVersion }
    given['constraints'] = { ...recordOf(given['constraints']), version }
  }
  if (routerOptions === undefined) return
  if (!isRecord(routerOptions)) refuse('routerOptions must be an object')
  const unknown = Object.keys(routerOptions).find((name) => !ROUTER_OPTIONS.includes(name))
  if (unknown !== undefined)
    refuse(`routerOptions has no option '${unknown}'${nearestName(unknown, ROUTER_OPTIONS)}`)
  Object.assign(given, routerOptions)
}

/** Returns the checked value of an option or its default; with `strict`, its safe value instead of the default. */
function readOption(name: string, row: OptionRow, given: unknown, isStrict: boolean): unknown {
  if (given == null) return isStrict && row.strict !== undefined ? row.strict : row.default
  const value = row.kind.read(given)
  const problem = isStrict ? (row.strictProblem?.(value) ?? null) : null
  if (problem !== null) return refuse(`with 'strict', '${name}' ${problem}`)
  if (value !== undefined) return value
  if (row.refuse !== undefined) throw row.refuse(given)
  return refuse(mustBe(name, row.kind, given))
}

/** What `strict: true` would make of the options of an app. */
export interface StrictOptions {
  readonly options: AppOptions
  /** the options that it would refuse, as sentences */
  readonly problems: readonly string[]
}

/**
 * Returns what `strict: true` would make of options.
 *
 * @param options - the checked options
 * @param given - the options as the application wrote them
 */
export function strictOptions(options: AppOptions, given: Readonly<Record<string, unknown>>): StrictOptions {
  const set: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, row] of OPTIONS) {
    if (given[name] == null && row.strict !== undefined) set[name] = row.strict
    const problem = row.strictProblem?.(Reflect.get(options, name)) ?? null
    if (problem !== null) problems.push(`with 'strict', '${name}' ${problem}`)
  }
  return { options: Object.freeze({ ...options, ...set }), problems }
}

/** Returns the names that aren't options of the framework. Plugins may read them. */
export function unknownOptions(given: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(given).filter((name) => !OPTIONS.has(name) && !FOLDED.includes(name))
}

/**
 * Checks the options of the factory and fills in the defaults. Unknown names that aren't similar to an option are left
 * to plugins.
 *
 * @throws `CLO_ERR_OPTIONS_NOT_OBJ`, `CLO_ERR_INIT_OPTS_INVALID` (with the most similar name), `CLO_ERR_QSP_NOT_FN`,
 * `CLO_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN`, `CLO_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ` and related errors
 */
export function checkOptions(options: unknown): AppOptions {
  if (options != null && options !== false && !isRecord(options)) {
    throw createError('OPTIONS_NOT_OBJ', { type: typeName(options) })
  }
  // Only own options count, so a polluted `Object.prototype` sets nothing.
  const given: Record<string, unknown> = { __proto__: null, ...recordOf(options) }
  fold(given)
  checkSchemaOptions(given)
  for (const name of unknownOptions(given)) {
    // Short names are similar to many others.
    const known = [...OPTIONS.keys(), 'routerOptions']
    const hint = nearestName(name, known, Math.max(1, Math.floor(name.length / 3)))
    if (hint !== '') refuse(`'${name}' is not an option${hint}`)
  }
  const checked: Record<string, unknown> = {}
  const isStrict = given['strict'] === true
  for (const [name, row] of OPTIONS) checked[name] = readOption(name, row, given[name], isStrict)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop above has given every key of the table its checked value
  return Object.freeze(checked) as unknown as AppOptions
}

/**
 * Returns `app.initialConfig`: the checked options that plugins may read, and the unknown options that the application
 * passes on to plugins. It contains no keys or certificates.
 *
 * @param given - the options as the application wrote them
 */
export function publicConfig(
  options: AppOptions,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const shown = Object.fromEntries(unknownOptions(given).map((name) => [name, given[name]]))
  const ofRouter: Record<string, unknown> = {}
  for (const [name, { shown: when }] of OPTIONS) {
    const value: unknown = Reflect.get(options, name)
    if (when === 'always' || (when === 'given' && given[name] !== undefined)) shown[name] = value
    if (when !== undefined && ROUTER_OPTIONS.includes(name)) ofRouter[name] = value
  }
  if (isRecord(given['routerOptions'])) shown['routerOptions'] = Object.freeze(ofRouter)
  const { https, constraints } = options
  if (https !== null)
    shown['https'] = 'allowHTTP1' in https ? Object.freeze({ allowHTTP1: https['allowHTTP1'] }) : true
  if (constraints !== null) shown['constraints'] = Object.freeze({ ...constraints })
  return Object.freeze(shown)
}
