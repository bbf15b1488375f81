import { SENT, WAITING } from '@cloister/wire/message/internal'
import { tracingChannel } from 'node:diagnostics_channel'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AnyFunction } from '../../../src/guards.ts'
import { HIJACKED, SENDING, SENT as REPLY_SENT, type ReplyState } from '../../../src/request/state.ts'
import { callHandler, settleResult } from '../../../src/request/stages/call-handler.ts'
import { kState } from '../../../src/symbols.ts'
import { OpenRequest } from '../open-reply.ts'

const ERROR = new Error('failed')

/** What settles when a test wants it to. */
function later(): {
  promise: Promise<unknown>
  give: (value: unknown) => void
  fail: (error: unknown) => void
} {
  let give: (value: unknown) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const promise = new Promise<unknown>((resolve, reject) => {
    give = resolve
    fail = reject
  })
  return { promise, give, fail }
}

const settle = (result: unknown, reply: ReplyState): unknown =>
  settleResult(result, reply, reply[kState].epoch)

describe('what a handler returns', () => {
  it('is sent', () => {
    const sent = [null, 0, '', false, 'text', { a: 1 }].map((value) => {
      const given = new OpenRequest({ handler: () => value })
      expect(callHandler(given.plan, given.request, given.reply)).toBe(undefined)
      return given.sent
    })
    expect(sent).toEqual([[null], [0], [''], [false], ['text'], [{ a: 1 }]])
  })

  it('is nothing where the handler sends later', () => {
    for (const result of [() => undefined, (_request: unknown, reply: unknown) => reply]) {
      const given = new OpenRequest({ handler: result })
      expect(callHandler(given.plan, given.request, given.reply)).toBe(undefined)
      expect(given.sent).toEqual([])
    }
  })

  it('is awaited where it has a then, and sent', async () => {
    for (const value of ['text', null, 0]) {
      const own = new OpenRequest()
      await settle(Promise.resolve(value), own.reply)
      const others = new OpenRequest()
      const then = (fulfilled: (value: unknown) => unknown): unknown => Promise.resolve(value).then(fulfilled)
      await settle({ then }, others.reply)
      expect([own.sent, others.sent]).toEqual([[value], [value]])
    }
  })
})

describe('a promise of nothing, or of the reply', () => {
  const results: [string, (given: OpenRequest) => unknown][] = [
    ['nothing', () => undefined],
    ['the reply', ({ reply }) => reply],
  ]

  it.each(results)('sends an empty payload: %s', async (_what, result) => {
    const given = new OpenRequest()
    // A promise that resolves to the reply itself would await it.
    const then = (fulfilled: (value: unknown) => unknown): unknown => fulfilled(result(given))
    await settle({ then }, given.reply)
    expect(given.sent).toEqual([undefined])
  })

  const without: [string, (given: OpenRequest) => unknown][] = [
    ['headers were sent', ({ exchange }) => (exchange.turn = WAITING.next.begun)],
    ['the response is complete', ({ exchange }) => (exchange.turn = SENT)],
    ['the reply was awaited', ({ reply }) => (reply[kState].awaited = true)],
    ['the reply was sent', ({ reply }) => reply.send('before')],
    ['the reply was hijacked', (given) => given.enter(HIJACKED)],
  ]

  it.each(without)('sends none where %s meanwhile', async (_when, happen) => {
    const given = new OpenRequest()
    const { promise, give } = later()
    const settled = settle(promise, given.reply)
    happen(given)
    give(undefined)
    await settled
    expect(given.sent.filter((payload) => payload === undefined)).toEqual([])
  })

  it('sends none where the reply was sent before the handler returned', async () => {
    const given = new OpenRequest().enter(SENDING)
    await settle(Promise.resolve(undefined), given.reply)
    expect(given.sent).toEqual([])
  })
})

describe('a promise of a handler that has hijacked its reply', () => {
  it('may have any value', async () => {
    const given = new OpenRequest()
    const { promise, give } = later()
    const settled = settle(promise, given.reply)
    given.enter(HIJACKED)
    give('text')
    await settled
    expect(given.sent).toEqual([])
  })
})

describe('a promise of a handler that has sent before', () => {
  it('goes to the reply with its value, which knows what to say of it', async () => {
    const given = new OpenRequest()
    const { promise, give } = later()
    const settled = settle(promise, given.reply)
    given.enter(SENDING)
    give('late')
    await settled
    expect([given.sent, given.lines]).toEqual([['late'], []])
  })
})

describe('a promise of a handler that rejects', () => {
  const LATE = { level: 'error', err: ERROR, message: 'the handler failed after the response was sent' }

  it('fails the request', async () => {
    const given = new OpenRequest()
    await settle(Promise.reject(ERROR), given.reply)
    expect([given.failures, given.lines]).toEqual([[ERROR], []])
  })

  it('is logged where the reply was sent meanwhile', async () => {
    const given = new OpenRequest()
    const { promise, fail } = later()
    const settled = settle(promise, given.reply)
    given.reply.send('before')
    fail(ERROR)
    await settled
    expect([given.failures, given.lines]).toEqual([[], [LATE]])
  })

  it('is logged where the reply was sent before the handler returned', async () => {
    const given = new OpenRequest().enter(SENDING)
    await settle(Promise.reject(ERROR), given.reply)
    expect([given.failures, given.lines]).toEqual([[], [LATE]])
  })
})

describe('the tracing channel of handlers', () => {
  const routeOptions = (): object => ({ url: '/', method: 'GET' })
  const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const
  const channels = tracingChannel<string, object>('fastify.request.handler')
  const seen: string[] = []
  const notes = events.map((name) => ({ channel: channels[name], note: () => void seen.push(name) }))

  beforeEach(() => {
    seen.length = 0
    for (const { channel, note } of notes) channel.subscribe(note)
  })
  afterEach(() => {
    for (const { channel, note } of notes) channel.unsubscribe(note)
  })

  it.each([
    ['sees a handler', false, ['start', 'end']],
    ['sees no not-found handler', true, []],
  ])('%s', (_what, isNotFound, expected) => {
    const given = new OpenRequest({ handler: () => 'text', isNotFound, routeOptions })
    callHandler(given.plan, given.request, given.reply)
    expect(seen).toEqual(expected)
    expect(given.sent).toEqual(['text'])
  })

  it('sees no error of a handler that returns its reply, which cannot be written', async () => {
    const given = new OpenRequest({ handler: (_request: unknown, reply: unknown) => reply, routeOptions })
    const { finished } = given.exchange
    Object.defineProperty(given.reply, 'then', {
      value: (_fulfilled: unknown, rejected: AnyFunction) => void finished.push(rejected),
    })
    callHandler(given.plan, given.request, given.reply)
    given.enter(REPLY_SENT)
    await new Promise(setImmediate)
    for (const callback of finished) callback(ERROR)
    await new Promise(setImmediate)
    expect(seen).toEqual(['start', 'end', 'asyncStart', 'asyncEnd'])
    expect([given.failures, given.lines]).toEqual([[], []])
  })
})
