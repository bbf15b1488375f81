import type { Turn } from '@cloister/wire/message'
import { WAITING } from '@cloister/wire/message/internal'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Deadlines } from '../../src/request/stages/deadline.ts'
import type { ReplyState } from '../../src/request/state.ts'
import { kExchange } from '../../src/symbols.ts'

const createReply = (state: { turn: Turn }): ReplyState => Object({ [kExchange]: state })

const open = (): { turn: Turn } => ({ turn: WAITING })

describe('deadlines of requests', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([5, 40, 1000, 30_000])('of %i ms are never early, and soon over', (ms) => {
    const expired: ReplyState[] = []
    const deadlines = new Deadlines(ms, (reply) => expired.push(reply))
    const first = createReply(open())
    deadlines.start(first, performance.now())
    const step = Math.min(250, Math.ceil(ms / 32))
    vi.advanceTimersByTime(step / 2)
    const second = createReply(open())
    deadlines.start(second, performance.now())
    vi.advanceTimersByTime(ms - step / 2 - 1)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(2 * step + 1)
    expect(expired).toEqual([first, second])
  })

  it('are met by responses, in any order', () => {
    const expired: ReplyState[] = []
    const deadlines = new Deadlines(100, (reply) => expired.push(reply))
    const replies = Array.from({ length: 5 }, () => createReply(open()))
    for (const reply of replies) deadlines.start(reply, performance.now())
    for (const at of [2, 0, 4, 0]) deadlines.meet(replies[at] ?? createReply(open()))
    vi.advanceTimersByTime(200)
    expect(expired).toEqual([replies[1], replies[3]])
  })

  it('do not hold a response that has begun', () => {
    const expired: ReplyState[] = []
    const deadlines = new Deadlines(30_000, (reply) => expired.push(reply))
    const states = [open(), open()]
    for (const state of states) deadlines.start(createReply(state), performance.now())
    for (const state of states) state.turn = state.turn.next.begun
    vi.advanceTimersByTime(250)
    expect(vi.getTimerCount()).toBe(0)
    expect(expired).toEqual([])
  })

  it('count the time, and not how often they are looked at', () => {
    const expired: ReplyState[] = []
    const deadlines = new Deadlines(80, (reply) => expired.push(reply))
    const reply = createReply(open())
    deadlines.start(reply, performance.now())
    // A process that is busy looks late.
    const { now } = performance
    const late = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 400)
    vi.advanceTimersToNextTimer()
    expect(expired).toEqual([reply])
    late.mockRestore()
  })

  it('need a timer only while requests are open', () => {
    const deadlines = new Deadlines(100, () => undefined)
    const reply = createReply(open())
    deadlines.start(reply, performance.now())
    deadlines.meet(reply)
    vi.advanceTimersByTime(10)
    expect(vi.getTimerCount()).toBe(0)
    for (let count = 0; count < 3; count++) deadlines.start(createReply(open()), performance.now())
    expect(vi.getTimerCount()).toBe(1)
  })
})
