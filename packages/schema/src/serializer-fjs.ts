import { createRequire } from 'node:module'
import type { SchemaClosure } from './closure.ts'
import { SchemaError } from './errors.ts'
import { isSchemaObject } from './guards.ts'

/** Turns a payload into JSON text. */
export type SerializeFunction = (payload: unknown) => string

const require = createRequire(import.meta.url)

/** Builds a serializer with `fast-json-stringify`. */
export function compileWithFjs(
  schema: unknown,
  closure: SchemaClosure,
  options: Readonly<Record<string, unknown>>,
): SerializeFunction {
  const build: typeof import('fast-json-stringify') = require('fast-json-stringify')
  const external = Object.fromEntries(closure.entries.map(({ id, content }) => [id, content.schema]))
  try {
    const input = isSchemaObject(schema) ? schema : {}
    return Reflect.apply(build, undefined, [input, { ...options, schema: external }])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SchemaError({ code: 'SCHEMA_INVALID', reason, cause: error })
  }
}
