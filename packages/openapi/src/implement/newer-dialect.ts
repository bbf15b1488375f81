import { isRecord } from '../guards.ts'
import { mapSchema, mapSchemas } from './map-schema.ts'

/*
 * Version 3.0 has a dialect of its own. Its schemas are rewritten in 2020-12, which version 3.1 has, so that all that
 * follows knows one dialect.
 */

type Schema = Readonly<Record<string, unknown>>

/** Values that are data, whatever keys they have. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum'])

/** Rewrites the schemas in a part of a document of version 3.0: those under `schema`, and those under `schemas`. */
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
  // Version 3.0 ignores what is beside a reference.
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

/** A limit that excludes its own value is a flag beside it in version 3.0. */
const LIMITS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const

/** Authors write `nullable` beside `allOf` too, and mean it, though version 3.0.3 gives it a meaning beside `type` alone. */
function admittingNull(schema: Schema): Record<string, unknown> {
  const { type, title, description, ...rest } = schema
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  if (Object.keys(rest).length === 0) return { ...schema }
  const texts = Object.entries({ title, description }).filter(([, text]) => text !== undefined)
  return { ...Object.fromEntries(texts), anyOf: [rest, { type: 'null' }] }
}
