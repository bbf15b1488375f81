import { isFieldName } from '@cloister/wire/message'
import { problemOfField } from '@cloister/wire/message/internal'

import { createError } from '../../errors.ts'
import type { ResponseHeaders } from '../../exchange/exchange.ts'
import { isFunction, isThenable, typeName, whenSettled, type AnyFunction } from '../../guards.ts'
import { kExchange, kPlan, kReplyHeaders, kState } from '../../symbols.ts'
import { mayCallDone } from '../../hooks/adapt.ts'
import type { RoutePlan } from '../route-plan.ts'
import type { ReplyState } from '../state.ts'
import { wrapThrown } from '../../read-error.ts'
import { warn } from '../../logging/warnings.ts'
import { isNodeStream, isWebStream } from '../payload-kind.ts'
import { writeLine, writeWarning } from '../write-line.ts'

/**
 * Sets a header of the response. `set-cookie` keeps several values (RFC 6265 section 3); any other header keeps the
 * last one. Dates, booleans and `null` are written as text.
 *
 * @throws `CLO_ERR_REP_INVALID_HEADER` if the name is no text
 */
export function setReplyHeader(headers: ResponseHeaders, name: string, value: unknown): void {
  if (typeof name !== 'string') throw nameless(name)
  const key = name.toLowerCase()
  const existing = headers[key]
  if (typeof value === 'string' && (existing === undefined || key !== 'set-cookie')) headers[key] = value
  else if (key === 'set-cookie' && existing !== undefined) {
    headers[key] = [existing, value ?? ''].flat().map((one) => valueText(name, one))
  } else if (Array.isArray(value)) headers[key] = value.map((one) => valueText(name, one))
  else headers[key] = typeof value === 'number' ? value : valueText(name, value)
}

function valueText(name: string, value: unknown): string {
  if (value === undefined) return ''
  const hasText = typeof value !== 'function' && typeof value !== 'symbol'
  const text = hasText ? String(value) : ''
  if (hasText && text !== '[object Object]') return text
  const what = hasText ? 'an object' : `a ${typeof value}`
  const reason = `its value is ${what} without a text; write a text, such as JSON.stringify(value)`
  throw createError('REP_INVALID_HEADER', { name, reason })
}

/**
 * Returns the fields of `reply.headers(headers)`.
 *
 * @throws `CLO_ERR_REP_INVALID_HEADER` for a text, as in `reply.headers('name', 'value')`
 */
export function fieldsOf(headers: Readonly<ResponseHeaders>): [string, ResponseHeaders[string]][] {
  if (typeof headers !== 'string') return Object.entries(headers)
  const reason = 'headers({ … }) takes an object; call header(name, value) for one header'
  throw createError('REP_INVALID_HEADER', { name: headers, reason })
}

function nameless(name: unknown): Error {
  const reason = 'a name is a text; call it as header(name, value), or headers({ … }) for several'
  return createError('REP_INVALID_HEADER', { name: typeName(name), reason })
}

/** Fields that may not be sent as trailers (RFC 9110 section 6.5.1). */
const FORBIDDEN: ReadonlySet<string> = new Set(
  (
    'authorization cache-control content-encoding content-length content-range content-type host ' +
    'max-forwards set-cookie te trailer transfer-encoding'
  ).split(' '),
)

/**
 * Checks a trailer when it is added; returns its name in lower case.
 *
 * @throws `CLO_ERR_BAD_TRAILER_NAME`, `CLO_ERR_BAD_TRAILER_VALUE`
 */
export function checkTrailer(name: string, fn: unknown): string {
  const key = name.toLowerCase()
  if (FORBIDDEN.has(key) || !isFieldName(key)) throw createError('BAD_TRAILER_NAME', { name: key })
  if (!isFunction(fn)) throw createError('BAD_TRAILER_VALUE', { name: key, type: typeof fn })
  return key
}

/** The functions of a reply's trailers, by name. */
export type Trailers = ReadonlyMap<string, AnyFunction>

/**
 * Returns the trailers of a reply that have a value, once its content has been written. A trailer that fails is left out.
 */
