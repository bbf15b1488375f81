// Requests that are refused because the process has too much to do.
import { AsyncLocalStorage } from 'node:async_hooks'
import { get } from 'node:http'
import type { SheddingLimits } from '@cloister/operate'
import { describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { describeTransports, useApps } from '../harness/transports.ts'
import { register } from './operated-app.ts'

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

async function start(
  createApp: (options?: Record<string, unknown>) => App,
  shedding: SheddingLimits,
  options: Record<string, unknown> = {},
): Promise<{ app: App; finish: () => void; waiting: () => number }> {
  const app = createApp(options)
  await register(app, { shedding })
  const ends: (() => void)[] = []
  app.get('/wait', async () => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return 'done'
  })
  app.get('/block', () => {
    block(150)
    return 'done'
  })
  app.post('/body', { schema: { body: { type: 'object' } } }, () => 'done')
  app.get('/', () => 'ok')
  return { app, finish: () => ends.splice(0).forEach((end) => end()), waiting: () => ends.length }
}

describeTransports(
  'shedding',
  ({ createApp, send, it, expect }) => {
    it('above the limit of open requests, others get 503 with Retry-After, and probes are served', async () => {
      const { app, finish, waiting } = await start(createApp, { openRequests: 2, retryAfterS: 7 })
      const open = [send(app, { path: '/wait' }), send(app, { path: '/wait' })]
      await expect.poll(waiting).toBe(2)
      const refused = await send(app, { path: '/' })
      expect([refused.status, refused.headers['retry-after'], refused.json()]).toEqual([
        503,
        '7',
        {
          statusCode: 503,
          code: 'CLO_ERR_OPERATE_OVERLOADED',
          error: 'Service Unavailable',
          message: 'the server has too much to do; try again later',
        },
      ])
      expect((await send(app, { method: 'POST', path: '/body', body: {} })).status).toBe(503)
      expect((await send(app, { path: '/nowhere' })).status).toBe(503)
      for (const path of ['/live', '/ready', '/metrics']) expect((await send(app, { path })).status).toBe(200)
      const { text } = await send(app, { path: '/metrics' })
      expect(text).toContain('\ncloister_shed_requests_total{limit="open_requests"} 3\n')
      finish()
      for (const { status } of await Promise.all(open)) expect(status).toBe(200)
      await expect.poll(async () => (await send(app, { path: '/' })).status).toBe(200)
    })

    it('above the limit of the heap, requests get 503', async () => {
      const { app } = await start(createApp, { heapUsedBytes: 1000 })
      expect((await send(app, { path: '/' })).status).toBe(503)
      expect((await send(app, { path: '/live' })).status).toBe(200)
    })

    it('below its limits nothing is refused', async () => {
      const { app } = await start(createApp, {
        heapUsedBytes: 100e9,
        openRequests: 50,
        eventLoopDelayMs: 60_000,
      })
      expect((await send(app, { path: '/' })).status).toBe(200)
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describe.each(['node', 'auto'])(
  'shedding by the delay of the event loop, with the transport %s',
  (transport) => {
    const createApp = useApps()

    it('requests that come together are refused once those before them have taken too long', async () => {
      const { app } = await start(createApp, { eventLoopDelayMs: 100 }, { transport })
      const origin = String(await app.listen({ port: 0, host: '127.0.0.1' }))
      // Connections are open before the burst, so that the requests arrive while the first of them blocks.
      await Promise.all(Array.from({ length: 12 }, async () => (await fetch(`${origin}/live`)).text()))
      const statuses = await Promise.all(
        Array.from({ length: 12 }, async () => (await fetch(`${origin}/block`)).status),
      )
      expect(statuses).toContain(200)
      expect(statuses).toContain(503)
      await expect.poll(async () => (await fetch(`${origin}/`)).status).toBe(200)
    })

    it('a probe on a new connection is served before the requests of many connections that came at once', async () => {
      const { app } = await start(createApp, { eventLoopDelayMs: 60_000 }, { transport })
      let taken = 0
      app.get('/slow', () => {
        taken++
        block(10)
        return 'done'
      })
      const origin = new URL(String(await app.listen({ port: 0, host: '127.0.0.1' })))
      const ask = (path: string): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          const request = get({ port: origin.port, host: '127.0.0.1', path, agent: false }, (response) => {
            response.resume().on('end', () => resolve(response.statusCode))
          })
          request.on('error', reject)
        })
      const slow = Array.from({ length: 80 }, () => ask('/slow'))
      expect(await ask('/live')).toBe(200)
      expect(taken).toBeLessThan(40)
      expect(new Set(await Promise.all(slow))).toEqual(new Set([200]))
      expect(taken).toBe(80)
    })

    it('requests that wait keep their asynchronous context', async () => {
      const storage = new AsyncLocalStorage<string>()
      const app = createApp({ transport })
      app.addHook('onRequest', (request, _reply, done) => storage.run(String(request.headers['x-id']), done))
      await register(app, { shedding: { eventLoopDelayMs: 60_000 } })
      app.get('/', () => {
        block(7)
        return storage.getStore()
      })
      const origin = String(await app.listen({ port: 0, host: '127.0.0.1' }))
      const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`)
      const texts = ids.map(async (id) => (await fetch(origin, { headers: { 'x-id': id } })).text())
      expect(await Promise.all(texts)).toEqual(ids)
    })
  },
)

describe('the log of an overload', () => {
  const createApp = useApps()

  it('has one line for its beginning, and none for each request', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const { app } = await start(createApp, { heapUsedBytes: 1000 }, { logger: { level: 'warn', stream } })
    for (let index = 0; index < 20; index++) await app.inject('/')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('requests are refused: heap_used is above its limit')
  })
})
