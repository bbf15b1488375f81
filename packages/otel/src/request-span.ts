import {
  context,
  INVALID_SPANID,
  INVALID_TRACEID,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import type {
  HookDone,
  ObservedHook,
  ObservedReply,
  RequestObserver,
  StartedMessage,
  StartedRequest,
} from 'cloister/inspect'

import type { DurationHistogram } from './duration.ts'
import { recordException, typeOf } from './exceptions.ts'
import { HookSpans } from './hook-spans.ts'
import type { Hosts } from './host.ts'
import { invalid, isParentRule, show } from './options.ts'
import type { Settings } from './options.ts'
import type { Callers } from './parent.ts'
import { RequestContext } from './span-context.ts'
import type { ParentRule } from './types.ts'

/** What the requests of an app share. */
export interface Telemetry {
  readonly settings: Settings
  readonly tracer: Tracer
  readonly duration: DurationHistogram
  readonly callers: Callers
  readonly hosts: Hosts
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
    message: StartedMessage,
  ) {
    const { tracer, settings, callers, hosts } = telemetry
    this.#telemetry = telemetry
    this.#route = route
    this.#scheme = request.protocol
    this.#reply = reply
    const rule = parentRuleFor(settings, request)
    const remote = rule === 'ignore' ? ROOT_CONTEXT : callers.read(request, message)
    const parent = rule === 'continue' ? remote : ROOT_CONTEXT
    const caller = remote === parent ? undefined : trace.getSpanContext(remote)
    const kind = SpanKind.SERVER
    const attributes = attributesOf(hosts, route, request, message)
    const options =
      caller === undefined ? { kind, attributes } : { kind, attributes, links: [{ context: caller }] }
    this.#span = tracer.startSpan(route.name, options, parent)
    this.#context = new RequestContext(parent, this.#span)
  }

  /** Nothing reads them without a logger, so they are made on demand. */
  get logFields(): RequestObserver['logFields'] {
    const { traceId, spanId } = this.#span.spanContext()
    const isLogged = this.#telemetry.settings.logs && traceId !== INVALID_TRACEID && spanId !== INVALID_SPANID
    return isLogged ? { trace_id: traceId, span_id: spanId } : null
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

/** @throws OtelError `CLO_ERR_OTEL_OPTION` when the function of the application returns something else */
function parentRuleFor({ parent }: Settings, request: StartedRequest): ParentRule {
  if (typeof parent !== 'function') return parent
  const rule: unknown = parent(request)
  if (isParentRule(rule)) return rule
  throw invalid(
    `the function 'parent' of @cloister/otel must return 'continue', 'link' or 'ignore'; got ${show(rule)}`,
  )
}

const VERSIONS: Readonly<Record<string, string>> = { '2.0': '2', '3.0': '3' }

function attributesOf(
  hosts: Hosts,
  route: RouteFacts,
  request: StartedRequest,
  message: StartedMessage,
): Attributes {
  const { url, method, ip } = request
  const query = url.indexOf('?')
  const attributes: Attributes = {
    'http.request.method': route.method,
    'url.path': query === -1 ? url : url.slice(0, query),
    'url.scheme': request.protocol,
    'network.protocol.version': VERSIONS[message.httpVersion] ?? message.httpVersion,
  }
  if (method !== route.method) attributes['http.request.method_original'] = method
  if (route.url !== null) attributes['http.route'] = route.url
  const { address, port } = hosts.read(request.host)
  if (address !== undefined) attributes['server.address'] = address
  if (port !== undefined) attributes['server.port'] = port
  if (ip !== undefined) attributes['client.address'] = ip
  const agent = message.header('user-agent')
  if (agent !== undefined) attributes['user_agent.original'] = agent
  return attributes
}

/** Node's code for a client that disconnects before the response is complete. */
function isClientGone(error: unknown): boolean {
  return typeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE'
}
