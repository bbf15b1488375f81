import { SchemaError, SchemaScope, type DocumentCache } from '@cloister/schema'

import { createError } from '../errors.ts'
import { isFunction, isRecord, recordOf, typeName, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import type { Context } from './context.ts'

/** An application's own store for shared schemas, which replaces the framework's. */
export interface SchemaBucket {
  /** the function that created it */
  readonly factory: AnyFunction
  readonly add: AnyFunction
  readonly getSchema: AnyFunction
  readonly getSchemas: AnyFunction
}

/**
 * Creates the bucket of a context with the `bucket` function of a schema controller. A bucket without `add` and
 * `getSchema` is read-only.
 *
 * @param inherited - the result of the parent's `getSchemas`, unchanged; `undefined` in the root
 * @throws `CLO_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN` if the result has no `getSchemas`
 */
export function createBucket(factory: AnyFunction, inherited: unknown): SchemaBucket {
  const bucket = factory(inherited)
  const method = (name: string): AnyFunction | null => {
    const fn: unknown = isRecord(bucket) ? bucket[name] : undefined
    return isFunction(fn) ? fn.bind(bucket) : null
  }
  const refuse = (): never => {
    throw createError('SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN', { type: typeName(bucket) })
  }
  return {
    factory,
    add: method('add') ?? refuse,
    getSchema: method('getSchema') ?? refuse,
    getSchemas: method('getSchemas') ?? refuse(),
  }
}

/** Returns the shared schemas that a context sees, by `$id`. */
export function visibleSchemas(context: Context): Record<string, unknown> {
  const bucket = context.bucket()
  if (bucket === null) return context.schemas.all()
  const schemas = bucket.getSchemas()
  return recordOf(schemas instanceof Map ? Object.fromEntries(schemas) : schemas)
}

/** Returns the scope in which the schemas of a context resolve references. */
export function schemaScopeOf(context: Context, documents: DocumentCache): SchemaScope {
  const shared = visibleSchemas(context)
  const get = (id: string): unknown => (Object.hasOwn(shared, id) ? shared[id] : undefined)
  const { jsonSchemaDialect } = context.app.options
  return new SchemaScope({ get, ids: () => Object.keys(shared) }, documents, jsonSchemaDialect)
}

/**
 * Adds a shared schema to a context, or to its bucket.
 *
 * @throws `CLO_ERR_SCH_MISSING_ID`, `CLO_ERR_SCH_ALREADY_PRESENT`, `CLO_ERR_SCH_INVALID`
 */
export function addSharedSchema(context: Context, schema: unknown, callSite: CallSite): void {
  const bucket = context.bucket()
  if (bucket !== null) {
    bucket.add(schema)
    return
  }
  try {
    context.schemas.add(schema, callSite)
  } catch (cause) {
    throw explain(cause, schema, callSite)
  }
}

/** Returns a shared schema that a context sees, from its bucket if it has one. */
export function sharedSchema(context: Context, id: string): unknown {
  const bucket = context.bucket()
  return bucket === null ? context.schemas.get(id) : bucket.getSchema(id)
}

/** Returns all shared schemas that a context sees, as its bucket returns them or by `$id`. */
export function sharedSchemas(context: Context): unknown {
  const bucket = context.bucket()
  return bucket === null ? { ...context.schemas.all() } : bucket.getSchemas()
}

function explain(cause: unknown, schema: unknown, callSite: CallSite): unknown {
  if (!(cause instanceof SchemaError)) return cause
  const id = String(recordOf(schema)['$id'] ?? '')
  if (cause.code === 'ID_MISSING') return createError('SCH_MISSING_ID', { reason: cause.message }, { cause })
  if (cause.code === 'ID_DUPLICATE')
    return createError('SCH_ALREADY_PRESENT', { id, reason: cause.message }, { cause })
  const details = { route: `$id "${id}"`, reason: cause.message, callSite }
  return createError('SCH_INVALID', details, { cause })
}
