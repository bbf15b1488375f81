import { serve } from '@hono/node-server'
import { zValidator } from '@hono/zod-validator'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { Hono } from 'hono'
import type { Context, Next } from 'hono'
import { getCookie } from 'hono/cookie'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { pino } from 'pino'
import { z } from 'zod'
import { countSpans } from '../spans.ts'
import type { Subject } from '../subject.ts'
import { nullStream } from '../tally.ts'
import * as work from '../workload.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const Order = z.object({
  sku: z.string().min(1).max(40),
  quantity: z.number().int().min(1).max(1000),
  note: z.string().max(200).default(''),
  tags: z.array(z.string()).max(10).default([]),
})

/** The real service on Hono, with its middleware; limit and span are by hand, and nothing filters the response. */
export const subject: Subject = {
  start(_kind, tally) {
    const tracer = countSpans(tally).getTracer('hono')
    const log = pino({}, nullStream(tally))
    const counts = new Map<string, number>()
    const app = new Hono()
    app.use(async (c: Context, next: Next) => {
      const span = tracer.startSpan(`${c.req.method} ${c.req.path}`, { kind: SpanKind.SERVER })
      await context.with(trace.setSpan(context.active(), span), next)
      span.setAttribute('http.response.status_code', c.res.status)
      span.end()
    })
    app.use(async (c: Context, next: Next) => {
      log.info({ req: { method: c.req.method, url: c.req.path } }, 'incoming request')
      const begin = performance.now()
      await next()
      log.info(
        { res: { statusCode: c.res.status }, responseTime: performance.now() - begin },
        'request completed',
      )
    })
    app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], scriptSrc: ["'self'"] } }))
    app.use(cors({ origin: 'https://example.org', credentials: true }))
    app.use(async (c: Context, next: Next) => {
      const key = 'client'
      counts.set(key, (counts.get(key) ?? 0) + 1)
      getCookie(c)
      tally.hooks += 1
      await next()
    })
    app.use(async (c: Context, next: Next) => {
      tally.hooks += 1
      await Promise.resolve(c.req.path)
      await next()
      tally.hooks += 2
      c.header('x-powered-by', 'benchmark')
    })
    app.get('/users/:id', zValidator('param', z.object({ id: z.coerce.number().int().min(1) })), (c) =>
      c.body(JSON.stringify(work.findUser(c.req.valid('param').id)), 200, JSON_TYPE),
    )
    app.post('/orders', zValidator('json', Order), (c) =>
      c.body(JSON.stringify(work.acceptOrder(c.req.valid('json'))), 201, JSON_TYPE),
    )
    return new Promise((resolve) => {
      serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port))
    })
  },
}
