import { isRecord } from '../guards.ts'
import { mapSchema, mapSchemas } from './map-schema.ts'

/*
 * Version 3.0 has its own dialect. Its schemas are rewritten in 2020-12, the dialect of version 3.1, so that all
 * other code handles one dialect.
 */

type Schema = Readonly<Record<string, unknown>>

/** Values that are data, whatever keys they have. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum'])

/** Rewrites the schemas in a part of a 3.0 document: those under `schema`, and those under `schemas`. */
export function inNewerDialect(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inNewerDialect)
  if (!isRecord(part)) return part
  const entries = Object.entries(part).map(([key, value]) => {
    if (DATA.has(key)) return [key, value]
    if (key === 'schema') return [key, mapSchema(value, rewritten)]
    return [key, key === 'schemas' ? mapSchemas(value, rewritten) : inNewerDialect(value)]
  })
  return Object.fromEntries(entries)
}

function rewritten(schema: Schema): Schema {
  // Version 3.0 ignores siblings of a reference.
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] }
  const { nullable, example, ...rest } = schema
  const draft: Record<string, unknown> = nullable === true ? admittingNull(rest) : rest
  if (example !== undefined) draft['examples'] ??= [example]
  for (const [flag, limit] of LIMITS) {
    const isFlag = typeof draft[flag] === 'boolean'
    if (isFlag && draft[flag] === true) draft[flag] = draft[limit]
    if (isFlag) delete draft[draft[flag] === false ? flag : limit]
  }
  return draft
}

/** In version 3.0, an exclusive limit is a flag beside the limit. */
const LIMITS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const

/** Authors also write `nullable` beside `allOf` and mean it, although version 3.0.3 defines it only beside `type`. */
function admittingNull(schema: Schema): Record<string, unknown> {
  const { type, title, description, ...rest } = schema
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  if (Object.keys(rest).length === 0) return { ...schema }
  const texts = Object.entries({ title, description }).filter(([, text]) => text !== undefined)
  return { ...Object.fromEntries(texts), anyOf: [rest, { type: 'null' }] }
}
