import type { Context } from '../../../context/context.ts'
import type { SchemaServices } from '../../../context/services.ts'
import { isRecord } from '../../../guards.ts'
import type { PartValidateFunction } from '../../../request/route-plan.ts'
import type { RouteRecord } from '../../route-record.ts'
import { int64Places, type Place } from './places.ts'
import { readInt64 } from './read-int64.ts'

/**
 * Lets a validator of the engine replace 64-bit integers by bigints, in an app with `integers: 'bigint'`.
 *
 * @param part - the part of the request
 * @param app - what compiles the schema
 * @throws for 64-bit integers that can't be read exactly
 */
export function withInt64(
  validate: PartValidateFunction,
  part: string,
  schema: unknown,
  context: Context,
  app: SchemaServices = context.app,
): PartValidateFunction {
  if (app.options.integers !== 'bigint') return validate
  const place = placesIn(part, schema, context)
  if (place === null) return validate
  if (isRecord(schema) && schema['$async'] === true)
    throw new Error("with integers: 'bigint', a schema with $async must have no integer with format int64")
  if (isJson(part) && [...place.all].some(({ limits }) => limits !== null))
    throw new Error(
      `with integers: 'bigint', the whole ${part} must not be an integer with format int64; make it the property of an object`,
    )
  return readInt64(validate, place, context.app.exact.literals)
}

/**
 * Refuses a validator of the application for 64-bit integers, in an app with `integers: 'bigint'`. It would hand numbers
 * to a handler that expects bigints.
 */
export function refuseOwnCompiler(part: string, schema: unknown, { context, app }: RouteRecord): void {
  if (app.options.integers !== 'bigint' || placesIn(part, schema, context) === null) return
  throw new Error(
    "with integers: 'bigint', an integer with format int64 needs the framework's validator; leave out validatorCompiler here, or the format",
  )
}

/** The texts of numbers in JSON are known by the object or list that has them. */
function isJson(part: string): boolean {
  return part === 'body' || part === 'incoming'
}

function placesIn(part: string, schema: unknown, context: Context): Place | null {
  return isRecord(schema) ? int64Places(schema, context, part === 'headers') : null
}
