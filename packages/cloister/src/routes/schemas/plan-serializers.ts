import type { NormalizedRouteSchema, SerializeFunction } from '@cloister/schema'

import { isFunction, type AnyFunction } from '../../guards.ts'
import { ITEM_TYPES } from '../../request/items/item-types.ts'
import type { PlanSerializers, StatusSerializers } from '../../request/route-plan.ts'
import { engineSerializer } from './compilers.ts'
import { failedBuild, RecordRef, routeSettings, unusableSchema, type RouteRecord } from '../route-record.ts'

/**
 * Compiles the serializers of a route's responses.
 *
 * @param compiler - the application's serializer compiler, or `null` for the schema engine
 * @throws `CLO_ERR_SCH_SERIALIZATION_BUILD`
 */
export function planSerializers(
  record: RouteRecord,
  { response }: NormalizedRouteSchema,
  compiler: AnyFunction | null,
): PlanSerializers | null {
  if (response === undefined) return null
  const byStatus = new Map<number, StatusSerializers>()
  // Created with its final length, because an array that grows keeps spare capacity.
  const byClass: (StatusSerializers | undefined)[] = Array.from({ length: 6 }, () => undefined)
  let fallback: StatusSerializers | null = null
  for (const [status, { schema, content }] of response) {
    const compile = (one: unknown, mediaType?: string): SerializeFunction =>
      compileSerializer(record, one, compiler, status, mediaType)
    const serializers: StatusSerializers = {
      serialize: schema === undefined ? null : compile(schema),
      byMediaType:
        content === undefined ? null : new Map([...content].map(([type, one]) => [type, compile(one, type)])),
    }
    if (status === 'default') fallback = serializers
    else if (status.endsWith('xx')) byClass[Number(status[0])] = serializers
    else byStatus.set(Number(status), serializers)
  }
  return { byStatus, byClass, fallback }
}

/** Compiles one serializer; without a status, that of messages. */
export function compileSerializer(
  record: RouteRecord,
  schema: unknown,
  compiler: AnyFunction | null,
  httpStatus?: string,
  contentType?: string,
): SerializeFunction {
  const { method, url, context, app } = record
  const { validateResponses } = routeSettings(record)
  const mode = modeOf(record)
  // The items of generators always use strict serialization. The feature is new, so no existing application relies on
  // conversions.
  const serialization = mode ?? (ITEM_TYPES.has(contentType ?? '') ? 'strict' : null)
  try {
    const compile =
      compiler ??
      engineSerializer(context, { serialization, validateResponses, app, ref: new RecordRef(record) })
    const serialize = compile({ schema, method, url, httpStatus, contentType })
    if (!isSerialize(serialize)) throw new Error('the serializer compiler must return a function')
    return serialize
  } catch (cause) {
    const part = httpStatus === undefined ? 'outgoing' : `response ${httpStatus}`
    throw failedBuild('SCH_SERIALIZATION_BUILD', record, part, cause)
  }
}

/** Returns the serialization mode that the route or its context sets; `null` means the app's mode. */
export function modeOf(record: RouteRecord): 'compat' | 'strict' | null {
  const { context, options } = record
  const { serialization = null } = options
  if (serialization === null) return context.setting('serialization')
  if (serialization === 'compat' || serialization === 'strict') return serialization
  const reason = `serialization must be 'compat' or 'strict', got ${JSON.stringify(serialization)}`
  throw unusableSchema(record, reason)
}

function isSerialize(value: unknown): value is SerializeFunction {
  return isFunction(value)
}
