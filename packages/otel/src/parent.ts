import { createTraceState, isSpanContextValid, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import type { Context, SpanContext, TextMapGetter } from '@opentelemetry/api'
import type { StartedMessage, StartedRequest } from 'cloister/inspect'

type Headers = StartedRequest['headers']

/** W3C Trace Context section 3.2.2: version 00 is 55 characters; later versions may add fields after a dash. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const W3C: ReadonlySet<string> = new Set(['traceparent', 'tracestate'])

/** The fields of W3C Trace Context are read here, whatever the propagator does with invalid ones. */
const getter: TextMapGetter<Headers> = {
  keys: (headers) => Object.keys(headers).filter((name) => !W3C.has(name)),
  get: (headers, name) => {
    const value = W3C.has(name) ? undefined : headers[name]
    return value === undefined || typeof value === 'string' ? value : [...value]
  },
}

/** Returns the span of a caller; `null` if the header is missing or invalid (W3C Trace Context section 3.2). */
function readTraceparent(message: StartedMessage): SpanContext | null {
  const traceparent = message.header('traceparent')
  if (traceparent === undefined) return null
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null
  const caller = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  if (!isSpanContextValid(caller)) return null
  const tracestate = message.header('tracestate')
  return tracestate === undefined ? caller : { ...caller, traceState: createTraceState(tracestate) }
}

/** Reads what callers propagate: `traceparent`, and other fields such as `baggage` by the global propagator. */
export class Callers {
  /** the other fields of the global propagator, which is set before the first request; in lower case */
  #others: readonly string[] | null = null

  /** Returns a context with the span and the baggage of the caller; the root context without any. */
  read(request: StartedRequest, message: StartedMessage): Context {
    this.#others ??= propagation
      .fields()
      .map((name) => name.toLowerCase())
      .filter((name) => !W3C.has(name))
    const hasOthers = this.#others.some((name) => message.header(name) !== undefined)
    const base = hasOthers ? propagation.extract(ROOT_CONTEXT, request.headers, getter) : ROOT_CONTEXT
    const caller = readTraceparent(message)
    return caller === null ? base : trace.setSpanContext(base, caller)
  }
}
