import { SENT } from '@cloister/wire/message/internal'
import { describe, expect, it } from 'vitest'
import type { AnyFunction } from '../../src/guards.ts'
import { adaptRequestHook } from '../../src/hooks/request-hook.ts'
import type { RequestHook } from '../../src/hooks/request-hook.ts'
import { callHooks, HookRun, runStages } from '../../src/request/run-stages.ts'
import type { StoreValue } from '../../src/request/run-stages.ts'
import { kState } from '../../src/symbols.ts'
import { OpenRequest } from './open-reply.ts'

const ERROR = new Error('failed')
const LATE = { level: 'error', err: ERROR, message: 'the request failed after the response was sent' }
const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Waits longer than any hook of these tests. */
async function allOver(): Promise<void> {
  for (let i = 0; i < 8; i++) await soon()
}

/** A request on its way through the hooks of one stage, and a stage behind them. */
class Hooked extends OpenRequest {
  /** the payload behind the hooks; nothing until they have ended */
  readonly ends: unknown[] = []

  constructor(takesValue: boolean, makeHooks: (given: OpenRequest) => AnyFunction[]) {
    super()
    const store: StoreValue = (_request, reply, value) => {
      reply[kState].payload = value
    }
    const hooks = makeHooks(this).map((fn) => adaptRequestHook(fn, takesValue ? 3 : 2, null, () => 'hook'))
    this.reply[kState].payload = 'given'
    runStages(
      [
        (_plan, _request, reply) =>
          takesValue ? callHooks(hooks, reply, store, 'given') : callHooks(hooks, reply),
        (_plan, _request, reply) => void this.ends.push(reply[kState].payload),
      ],
      this.reply,
    )
  }
}

const callBack = (...args: unknown[]): AnyFunction => {
  const done = args.at(-1)
  if (typeof done !== 'function') throw new Error('the hook got no done')
  return (...given) => void done(...given)
}

/** What hooks hand on: at once, by a promise, by another thing with a `then`, and by `done`, at once or later. */
const ways: [string, (value: unknown) => AnyFunction][] = [
  ['returns', (value) => () => value],
  ['promises', (value) => async () => soon().then(() => value)],
  [
    'returns a then',
    (value) => () => ({ then: (fulfilled: AnyFunction) => void setImmediate(fulfilled, value) }),
  ],
  ['calls back', (value) => (_request, _reply, _payload, done) => callBack(done)(null, value)],
  [
    'calls back later',
    (value) => (_request, _reply, _payload, done) => void setImmediate(callBack(done), null, value),
  ],
]
const pairs = ways.flatMap(([first, makeFirst]) =>
  ways.map(([second, makeSecond]) => ({ first, second, makeFirst, makeSecond })),
)

describe('hooks that take a value', () => {
  it.each(pairs)('hand it on: one $first, the next $second', async ({ makeFirst, makeSecond }) => {
    const seen: unknown[] = []
    const note: AnyFunction = (_request, _reply, value) => void seen.push(value)
    const given = new Hooked(true, () => [note, makeFirst('first'), note, makeSecond('second'), note])
    await allOver()
    expect(seen).toEqual(['given', 'first', 'second'])
    expect(given.ends).toEqual(['second'])
    expect([given.failures, given.lines]).toEqual([[], []])
  })

  it.each(ways)('keep it where one hands on nothing: %s', async (_way, make) => {
    const given = new Hooked(true, () => [make('first'), make(undefined)])
    await allOver()
    expect(given.ends).toEqual(['first'])
  })

  it('may hand on null', async () => {
    for (const [, make] of ways) {
      const given = new Hooked(true, () => [make(null)])
      await allOver()
      expect(given.ends).toEqual([null])
    }
  })
})

describe('hooks without a value', () => {
  it('get the request and the reply alone', () => {
    const seen: unknown[][] = []
    const given = new Hooked(false, () => [(request, reply) => void seen.push([request, reply])])
    expect(seen).toEqual([[given.request, given.reply]])
    expect(given.ends).toEqual(['given'])
  })

  it('run before the next stage at once where none must be waited for', () => {
    const given = new Hooked(false, () => [() => undefined, () => 'ignored'])
    expect(given.ends).toEqual(['given'])
  })
})

