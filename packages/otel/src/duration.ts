import { metrics } from '@opentelemetry/api'
import type { Attributes, Histogram } from '@opentelemetry/api'

/** The stable bucket boundaries of the semantic conventions, in seconds. */
const BOUNDS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** The histogram of durations. It is created at the first request, because the meter provider may be set late. */
export class DurationHistogram {
  #histogram: Histogram | null = null
  readonly #scope: string

  constructor(scope: string) {
    this.#scope = scope
  }

  record(seconds: number, attributes: Attributes): void {
    this.#histogram ??= metrics.getMeter(this.#scope).createHistogram('http.server.request.duration', {
      description: 'Duration of HTTP server requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: [...BOUNDS] },
    })
    this.#histogram.record(seconds, attributes)
  }
}
