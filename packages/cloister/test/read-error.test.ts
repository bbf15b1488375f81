import { describe, expect, it } from 'vitest'
import { makeOdd, ODD_VALUES } from '../../../conformance/errors/throws/odd-values.ts'
import { prefixCode } from '../src/error-prefix.ts'
import { createError } from '../src/errors.ts'
import { look, toPlain } from '../src/foreign.ts'
import { hush } from '../src/guards.ts'
import { serializers } from '../src/logging/serializers.ts'
import { messageOf, readError, wrapThrown } from '../src/read-error.ts'

/** An Error that counts how often each of its members is read. */
function counted(members: Readonly<Record<string, unknown>>): {
  error: Error
  reads: Record<string, number>
} {
  const reads: Record<string, number> = {}
  const error = new Error('hidden')
  for (const [name, value] of Object.entries(members)) {
    reads[name] = 0
    Object.defineProperty(error, name, {
      enumerable: true,
      get() {
        reads[name] = (reads[name] ?? 0) + 1
        return value
      },
    })
  }
  return { error, reads }
}

describe('readError', () => {
  it('reads each member once', () => {
    const { error, reads } = counted({ message: 'm', code: 'E', statusCode: 422, headers: { 'x-a': 'b' } })
    expect(readError(error)).toMatchObject({
      message: 'm',
      code: 'E',
      statusCode: 422,
      headers: { 'x-a': 'b' },
    })
    expect(Object.values(reads)).toEqual([1, 1, 1, 1])
  })

  it('returns frozen facts of a bounded size, whatever was thrown', () => {
    for (const name of Object.keys(ODD_VALUES)) {
      const read = readError(makeOdd(name))
      expect([name, Object.isFrozen(read), JSON.stringify(read).length < 80_000]).toEqual([name, true, true])
    }
  })

  it('takes the status of an error only, under both names', () => {
    const statusOf = (members: object): unknown =>
      readError(Object.assign(new Error('odd'), members)).statusCode
    expect(statusOf({ statusCode: 404 })).toBe(404)
    expect(statusOf({ statusCode: 'many', status: 503 })).toBe(503)
    expect(statusOf({ statusCode: '404' })).toBe(404)
    for (const statusCode of [200, 399, 600, 404.5, '4e2', Number.NaN])
      expect(statusOf({ statusCode })).toBeUndefined()
  })

  it('omits headers that have no text', () => {
    const headers = {
      'x-number': 1,
      'x-list': ['a', 2],
      'x-symbol': Symbol('odd'),
      'x-mixed': ['a', Symbol('odd'), {}, null],
      'x-object': { a: 1 },
      'x-null': null,
    }
    expect(readError(Object.assign(new Error('odd'), { headers })).headers).toEqual({
      'x-number': '1',
      'x-list': ['a', '2'],
      'x-mixed': ['a'],
    })
  })

  it('knows its own errors', () => {
    expect(readError(createError('BAD_URL', { path: '/' })).isOwn).toBe(true)
    expect(readError(new Error('odd')).isOwn).toBe(false)
  })
})

describe('what is made of a thrown value', () => {
  it('never throws, for any value', () => {
    for (const name of Object.keys(ODD_VALUES)) {
      expect(typeof messageOf(makeOdd(name)), name).toBe('string')
      expect(wrapThrown(makeOdd(name)), name).toBeDefined()
      prefixCode(hush(makeOdd(name)), { errorCodePrefix: 'SHOP_' })
    }
  })

  it('is plain data of a bounded size in the log', () => {
    const { err } = serializers()
    for (const name of Object.keys(ODD_VALUES)) {
      const text = JSON.stringify({ err: err?.(makeOdd(name)) })
      expect([name, text.length < 1_500_000]).toEqual([name, true])
    }
  })

  it('shows the same as JSON does of values that behave', () => {
    const values = [
      { a: [1, { b: 'c' }], d: null, e: undefined, f: new Date(0) },
      'text',
      7,
      true,
      null,
      [undefined],
    ]
    for (const value of values) {
      expect(JSON.stringify(toPlain(value))).toBe(JSON.stringify(value))
    }
  })
})

describe('look', () => {
  it('returns nothing where a member throws, and for what has no members', () => {
    expect(look({ a: 1 }, 'a')).toBe(1)
    expect(look(makeOdd('a revoked Proxy'), 'a')).toBeUndefined()
    expect(look('text', 'length')).toBeUndefined()
    expect(look(undefined, 'a')).toBeUndefined()
  })
})
