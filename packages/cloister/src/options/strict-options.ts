import type { AppOptions } from './checked-options.generated.ts'
import { OPTIONS } from './option-table.ts'
import type { Dictionary } from '../guards.ts'

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
export function strictOptions(options: AppOptions, given: Dictionary): StrictOptions {
  const set: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, row] of OPTIONS) {
    if (given[name] == null && row.strict !== undefined) set[name] = row.strict
    const problem = row.strictProblem?.(Reflect.get(options, name)) ?? null
    if (problem !== null) problems.push(`with 'strict', '${name}' ${problem}`)
  }
  return { options: Object.freeze({ ...options, ...set }), problems }
}
