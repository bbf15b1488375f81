import { createError } from '../errors.ts'
import { isRecord, recordOf, typeName } from '../guards.ts'
import { unknownOptions } from './public-config.ts'
import { nearestName } from '../suggest.ts'
import type { AppOptions } from './checked-options.generated.ts'
import { mustBe, refuseOptions, type OptionRow } from './option-row.ts'
import { checkVersion } from './check-version.ts'
import { checkSchemaOptions } from './check-schema-options.ts'
import { OPTIONS, ROUTER_OPTIONS } from './option-table.ts'

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
  if (!isRecord(routerOptions)) refuseOptions('routerOptions must be an object')
  const unknown = Object.keys(routerOptions).find((name) => !ROUTER_OPTIONS.includes(name))
  if (unknown !== undefined)
    refuseOptions(`routerOptions has no option '${unknown}'${nearestName(unknown, ROUTER_OPTIONS)}`)
  Object.assign(given, routerOptions)
}

/** Returns the checked value of an option or its default; with `strict`, its safe value instead of the default. */
function readOption(name: string, row: OptionRow, given: unknown, isStrict: boolean): unknown {
  if (given == null) return isStrict && row.strict !== undefined ? row.strict : row.default
  const value = row.kind.read(given)
  const problem = isStrict ? (row.strictProblem?.(value) ?? null) : null
  if (problem !== null) return refuseOptions(`with 'strict', '${name}' ${problem}`)
  if (value !== undefined) return value
  if (row.refuse !== undefined) throw row.refuse(given)
  return refuseOptions(mustBe(name, row.kind, given))
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
    if (hint !== '') refuseOptions(`'${name}' is not an option${hint}`)
  }
  const checked: Record<string, unknown> = {}
  const isStrict = given['strict'] === true
  for (const [name, row] of OPTIONS) checked[name] = readOption(name, row, given[name], isStrict)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop above has given every key of the table its checked value
  return Object.freeze(checked) as unknown as AppOptions
}
