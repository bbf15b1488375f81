import { isObject, isSchemaObject } from '../guards.ts'
import type { SchemaLocation } from './location.ts'
import { namesOf } from './vocabulary.ts'

const REFERENCES = ['$ref', '$dynamicRef'] as const

/** A reference of a schema. */
export interface Reference {
  readonly keyword: (typeof REFERENCES)[number]
  readonly ref: string
}

/**
 * Whether a schema contains a reference anywhere, even in data: Ajv does not distinguish them either.
 * @param keywords - those that count
 */
export function hasReference(schema: unknown, keywords: readonly string[] = REFERENCES): boolean {
  if (!isObject(schema)) return false
  for (const key of Object.keys(schema)) {
    if (keywords.includes(key) || hasReference(schema[key], keywords)) return true
  }
  return false
}

/** Returns the `$ref` of a schema, if it has one. */
export function refOf({ schema }: SchemaLocation): string | undefined {
  const ref = isSchemaObject(schema) ? schema['$ref'] : undefined
  return typeof ref === 'string' ? ref : undefined
}

/** Returns the references of a schema itself. Draft-07 has no `$dynamicRef`. */
export function referencesOf({ schema, document }: SchemaLocation): Reference[] {
  if (!isSchemaObject(schema)) return []
  return REFERENCES.flatMap((keyword) => {
    const ref = schema[keyword]
    const isMeant = keyword === '$ref' || document.dialect === '2020-12'
    return isMeant && typeof ref === 'string' ? [{ keyword, ref }] : []
  })
}

/** Whether a schema has keywords beside its reference, which apply as they do for Ajv. */
export function hasSiblings({ schema }: SchemaLocation): boolean {
  return isSchemaObject(schema) && Object.keys(schema).some((keyword) => !BESIDE_REFERENCE.has(keyword))
}

/** Keywords that do not describe the value. */
const BESIDE_REFERENCE: ReadonlySet<string> = new Set([
  ...REFERENCES,
  ...namesOf(({ name, role }) => role === 'core' || (role === 'annotation' && name !== 'default')),
])
