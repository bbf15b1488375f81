// The histogram of durations: the stable buckets, and no attribute whose values a client can multiply.
import { describeTransports } from '../harness/transports.ts'
import { register, useTelemetry } from './telemetry.ts'

const ALLOWED = ['error.type', 'http.request.method', 'http.response.status_code', 'http.route', 'url.scheme']

describeTransports('durations of @cloister/otel', ({ createApp, send, it, expect, protocol }) => {
  const received = useTelemetry()

  it('are in seconds, in one series for each route, method and status', async () => {
    const app = createApp()
    await register(app)
    app.get('/users/:id', () => 'ok')
    app.get('/broken', () => {
      throw new Error('no database')
    })
    for (const path of ['/users/1', '/users/2?a=b', '/broken']) await send(app, { path })
    await received.spans(3)
    const points = await received.durations()
    const common = { 'http.request.method': 'GET', 'url.scheme': protocol }
    expect(points.map(({ attributes, value }) => [attributes, value.count])).toEqual([
      [{ ...common, 'http.route': '/users/:id', 'http.response.status_code': 200 }, 2],
      [{ ...common, 'http.route': '/broken', 'http.response.status_code': 500, 'error.type': '500' }, 1],
    ])
    const [first] = points
    expect(first?.value.buckets.boundaries).toEqual([
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ])
    expect(first?.value.sum).toBeGreaterThan(0)
    expect(first?.value.sum).toBeLessThan(20)
  })

  it('have one series for whatever a client sends to no route', async () => {
    const app = createApp()
    await register(app)
    app.get('/', () => 'ok')
    for (let n = 0; n < 30; n++) {
      const headers = { 'user-agent': `agent-${n}`, host: `host-${n}`, 'x-forwarded-proto': `p${n}` }
      await send(app, { path: `/random-${n}?q=${n}`, headers })
    }
    await received.spans(30)
    const points = await received.durations()
    expect(points.map(({ value }) => value.count)).toEqual([30])
    expect(Object.keys(points[0]?.attributes ?? {}).filter((name) => !ALLOWED.includes(name))).toEqual([])
  })

  it('are not recorded with metrics: false', async () => {
    const app = createApp()
    await register(app, { metrics: false })
    app.get('/', () => 'ok')
    await send(app, { path: '/' })
    await received.spans(1)
    expect(await received.durations()).toEqual([])
  })
})
