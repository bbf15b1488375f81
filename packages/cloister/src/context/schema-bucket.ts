import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../guards.ts'
import type { AnyFunction } from '../guards.ts'
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
