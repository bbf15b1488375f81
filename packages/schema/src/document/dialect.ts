import { isSchemaObject } from '../guards.ts'

/** A version of JSON Schema. */
export type Dialect = 'draft-07' | '2020-12'

/** The `$schema` values of each dialect; the first one is the standard. */
const NAMES: Readonly<Record<Dialect, readonly string[]>> = {
  'draft-07': ['http://json-schema.org/draft-07/schema', 'http://json-schema.org/schema'],
  '2020-12': ['https://json-schema.org/draft/2020-12/schema'],
}

export const DIALECTS: readonly Dialect[] = ['draft-07', '2020-12']

/** Returns the value of `$schema` for a dialect. */
export function metaSchemaOf(dialect: Dialect): string {
  const [name = ''] = NAMES[dialect]
  return dialect === 'draft-07' ? `${name}#` : name
}

/** Returns the dialect that a `$schema` names; undefined for an unknown one. */
export function namedDialect(metaSchema: string): Dialect | undefined {
  const name = metaSchema.replace(/#$/, '')
  return DIALECTS.find((dialect) => NAMES[dialect].includes(name))
}

/**
 * Returns the dialect of a schema: from its `$schema`, or the given one. The check of schemas rejects an unknown
 * `$schema`.
 */
export function dialectOf(schema: unknown, otherwise: Dialect): Dialect {
  const named = isSchemaObject(schema) ? schema['$schema'] : undefined
  return (typeof named === 'string' ? namedDialect(named) : undefined) ?? otherwise
}

/** Whether a reference leads into the meta-schema of a dialect, which Ajv has. */
export function isMetaSchema(ref: string, dialect: Dialect): boolean {
  const [resource = ''] = ref.split('#', 1)
  if (NAMES[dialect].includes(resource)) return true
  return dialect === '2020-12' && resource.startsWith('https://json-schema.org/draft/2020-12/meta/')
}
