import { isSchemaObject } from '../../../guards.ts'
import type { AcceptorPolicy } from '../policy.ts'
import { acceptsAnything } from '../../../document/survey.ts'
import { Unsupported } from './unsupported.ts'

/** The keywords of an object schema, read once. */
export interface ObjectRules {
  readonly properties: readonly string[]
  readonly patterns: readonly string[]
  readonly required: readonly string[]
  readonly defaults: ReadonlyMap<string, unknown>
  /**
   * What to do with undeclared properties: `remove` them, `fail`, check them against a `schema`, or `ignore` them.
   */
  readonly others: 'remove' | 'fail' | 'schema' | 'ignore'
}

/**
 * Reads the keywords of an object schema.
 * @throws {@link Unsupported}
 */
export function readRules(policy: AcceptorPolicy, schema: Record<string, unknown>): ObjectRules {
  const { properties = {}, patternProperties = {}, required = [], additionalProperties } = schema
  if (!isSchemaObject(properties) || !isSchemaObject(patternProperties) || !Array.isArray(required)) {
    throw new Unsupported('object keywords')
  }
  const names = Object.keys(properties)
  const demanded = required.filter((name) => typeof name === 'string')
  if (names.includes('__proto__') || demanded.includes('__proto__')) throw new Unsupported('__proto__')
  const defaults = new Map<string, unknown>()
  for (const name of names) {
    const child = properties[name]
    if (policy.defaults && isSchemaObject(child) && child['default'] !== undefined)
      defaults.set(name, child['default'])
  }
  return {
    properties: names,
    patterns: Object.keys(patternProperties),
    required: demanded,
    defaults,
    others: othersRule(policy.remove, additionalProperties, schema['properties'] !== undefined),
  }
}

function othersRule(
  remove: boolean | 'all',
  additional: unknown,
  hasProperties: boolean,
): ObjectRules['others'] {
  if (remove === 'all') return additional !== undefined || hasProperties ? 'remove' : 'ignore'
  if (additional === undefined || acceptsAnything(additional)) return 'ignore'
  if (additional === false) return remove ? 'remove' : 'fail'
  return 'schema'
}
