// Topics: what is refused, whom a message reaches, and what happens while the store fails.
import { guardState, memoryState, type State } from '@cloister/state'
import { topics, type SubscribeOptions, type TopicEvent, type TopicsOptions } from '@cloister/state/topics'
import { cloister } from 'cloister'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { brokenState } from '../../../conformance/state/broken-state.ts'

const PRICE = {
  type: 'object',
  required: ['bid'],
  properties: { bid: { type: 'number', minimum: 0 }, at: { type: 'string', format: 'date-time' } },
} as const

/** A schema as libraries have it: it keeps what it knows. */
const LIBRARY = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => {
      const bid: unknown = Reflect.get(Object(value), 'bid')
      return typeof bid === 'number' ? { value: { bid } } : { issues: [{ message: 'no number' }] }
    },
  },
} as const

const appOf = (state: State, options: Partial<TopicsOptions> = {}) =>
  cloister().register(topics, { state, ...options })

async function open(state: State, options: Partial<TopicsOptions> = {}) {
  const app = await appOf(state, options)
  return app.topic('prices/:symbol', { schema: PRICE })
}

async function next<T>(events: AsyncGenerator<T, void>): Promise<T> {
  const result = await events.next()
  if (result.done === true) throw new Error('the subscription ended')
  return result.value
}

const X = { symbol: 'X' }
const dataOf = ({ event, data }: TopicEvent<{ bid: number }>): unknown => data?.bid ?? event

