// The published SDK behind the global API, in memory, and the plugin at an app of the harness.
import { otel } from '@cloister/otel'
import type { OtelOptions } from '@cloister/otel'
import { context, metrics, propagation, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import type { DataPoint, Histogram } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { registerPlugin } from '../harness/register-plugin.ts'

/** What a backend would have received. */
export interface Received {
  /** Waits for this many spans, in the order of their ends. */
  spans(count: number): Promise<readonly ReadableSpan[]>
  /** The spans so far. */
  readonly now: readonly ReadableSpan[]
  /** The durations, by series; of all tests of a file. */
  durations(): Promise<readonly DataPoint<Histogram>[]>
}

/** Sets the global providers for the tests of a file. */
export function useTelemetry(): Received {
  const exporter = new InMemorySpanExporter()
  const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA)
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 2 ** 30 })
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    )
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  })
  afterEach(async () => {
    exporter.reset()
    await reader.forceFlush()
    measured.reset()
  })
  afterAll(async () => {
    await reader.shutdown()
    for (const api of [context, trace, metrics, propagation]) api.disable()
  })
  return {
    async spans(count) {
      await vi.waitFor(() => expect(exporter.getFinishedSpans().length).toBeGreaterThanOrEqual(count))
      return exporter.getFinishedSpans()
    },
    get now() {
      return exporter.getFinishedSpans()
    },
    async durations() {
      await reader.forceFlush()
      const all = measured.getMetrics().flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics))
      return all.flatMap((metric) =>
        metric.descriptor.name === 'http.server.request.duration' && metric.dataPointType === 0
          ? metric.dataPoints
          : [],
      )
    },
  }
}

/** Registers the plugin. */
export async function register(app: App, options: OtelOptions | object = {}): Promise<void> {
  await registerPlugin(app, otel, options)
}

/** Returns the members of a span that tests compare. */
export function shown({ name, kind, attributes, status, events }: ReadableSpan): object {
  return {
    name,
    kind,
    route: attributes['http.route'],
    status: attributes['http.response.status_code'],
    errorType: attributes['error.type'],
    isError: status.code === SpanStatusCode.ERROR,
    events: events.map((event) => event.attributes?.['exception.message']),
  }
}
