import type { StrictReport } from 'cloister'

import { refusalsIn } from './refusals.ts'
import { BOUNDS } from './series.ts'
import type { Series } from './series.ts'
import type { Meter, Observe } from './types.ts'

/** The instruments of an app at an OpenTelemetry meter, named by its semantic conventions. */
export interface Instruments {
  record(series: Series, seconds: number): void
  shed(limit: string): void
  stop(): void
}

/** Creates the instruments; without a meter they do nothing. */
export function createInstruments(
  meter: Meter | null,
  openRequests: () => number,
  readStrict: () => StrictReport | null,
): Instruments {
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
  const observe: Observe = (result) => result.observe(openRequests())
  open.addCallback(observe)
  const stopStrict = observeStrict(meter, readStrict)
  return {
    record: (series, seconds) => duration.record(seconds, series.attributes),
    shed: (limit) => shed.add(1, { limit }),
    stop: () => {
      open.removeCallback(observe)
      stopStrict()
    },
  }
}

/** Adds the counter of what `strict` would refuse, if the app has `strict: 'report'`; returns how to stop it. */
function observeStrict(meter: Meter, readStrict: () => StrictReport | null): () => void {
  const refusals =
    readStrict() === null
      ? undefined
      : meter.createObservableCounter?.('cloister.strict_refusals', {
          description: "Requests and responses that 'strict' would refuse, by the option that would.",
          unit: '{request}',
        })
  if (refusals === undefined) return () => {}
  const observe: Observe = (result) => {
    const report = readStrict()
    for (const { method, route, reason, count } of report === null ? [] : refusalsIn(report))
      result.observe(count, { 'http.request.method': method, 'http.route': route, reason })
  }
  refusals.addCallback(observe)
  return () => refusals.removeCallback(observe)
}