describe('hooks that send a response', () => {
  type Make = (given: OpenRequest) => AnyFunction
  const sends: [string, Make][] = [
    ['sends', () => (_request, reply) => send(reply)],
    ['sends and promises', () => async (_request, reply) => send(reply)],
    ['sends later and promises', () => async (_request, reply) => soon().then(() => send(reply))],
    [
      'sends and calls back',
      () => (_request, reply, done) => {
        send(reply)
        callBack(done)()
      },
    ],
  ]
  function send(reply: unknown): void {
    Object(reply).send('early')
  }

  it.each(sends)('end the path: one that %s', async (_way, make) => {
    const seen: string[] = []
    const given = new Hooked(false, (open) => [make(open), () => void seen.push('next')])
    await allOver()
    expect([given.sent, given.ends, seen]).toEqual([['early'], [], []])
    expect([given.failures, given.lines]).toEqual([[], []])
  })

  it.each(sends)('end the path behind a hook that was waited for: one that %s', async (_way, make) => {
    const given = new Hooked(false, (open) => [async () => soon(), make(open)])
    await allOver()
    expect([given.sent, given.ends, given.failures, given.lines]).toEqual([['early'], [], [], []])
  })

  it.each<[string, AnyFunction]>([
    ['returns the reply', (_request, reply) => reply],
    ['calls back with the reply', (_request, reply, done) => callBack(done)(null, reply)],
  ])('may do so later: one that %s', async (_way, hook) => {
    const seen: string[] = []
    const given = new Hooked(false, () => [hook, () => void seen.push('next')])
    await allOver()
    expect([given.sent, given.ends, given.failures, seen]).toEqual([[], [], [], []])
    given.reply.send('later')
    expect(given.sent).toEqual(['later'])
  })

  it.each<[string, Make]>([
    [
      'returns',
      ({ exchange }) =>
        () =>
          void (exchange.turn = SENT),
    ],
    [
      'promises',
      ({ exchange }) =>
        async () =>
          soon().then(() => void (exchange.turn = SENT)),
    ],
  ])('on the raw response end the path too: one that %s', async (_way, make) => {
    const seen: string[] = []
    const given = new Hooked(false, (open) => [make(open), () => void seen.push('next')])
    await allOver()
    expect([given.ends, seen, given.failures]).toEqual([[], [], []])
  })

  it('on the raw response do not let an older hook fail the request', async () => {
    const { reply, exchange, failures, lines } = new OpenRequest()
    const adapt = (fn: AnyFunction): RequestHook => adaptRequestHook(fn, 2, null, () => 'hook')
    const older = adapt(async () =>
      soon().then(() => {
        throw ERROR
      }),
    )
    callHooks([older], reply)?.start([], 1)
    send(reply)
    callHooks([adapt(() => void (exchange.turn = SENT))], reply)
    await allOver()
    expect([failures, lines]).toEqual([[], [LATE]])
  })
})

describe('hooks that fail', () => {
  const failing: [string, AnyFunction][] = [
    ['throws', (_request, _reply) => raise()],
    ['rejects', async () => soon().then(raise)],
    ['calls back', (_request, _reply, done) => callBack(done)(ERROR)],
    ['calls back later', (_request, _reply, done) => void setImmediate(callBack(done), ERROR)],
  ]
  function raise(): never {
    throw ERROR
  }
  const before: [string, AnyFunction][] = [
    ['returns', () => undefined],
    ['promises', async () => soon()],
  ]
  const rows = failing.flatMap(([how, hook]) => before.map(([first, other]) => ({ how, hook, first, other })))

  it.each(rows)('fail the request: one $first, the next $how', async ({ hook, other }) => {
    const seen: string[] = []
    const given = new Hooked(false, () => [other, hook, () => void seen.push('next')])
    await allOver()
    expect([given.failures, given.lines, given.ends, seen]).toEqual([[ERROR], [], [], []])
  })

  it.each(failing)('are logged where the reply was sent: one that %s', async (_how, hook) => {
    const given = new Hooked(false, ({ reply }) => [
      async () => soon(),
      Object.defineProperty(
        (...args: unknown[]) => {
          reply.send('early')
          return hook(...args)
        },
        'length',
        { value: hook.length },
      ),
    ])
    await allOver()
    expect([given.failures, given.lines, given.ends]).toEqual([[], [LATE], []])
  })

  it('give their error to what was set to take it', async () => {
    const { reply, failures } = new OpenRequest()
    const hook = adaptRequestHook(
      async () => raise(),
      2,
      null,
      () => 'hook',
    )
    const taken: unknown[] = []
    const run = callHooks([hook], reply)
    expect(run).toBeInstanceOf(HookRun)
    run?.takeErrors((error) => void taken.push(error)).start([], 1)
    await soon()
    expect([taken, failures]).toEqual([[ERROR], []])
  })
})
