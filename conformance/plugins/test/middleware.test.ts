import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { describePlugin, json, sendJson, start, type Untyped } from '../subject.ts'

const require = createRequire(import.meta.url)
const compression: Untyped = require('compression')
const bodyParser: Untyped = require('body-parser')
const morgan: Untyped = require('morgan')
const serveStatic: Untyped = require('serve-static')

describePlugin('middie', ({ use, createApp }) => {
  it('runs middleware before the handler, for all paths or those below one', async () => {
    const app = createApp()
    await app.register(use('middie'))
    app.use((_request: unknown, response: Untyped, next: () => void) => {
      response.setHeader('x-all', '1')
      next()
    })
    app.use('/admin', (request: Untyped, response: Untyped, next: () => void) => {
      if (request.headers.authorization === undefined) {
        response.statusCode = 401
        response.end('who?')
        return
      }
      request.user = 'ada'
      next()
    })
    app.get('/', () => ({ ok: true }))
    app.get('/admin/me', (request: Untyped) => ({ user: request.raw.user }))
    const url = await start(app)
    const root = await fetch(url)
    expect(root.headers.get('x-all')).toBe('1')
    expect(await json(root)).toEqual({ ok: true })
    const refused = await fetch(`${url}/admin/me`)
    expect(refused.status).toBe(401)
    expect(await refused.text()).toBe('who?')
    const admin = await fetch(`${url}/admin/me`, { headers: { authorization: 'x' } })
    expect(await json(admin)).toEqual({ user: 'ada' })
  })

  it('hands an error of middleware to the error handler', async () => {
    const app = createApp()
    await app.register(use('middie'))
    app.use((_request: unknown, _response: unknown, next: (error: Error) => void) =>
      next(new Error('in the middle')),
    )
    app.get('/', () => ({ ok: true }))
    const url = await start(app)
    const response = await fetch(url)
    expect(response.status).toBe(500)
    expect((await json(response)).message).toBe('in the middle')
  })

  it('carries middleware of the Express world: a logger and a file server', async () => {
    const app = createApp()
    const lines: string[] = []
    await app.register(use('middie'))
    app.use(morgan(':method :url :status', { stream: { write: (line: string) => lines.push(line) } }))
    app.use('/here', serveStatic(import.meta.dirname))
    app.get('/', () => ({ ok: true }))
    const url = await start(app)
    expect(await (await fetch(`${url}/here/middleware.test.ts`)).text()).toContain(
      'a logger and a file server',
    )
    await fetch(url)
    await expect.poll(() => lines).toEqual(['GET /here/middleware.test.ts 200\n', 'GET / 200\n'])
  })
})

describePlugin('express', ({ use, createApp }) => {
  it('runs Express middleware with the request and response that Express makes', async () => {
    const app = createApp()
    await app.register(use('express'))
    app.use((request: Untyped, response: Untyped, next: () => void) => {
      response.set('x-express', `${request.path} ${request.query.a}`)
      next()
    })
    app.get('/things', () => ({ ok: true }))
    const url = await start(app)
    const response = await fetch(`${url}/things?a=b`)
    expect(response.headers.get('x-express')).toBe('/things b')
    expect(await json(response)).toEqual({ ok: true })
  })

  it('mounts an Express router beside its own routes, with a body parser of its own', async () => {
    const app = createApp()
    await app.register(use('express'))
    const express: Untyped = createRequire(require.resolve('@fastify/express'))('express')
    const router = express.Router()
    router.use(bodyParser.json())
    router.post('/echo', (request: Untyped, response: Untyped) => {
      response.status(202).json({ got: request.body })
    })
    app.use('/legacy', router)
    app.post('/own', (request: Untyped) => ({ own: request.body }))
    const url = await start(app)
    const legacy = await sendJson(`${url}/legacy/echo`, 'POST', { a: 1 })
    expect(legacy.status).toBe(202)
    expect(await json(legacy)).toEqual({ got: { a: 1 } })
    expect(await (await sendJson(`${url}/own`, 'POST', { b: 2 })).json()).toEqual({ own: { b: 2 } })
  })
})

// Express 5, which the current major of the plugin brings, loses the connection here on the peer too.
describePlugin(
  'express',
  ({ use, createApp }) => {
    it('compresses through middleware that wraps the raw response', async () => {
      const app = createApp()
      await app.register(use('express'))
      app.use(compression({ threshold: 10 }))
      app.get('/', () => ({ text: 'again and again '.repeat(100) }))
      const url = await start(app)
      const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
      expect(response.headers.get('content-encoding')).toBe('gzip')
      expect((await json(response)).text).toHaveLength(1600)
    })
  },
  [4],
)
