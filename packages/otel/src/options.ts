import { OtelError } from './errors.ts'
import type { OtelOptions, ParentRule } from './types.ts'

/** The checked options with their defaults. */
export interface Settings extends Omit<Required<OtelOptions>, 'ignore' | 'name'> {
  readonly ignore: OtelOptions['ignore'] | null
  readonly name: OtelOptions['name'] | null
}

interface Rule {
  readonly wanted: string
  readonly accepts: (value: unknown) => boolean
}

const PARENTS: readonly unknown[] = ['continue', 'link', 'ignore']
const flag: Rule = { wanted: 'a boolean', accepts: (value) => typeof value === 'boolean' }
const called: Rule = { wanted: 'a function', accepts: (value) => typeof value === 'function' }

const OPTIONS: Readonly<Record<keyof OtelOptions, Rule>> = {
  parent: {
    wanted: "'continue', 'link', 'ignore', or a function that returns one of them",
    accepts: (value) => typeof value === 'function' || isParentRule(value),
  },
  context: flag,
  ignore: called,
  metrics: flag,
  logs: flag,
  hooks: flag,
  name: called,
}

/** Returns whether a value is a rule for parents. */
export function isParentRule(value: unknown): value is ParentRule {
  return PARENTS.includes(value)
}

/**
 * Checks the options of the plugin, and sets the defaults.
 *
 * @param trustsProxies - the app has `trustProxy`
 * @throws OtelError `CLO_ERR_OTEL_OPTION`
 */
export function checkOptions(given: OtelOptions, trustsProxies: boolean): Settings {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const rule = Object.entries(OPTIONS).find(([known]) => known === name)?.[1]
    if (rule === undefined) {
      const known = Object.keys(OPTIONS).join(', ')
      throw invalid(`@cloister/otel has no option '${name}'; its options are ${known}`)
    }
    if (!rule.accepts(value))
      throw invalid(`the option '${name}' of @cloister/otel must be ${rule.wanted}; got ${show(value)}`)
  }
  return {
    parent: given.parent ?? (trustsProxies ? 'continue' : 'link'),
    context: given.context ?? true,
    ignore: given.ignore ?? null,
    metrics: given.metrics ?? true,
    logs: given.logs ?? true,
    hooks: given.hooks ?? false,
    name: given.name ?? null,
  }
}

/** Shows a wrong value in a message. */
export function show(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (value instanceof Promise) return 'a promise'
  return JSON.stringify(value) ?? String(value)
}

/** Creates the error of a wrong option. */
export function invalid(problem: string): OtelError {
  return new OtelError('CLO_ERR_OTEL_OPTION', problem)
}
