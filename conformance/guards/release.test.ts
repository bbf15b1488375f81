// When a guard gives its value back: never while something that has the value runs, and always once.
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { LANES } from '../harness/leaving-client.ts'
import { createGate, tick } from '../harness/time.ts'
import { describeTransports, useApps } from '../harness/transports.ts'

/** Adds guards whose values are named in the log when they are taken and given back. */
function guard(app: App, log: string[], ...names: string[]): void {
  for (const name of names) {
    const take = (): string => {
      log.push(`+${name}`)
      return name
    }
    app.addGuard(name, take, { release: () => void log.push(`-${name}`) })
  }
}

const ticks = async (count = 20): Promise<void> => {
  for (let index = 0; index < count; index++) await tick()
}

const ITEMS = { response: { 200: { content: { 'application/x-ndjson': { schema: { type: 'object' } } } } } }

/** Resolves when the deadline of a request has passed. */
const expired = ({ signal }: Request): Promise<void> =>
  new Promise((resolve) => {
    if (signal instanceof AbortSignal) signal.addEventListener('abort', () => resolve())
  })

describeTransports(
  'the value of a guard',
  ({ it, expect, createApp, send, overNode }) => {
    it('is given back when the handler has ended, which goes on after its response', async () => {
      const app = createApp()
      const log: string[] = []
      guard(app, log, 'a', 'b')
      app.get('/', async (_request, reply) => {
        void reply.send('ok')
        await ticks()
        log.push('end')
      })
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(200)
      await expect.poll(() => log).toEqual(['+a', '+b', 'end', '-b', '-a'])
    })

    it('is given back when the handler has ended, whose deadline has passed', async () => {
      const app = createApp({ handlerTimeout: 20 })
      const log: string[] = []
      guard(app, log, 'a', 'b')
      app.get('/', async (request) => {
        await expired(request)
        await ticks()
        log.push('end')
      })
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(503)
      await expect.poll(() => log).toEqual(['+a', '+b', 'end', '-b', '-a'])
    })

    it.each([
      ['and others before it', ['a']],
      ['and none before it', []],
    ])('is given back if the guard is slower than the deadline, %s', async (_title, names) => {
      const app = createApp({ handlerTimeout: 20 })
      const log: string[] = []
      guard(app, log, ...names)
      app.addGuard(
        'late',
        async (request) => {
          await expired(request)
          await ticks()
          log.push('+late')
          return 'late'
        },
        { release: () => void log.push('-late') },
      )
      app.get('/', () => 'unreachable')
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(503)
      const before = names.map((name) => `+${name}`)
      const after = names.map((name) => `-${name}`)
      await expect.poll(() => log).toEqual([...before, '+late', '-late', ...after])
    })

    it.each([
      ['at once', () => {}],
      ['later', tick],
      ['much later', ticks],
    ])('is given back first if the last guard has replied and returns it %s', async (_title, wait) => {
      const app = createApp()
      const log: string[] = []
      guard(app, log, 'a', 'b')
      const refuse = (_request: Request, target: Reply): unknown => {
        void target.code(403).send('no')
        const pending = wait()
        const take = (): string => {
          log.push('+c')
          return 'c'
        }
        return pending === undefined ? take() : pending.then(take)
      }
      app.addGuard('c', refuse, { release: () => void log.push('-c') })
      app.get('/', () => 'unreachable')
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(403)
      await expect.poll(() => log).toEqual(['+a', '+b', '+c', '-c', '-b', '-a'])
    })

    it('is given back when the onResponse hooks have ended', async () => {
      const app = createApp()
      const log: string[] = []
      guard(app, log, 'a')
      app.addHook('onResponse', async (request) => {
        await ticks()
        log.push(`onResponse with ${String(request['a'])}`)
      })
      app.get('/', () => 'ok')
      await send(app, { method: 'GET', path: '/' })
      await expect.poll(() => log).toEqual(['+a', 'onResponse with a', '-a'])
    })

    it('is given back once, in reverse order, while one of the releases waits', async () => {
      const app = createApp()
      const log: string[] = []
      guard(app, log, 'a')
      app.addGuard('b', () => 'b', {
        release: async () => {
          await ticks()
          log.push('-b')
        },
      })
      app.addGuard('c', () => 'c', {
        release: async () => {
          await tick()
          log.push('-c')
          throw new Error('broken')
        },
      })
      app.get('/', async (_request, reply) => {
        void reply.send('ok')
        await ticks(5)
      })
      await send(app, { method: 'GET', path: '/' })
      await expect.poll(() => log).toEqual(['+a', '-c', '-b', '-a'])
    })

    const onRaw = 'the raw response is an object of Node'

    overNode(onRaw).each([
      ['a handler', (app: App) => app.get('/', (_request, reply) => void reply.raw.end('ok'))],
      ['an async handler', (app: App) => app.get('/', async (_request, reply) => void reply.raw.end('ok'))],
      [
        'a hook',
        (app: App) => {
          app.addHook('preHandler', async (_request, reply) => void reply.raw.end('ok'))
          app.get('/', () => 'unreachable')
        },
      ],
      [
        'a callback',
        (app: App) => app.get('/', (_request, reply) => void setImmediate(() => reply.raw.end('ok'))),
      ],
    ])('is given back after a raw response that %s ends without hijack', async (_title, define) => {
      const app = createApp()
      const log: string[] = []
      guard(app, log, 'a', 'b')
      define(app)
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(200)
      await expect.poll(() => log).toEqual(['+a', '+b', '-b', '-a'])
    })

    overNode(onRaw)('is given back when the handler has ended, which has hijacked its reply', async () => {
      const app = createApp()
      const log: string[] = []
      guard(app, log, 'a')
      app.get('/', async (_request, reply) => {
        reply.hijack().raw.end('ok')
        await ticks()
        log.push('end')
      })
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(200)
      await expect.poll(() => log).toEqual(['+a', 'end', '-a'])
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describe.each(LANES)('a client that leaves $name', ({ options, hasRaw, post }) => {
  const createApp = useApps()

  it.each([
    ['a generator', true],
    ['a stream', false],
  ])('has the values given back after the end of %s', async (_title, generates) => {
    const app = createApp(options)
    const log: string[] = []
    guard(app, log, 'a', 'b')
    const begun = createGate()
    const left = createGate()
    app.addHook('onRequestAbort', async () => left.open())
    async function* items(): AsyncGenerator<object> {
      try {
        yield { n: 1 }
        begun.open()
        await left.promise
        await ticks()
        log.push('used')
        yield { n: 2 }
      } finally {
        await ticks()
        log.push('end')
      }
    }
    async function* texts(): AsyncGenerator<string> {
      for await (const item of items()) yield JSON.stringify(item)
    }
    app.post(
      '/',
      { schema: generates ? ITEMS : {} },
      generates ? items : (_request, reply) => reply.type('text/plain').send(Readable.from(texts())),
    )
    const leave = await post(app, '{}')
    await begun.promise
    leave()
    await expect.poll(() => log).toEqual(['+a', '+b', 'used', 'end', '-b', '-a'])
  })

  it('before the first item has the values given back after the end of the generator', async () => {
    const app = createApp(options)
    const log: string[] = []
    guard(app, log, 'a')
    const begun = createGate()
    const left = createGate()
    app.addHook('onRequestAbort', async () => left.open())
    app.post('/', { schema: ITEMS }, async function* () {
      try {
        begun.open()
        await left.promise
        await ticks()
        yield { n: 1 }
      } finally {
        await ticks()
        log.push('end')
      }
    })
    const leave = await post(app, '{}')
    await begun.promise
    leave()
    await expect.poll(() => log).toEqual(['+a', 'end', '-a'])
  })

  it('is waited for by close, up to the release', async () => {
    const app = createApp(options)
    const log: string[] = []
    guard(app, log, 'a')
    app.addHook('onClose', async () => void log.push('onClose'))
    const begun = createGate()
    const left = createGate()
    app.addHook('onRequestAbort', async () => left.open())
    app.post('/', async () => {
      begun.open()
      await left.promise
      await ticks(50)
      log.push('end')
      return 'ok'
    })
    const leave = await post(app, '{}')
    await begun.promise
    leave()
    await left.promise
    await app.close()
    expect(log).toEqual(['+a', 'end', '-a', 'onClose'])
  })

  it('before a handler has sent, which never does, has the values given back when the app closes', async () => {
    const app = createApp(options)
    const log: string[] = []
    guard(app, log, 'a')
    const begun = createGate()
    const left = createGate()
    app.addHook('onRequestAbort', async () => left.open())
    app.post('/', () => begun.open())
    const leave = await post(app, '{}')
    await begun.promise
    leave()
    await left.promise
    await app.close()
    expect(log).toEqual(['+a', '-a'])
  })

  it.skipIf(!hasRaw)('within events on the raw response has the values given back', async () => {
    const app = createApp(options)
    const log: string[] = []
    guard(app, log, 'a')
    const begun = createGate()
    app.post('/', (_request, reply) => {
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.raw.write('data: 1\n\n')
      begun.open()
    })
    const leave = await post(app, '{}')
    await begun.promise
    await ticks()
    leave()
    await expect.poll(() => log).toEqual(['+a', '-a'])
  })
})
