import { warn } from '../logging/warnings.ts'
import { kPlan, kReplyHeaders, kState } from '../symbols.ts'
import type { ReplyState } from './state.ts'
import { findSchemaSerializer } from './stages/serialize-payload.ts'

/**
 * Warns, once for each route whose payloads must match their schemas (`serialization: 'strict'`), that an async handler
 * has returned nothing where the response schema declares a payload: a client gets success with an empty body.
 */
export function warnOfNothing(reply: ReplyState): void {
  const plan = reply[kPlan]
  const { app, serializers, label, callSite } = plan
  if (serializers === null || (plan.serialization ?? app.options.serialization) !== 'strict') return
  if (reply[kState].errorDepth > 0 || app.contradictions.has(`${label} returned nothing`)) return
  const serialize = findSchemaSerializer(serializers, reply.statusCode, reply[kReplyHeaders]['content-type'])
  if (serialize === null || admitsNull(serialize)) return
  app.contradictions.add(`${label} returned nothing`)
  const status = String(reply.statusCode)
  warn('PAYLOAD_MISSING', { route: label, status, callSite })
}

/** A schema that admits null may have no payload, as in the types of handlers. */
function admitsNull(serialize: (value: unknown) => unknown): boolean {
  try {
    return serialize(null) === 'null'
  } catch {
    return false
  }
}
