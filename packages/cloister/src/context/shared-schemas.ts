import { SchemaError, SchemaScope, type DocumentCache } from '@cloister/schema'

import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import type { Context } from './context.ts'

/** Where an application keeps shared schemas instead of the framework's store. */
export interface SchemaBucket {
  /** what made it */
  readonly factory: AnyFunction
  readonly add: AnyFunction
  readonly getSchema: AnyFunction
  readonly getSchemas: AnyFunction
}

/**
 * Makes the bucket of a context with a schema controller's `bucket` function. A bucket that is only read from needs no
 * `add` and no `getSchema`.
 *
 * @param inherited - what the parent's `getSchemas` returns, as it is; nothing in the root
 * @throws `CLO_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN` when it returns something without `getSchemas`
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

/** The shared schemas that a context sees, by `$id`. */
export function visibleSchemas(context: Context): Record<string, unknown> {
  const bucket = context.bucket()
  if (bucket === null) return context.schemas.all()
  const schemas = bucket.getSchemas()
  const byId: unknown = schemas instanceof Map ? Object.fromEntries(schemas) : schemas
  return isRecord(byId) ? byId : {}
}

/** The scope in which the schemas of a context refer to each other. */
export function schemaScopeOf(context: Context, documents: DocumentCache): SchemaScope {
  const shared = visibleSchemas(context)
  const get = (id: string): unknown => (Object.hasOwn(shared, id) ? shared[id] : undefined)
  const { jsonSchemaDialect } = context.app.options
  return new SchemaScope({ get, ids: () => Object.keys(shared) }, documents, jsonSchemaDialect)
}

/**
 * Adds a shared schema to a context, or to the bucket that a schema controller brings for it.
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

/** Returns a shared schema that a context sees. */
export function sharedSchema(context: Context, id: string): unknown {
  const bucket = context.bucket()
  return bucket === null ? context.schemas.get(id) : bucket.getSchema(id)
}

/** Returns all shared schemas that a context sees, by their `$id`. */
export function sharedSchemas(context: Context): unknown {
  const bucket = context.bucket()
  return bucket === null ? { ...context.schemas.all() } : bucket.getSchemas()
}

function explain(cause: unknown, schema: unknown, callSite: CallSite): unknown {
  if (!(cause instanceof SchemaError)) return cause
  const id = isRecord(schema) ? String(schema['$id']) : ''
  if (cause.code === 'ID_MISSING') return createError('SCH_MISSING_ID', { reason: cause.message }, { cause })
  if (cause.code === 'ID_DUPLICATE')
    return createError('SCH_ALREADY_PRESENT', { id, reason: cause.message }, { cause })
  const details = { route: `$id "${id}"`, reason: cause.message, callSite: callSite.toString() }
  return createError('SCH_INVALID', details, { cause })
}
