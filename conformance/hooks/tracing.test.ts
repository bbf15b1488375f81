// What tracing tools of the ecosystem are told about handlers, over the channels of the peer's name.
import { AsyncLocalStorage } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import { afterEach, describe, expect } from 'vitest'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { tick } from '../harness/time.ts'
import { ours, since5, useApps } from '../harness/transports.ts'

const IS_NEW = '4.x publishes new apps only'
const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const

interface Message {
  readonly reply: Reply
  readonly request: Request
  readonly async: boolean
  readonly route: { readonly url: string; readonly method: string }
  readonly error?: unknown
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'reply' in value && 'route' in value
}

describe('tracing', () => {
  const createApp = useApps()
  const channels = diagnostics.tracingChannel<string, object>('fastify.request.handler')
  const storage = new AsyncLocalStorage<string>()
  const subscriptions: (() => void)[] = []

  afterEach(() => {
    for (const unsubscribe of subscriptions.splice(0)) unsubscribe()
  })

  /** Notes every event with the status at that time; the store of the trace is the path of the route. */
  function trace(): string[] {
    const events: string[] = []
    for (const event of EVENTS) {
      const note = (message: unknown): void => {
        if (!isMessage(message)) throw new Error('not a message of the channel')
        const what = message.error instanceof Error ? ` (${message.error.message})` : ''
        events.push(`${event} ${message.reply.statusCode}${event === 'error' ? what : ''}`)
      }
      channels[event].subscribe(note)
      subscriptions.push(() => channels[event].unsubscribe(note))
    }
    channels.start.bindStore(storage, (message) => (isMessage(message) ? message.route.url : ''))
    subscriptions.push(() => void channels.start.unbindStore(storage))
    return events
  }

  async function events(app: App, url: string): Promise<string[]> {
    const seen = trace()
    await app.inject(url)
    await tick()
    return seen
  }

  const failing = (error: object): (() => never) => {
    return () => {
      throw error
    }
  }

  since5(IS_NEW).each<[string, (request: Request, reply: Reply) => unknown, string[]]>([
    ['responds', () => 'x', ['start 200', 'end 200']],
    ['responds later', async () => 'x', ['start 200', 'end 200', 'asyncStart 200', 'asyncEnd 200']],
    ['throws', failing(new Error('sync')), ['start 200', 'error 500 (sync)', 'end 500']],
    [
      'rejects with a status',
      async () => {
        await tick()
        throw Object.assign(new Error('async'), { statusCode: 418 })
      },
      ['start 200', 'end 200', 'error 418 (async)', 'asyncStart 418', 'asyncEnd 418'],
    ],
    [
      'has set a status and throws',
      (_request, reply) => {
        reply.code(404)
        throw new Error('no such thing')
      },
      ['start 200', 'error 404 (no such thing)', 'end 404'],
    ],
    [
      'has set the status 200 and throws',
      (_request, reply) => {
        reply.code(200)
        throw new Error('not fine')
      },
      ['start 200', 'error 500 (not fine)', 'end 500'],
    ],
    [
      'returns the reply and responds later',
      (_request, reply) => {
        setImmediate(() => reply.code(201).send('x'))
        return reply
      },
      ['start 200', 'end 200', 'asyncStart 201', 'asyncEnd 201'],
    ],
    [
      'throws with a status that is none of an error',
      failing(Object.assign(new Error('odd'), { statusCode: 600 })),
      ['start 200', 'error 500 (odd)', 'end 500'],
    ],
    [
      'hijacks',
      async (_request, reply) => {
        Reflect.apply(Reflect.get(reply, 'hijack'), reply, [])
        reply.raw.end('by hand')
      },
      ['start 200', 'end 200'],
    ],
    [
      'hijacks, and returns the reply',
      (_request, reply) => {
        Reflect.apply(Reflect.get(reply, 'hijack'), reply, [])
        setImmediate(() => reply.raw.end('by hand'))
        return reply
      },
      ['start 200', 'end 200'],
    ],
    [
      'calls the not-found handler',
      (_request, reply) => void Reflect.apply(Reflect.get(reply, 'callNotFound'), reply, []),
      ['start 200', 'end 404'],
    ],
  ])('tells what a handler does that %s', async (_what, handler, expected) => {
    const app = createApp()
    app.get('/', handler)
    expect(await events(app, '/')).toEqual(expected)
  })

  since5(IS_NEW)('names the request, the reply, the route, and whether more events follow', async () => {
    const app = createApp()
    const seen: unknown[] = []
    const note = (message: unknown): void => {
      if (isMessage(message))
        seen.push({ ...message, request: message.request.id, reply: message.reply.sent })
    }
    for (const event of ['start', 'end', 'asyncEnd'] as const) {
      channels[event].subscribe(note)
      subscriptions.push(() => channels[event].unsubscribe(note))
    }
    app.get('/:id', async () => 'x')
    await app.inject('/7')
    await tick()
    const message = { request: 'req-1', reply: false, async: false, route: { url: '/:id', method: 'GET' } }
    expect(seen).toEqual([message, { ...message, async: true }, { ...message, reply: true, async: true }])
  })

  since5(IS_NEW)('tells of a preHandler hook that fails, and of none that does not', async () => {
    const app = createApp()
    const fail = async (): Promise<never> => {
      await tick()
      throw new Error('refused')
    }
    app.get('/fails', { preHandler: async (_request, _reply) => fail() }, () => 'x')
    app.get('/calls', { preHandler: (_request, _reply, done) => done(new Error('called')) }, () => 'x')
    app.get('/passes', { preHandler: async (_request, _reply) => tick() }, () => 'x')
    const expected = {
      '/fails': ['start 200', 'error 500 (refused)', 'end 500'],
      '/calls': ['start 200', 'error 500 (called)', 'end 500'],
      '/passes': ['start 200', 'end 200'],
    }
    for (const [url, told] of Object.entries(expected)) {
      expect([url, await events(app, url)]).toEqual([url, told])
      for (const unsubscribe of subscriptions.splice(0)) unsubscribe()
    }
  })

  ours('the peers wait for `done`')('tells of a synchronous preHandler hook that throws', async () => {
    const app = createApp()
    const fail = (_request: Request, _reply: Reply): never => {
      throw new Error('thrown')
    }
    app.get('/throws', { preHandler: fail }, () => 'x')
    app.get('/returns', { preHandler: (_request, _reply) => undefined }, () => 'x')
    expect(await events(app, '/throws')).toEqual(['start 200', 'error 500 (thrown)', 'end 500'])
    for (const unsubscribe of subscriptions.splice(0)) unsubscribe()
    expect(await events(app, '/returns')).toEqual(['start 200', 'end 200'])
  })

  since5(IS_NEW)('tells of errors also where nobody asks for anything else', async () => {
    const app = createApp()
    app.get('/', failing(new Error('alone')))
    const seen: unknown[] = []
    const note = (message: unknown): void => void seen.push(isMessage(message) && message.reply.statusCode)
    channels.error.subscribe(note)
    subscriptions.push(() => channels.error.unsubscribe(note))
    await app.inject('/')
    expect(seen).toEqual([500])
  })

  since5(IS_NEW)('tells nothing of not-found handlers', async () => {
    const app = createApp()
    const preHandler = async (request: Request, _reply: Reply): Promise<void> => {
      if (request.url === '/fails') throw new Error('refused')
    }
    app.setNotFoundHandler({ preHandler }, (_request, reply) => reply.code(404).send('nothing here'))
    expect(await events(app, '/nowhere')).toEqual([])
    expect(await events(app, '/fails')).toEqual([])
  })

  since5(IS_NEW)('tells when an error handler responds later', async () => {
    const app = createApp()
    app.setErrorHandler(async (_error, _request, reply) => {
      await tick()
      return reply.code(503).send('later')
    })
    app.get('/', failing(new Error('sync')))
    const seen = await events(app, '/')
    expect(seen).toEqual(['start 200', 'error 500 (sync)', 'end 500', 'asyncStart 503', 'asyncEnd 503'])
  })

  since5(IS_NEW)('holds its store in the handler, the error handler and the hooks that follow', async () => {
    const app = createApp()
    const stores: unknown[] = []
    app.setErrorHandler((_error, _request, reply) => {
      stores.push(storage.getStore())
      return reply.code(500).send('failed')
    })
    app.addHook('onSend', async (_request, _reply, payload) => {
      stores.push(storage.getStore())
      return payload
    })
    app.get('/:id', () => {
      stores.push(storage.getStore())
      throw new Error('sync')
    })
    await events(app, '/7')
    expect(stores).toEqual(['/:id', '/:id', '/:id'])
  })
})
