import { BOUNDS } from './series.ts'
import type { Series } from './series.ts'
import type { Meter } from './types.ts'

/** The instruments of an app at an OpenTelemetry meter, named by its semantic conventions. */
export interface Instruments {
  record(series: Series, seconds: number): void
  shed(limit: string): void
  stop(): void
}

/** Creates the instruments; without a meter they do nothing. */
export function createInstruments(meter: Meter | null, openRequests: () => number): Instruments {
  if (meter === null) return { record() {}, shed() {}, stop() {} }
  const duration = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: [...BOUNDS] },
  })
  const open = meter.createObservableUpDownCounter('http.server.active_requests', {
    description: 'Number of active HTTP server requests.',
    unit: '{request}',
  })
  const shed = meter.createCounter('cloister.shed_requests', {
    description: 'Requests that were refused because the process is overloaded.',
    unit: '{request}',
  })
  const observe = (result: { observe(value: number): void }): void => result.observe(openRequests())
  open.addCallback(observe)
  return {
    record: (series, seconds) => duration.record(seconds, series.attributes),
    shed: (limit) => shed.add(1, { limit }),
    stop: () => open.removeCallback(observe),
  }
}
