// The spans of hooks: what was called, which plugin added it, and where.
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { vi } from 'vitest'
import { describeTransports } from '../harness/transports.ts'
import { register, useTelemetry } from './telemetry.ts'

describeTransports('spans of hooks with @cloister/otel', ({ createApp, send, it, expect }) => {
  const received = useTelemetry()
  const options = { hooks: true }

  it('are children of the span of the request, with hook, plugin, file and line', async () => {
    const app = createApp()
    await register(app, options)
    app.register(async function users(child) {
      child.addHook('onRequest', async function authenticate() {
        await Promise.resolve()
      })
      child.addHook('preHandler', function load(_request, _reply, done) {
        setImmediate(done)
      })
      child.addHook('onSend', async (_request, _reply, payload) => payload)
      child.get(
        '/',
        {
          preValidation: function check(_request, _reply, done) {
            done()
          },
        },
        () => 'ok',
      )
    })
    expect((await send(app, { path: '/' })).text).toBe('ok')
    const seen = await received.spans(5)
    const request = seen.find(({ name }) => name === 'GET /')
    const hooks = seen.filter((one) => one !== request)
    expect(hooks.map(({ name }) => name.replace(/:\d+/, ''))).toEqual([
      'onRequest authenticate (root > users, hooks.test.ts)',
      'preValidation check (root > users, hooks.test.ts)',
      'preHandler load (root > users, hooks.test.ts)',
      'onSend (root > users, hooks.test.ts)',
    ])
    for (const span of hooks) {
      expect(span.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
      expect(span.attributes).toMatchObject({
        'cloister.hook': span.name.split(' ')[0],
        'cloister.plugin': 'root > users',
        'code.file.path': expect.stringMatching(/conformance\/otel\/hooks\.test\.ts$/),
        'code.line.number': expect.any(Number),
      })
    }
    expect(hooks[0]?.attributes['code.function.name']).toBe('authenticate')
  })

  it('are active in their hook alone, and done continues in the span of the request', async () => {
    const app = createApp()
    await register(app, options)
    const active: (string | undefined)[] = []
    const nameOfActive = (): string | undefined => Reflect.get(trace.getActiveSpan() ?? {}, 'name')
    app.addHook('onRequest', function first(_request, _reply, done) {
      active.push(nameOfActive()?.split(' (')[0])
      done()
    })
    app.addHook('preHandler', async function second() {
      await Promise.resolve()
      active.push(nameOfActive()?.split(' (')[0])
    })
    app.get('/', () => {
      active.push(nameOfActive())
      return 'ok'
    })
    await send(app, { path: '/' })
    await received.spans(3)
    expect(active).toEqual(['onRequest first', 'preHandler second', 'GET /'])
    expect(trace.getSpan(context.active())).toBeUndefined()
  })

  it('have the error of a hook, which reaches the error handlers unchanged', async () => {
    const app = createApp()
    await register(app, options)
    app.addHook('onRequest', (request, _reply, done) => {
      done(request.url === '/done' ? Object.assign(new Error('no'), { statusCode: 403 }) : undefined)
    })
    app.addHook('preHandler', async () => {
      throw Object.assign(new Error('never'), { statusCode: 418 })
    })
    app.get('/*', () => 'ok')
    expect((await send(app, { path: '/done' })).status).toBe(403)
    expect((await send(app, { path: '/throw' })).status).toBe(418)
    const seen = await received.spans(5)
    const failed = seen.filter(({ status }) => status.code === SpanStatusCode.ERROR)
    expect(
      failed.map(({ name, events }) => [name.split(' ')[0], events[0]?.attributes?.['exception.message']]),
    ).toEqual([
      ['onRequest', 'no'],
      ['preHandler', 'never'],
    ])
  })

  it('end with the request where a hook responds and never calls done', async () => {
    const app = createApp()
    await register(app, options)
    app.addHook('onRequest', function refuse(_request, reply, _done) {
      reply.code(401).send('no')
    })
    app.get('/', () => 'never')
    expect((await send(app, { path: '/' })).status).toBe(401)
    const seen = await received.spans(2)
    expect(seen.map(({ name }) => name.split(' (')[0])).toEqual(['onRequest refuse', 'GET /'])
  })

  it('exist for hooks beside the path', async () => {
    const app = createApp()
    await register(app, options)
    app.addHook('onResponse', async function count() {})
    app.addHook('onError', async function report() {})
    app.get('/', () => {
      throw new Error('no')
    })
    expect((await send(app, { path: '/' })).status).toBe(500)
    const seen = await received.spans(3)
    expect(seen.map(({ name }) => name.split(' (')[0])).toEqual([
      'onError report',
      'GET /',
      'onResponse count',
    ])
  })

  it('do not exist on a route with otel: false, nor without the option', async () => {
    const app = createApp()
    await register(app, options)
    const called = vi.fn(async () => {})
    app.addHook('onRequest', called)
    app.register(async (child) => {
      await register(child)
      child.get('/plain', () => 'ok')
    })
    app.get('/quiet', { otel: false }, () => 'ok')
    await send(app, { path: '/quiet' })
    await send(app, { path: '/plain' })
    expect((await received.spans(1)).map(({ name }) => name)).toEqual(['GET /plain'])
    expect(called).toHaveBeenCalledTimes(2)
  })
})
