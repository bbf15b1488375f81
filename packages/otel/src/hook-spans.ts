import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import type { HookDone, ObservedHook } from 'cloister/inspect'

import { recordException, typeOf } from './exceptions.ts'

const PLACE = /^(.*):(\d+)$/

/** The spans of the hooks of one request: children of its span. */
export class HookSpans {
  readonly #tracer: Tracer
  readonly #parent: Context
  readonly #isActive: boolean
  /** hooks that have not ended; one that sends the reply may never call `done` */
  readonly #open = new Set<Span>()

  /** @param isActive - the spans are active in their hooks */
  constructor(tracer: Tracer, parent: Context, isActive: boolean) {
    this.#tracer = tracer
    this.#parent = parent
    this.#isActive = isActive
  }

  /** Calls a hook in its span. What follows `done` is no part of the span. */
  run(hook: ObservedHook, call: (done: HookDone | null) => unknown, done: HookDone | null): unknown {
    const span = this.#start(hook)
    const own: HookDone | null =
      done === null
        ? null
        : (error, value) => {
            this.#finish(span, error)
            this.#within(this.#parent, () => done(error, value))
          }
    try {
      const result = this.#within(trace.setSpan(this.#parent, span), () => call(own))
      if (isThenable(result)) {
        result.then(
          () => this.#finish(span, null),
          (error: unknown) => this.#finish(span, error),
        )
      } else if (own === null) this.#finish(span, null)
      return result
    } catch (error) {
      this.#finish(span, error)
      throw error
    }
  }

  /** Ends the spans of hooks that have not called back. */
  end(): void {
    for (const span of this.#open) span.end()
    this.#open.clear()
  }

  #within<T>(active: Context, run: () => T): T {
    return this.#isActive ? context.with(active, run) : run()
  }

  #start(hook: ObservedHook): Span {
    const { name, plugin, callSite } = hook
    const [, file, line] = PLACE.exec(callSite) ?? []
    const attributes: Attributes = { 'cloister.hook': name, 'cloister.plugin': plugin }
    if (hook.function !== '') attributes['code.function.name'] = hook.function
    if (file !== undefined) attributes['code.file.path'] = file
    if (line !== undefined) attributes['code.line.number'] = Number(line)
    const own = hook.function === '' ? name : `${name} ${hook.function}`
    const place = callSite.slice(Math.max(callSite.lastIndexOf('/'), callSite.lastIndexOf('\\')) + 1)
    const span = this.#tracer.startSpan(`${own} (${plugin}, ${place})`, { attributes }, this.#parent)
    this.#open.add(span)
    return span
  }

  #finish(span: Span, error: unknown): void {
    if (!this.#open.delete(span)) return
    if (error !== undefined && error !== null) {
      recordException(span, error)
      span.setAttribute('error.type', typeOf(error))
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end()
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}
