import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'
import type { Context } from './context.ts'

/** Where an application keeps shared schemas instead of the framework's store. */
export interface SchemaBucket {
  readonly add: AnyFunction
  readonly getSchema: AnyFunction
  readonly getSchemas: AnyFunction
}

/**
 * Makes the bucket of a context with a schema controller's `bucket` function.
 *
 * @throws `CLO_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN` when it returns something else than `{ add, getSchema,
 * getSchemas }`
 */
export function createBucket(
  factory: AnyFunction,
  inherited: Readonly<Record<string, unknown>>,
): SchemaBucket {
  const bucket = factory(inherited)
  if (isRecord(bucket)) {
    const { add, getSchema, getSchemas } = bucket
    if (isFunction(add) && isFunction(getSchema) && isFunction(getSchemas)) {
      return { add: add.bind(bucket), getSchema: getSchema.bind(bucket), getSchemas: getSchemas.bind(bucket) }
    }
  }
  throw createError('SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN', { type: typeName(bucket) })
}

/** The shared schemas that a context sees, by `$id`. */
export function visibleSchemas(context: Context): Record<string, unknown> {
  const bucket = context.bucket()
  if (bucket === null) return context.schemas.all()
  const schemas = bucket.getSchemas()
  return isRecord(schemas) ? schemas : {}
}
