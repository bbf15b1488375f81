import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Attributes, Context, Link, Span, Tracer } from '@opentelemetry/api'
import type { HookDone, ObservedHook, ObservedReply, RequestObserver, StartedRequest } from 'cloister/inspect'

import type { DurationHistogram } from './duration.ts'
import { recordException, typeOf } from './exceptions.ts'
import { HookSpans } from './hook-spans.ts'
import { invalid, isParentRule, show } from './options.ts'
import type { Settings } from './options.ts'
import type { Callers } from './parent.ts'

/** What the requests of an app share. */
export interface Telemetry {
  readonly settings: Settings
  readonly tracer: Tracer
  readonly duration: DurationHistogram
  readonly callers: Callers
}

/** What the requests of a route share. */
export interface RouteFacts {
  /** the name of the span */
  readonly name: string
  /** the method by the semantic conventions */
  readonly method: string
  readonly url: string | null
}

/** The span of one request. */
export class RequestSpan implements RequestObserver {
  readonly logFields: RequestObserver['logFields']
  readonly #telemetry: Telemetry
  readonly #route: RouteFacts
  readonly #scheme: string
  readonly #reply: ObservedReply
  readonly #span: Span
  readonly #context: Context
  /** the last error, and whether it made the content of the response incomplete */
  #failure: unknown = undefined
  #isIncomplete = false
  #hooks: HookSpans | null = null

  constructor(
    telemetry: Telemetry,
    route: RouteFacts,
    request: StartedRequest,
    reply: ObservedReply,
    httpVersion: string,
  ) {
    const { tracer, settings } = telemetry
    this.#telemetry = telemetry
    this.#route = route
    this.#scheme = request.protocol
    this.#reply = reply
    const { parent, links } = parentOf(telemetry, request)
    const attributes = attributesOf(route, request, httpVersion)
    this.#span = tracer.startSpan(route.name, { kind: SpanKind.SERVER, attributes, links }, parent)
    this.#context = trace.setSpan(parent, this.#span)
    const ids = this.#span.spanContext()
    this.logFields =
      settings.logs && isSpanContextValid(ids) ? { trace_id: ids.traceId, span_id: ids.spanId } : null
  }

  within(run: () => void): void {
    if (this.#telemetry.settings.context) context.with(this.#context, run)
    else run()
  }

  failed(error: unknown, inContent: boolean): void {
    this.#failure = error
    this.#isIncomplete = inContent
  }

  ended(error: Error | null, status: number | null): void {
    const isServerError = status !== null && status >= 500
    const cause = this.#isIncomplete ? this.#failure : error
    const type = isServerError ? String(status) : cause === null ? null : typeOf(cause)
    const span = this.#span
    this.#hooks?.end()
    if (status !== null) span.setAttribute('http.response.status_code', status)
    if (type !== null) span.setAttribute('error.type', type)
    // A client that leaves is no error of the server.
    if (isServerError || (cause !== null && !isClientGone(cause))) {
      recordException(span, cause ?? this.#failure)
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end()
    if (this.#telemetry.settings.metrics) this.#record(status, type)
  }

  hook(hook: ObservedHook, call: (done: HookDone | null) => unknown, done: HookDone | null): unknown {
    const { tracer, settings } = this.#telemetry
    this.#hooks ??= new HookSpans(tracer, this.#context, settings.context)
    return this.#hooks.run(hook, call, done)
  }

  /** Only attributes whose values a client cannot multiply. */
  #record(status: number | null, type: string | null): void {
    const { method, url } = this.#route
    const attributes: Attributes = { 'http.request.method': method, 'url.scheme': this.#scheme }
    if (url !== null) attributes['http.route'] = url
    if (status !== null) attributes['http.response.status_code'] = status
    if (type !== null) attributes['error.type'] = type
    this.#telemetry.duration.record(this.#reply.elapsedTime / 1000, attributes)
  }
}

function parentOf(
  { settings, callers }: Telemetry,
  request: StartedRequest,
): { readonly parent: Context; readonly links: Link[] } {
  const { parent } = settings
  const rule: unknown = typeof parent === 'function' ? parent(request) : parent
  if (!isParentRule(rule)) {
    throw invalid(
      `the function 'parent' of @cloister/otel must return 'continue', 'link' or 'ignore'; got ${show(rule)}`,
    )
  }
  if (rule === 'ignore') return { parent: ROOT_CONTEXT, links: [] }
  const remote = callers.read(request.headers)
  if (rule === 'continue') return { parent: remote, links: [] }
  const caller = trace.getSpanContext(remote)
  return { parent: ROOT_CONTEXT, links: caller === undefined ? [] : [{ context: caller }] }
}

const VERSIONS: Readonly<Record<string, string>> = { '2.0': '2', '3.0': '3' }

function attributesOf(route: RouteFacts, request: StartedRequest, httpVersion: string): Attributes {
  const { url, method, headers, host, ip } = request
  const query = url.indexOf('?')
  const attributes: Attributes = {
    'http.request.method': route.method,
    'url.path': query === -1 ? url : url.slice(0, query),
    'url.scheme': request.protocol,
    'network.protocol.version': VERSIONS[httpVersion] ?? httpVersion,
  }
  if (method !== route.method) attributes['http.request.method_original'] = method
  if (route.url !== null) attributes['http.route'] = route.url
  const [, address, port] = HOST.exec(host) ?? []
  if (address !== undefined) attributes['server.address'] = address.replace(/^\[|\]$/g, '')
  if (port !== undefined) attributes['server.port'] = Number(port)
  if (ip !== undefined) attributes['client.address'] = ip
  const agent = headers['user-agent']
  if (typeof agent === 'string') attributes['user_agent.original'] = agent
  return attributes
}

const HOST = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/

/** Node's code for a client that disconnects before the response is complete. */
function isClientGone(error: unknown): boolean {
  return typeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE'
}
