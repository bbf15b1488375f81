// Liveness, readiness and draining.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperateOptions } from '@cloister/operate'
import { web } from '@cloister/web'
import { describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { registerPlugin } from '../harness/register-plugin.ts'
import { createGate } from '../harness/time.ts'
import { describeTransports, useApps } from '../harness/transports.ts'
import { operationOf, register } from './operated-app.ts'

const EVERYWHERE = ['in-process', 'socket', 'http2', 'memory', 'fetch'] as const

describeTransports(
  'probes',
  ({ createApp, send, it, expect, transport }) => {
    async function start(options: OperateOptions = {}): Promise<{ app: App }> {
      const app = createApp()
      await register(app, options)
      app.get('/', () => 'ok')
      return { app }
    }

    it('a ready app is live and ready', async () => {
      const { app } = await start({ checks: { database: () => Promise.resolve() } })
      const live = await send(app, { path: '/live' })
      expect([live.status, live.json(), live.headers['cache-control']]).toEqual([
        200,
        { status: 'ok' },
        'no-store',
      ])
      const ready = await send(app, { path: '/ready' })
      expect([ready.status, ready.json()]).toEqual([200, { status: 'ready', checks: { database: 'ok' } }])
    })

    it.each([
      [
        'throws',
        () => {
          throw new Error('password of the database')
        },
        'failed',
      ],
      ['rejects', () => Promise.reject(new Error('password of the database')), 'failed'],
      ['returns false', () => false, 'failed'],
      ['never ends', () => new Promise(() => {}), 'late'],
    ])(
      'a check that %s makes the app unready, and says no more than its result',
      async (_how, check, result) => {
        const { app } = await start({ checks: { database: check, cache: () => true }, checkTimeoutMs: 20 })
        const { status, text } = await send(app, { path: '/ready' })
        expect(status).toBe(503)
        expect(JSON.parse(text)).toEqual({ status: 'failing', checks: { database: result, cache: 'ok' } })
        expect((await send(app, { path: '/live' })).status).toBe(200)
      },
    )

    it('probes have no limit of requests, and do not wait for the store of one', async () => {
      const app = createApp()
      const store = { take: (): Promise<never> => new Promise(() => {}) }
      await registerPlugin(app, web, { limit: { max: 1, per: '1h', store } })
      await register(app, {})
      expect((await send(app, { path: '/live' })).status).toBe(200)
      expect((await send(app, { path: '/ready' })).status).toBe(200)
    })

    it('plugins add checks', async () => {
      const { app } = await start()
      operationOf(app).addCheck('queue', () => false)
      expect((await send(app, { path: '/ready' })).json()).toEqual({
        status: 'failing',
        checks: { queue: 'failed' },
      })
    })

    it('an app that drains is live and serves requests, and is not ready', async () => {
      const { app } = await start({ drainMs: 60_000 })
      await send(app, { path: '/' })
      const draining = operationOf(app).drain()
      const ready = await send(app, { path: '/ready' })
      expect([ready.status, ready.json()]).toEqual([503, { status: 'draining', checks: {} }])
      expect((await send(app, { path: '/live' })).status).toBe(200)
      const served = await send(app, { path: '/' })
      expect([served.status, served.text]).toEqual([200, 'ok'])
      if (transport === 'socket' || transport === 'wire') expect(served.headers['connection']).toBe('close')
      await app.close()
      await draining
    })

    it('paths are chosen, or switched off', async () => {
      const { app } = await start({ live: '/alive', ready: false, metrics: false })
      const statuses = []
      for (const path of ['/alive', '/live', '/ready', '/metrics'])
        statuses.push((await send(app, { path })).status)
      expect(statuses).toEqual([200, 404, 404, 404])
    })
  },
  EVERYWHERE,
)

/** Requests of `inject` are refused by a closed app before they reach it. */
describeTransports(
  'the end of a drain',
  ({ createApp, send, it, expect, transport }) => {
    it.each([
      ['serves requests that arrive while it closes after a drain', true, 200],
      ['refuses requests that arrive while it closes without a drain', false, 503],
    ])('an app %s', async (_what, isDrained, status) => {
      const app = createApp()
      await register(app, { drainMs: 0 })
      app.get('/', () => 'ok')
      const closes = createGate()
      const gate = createGate()
      app.addHook('preClose', async () => {
        closes.open()
        await gate.promise
      })
      await send(app, { path: '/' })
      const ending = isDrained ? operationOf(app).drain() : app.close()
      await closes.promise
      const late = await send(app, { path: '/' })
      gate.open()
      await ending
      expect(late.status).toBe(status)
      if (transport === 'socket' || transport === 'wire') expect(late.headers['connection']).toBe('close')
    })
  },
  EVERYWHERE.filter((one) => one !== 'in-process'),
)

describe('readiness checks', () => {
  const createApp = useApps()

  it('run once for many probes, and again when their result is old', async () => {
    let runs = 0
    const app = createApp()
    const check = async (): Promise<void> => {
      runs++
      await sleep(5)
    }
    await register(app, {
      checks: { slow: { check, cacheMs: 60_000 }, other: { check, cacheMs: 0 } },
    })
    await Promise.all(Array.from({ length: 50 }, () => app.inject('/ready')))
    expect(runs).toBe(2)
    await app.inject('/ready')
    expect(runs).toBe(3)
  })

  it('get a signal that aborts when their time is over; one that goes on is not run beside itself', async () => {
    let runs = 0
    const signals: AbortSignal[] = []
    const app = createApp()
    const stuck = (signal: AbortSignal): Promise<never> => {
      runs++
      signals.push(signal)
      return new Promise(() => {})
    }
    await register(app, { checks: { stuck: { check: stuck, timeoutMs: 5, cacheMs: 0 } } })
    for (let index = 0; index < 3; index++) expect((await app.inject('/ready')).statusCode).toBe(503)
    expect(runs).toBe(1)
    expect(signals[0]?.aborted).toBe(true)
  })

  it('a closing app waits for no check, and says nothing about it', async () => {
    const lines: string[] = []
    const app = createApp({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    const aborted: unknown[] = []
    const stuck = (signal: AbortSignal): Promise<never> => {
      signal.addEventListener('abort', () => aborted.push(Object(signal.reason).message))
      return new Promise(() => {})
    }
    await register(app, { checks: { stuck: { check: stuck, timeoutMs: 600_000 } } })
    await app.ready()
    const readiness = operationOf(app).checkReadiness()
    await app.close()
    expect(await readiness).toMatchObject({ status: 'failing', checks: { stuck: 'late' } })
    expect(aborted).toEqual(['the app closes'])
    expect(lines.filter((line) => line.includes('readiness check'))).toEqual([])
  })

  it('an error of a check is logged once, with its recovery', async () => {
    const lines: string[] = []
    let isBroken = true
    const stream = { write: (line: string) => void lines.push(line) }
    const app = createApp({ logger: { level: 'info', stream } })
    const check = (): boolean => {
      if (isBroken) throw new Error('no route to host')
      return true
    }
    await register(app, { checks: { database: check }, checkCacheMs: 0 })
    for (let index = 0; index < 3; index++) await app.inject('/ready')
    isBroken = false
    await app.inject('/ready')
    const ours = lines.filter((line) => line.includes('readiness check'))
    expect(ours).toHaveLength(2)
    expect(ours[0]).toContain('no route to host')
    expect(ours[1]).toContain("the readiness check 'database' is ok again")
  })
})

describe('drain', () => {
  const createApp = useApps()

  it('closes the app when its time is over, once, however often it is asked for', async () => {
    let closed = 0
    const app = createApp()
    await register(app, { drainMs: 10 })
    app.addHook('onClose', async () => void closed++)
    await app.ready()
    await Promise.all([operationOf(app).drain(), operationOf(app).drain()])
    expect(closed).toBe(1)
  })

  it('an app that listens watches its signals until it closes', async () => {
    const before = process.listenerCount('SIGUSR2')
    const app = createApp()
    await register(app, { signals: ['SIGUSR2'] })
    await app.listen({ port: 0 })
    expect(process.listenerCount('SIGUSR2')).toBe(before + 1)
    await app.close()
    expect(process.listenerCount('SIGUSR2')).toBe(before)
  })
})

describe('options', () => {
  const createApp = useApps()

  it.each([
    [{ drain: 1 }, "@cloister/operate has no option 'drain'"],
    [{ drainMs: -1 }, "the option 'drainMs' of @cloister/operate must be a number of milliseconds from 0"],
    [
      { live: 'live' },
      "the option 'live' of @cloister/operate must be a path that begins with '/', or false",
    ],
    [{ shedding: { openRequest: 1 } }, "no option 'shedding.openRequest'"],
    [
      { shedding: { openRequests: 0 } },
      "'shedding.openRequests' of @cloister/operate must be a number from 1 on",
    ],
    [{ checks: { db: 'select 1' } }, "'checks.db' of @cloister/operate must be a function"],
    [{ checks: { db: {} } }, "'checks.db.check' of @cloister/operate must be a function; got undefined"],
    [{ signals: ['TERM'] }, "'signals' of @cloister/operate must be a list of signals"],
    [{ meter: {} }, "'meter' of @cloister/operate must be a meter of @opentelemetry/api"],
    [{ registry: {} }, "'registry' of @cloister/operate must be a registry of prom-client"],
  ])('%j ends the boot', async (options, message) => {
    const app = createApp()
    await expect(async () => register(app, options)).rejects.toThrow(message)
  })

  it('two checks of one name end the boot', async () => {
    const app = createApp()
    await register(app, { checks: { database: () => true } })
    expect(() => operationOf(app).addCheck('database', () => true)).toThrow(
      "there is a readiness check 'database' already; give this one another name",
    )
  })
})
