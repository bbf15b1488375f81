import { describe, expect, it } from 'vitest'
import type { Stage } from '../../src/request/route-plan.ts'
import { runStages } from '../../src/request/run-stages.ts'
import { OpenRequest } from './open-reply.ts'

const ERROR = new Error('failed')
const LATE = { level: 'error', err: ERROR, message: 'the request failed after the response was sent' }
const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Runs rows for a request; `seen` tells which of the marked ones were called. */
function run(...rows: (Stage | string)[]): { given: OpenRequest; seen: string[] } {
  const seen: string[] = []
  const given = new OpenRequest()
  const stages = rows.map((row): Stage => (typeof row === 'string' ? () => void seen.push(row) : row))
  runStages(stages, given.reply)
  return { given, seen }
}

describe('the rows of a path', () => {
  it('run at once, in order, with the plan, the request and the reply', () => {
    const all: unknown[][] = []
    const { given, seen } = run('first', (...args) => void all.push(args), 'last')
    expect(all).toEqual([[given.plan, given.request, given.reply]])
    expect(seen).toEqual(['first', 'last'])
    expect(given.failures).toEqual([])
  })

  it('wait for a promise, and for what has a then', async () => {
    let goOn = (): void => undefined
    const then = (fulfilled: () => void): void => void (goOn = fulfilled)
    const { given, seen } = run(
      'first',
      async () => soon(),
      'second',
      () => ({ then }),
      'last',
    )
    expect(seen).toEqual(['first'])
    await soon()
    await soon()
    expect(seen).toEqual(['first', 'second'])
    goOn()
    expect(seen).toEqual(['first', 'second', 'last'])
    expect(given.failures).toEqual([])
  })

  it('do not wait for other values', () => {
    const values = [null, false, 0, 'text', {}]
    const { given, seen } = run(
      ...values.map(
        (value): Stage =>
          () =>
            value,
      ),
      'last',
    )
    expect(seen).toEqual(['last'])
    expect(given.failures).toEqual([])
  })

  it('start where they are asked to', () => {
    const seen: number[] = []
    const stages = [0, 1, 2].map(
      (index): Stage =>
        () =>
          void seen.push(index),
    )
    runStages(stages, new OpenRequest().reply, 1)
    expect(seen).toEqual([1, 2])
  })

  it('end with an error, thrown or rejected', async () => {
    const thrown = run(() => {
      throw ERROR
    }, 'next')
    const rejected = run(async () => Promise.reject(ERROR), 'next')
    await soon()
    for (const { given, seen } of [thrown, rejected])
      expect([given.failures, given.lines, seen]).toEqual([[ERROR], [], []])
  })
})

describe('the rows of a path whose reply is sent', () => {
  it('end there', () => {
    const { given, seen } = run((_plan, _request, reply) => void reply.send('early'), 'next')
    expect([given.sent, given.failures, given.lines, seen]).toEqual([['early'], [], [], []])
  })

  it('do not go on when what they wait for is there', async () => {
    const { given, seen } = run(async () => soon(), 'next')
    given.reply.send('meanwhile')
    await soon()
    await soon()
    expect([given.sent, given.failures, given.lines, seen]).toEqual([['meanwhile'], [], [], []])
  })

  it('end without a word where the one that has sent it returns a promise', async () => {
    const { given, seen } = run(async (_plan, _request, reply) => void reply.send('early'), 'next')
    await soon()
    expect([given.sent, given.failures, given.lines, seen]).toEqual([['early'], [], [], []])
  })

  const fail: Stage = (_plan, _request, reply) => {
    reply.send('early')
    throw ERROR
  }
  it.each<[string, Stage]>([
    ['throws', fail],
    ['rejects', async (...args) => fail(...args)],
  ])('log the error of one that %s after that', async (_how, stage) => {
    const { given, seen } = run(stage, 'next')
    await soon()
    expect([given.failures, given.lines, seen]).toEqual([[], [LATE], []])
  })

  it('log what a promise rejects with that they wait for', async () => {
    const { given } = run(async () => {
      await soon()
      throw ERROR
    })
    given.reply.send('meanwhile')
    await soon()
    await soon()
    expect([given.failures, given.lines]).toEqual([[], [LATE]])
  })
})
