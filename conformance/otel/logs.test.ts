// The ids of the span in the log lines of its request.
import { createLogSink } from '../harness/log-lines.ts'
import { describeTransports } from '../harness/transports.ts'
import { register, useTelemetry } from './telemetry.ts'

describeTransports('log lines with @cloister/otel', ({ createApp, send, it, expect }) => {
  const received = useTelemetry()

  it('have the ids of the span, from the first line to the last', async () => {
    const { stream, line } = createLogSink()
    const app = createApp({ logger: { stream } })
    await register(app)
    app.get('/', async (request) => {
      await Promise.resolve()
      request.log.info('found')
      return 'ok'
    })
    await send(app, { path: '/' })
    const [span] = await received.spans(1)
    const ids = { trace_id: span?.spanContext().traceId, span_id: span?.spanContext().spanId }
    for (const message of ['incoming request', 'found', 'request completed'])
      expect(await line(message)).toMatchObject({ ...ids, reqId: 'req-1' })
  })

  it('have them with a logger of the route, and with a factory of the application', async () => {
    const { stream, line } = createLogSink()
    const app = createApp({ logger: { stream } })
    await register(app)
    app.get('/', { logLevel: 'debug' }, (request) => {
      request.log.debug('of the route')
      return 'ok'
    })
    app.register(async (child) => {
      child.setChildLoggerFactory((logger, bindings) => logger.child({ ...bindings, own: true }))
      child.get('/own', (request) => {
        request.log.info('of the factory')
        return 'ok'
      })
    })
    await send(app, { path: '/' })
    await send(app, { path: '/own' })
    const ids = { trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) }
    expect(await line('of the route')).toMatchObject(ids)
    expect(await line('of the factory')).toMatchObject({ ...ids, own: true })
  })

  it('do not have them with logs: false, nor on a route without telemetry', async () => {
    const { stream, line } = createLogSink()
    const app = createApp({ logger: { stream } })
    await register(app, { logs: false })
    app.register(async (child) => {
      await register(child)
      child.get('/quiet', { otel: false }, (request) => {
        request.log.info('quiet')
        return 'ok'
      })
    })
    app.get('/', (request) => {
      request.log.info('loud')
      return 'ok'
    })
    await send(app, { path: '/' })
    await send(app, { path: '/quiet' })
    expect(await line('loud')).not.toHaveProperty('trace_id')
    expect(await line('quiet')).not.toHaveProperty('trace_id')
  })
})
