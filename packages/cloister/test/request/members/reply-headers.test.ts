import { describe, expect, it } from 'vitest'

import type { ResponseHeaders } from '../../../src/exchange/exchange.ts'
import { setReplyHeader } from '../../../src/request/members/fields.ts'

/** The headers after these were set in turn. */
function headersAfter(...fields: readonly (readonly [name: string, value: unknown])[]): ResponseHeaders {
  const headers: ResponseHeaders = {}
  for (const [name, value] of fields) setReplyHeader(headers, name, value)
  return headers
}

describe('a header of a response', () => {
  it.each([
    ['text', 'text'],
    ['', ''],
    [7, 7],
    [0, 0],
    [true, 'true'],
    [null, 'null'],
    [undefined, ''],
    [new URL('http://a.example/'), 'http://a.example/'],
    [
      ['a', 1],
      ['a', '1'],
    ],
  ])('of %j is kept as %j', (value, kept) => {
    expect(headersAfter(['X-Own', value])).toEqual({ 'x-own': kept })
  })

  it('is replaced by the last value, whatever its letter case', () => {
    expect(headersAfter(['x-own', 'a'], ['X-OWN', 'b'])).toEqual({ 'x-own': 'b' })
    expect(headersAfter(['x-own', 'a'], ['X-Own', ['b', 'c']])).toEqual({ 'x-own': ['b', 'c'] })
    expect(headersAfter(['x-own', 'a'], ['X-Own', 7])).toEqual({ 'x-own': 7 })
  })
})

describe('set-cookie', () => {
  it('is kept as it is where it is the only one', () => {
    expect(headersAfter(['Set-Cookie', 'a=1'])).toEqual({ 'set-cookie': 'a=1' })
    expect(headersAfter(['Set-Cookie', ['a=1', 'b=2']])).toEqual({ 'set-cookie': ['a=1', 'b=2'] })
  })

  it('is added to those that were set before', () => {
    expect(headersAfter(['set-cookie', 'a=1'], ['Set-Cookie', 'b=2'], ['set-cookie', ['c=3', 4]])).toEqual({
      'set-cookie': ['a=1', 'b=2', 'c=3', '4'],
    })
    expect(headersAfter(['set-cookie', 'a=1'], ['set-cookie', undefined])).toEqual({
      'set-cookie': ['a=1', ''],
    })
  })
})
