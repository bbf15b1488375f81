import type { JsonOptions } from '../default-parsers.ts'
import { isRecord } from '../../guards.ts'
import { invalid } from './form-parser.ts'

/** The options that say what happens to names that reach a prototype. */
export type NameOptions = Pick<JsonOptions, 'onProtoPoisoning' | 'onConstructorPoisoning'>

/** Between the steps of a name such as `a[b].c`, which parsers and deep merges read as a path. */
const STEPS = /[.[\]"']+/

/**
 * Returns whether the form keeps a name. A name reaches a prototype if it is `__proto__` or `constructor`, or a path
 * with such a step; the options for JSON bodies decide.
 *
 * @throws `CLO_ERR_FORM_INVALID`
 */
export function keepsName(name: string, options: NameOptions): boolean {
  if (!name.includes('__proto__') && !name.includes('constructor')) return true
  const steps = name.split(STEPS)
  const actions = [
    steps.includes('__proto__') ? options.onProtoPoisoning : 'ignore',
    steps.includes('constructor') ? options.onConstructorPoisoning : 'ignore',
  ]
  if (actions.includes('error')) throw invalid(`the name '${name}' is not allowed, as it reaches a prototype`)
  return !actions.includes('remove')
}

/** Removes or refuses names of a parsed form, also those of nested objects. */
export function guardNames(values: unknown, options: NameOptions): void {
  if (!isRecord(values) && !Array.isArray(values)) return
  for (const [name, value] of Object.entries(values)) {
    if (keepsName(name, options)) guardNames(value, options)
    else Reflect.deleteProperty(values, name)
  }
}
