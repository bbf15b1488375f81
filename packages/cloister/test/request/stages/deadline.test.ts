import type { Turn } from '@cloister/wire/message'
import { prematureClose, SENT, WAITING } from '@cloister/wire/message/internal'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { requestSignal } from '../../../src/request/watch.ts'
import type { Outcome } from '../../../src/exchange/ends.ts'
import { HIJACKED, OPEN, SENT as REPLY_SENT, type ReplyPhase } from '../../../src/request/state.ts'
import { expireReply, startDeadline } from '../../../src/request/stages/deadline.ts'
import { OpenRequest } from '../open-reply.ts'

const TIMED_OUT = { code: 'CLO_ERR_HANDLER_TIMEOUT', statusCode: 503 }

describe('a deadline that has passed', () => {
  it('aborts the signal of the request, and fails its reply with the same error', () => {
    const { reply, request, failures } = new OpenRequest({ handlerTimeout: 40 })
    expireReply(reply)
    const { signal } = requestSignal(request)
    expect(signal.reason).toMatchObject(TIMED_OUT)
    expect(String(signal.reason)).toMatch(/40 ms.*GET \/|GET \/.*40 ms/)
    expect(failures).toEqual([signal.reason])
  })

  it('does nothing to a response that is complete', () => {
    const { reply, request, exchange, failures } = new OpenRequest({ handlerTimeout: 40 })
    exchange.turn = SENT
    expireReply(reply)
    expect(failures).toEqual([])
    expect(requestSignal(request).signal.aborted).toBe(false)
  })

  it('does not touch a hijacked reply, whose signal is aborted', () => {
    const { reply, request, failures } = new OpenRequest({ handlerTimeout: 40 }).enter(HIJACKED)
    expireReply(reply)
    expect(failures).toEqual([])
    expect(requestSignal(request).signal.aborted).toBe(true)
  })
})

describe('the deadline of a request', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const started: unknown[] = []
  const deadlines = { start: (reply: unknown) => void started.push(reply) }

  it('is one of those that its route has', () => {
    const { plan, request, reply } = new OpenRequest({ handlerTimeout: 40, deadlines })
    expect(startDeadline(plan, request, reply)).toBe(undefined)
    expect(started).toEqual([reply])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    ['on a platform without Node', deadlines, null],
    ['where the route has no others', null, {}],
  ])('is a timer of its own %s', (_where, ofRoute, node) => {
    const { plan, request, reply, exchange, failures } = new OpenRequest({
      handlerTimeout: 40,
      deadlines: ofRoute,
    })
    exchange.node = node
    startDeadline(plan, request, reply)
    vi.advanceTimersByTime(39)
    expect(failures).toEqual([])
    vi.advanceTimersByTime(1)
    expect(failures).toMatchObject([TIMED_OUT])
  })

  it.each<[string, Outcome, Turn, ReplyPhase, number]>([
    ['complete', null, WAITING, OPEN, 0],
    ['handed over', prematureClose(), WAITING, HIJACKED, 0],
    ['begun, and cut', prematureClose(), WAITING.next.begun, OPEN, 0],
    ['discarded, as its client has gone', prematureClose(), WAITING.next.gone, REPLY_SENT, 0],
    ['still to come for a client that has gone', prematureClose(), WAITING.next.gone, OPEN, 1],
    ['still to come', prematureClose(), WAITING, REPLY_SENT, 1],
  ])('needs a timer only until the response is %s', (_how, outcome, turn, phase, timers) => {
    const open = new OpenRequest({ handlerTimeout: 40, deadlines: null }).enter(phase)
    const { plan, request, reply, exchange, failures } = open
    startDeadline(plan, request, reply)
    expect(vi.getTimerCount()).toBe(1)
    exchange.turn = turn
    exchange.upgrade = phase === HIJACKED ? 'websocket' : undefined
    for (const callback of exchange.finished) callback(outcome)
    expect(vi.getTimerCount()).toBe(timers)
    vi.advanceTimersByTime(40)
    expect(failures).toHaveLength(timers)
  })
})
