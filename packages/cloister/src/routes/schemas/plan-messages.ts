import { BodyContent, normalizeRouteSchema } from '@cloister/schema'

import { isRecord } from '../../guards.ts'
import type { Handshake, PlanMessages } from '../../request/route-plan.ts'
import { kHandshake } from '../../symbols.ts'
import type { CompilersInCharge } from './compilers.ts'
import { compileSerializer } from './plan-serializers.ts'
import { compileMessages } from './plan-validators.ts'
import { failedBuild, type RouteRecord } from '../route-record.ts'

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
    incoming: incoming === undefined ? null : compileMessages(record, incoming, compilers.validator),
    outgoing: outgoing === undefined ? null : compileSerializer(record, outgoing, compilers.serializer),
  }
}

/** Returns the message schemas in full form. They may be written like those of bodies and payloads. */
export function messageSchemas(record: RouteRecord): Readonly<Record<'incoming' | 'outgoing', unknown>> {
  const { options, context } = record
  const { incoming, outgoing } = isRecord(options['schema']) ? options['schema'] : {}
  const shorthand = context.app.options.jsonShorthand
  try {
    const { body, response } = normalizeRouteSchema(
      { body: incoming, ...(outgoing === undefined ? {} : { response: { default: outgoing } }) },
      { shorthand, lowerHeaders: false },
    )
    if (body instanceof BodyContent) throw new TypeError('messages are JSON and have no media types')
    return { incoming: body, outgoing: response?.get('default')?.schema }
  } catch (cause) {
    throw failedBuild('SCH_VALIDATION_BUILD', record, 'messages', cause)
  }
}
