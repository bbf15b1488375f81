import type { Span } from '@opentelemetry/api'

/** Returns the value of `error.type`: the code of an error, or its name. */
export function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const code: unknown = Reflect.get(error, 'code')
  if (typeof code === 'string' && code !== '') return code
  return error.name === '' ? '_OTHER' : error.name
}

/** Adds an error to a span; any value may have been thrown. */
export function recordException(span: Span, error: unknown): void {
  if (error === undefined || error === null) return
  span.recordException(error instanceof Error ? error : { name: typeof error, message: String(error) })
}
