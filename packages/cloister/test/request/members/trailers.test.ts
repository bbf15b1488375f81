import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { checkTrailer, trailersOf } from '../../../src/request/members/fields.ts'
import { OpenRequest } from '../open-reply.ts'

const make = (): undefined => undefined

describe('the name of a trailer', () => {
  it('is given back in lower case', () => {
    expect(checkTrailer('X-Sum', make)).toBe('x-sum')
  })

  it.each([
    'Authorization',
    'Cache-Control',
    'Content-Encoding',
    'Content-Length',
    'Content-Range',
    'Content-Type',
    'Host',
    'Max-Forwards',
    'Set-Cookie',
    'TE',
    'Trailer',
    'Transfer-Encoding',
  ])('cannot be %s, which is read before the content', (name) => {
    expect(() => checkTrailer(name, make)).toThrow(`invalid header name: ${name.toLowerCase()}`)
  })

  it.each(['', 'x sum', 'x:sum', 'x\nsum', 'xé'])('must be a token: %j', (name) => {
    expect(() => checkTrailer(name, make)).toThrow(`invalid header name: ${name}`)
  })
})

describe('the function of a trailer', () => {
  it.each([
    ['text', 'string'],
    [undefined, 'undefined'],
    [{}, 'object'],
  ])('cannot be %j', (fn, type) => {
    expect(() => checkTrailer('x-sum', fn)).toThrow(
      `reply.trailer('x-sum', fn) with an invalid type: ${type}`,
    )
  })
})

describe('the value of a trailer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A reply whose log has texts of warnings, with what was thrown. */
  function openReply(handlerTimeout: number, writeTimeout: number) {
    const { reply } = new OpenRequest({ app: { options: { writeTimeout } }, handlerTimeout })
    const warnings: unknown[] = []
    const warn = (...line: unknown[]): void => void warnings.push(...line)
    Object.assign(reply.log, { warn })
    return { reply, warnings }
  }

  it.each([
    [60, 0, 60, 'handlerTimeout'],
    [0, 60, 60, 'writeTimeout'],
    [60, 90, 60, 'handlerTimeout'],
    [90, 60, 60, 'writeTimeout'],
    [60, 60, 60, 'writeTimeout'],
  ])(
    'is awaited until the first deadline: handlerTimeout %i, writeTimeout %i',
    async (handlerTimeout, writeTimeout, ms, by) => {
      const { reply, warnings } = openReply(handlerTimeout, writeTimeout)
      const trailers = trailersOf(reply, new Map([['x-late', () => new Promise(() => {})]]))
      await vi.advanceTimersByTimeAsync(ms - 1)
      expect(warnings).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(await trailers).toEqual({})
      expect(warnings).toEqual([expect.stringContaining(`within ${ms} ms (${by})`)])
    },
  )

  it.each([
    ['rejects with', () => Promise.reject(undefined)],
    [
      'throws',
      () => {
        throw undefined
      },
    ],
  ])('is left out with a warning where its function %s undefined', async (_name, fn) => {
    const { reply, warnings } = openReply(0, 0)
    expect(await trailersOf(reply, new Map([['x-failed', fn]]))).toEqual({})
    expect(warnings).toEqual([{ err: expect.any(Error) }, "the trailer 'x-failed' failed and is left out"])
  })

  it('is left out alone where it cannot be read', async () => {
    const fail = (): never => {
      throw new Error('bad')
    }
    const list = Object.defineProperty(['a'], 0, { get: fail })
    const { reply, warnings } = openReply(0, 0)
    const trailers = new Map<string, () => unknown>([
      ['x-list', () => list],
      ['x-sum', () => '1'],
    ])
    expect(await trailersOf(reply, trailers)).toEqual({ 'x-sum': '1' })
    expect(warnings).toEqual([
      { err: expect.objectContaining({ message: 'bad' }) },
      "the trailer 'x-list' failed and is left out",
    ])
  })
})
