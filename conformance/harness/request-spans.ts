// What an application writes to trace its requests: it connects the channels of requests to the OpenTelemetry SDK.
// `docs/recipes/tracing.md` has the same in JavaScript.
import diagnostics from 'node:diagnostics_channel'
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context, Span, TextMapPropagator, Tracer } from '@opentelemetry/api'
import type { Reply, Request } from './app-shape.ts'

/** The message of the channels of requests. */
export interface RequestMessage {
  readonly request: Request
  readonly reply: Reply
  readonly route: { readonly url: string; readonly method: string } | null
  error?: unknown
}

function isMessage(value: unknown): value is RequestMessage {
  return typeof value === 'object' && value !== null && 'request' in value && 'reply' in value
}

function readMessage(value: unknown): RequestMessage {
  if (!isMessage(value)) throw new Error('not a message of the channels of requests')
  return value
}

/** Creates a server span for each request of any app in the process. */
export class RequestSpans {
  readonly #tracer: Tracer
  readonly #propagator: TextMapPropagator
  readonly #spans = new WeakMap<Request, Span>()
  readonly #channels = diagnostics.tracingChannel<string, object>('cloister.request')
  readonly #subscribers = {
    start: (message: unknown): void => this.#start(readMessage(message)),
    error: (message: unknown): void => this.#fail(readMessage(message)),
    asyncEnd: (message: unknown): void => this.#end(readMessage(message)),
  }

  constructor(tracer: Tracer, propagator: TextMapPropagator) {
    this.#tracer = tracer
    this.#propagator = propagator
    this.#channels.start.subscribe(this.#subscribers.start)
    this.#channels.error.subscribe(this.#subscribers.error)
    this.#channels.asyncEnd.subscribe(this.#subscribers.asyncEnd)
  }

  stop(): void {
    this.#channels.start.unsubscribe(this.#subscribers.start)
    this.#channels.error.unsubscribe(this.#subscribers.error)
    this.#channels.asyncEnd.unsubscribe(this.#subscribers.asyncEnd)
  }

  /** Returns the context in which the span of a request is the parent. */
  contextOf(request: Request): Context {
    const span = this.#spans.get(request)
    return span === undefined ? context.active() : trace.setSpan(context.active(), span)
  }

  #start({ request, route }: RequestMessage): void {
    const name = route === null ? request.method : `${request.method} ${route.url}`
    const attributes = {
      'http.request.method': request.method,
      'url.path': request.url.split('?')[0],
      ...(route === null ? {} : { 'http.route': route.url }),
    }
    const parent = this.#propagator.extract(ROOT_CONTEXT, request.headers, {
      get: (headers: Record<string, string>, key) => headers[key],
      keys: (headers) => Object.keys(headers),
    })
    this.#spans.set(request, this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent))
  }

  #fail({ request, error }: RequestMessage): void {
    if (error instanceof Error) this.#spans.get(request)?.recordException(error)
  }

  #end({ request, reply, error }: RequestMessage): void {
    const span = this.#spans.get(request)
    if (span === undefined) return
    const status = reply.statusCode
    span.setAttribute('http.response.status_code', status)
    const isCut = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (isCut) span.setAttribute('error.type', 'ERR_STREAM_PREMATURE_CLOSE')
    if (isCut || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}