export async function trailersOf(
  reply: ReplyState,
  trailers: Trailers,
): Promise<Readonly<Record<string, string>>> {
  // The content of a stream is already sent, and never was one value.
  const sent = reply[kState].payload
  const payload = isNodeStream(sent) || isWebStream(sent) ? null : sent
  const entries = [...trailers].map(async ([name, fn]) => {
    const value = await valueOf(name, fn, reply, payload)
    return [name, textOf(name, value, reply)] as const
  })
  return Object.fromEntries((await Promise.all(entries)).filter(([, text]) => text !== ''))
}

/** Converts a value to text, as for a header; to an empty text if it can't be sent. */
function textOf(name: string, value: unknown, reply: ReplyState): string {
  try {
    return readText(name, value, reply)
  } catch (error) {
    reportFailure(name, error, reply)
    return ''
  }
}

/** @throws what a list throws when it is read */
function readText(name: string, value: unknown, reply: ReplyState): string {
  if (value === undefined || value === null) return ''
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
  const other = parts.findIndex((part) => !SCALARS.has(typeof part))
  if (other !== -1) return leaveOut(name, `its value is of type ${typeName(parts[other])}`, reply)
  const text = parts.join(', ')
  const reason = problemOfField(name, text)
  return reason === null ? text : leaveOut(name, reason, reply)
}

function leaveOut(name: string, reason: string, reply: ReplyState): string {
  writeWarning(reply, `the trailer '${name}' is left out: ${reason}`)
  return ''
}

function reportFailure(name: string, error: unknown, reply: ReplyState): void {
  writeLine(reply, 'warn', error, `the trailer '${name}' failed and is left out`)
}

/** The types of values that convert to text in one way. */
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean'])

/** The time that a trailer's function has: the client waits for the end of the response. 0 is no limit. */
function limitOf({ app, handlerTimeout }: RoutePlan): { readonly ms: number; readonly by: string } {
  const { writeTimeout } = app.options
  const isByHandler = handlerTimeout > 0 && (writeTimeout === 0 || handlerTimeout < writeTimeout)
  return isByHandler ? { ms: handlerTimeout, by: 'handlerTimeout' } : { ms: writeTimeout, by: 'writeTimeout' }
}

/** A trailer's function returns its value, or a promise of it, or calls back. One that cannot call back has returned. */
function valueOf(name: string, fn: AnyFunction, reply: ReplyState, payload: unknown): Promise<unknown> {
  const { ms, by } = limitOf(reply[kPlan])
  return new Promise((resolve) => {
    const expire = (): void => {
      leaveOut(name, `its function gave no value within ${ms} ms (${by})`, reply)
      resolve(undefined)
    }
    const timer = ms === 0 ? undefined : setTimeout(expire, ms)
    const release = (): void => clearTimeout(timer)
    reply[kExchange].onFinished(release)
    const done = (error: unknown, value?: unknown): void => {
      release()
      if (error != null) reportFailure(name, error, reply)
      resolve(error == null ? value : undefined)
    }
    const fail = (error: unknown): void => done(error ?? wrapThrown(error))
    try {
      const result = fn.call(reply, reply, payload, done)
      if (isThenable(result)) whenSettled(result, (value) => done(null, value), fail)
      else if (result !== undefined) done(null, result)
      else if (!mayCallDone(fn, 2)) {
        leaveOut(name, "its function returned nothing, and takes no 'done' to call", reply)
        done(null)
      }
    } catch (error) {
      fail(error)
    }
  })
}

/** Sets the content type of a reply. */
export function setType(reply: ReplyState, type: string): void {
  reply[kReplyHeaders]['content-type'] = type
  if (typeof type === 'string' && type !== '' && !type.includes('/')) warnOfType(reply, type)
}

/**
 * Warns, once for each route, of a content type without a slash, such as `json`: it is sent as it is, as in Fastify, and
 * clients don't know what it means. In other frameworks, such a name is short for a media type.
 */
function warnOfType(reply: ReplyState, type: string): void {
  const { app, label, callSite } = reply[kPlan]
  const key = `${label} has a type without a slash`
  if (app.contradictions.has(key)) return
  app.contradictions.add(key)
  warn('TYPE_WITHOUT_SLASH', { route: label, type, callSite })
}
