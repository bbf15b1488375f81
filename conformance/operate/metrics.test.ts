// Durations by route template, as Prometheus text and at a meter of OpenTelemetry.
import { Readable } from 'node:stream'
import type { OperateOptions } from '@cloister/operate'
import { metrics } from '@opentelemetry/api'
import type { Meter } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import fc from 'fast-check'
import { Counter, register as promRegister, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { leaveSlowRequest } from '../harness/leaving-client.ts'
import { describeTransports, useApps } from '../harness/transports.ts'
import { register } from './operated-app.ts'

const DURATION = 'http_server_request_duration_seconds'

/** The count of each series, by `METHOD route status`. */
function countsOf(text: string): Record<string, number> {
  const pattern =
    /^http_server_request_duration_seconds_count\{http_request_method="(.*)",http_route="(.*)",http_response_status_code="(.*)"\} (\d+)$/gm
  return Object.fromEntries(
    [...text.matchAll(pattern)].map(([, method, route, status, count]) => [
      `${method} ${route} ${status}`,
      Number(count),
    ]),
  )
}

async function start(
  createApp: (options?: Record<string, unknown>) => App,
  options: OperateOptions = {},
): Promise<{ app: App }> {
  const app = createApp()
  await register(app, options)
  app.get('/users/:id', () => 'ok')
  app.post('/users', { schema: { body: { type: 'object', required: ['name'] } } }, () => 'ok')
  app.get('/broken', () => {
    throw new Error('no database')
  })
  app.get('/stream', () => Readable.from(['a', 'b']))
  app.register((child: App, _options: unknown, done: () => void) => {
    child.get('/inner/*', () => 'ok')
    done()
  })
  return { app }
}

/** The text of the metrics, once it holds; ends of requests come a little later than their responses. */
async function textOf(app: App): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 20))
  return (await app.inject('/metrics')).payload
}