describe('a topic', () => {
  it('has the types of its schema and parameters', async () => {
    const prices = await open(memoryState())
    const events = prices.subscribe(X)
    await events.next()
    await prices.publish({ symbol: 7 }, { bid: 0 })
    await prices.publish(X, { bid: 1, at: new Date(0) })
    const event = await next(prices.subscribe(X, { from: 'oldest' }))
    if (event.event !== 'message') throw new Error('no message')
    expectTypeOf(event.data).toEqualTypeOf<{ bid: number; at?: string }>()
    expect(event.data).toEqual({ bid: 1, at: '1970-01-01T00:00:00.000Z' })
    expectTypeOf(prices.schema).toEqualTypeOf(PRICE)
    type Payload = Parameters<typeof prices.publish>[1]
    expectTypeOf<Parameters<typeof prices.publish>[0]>().toEqualTypeOf<{ readonly symbol: string | number }>()
    expectTypeOf<{ bid: number; at: Date }>().toExtend<Payload>()
    expectTypeOf<{ bid: string }>().not.toExtend<Payload>()
    for (const params of [{}, { symbol: '' }, { symbol: Number.NaN }, { symbol: Infinity }])
      await expect(prices.publish(params as typeof X, { bid: 1 })).rejects.toMatchObject({
        code: 'CLO_ERR_TOPIC_PARAMS',
      })
    expect(() => prices.subscribe({ symbol: Number.NaN })).toThrow('a text or a finite number')
  })

  it.each<[unknown, string]>([
    [{ bid: -1 }, '/bid must be >= 0'],
    [{ bid: '1' }, 'bid'],
    [{ bid: null }, 'bid'],
    [{ bid: Number.NaN }, 'bid'],
    [{}, 'bid'],
    [null, 'null'],
    [undefined, ''],
    [{ bid: 1, at: 'yesterday' }, '/at must match format "date-time"'],
  ])('refuses %j, and its log has nothing of it', async (payload, reason) => {
    const state = memoryState()
    const prices = await open(state)
    const subscribed = prices.subscribe(X)
    const mark = await next(subscribed)
    const error: unknown = await prices.publish(X, payload as never).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'CLO_ERR_TOPIC_PAYLOAD', statusCode: 500 })
    expect(String(error)).toContain("the payload of the topic 'prices/:symbol' does not match its schema: ")
    expect(String(error)).toContain(reason)
    await prices.publish(X, { bid: 2 })
    expect(dataOf(await next(prices.subscribe(X, { after: mark.id })))).toBe(2)
  })

  it('has schemas of libraries, and shared schemas', async () => {
    const app = await appOf(memoryState())
    app.addSchema({ $id: 'bid', type: 'integer', maximum: 9 })
    const byLibrary = app.topic('library', { schema: LIBRARY })
    const byReference = app.topic('shared', { schema: { type: 'array', items: { $ref: 'bid#' } } })
    await app.ready()
    await byLibrary.publish({}, Object.assign({ bid: 1 }, { secret: 2 }))
    expect(await next(byLibrary.subscribe({}, { from: 'oldest' }))).toMatchObject({ data: { bid: 1 } })
    await expect(byLibrary.publish({}, { bid: 'x' })).rejects.toThrow('no number')
    await expect(byReference.publish({}, [10] as never)).rejects.toThrow('/0 must be <= 9')
  })

  it('gives a message to whom its filter lets have it, and to no other', async () => {
    const prices = await open(memoryState())
    const subscribe = async (options: SubscribeOptions<{ bid: number }>) => {
      const events = prices.subscribe(X, options)
      const mark = await next(events)
      return { events, mark }
    }
    const even = await subscribe({ where: ({ bid }) => bid % 2 === 0 })
    const odd = await subscribe({ where: async ({ bid }) => bid % 2 === 1 })
    const none = await subscribe({ where: () => false })
    for (let bid = 0; bid < 150; bid++) await prices.publish(X, { bid })
    expect([dataOf(await next(even.events)), dataOf(await next(even.events))]).toEqual([0, 2])
    expect([dataOf(await next(odd.events)), dataOf(await next(odd.events))]).toEqual([1, 3])
    // Its cursor goes on, so that it need not be told of a gap later.
    const mark = await next(none.events)
    expect(mark).toEqual({ id: expect.stringMatching(/-100$/) })
    const rest = prices.subscribe(X, { after: mark.id })
    expect(dataOf(await next(rest))).toBe(100)
    const wrong = await subscribe({ where: (({ bid }: { bid: number }) => bid) as never })
    const failing = wrong.events.next()
    await prices.publish(X, { bid: 1 })
    await expect(failing).rejects.toMatchObject({ code: 'CLO_ERR_TOPIC_FILTER' })
  })

  it('refuses what a library returns without JSON, and a name that is no text', async () => {
    const app = await cloister().register(topics, { state: memoryState() })
    const validate = (value: unknown): unknown => ({ value })
    const schema = { '~standard': { version: 1, vendor: 'own', validate } }
    const topic = Reflect.apply(app.topic, app, ['amounts', { schema }])
    await expect(topic.publish({}, { amount: 1n })).rejects.toMatchObject({ code: 'CLO_ERR_TOPIC_PAYLOAD' })
    for (const name of [undefined, null, 5, ['amounts']])
      expect(() => Reflect.apply(app.topic, app, [name, { schema: { type: 'string' } }])).toThrow(
        expect.objectContaining({ code: 'CLO_ERR_TOPIC_OPTION' }),
      )
  })

  it('shares payloads that no subscriber can change', async () => {
    const prices = await open(memoryState())
    await prices.publish(X, { bid: 1 })
    const event = await next(prices.subscribe(X, { from: 'oldest' }))
    expect(() => Object.assign(event.data ?? {}, { bid: 2 })).toThrow(TypeError)
  })

  it('ends a subscription with its signal, and all with the app', async () => {
    const app = await appOf(memoryState())
    const prices = app.topic('prices/:symbol', { schema: PRICE })
    const controller = new AbortController()
    const one = prices.subscribe(X, { signal: controller.signal })
    const two = prices.subscribe(X)
    await Promise.all([one.next(), two.next()])
    const ended = one.next()
    controller.abort()
    expect(await ended).toEqual({ done: true, value: undefined })
    const closed = two.next()
    await app.close()
    expect(await closed).toEqual({ done: true, value: undefined })
    expect(await prices.subscribe(X).next()).toEqual({ done: true, value: undefined })
    expect(await prices.subscribe(X, { signal: AbortSignal.abort() }).next()).toEqual({
      done: true,
      value: undefined,
    })
  })

  it('that begins while the app closes ends without an id, which would be that of another place', async () => {
    const memory = memoryState()
    let hear = (): void => {}
    const heard = new Promise<void>((resolve) => {
      hear = resolve
    })
    const app = await appOf(
      guardState({
        ...Object.fromEntries(
          (['get', 'put', 'delete', 'take', 'append', 'read', 'close', 'ready'] as const).map((name) => [
            name,
            (...args: unknown[]) => Reflect.apply(memory[name], memory, args),
          ]),
        ),
        wake: async (log, listener) => {
          await heard
          return memory.wake(log, listener)
        },
      } as State),
    )
    const prices = app.topic('prices/:symbol', { schema: PRICE })
    await prices.publish(X, { bid: 1 })
    const first = prices.subscribe(X).next()
    await app.close()
    hear()
    expect(await first).toEqual({ done: true, value: undefined })
  })

  it('that is quiet for longer than its log is kept tells of no gap, and one whose log is lost does', async () => {
    const subscribe = async (state: State) => {
      const prices = await open(state, { keep: { count: 10, ms: 200 }, pollMs: 10 })
      const events = prices.subscribe(X)
      await events.next()
      await prices.publish(X, { bid: 1 })
      expect(dataOf(await next(events))).toBe(1)
      return { prices, events }
    }
    const quiet = await subscribe(memoryState())
    await new Promise((resolve) => setTimeout(resolve, 400))
    await quiet.prices.publish(X, { bid: 2 })
    expect(dataOf(await next(quiet.events))).toBe(2)

    let memory = memoryState()
    const names = ['ready', 'get', 'put', 'delete', 'take', 'append', 'read', 'wake', 'close'] as const
    const replaced = Object.fromEntries(
      names.map((name) => [name, (...args: unknown[]) => Reflect.apply(memory[name], memory, args)]),
    ) as unknown as State
    const lost = await subscribe(replaced)
    memory = memoryState()
    await lost.prices.publish(X, { bid: 3 })
    expect(dataOf(await next(lost.events))).toBe('gap')
    expect(dataOf(await next(lost.events))).toBe(3)
  })
})

