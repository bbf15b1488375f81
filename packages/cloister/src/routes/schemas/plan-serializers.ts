import type { NormalizedResponse, NormalizedRouteSchema } from '@cloister/schema'

import { isFunction, type AnyFunction } from '../../guards.ts'
import { settingsOf } from '../../options/route-options.ts'
import { ITEM_FORMATS } from '../../request/items/item-formats.ts'
import type { PlanSerializers, StatusSerializers } from '../../request/route-plan.ts'
import { compileResponse } from './compilers.ts'
import { failedBuild, routeRefOf, unusableSchema, type RouteRecord } from '../route-record.ts'

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
  for (const [key, entry] of response) {
    const serializers = compileStatus(record, key, entry, compiler)
    if (key === 'default') fallback = serializers
    else if (key.endsWith('xx')) byClass[Number(key[0])] = serializers
    else byStatus.set(Number(key), serializers)
  }
  return { byStatus, byClass, fallback }
}

function compileStatus(
  record: RouteRecord,
  status: string,
  { schema, content }: NormalizedResponse,
  compiler: AnyFunction | null,
): StatusSerializers {
  if (content === undefined) {
    return {
      serialize: schema === undefined ? null : compileSerializer(record, status, schema, undefined, compiler),
      byMediaType: null,
    }
  }
  const byMediaType = new Map<string, (payload: unknown) => string>()
  for (const [essence, typeSchema] of content) {
    byMediaType.set(essence, compileSerializer(record, status, typeSchema, essence, compiler))
  }
  return { serialize: null, byMediaType }
}

type Serialize = (payload: unknown) => string

/** Compiles one serializer; without a status, that of messages. */
export function compileSerializer(
  record: RouteRecord,
  httpStatus: string | undefined,
  schema: unknown,
  contentType: string | undefined,
  compiler: AnyFunction | null,
): Serialize {
  const { method, url } = record
  const serialization = modeOf(record)
  try {
    if (compiler !== null) {
      const serialize = compiler({ schema, method, url, httpStatus, contentType })
      if (!isSerialize(serialize)) throw new Error('the serializer compiler must return a function')
      return serialize
    }
    return compileResponse(record.context, schema, {
      httpStatus,
      contentType,
      route: routeRefOf(record),
      serialization: serialization ?? (isStreamed(contentType) ? 'strict' : null),
      validateResponses: settingsOf(record.options, record.context.app.options).validateResponses,
    })
  } catch (cause) {
    throw failedBuild(
      'SCH_SERIALIZATION_BUILD',
      record,
      httpStatus === undefined ? 'outgoing' : `response ${httpStatus}`,
      cause,
    )
  }
}

/**
 * Generator items always use strict serialization. The feature is new, so no existing application relies on
 * conversions.
 */
function isStreamed(contentType: string | undefined): boolean {
  return contentType !== undefined && ITEM_FORMATS.has(contentType)
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

function isSerialize(value: unknown): value is Serialize {
  return isFunction(value)
}