describeTransports(
  'metrics',
  ({ createApp, send, it, expect }) => {
    it('requests are counted by method, route template and status', async () => {
      const { app } = await start(createApp)
      const body = { name: 'Ada' }
      for (const path of ['/users/1', '/users/2?a=b', '/broken', '/stream', '/inner/a/b', '/nowhere'])
        await send(app, { path })
      await send(app, { method: 'POST', path: '/users', body })
      await send(app, { method: 'POST', path: '/users', body: {} })
      await send(app, { path: '/users/%ff' })
      expect(countsOf(await textOf(app))).toEqual({
        'GET /users/:id 200': 2,
        'GET /broken 500': 1,
        'GET /stream 200': 1,
        'GET /inner/* 200': 1,
        'GET unmatched 404': 1,
        'GET unmatched 400': 1,
        'POST /users 200': 1,
        'POST /users 400': 1,
      })
    })

    it('random URLs make no series', async () => {
      const { app } = await start(createApp)
      const paths = fc.sample(fc.webPath(), { numRuns: 200, seed: Number(process.env['CLOISTER_SEED'] ?? 1) })
      for (const path of paths) await send(app, { path: `/x${path}` })
      expect(Object.keys(countsOf(await textOf(app))).sort()).toEqual(
        expect.not.arrayContaining([expect.stringContaining('/x')]),
      )
      const counts = countsOf(await textOf(app))
      expect(counts['GET unmatched 404']).toBe(200)
      expect(Object.keys(counts)).toEqual(['GET unmatched 404', 'GET /metrics 200'])
    })

    it('no request is open when all have ended', async () => {
      const { app } = await start(createApp)
      await Promise.all(['/users/1', '/stream', '/broken', '/nowhere'].map((path) => send(app, { path })))
      // The request for the metrics is the open one.
      expect(await textOf(app)).toContain('\nhttp_server_active_requests 1\n')
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describe('metrics of one app', () => {
  const createApp = useApps()

  it('the buckets of a histogram are cumulative, and end with the count', async () => {
    const { app } = await start(createApp)
    for (let index = 0; index < 5; index++) await app.inject('/users/1')
    const text = await textOf(app)
    const buckets = [...text.matchAll(/_bucket\{[^}]*users\/:id[^}]*le="([^"]+)"\} (\d+)/g)]
    const counts = buckets.map(([, , count]) => Number(count))
    expect(buckets.map(([, bound]) => bound)).toHaveLength(15)
    expect(buckets.at(-1)?.[1]).toBe('+Inf')
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
    expect(counts.at(-1)).toBe(5)
    expect(text).toMatch(/_sum\{[^}]*users\/:id[^}]*\} 0\.\d+/)
  })

  it('requests of another app of the process are not counted', async () => {
    const { app } = await start(createApp)
    const { app: other } = await start(createApp)
    await other.inject('/users/1')
    expect(countsOf(await textOf(app))).toEqual({})
    expect(countsOf(await textOf(other))).toEqual({ 'GET /users/:id 200': 1 })
  })

  it.each(['node', 'auto'])(
    'a client that disconnects counts as aborted, with the transport %s',
    async (transport) => {
      const app = createApp({ transport })
      await register(app)
      await leaveSlowRequest(app)
      await expect.poll(() => textOf(app).then(countsOf)).toMatchObject({ 'GET /slow aborted': 1 })
      expect(await textOf(app)).toContain('\nhttp_server_active_requests 1\n')
    },
  )

  it('metrics of prom-client follow', async () => {
    const registry = new Registry()
    new Counter({ name: 'orders_total', help: 'Orders.', registers: [registry] }).inc(3)
    const { app } = await start(createApp, { registry })
    const { headers, payload } = await app.inject('/metrics')
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(payload).toContain(`# TYPE ${DURATION} histogram\n`)
    expect(payload).toContain('\n# TYPE orders_total counter\norders_total 3\n')
  })

  it('what strict would refuse is a counter, which adds up over processes', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
    const provider = new MeterProvider({ readers: [reader] })
    const total = (text: string): number =>
      [
        ...text.matchAll(
          /^cloister_strict_refusals_total\{http_request_method="POST",http_route="\/x",reason="duplicateNames"\} (\d+)$/gm,
        ),
      ].reduce((sum, [, count]) => sum + Number(count), 0)
    let sum = 0
    for (const requests of [2, 3]) {
      const app = createApp({ strict: 'report' })
      await register(app, { meter: provider.getMeter('test') })
      for (const version of ['1.0.0', '2.0.0'])
        app.post('/x', { constraints: { version }, schema: { body: { type: 'object' } } }, () => 'ok')
      for (let n = 0; n < requests; n++) {
        const headers = { 'content-type': 'application/json', 'accept-version': `${1 + (n % 2)}.0.0` }
        await app.inject({ method: 'POST', url: '/x', headers, payload: '{"a":1,"a":2}' })
      }
      const text = (await app.inject('/metrics')).payload
      expect(text).toContain('# TYPE cloister_strict_refusals_total counter\n')
      expect(total(text)).toBe(requests)
      sum += total(text)
      await reader.forceFlush()
      const data = exporter.getMetrics().flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics))
      exporter.reset()
      const found = data.filter(({ descriptor }) => descriptor.name === 'cloister.strict_refusals')
      expect(found.map(({ dataPoints }) => dataPoints)).toMatchObject([
        [
          {
            value: requests,
            attributes: { 'http.request.method': 'POST', 'http.route': '/x', reason: 'duplicateNames' },
          },
        ],
      ])
      await app.close()
    }
    expect(sum).toBe(5)
  })

  it('an app without the report has no such counter', async () => {
    const { app } = await start(createApp)
    expect((await app.inject('/metrics')).payload).not.toContain('strict')
  })

  it('the types of prom-client and of OpenTelemetry fit the options', () => {
    const meter: Meter = metrics.getMeter('test')
    const options: OperateOptions = { meter, registry: promRegister }
    expect(options.meter).toBe(meter)
  })

  it('a meter of OpenTelemetry gets durations and open requests by the semantic conventions', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
    const provider = new MeterProvider({ readers: [reader] })
    const { app } = await start(createApp, {
      meter: provider.getMeter('test'),
      shedding: { openRequests: 1 },
    })
    await app.inject('/users/1')
    await app.inject('/broken')
    await app.inject('/nowhere')
    await new Promise((resolve) => setTimeout(resolve, 20))
    await reader.forceFlush()
    const data = exporter.getMetrics().flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics))
    const byName = Object.fromEntries(data.map((one) => [one.descriptor.name, one.dataPoints]))
    expect(byName['http.server.active_requests']).toMatchObject([{ value: 0 }])
    expect(byName['http.server.request.duration']?.map(({ attributes }) => attributes)).toEqual([
      { 'http.request.method': 'GET', 'http.route': '/users/:id', 'http.response.status_code': 200 },
      {
        'http.request.method': 'GET',
        'http.route': '/broken',
        'http.response.status_code': 500,
        'error.type': '500',
      },
      { 'http.request.method': 'GET', 'http.response.status_code': 404 },
    ])
    await provider.shutdown()
  })
})
