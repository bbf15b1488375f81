import { BodyContent, normalizeRouteSchema } from '@cloister/schema'

import { isRecord } from '../../guards.ts'
import { libraryOf } from '../../libraries/validate.ts'
import type { Handshake, MessageValidator, PlanMessages } from '../../request/route-plan.ts'
import { kHandshake } from '../../symbols.ts'
import { uncoercedStoreOf, type CompilersInCharge } from './compilers.ts'
import { compileSerializer } from './plan-serializers.ts'
import { compileCustom } from './plan-validators.ts'
import { failedBuild, routeRefOf, type RouteRecord } from '../route-record.ts'

/** Returns the handshake of a WebSocket route; `null` for other routes. */
export function handshakeOf({ options }: Pick<RouteRecord, 'options'>): Handshake | null {
  const found: (typeof options & { readonly [kHandshake]?: Handshake }) | undefined = options
  return found[kHandshake] ?? null
}

/**
 * Compiles the message schemas of a WebSocket route.
 *
 * @throws `CLO_ERR_SCH_VALIDATION_BUILD`, `CLO_ERR_SCH_SERIALIZATION_BUILD`
 */
export function planMessages(record: RouteRecord, compilers: CompilersInCharge): PlanMessages | null {
  if (handshakeOf(record) === null) return null
  const { incoming, outgoing } = messageSchemas(record)
  return {
    incoming: incoming === undefined ? null : compileIncoming(record, incoming, compilers),
    outgoing:
      outgoing === undefined
        ? null
        : compileSerializer(record, undefined, outgoing, undefined, compilers.serializer),
  }
}

/** Returns the message schemas in full form. They may be written like those of bodies and payloads. */
export function messageSchemas(record: RouteRecord): {
  readonly incoming: unknown
  readonly outgoing: unknown
} {
  const { schema } = record.options
  const given = isRecord(schema) ? schema : {}
  const shorthand = record.context.app.options.jsonShorthand
  const normalize = (part: object): ReturnType<typeof normalizeRouteSchema> =>
    normalizeRouteSchema(part, { shorthand, lowerHeaders: false })
  try {
    const { body } = given['incoming'] === undefined ? {} : normalize({ body: given['incoming'] })
    if (body instanceof BodyContent) throw new TypeError('messages are JSON and have no media types')
    const { response } =
      given['outgoing'] === undefined ? {} : normalize({ response: { default: given['outgoing'] } })
    return { incoming: body, outgoing: response?.get('default')?.schema }
  } catch (cause) {
    throw failedBuild('SCH_VALIDATION_BUILD', record, 'messages', cause)
  }
}

const PART = 'incoming'

function compileIncoming(
  record: RouteRecord,
  schema: unknown,
  { validator }: CompilersInCharge,
): MessageValidator {
  const { method, url, context } = record
  const { libraries, uncoercedEngine } = context.app
  const route = routeRefOf(record)
  try {
    if (validator !== null) return compileCustom(validator, { schema, method, url, httpPart: PART })
    const library = libraryOf(schema)
    if (library !== null)
      return { validate: libraries.validators(library, { part: PART, route }).ofJson, custom: true }
    const store = uncoercedStoreOf(context)
    const validate = uncoercedEngine().compileValidator({ schema, httpPart: PART, store, route })
    return { validate, custom: false }
  } catch (cause) {
    throw failedBuild('SCH_VALIDATION_BUILD', record, PART, cause)
  }
}
