import { SchemaError } from '@cloister/schema'

import { createError } from '../errors.ts'
import { isRecord } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import type { Context } from './context.ts'

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
