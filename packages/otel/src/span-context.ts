import { trace } from '@opentelemetry/api'
import type { Context, Span } from '@opentelemetry/api'

/** The key of spans in contexts. The API does not export it, but asks a context for it. */
const SPAN_KEY: symbol | null = findSpanKey()

function findSpanKey(): symbol | null {
  let asked: symbol | null = null
  const probe: Context = {
    getValue: (key) => void (asked = key),
    setValue: () => probe,
    deleteValue: () => probe,
  }
  trace.getSpan(probe)
  return asked
}

/**
 * The context of a request, with its span. `trace.setSpan` would copy the parent into a new map, with three functions;
 * a request needs that only if something else is added to the context.
 */
export class RequestContext implements Context {
  readonly #parent: Context
  readonly #span: Span

  constructor(parent: Context, span: Span) {
    this.#parent = parent
    this.#span = span
  }

  getValue(key: symbol): unknown {
    return key === SPAN_KEY ? this.#span : this.#parent.getValue(key)
  }

  setValue(key: symbol, value: unknown): Context {
    return this.#copy().setValue(key, value)
  }

  deleteValue(key: symbol): Context {
    return this.#copy().deleteValue(key)
  }

  #copy(): Context {
    return trace.setSpan(this.#parent, this.#span)
  }
}