describe('while the store fails', () => {
  it('publish rejects, and subscriptions reject after their time', async () => {
    const broken = brokenState(memoryState())
    const prices = await open(broken.state, { pollMs: 5, outageMs: 600 })
    const events = prices.subscribe(X)
    await events.next()
    broken.fails = true
    await expect(prices.publish(X, { bid: 1 })).rejects.toMatchObject({
      code: 'CLO_ERR_STATE_FAILED',
      statusCode: 503,
    })
    await expect(events.next()).rejects.toMatchObject({ code: 'CLO_ERR_STATE_FAILED', statusCode: 503 })
    await expect(prices.subscribe(X).next()).rejects.toMatchObject({ code: 'CLO_ERR_STATE_FAILED' })
    broken.fails = false
    const again = prices.subscribe(X)
    await again.next()
    await prices.publish(X, { bid: 2 })
    expect(dataOf(await next(again))).toBe(2)
  })

  it('for a shorter time, subscriptions go on without a loss', async () => {
    const broken = brokenState(memoryState())
    const prices = await open(broken.state, { pollMs: 5, outageMs: 60_000 })
    const other = await open(broken.state)
    const events = prices.subscribe(X)
    await events.next()
    await other.publish(X, { bid: 1 })
    broken.fails = true
    await new Promise((resolve) => setTimeout(resolve, 20))
    broken.fails = false
    await other.publish(X, { bid: 2 })
    expect([dataOf(await next(events)), dataOf(await next(events))]).toEqual([1, 2])
  })

  it('for a shorter time, a subscription that reads what is kept goes on, too', async () => {
    const broken = brokenState(memoryState())
    const prices = await open(broken.state, { outageMs: 60_000 })
    for (let bid = 0; bid < 150; bid++) await prices.publish(X, { bid })
    const events = prices.subscribe(X, { from: 'oldest' })
    const received = [dataOf(await next(events))]
    broken.fails = true
    setTimeout(() => {
      broken.fails = false
    }, 20)
    while (received.length < 150) received.push(dataOf(await next(events)))
    expect(received).toEqual(Array.from({ length: 150 }, (_one, bid) => bid))
  })

  it('for longer, a subscription that reads what is kept rejects', async () => {
    const broken = brokenState(memoryState())
    const prices = await open(broken.state, { outageMs: 1 })
    for (let bid = 0; bid < 150; bid++) await prices.publish(X, { bid })
    const events = prices.subscribe(X, { from: 'oldest' })
    await next(events)
    broken.fails = true
    const rest = async (): Promise<void> => {
      for await (const _event of events);
    }
    await expect(rest()).rejects.toMatchObject({ code: 'CLO_ERR_STATE_FAILED' })
  })

  it('an operation that hangs has a deadline', async () => {
    const memory = memoryState()
    memory.wake = () => new Promise(() => {})
    const prices = await open(guardState(memory, { deadlineMs: 5 }))
    await expect(prices.subscribe(X).next()).rejects.toMatchObject({ code: 'CLO_ERR_STATE_DEADLINE' })
  })

  it('no app starts', async () => {
    const broken = brokenState(memoryState())
    broken.fails = true
    const app = await appOf(broken.state)
    await expect(app.ready()).rejects.toMatchObject({ code: 'CLO_ERR_STATE_FAILED' })
  })
})

describe('no topic is declared', () => {
  it.each<[string, unknown, RegExp]>([
    ['', { schema: {} }, /the name of the topic '' must be parts of letters/],
    ['/prices', { schema: {} }, /must be parts of letters/],
    ['a b', { schema: {} }, /must be parts of letters/],
    ['a/:b/:b', { schema: {} }, /has a parameter twice/],
    ['taken', { schema: {} }, /is declared twice/],
    ['a', {}, /the option 'schema' is missing: a value \(options of the topic 'a'\)/],
    ['a', { schema: {}, ttl: 1 }, /no option 'ttl', only schema, keep/],
    ['a', { schema: {}, keep: { count: 0, ms: 1 } }, /'keep' must be \{ count, ms \}/],
  ])('named %j with %j', async (name, options, message) => {
    const app = await appOf(memoryState())
    app.topic('taken', { schema: {} })
    expect(() => app.topic(name, options as never)).toThrow(message)
    expect(() => app.topic(name, options as never)).toThrow(
      expect.objectContaining({ code: 'CLO_ERR_TOPIC_OPTION' }),
    )
  })

  it('with a schema that does not compile', async () => {
    const app = await appOf(memoryState())
    app.topic('a', { schema: { type: 'nothing' } })
    await expect(app.ready()).rejects.toThrow(
      /payload of route TOPIC a at \/type: .*defined at \/.*[/]topics\.test\.ts:\d+/,
    )
  })

  it('without a state', async () => {
    await expect(appOf({} as never).ready()).rejects.toThrow(/'state' must be a state/)
    await expect(
      cloister()
        .register(topics, {} as never)
        .ready(),
    ).rejects.toThrow(/'state' is missing/)
  })
})
