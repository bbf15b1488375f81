import { expect, it } from 'vitest'
import { describePlugin, json, start, type Untyped } from '../subject.ts'

describePlugin('rate-limit', ({ use, createApp }) => {
  it('responds with 429 over the limit and shows the limit in headers', async () => {
    const app = createApp()
    await app.register(use('rate-limit'), { max: 2, timeWindow: 60_000 })
    app.get('/', () => ({ ok: true }))
    const url = await start(app)
    const first = await fetch(url)
    expect(first.headers.get('x-ratelimit-limit')).toBe('2')
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1')
    expect((await fetch(url)).status).toBe(200)
    const third = await fetch(url)
    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBe('60')
    expect(await json(third)).toMatchObject({ statusCode: 429, error: 'Too Many Requests' })
  })

  it('counts by key, per route, and spares routes that opted out', async () => {
    const app = createApp()
    await app.register(use('rate-limit'), {
      max: 1,
      timeWindow: 60_000,
      keyGenerator: (request: Untyped) => request.headers['x-user'] ?? request.ip,
    })
    app.get('/one', () => ({ ok: true }))
    app.get('/three', { config: { rateLimit: { max: 3, timeWindow: 60_000 } } }, () => ({ ok: true }))
    app.get('/free', { config: { rateLimit: false } }, () => ({ ok: true }))
    const url = await start(app)
    const statuses = async (path: string, users: readonly string[]): Promise<number[]> => {
      const list: number[] = []
      for (const user of users) {
        list.push((await fetch(`${url}${path}`, { headers: { 'x-user': user } })).status)
      }
      return list
    }
    expect(await statuses('/one', ['a', 'b', 'a'])).toEqual([200, 200, 429])
    expect(await statuses('/three', ['a', 'a', 'a', 'a'])).toEqual([200, 200, 200, 429])
    expect(await statuses('/free', ['a', 'a', 'a'])).toEqual([200, 200, 200])
  })

  it('limits unknown routes through its hook on the not-found handler', async () => {
    const app = createApp()
    await app.register(use('rate-limit'), { max: 1, timeWindow: 60_000 })
    app.setNotFoundHandler({ preHandler: app.rateLimit() }, (_request: unknown, reply: Untyped) =>
      reply.code(404).send({ missing: true }),
    )
    const url = await start(app)
    expect((await fetch(`${url}/a`)).status).toBe(404)
    expect((await fetch(`${url}/b`)).status).toBe(429)
  })
})

describePlugin('under-pressure', ({ use, createApp }) => {
  it('responds with 503 with a time to retry while the process is under pressure', async () => {
    const app = createApp()
    await app.register(use('under-pressure'), { maxRssBytes: 1, sampleInterval: 5, retryAfter: 7 })
    app.get('/', () => ({ ok: true }))
    const url = await start(app)
    await expect.poll(() => app.isUnderPressure()).toBe(true)
    const response = await fetch(url)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('7')
    expect((await json(response)).code).toBe('FST_UNDER_PRESSURE')
  })

  it('exposes a status route with the result of a health check', async () => {
    const app = createApp()
    await app.register(use('under-pressure'), {
      exposeStatusRoute: {
        url: '/alive',
        routeOpts: { logLevel: 'silent' },
        routeResponseSchemaOpts: { uptime: { type: 'string' } },
      },
      healthCheck: () => Promise.resolve({ uptime: 'long', secret: 'not in the schema' }),
    })
    const url = await start(app)
    expect(await (await fetch(`${url}/alive`)).json()).toEqual({ status: 'ok', uptime: 'long' })
    expect(app.memoryUsage()).toHaveProperty('rssBytes')
  })
})

describePlugin('circuit-breaker', ({ use, createApp }) => {
  it('opens after failures, responds at once while open, and closes again', async () => {
    const app = createApp()
    await app.register(use('circuit-breaker'), { threshold: 2, resetTimeout: 50 })
    let fails = true
    let runs = 0
    app.after(() => {
      app.get('/', { preHandler: app.circuitBreaker() }, () => {
        runs += 1
        if (fails) throw new Error('down')
        return { ok: true }
      })
    })
    const url = await start(app)
    expect((await fetch(url)).status).toBe(500)
    await fetch(url)
    const open = await fetch(url)
    expect(open.status).toBe(503)
    expect((await json(open)).code).toBe('FST_ERR_CIRCUIT_BREAKER_OPEN')
    expect(runs).toBe(2)
    fails = false
    await expect.poll(async () => (await fetch(url)).status).toBe(200)
  })

  it('counts a response that takes too long as a failure', async () => {
    const app = createApp()
    await app.register(use('circuit-breaker'), { threshold: 5, timeout: 20 })
    app.after(() => {
      app.get('/', { preHandler: app.circuitBreaker() }, async () => {
        await new Promise((resolve) => {
          setTimeout(resolve, 60)
        })
        return { ok: true }
      })
    })
    const url = await start(app)
    const response = await fetch(url)
    expect(response.status).toBe(503)
    expect((await json(response)).code).toBe('FST_ERR_CIRCUIT_BREAKER_TIMEOUT')
  })
})

describePlugin('sensible', ({ use, createApp }) => {
  it('sends errors by name, thrown or sent', async () => {
    const app = createApp()
    await app.register(use('sensible'))
    app.get('/thrown', () => {
      throw app.httpErrors.conflict('twice')
    })
    app.get('/sent', (_request: unknown, reply: Untyped) => reply.notFound('no such book'))
    app.get('/assert', (request: Untyped) => {
      app.assert(request.query.key === 'yes', 401, 'say yes')
      return { ok: true }
    })
    const url = await start(app)
    expect(await (await fetch(`${url}/thrown`)).json()).toEqual({
      statusCode: 409,
      error: 'Conflict',
      message: 'twice',
    })
    const sent = await fetch(`${url}/sent`)
    expect(sent.status).toBe(404)
    expect((await json(sent)).message).toBe('no such book')
    expect((await fetch(`${url}/assert`)).status).toBe(401)
    expect((await fetch(`${url}/assert?key=yes`)).status).toBe(200)
  })

  it('helps with types, caching and varying, and adds its shared schema', async () => {
    const app = createApp()
    await app.register(use('sensible'), { sharedSchemaId: 'HttpError' })
    app.get(
      '/',
      { schema: { response: { 404: { $ref: 'HttpError' } } } },
      (request: Untyped, reply: Untyped) => {
        reply.vary('accept')
        reply.cacheControl('public').maxAge('1 minute')
        return { json: request.is('json'), forwarded: request.forwarded().length }
      },
    )
    const url = await start(app)
    const response = await fetch(url)
    expect(response.headers.get('vary')).toBe('accept')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(app.getSchema('HttpError')).toHaveProperty('properties.message')
  })
})
