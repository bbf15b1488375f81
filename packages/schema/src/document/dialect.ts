import { isSchemaObject } from '../guards.ts'

/** A version of JSON Schema. */
export type Dialect = 'draft-07' | '2020-12'

/** The dialects, with the `$schema` that names each, and other names of it. */
const NAMES: Readonly<Record<Dialect, readonly string[]>> = {
  'draft-07': ['http://json-schema.org/draft-07/schema', 'http://json-schema.org/schema'],
  '2020-12': ['https://json-schema.org/draft/2020-12/schema'],
}

/** Both dialects. */
export const DIALECTS: readonly Dialect[] = ['draft-07', '2020-12']

/** The value of `$schema` for a dialect. */
export function metaSchemaOf(dialect: Dialect): string {
  const [name = ''] = NAMES[dialect]
  return dialect === 'draft-07' ? `${name}#` : name
}

/** The dialect that a `$schema` names; undefined for an unknown one. */
export function namedDialect(metaSchema: string): Dialect | undefined {
  const name = metaSchema.replace(/#$/, '')
  return DIALECTS.find((dialect) => NAMES[dialect].includes(name))
}

/**
 * The dialect of a schema: that of its `$schema`, or else the given one. A check of schemas refuses an unknown
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
