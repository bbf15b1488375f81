import { afterEach, describe, expect, it, vi } from 'vitest'

import type { ResponseHeaders } from '../../../src/exchange/exchange.ts'
import { fieldsOf, setReplyHeader, setType } from '../../../src/request/members/fields.ts'
import { kReplyHeaders } from '../../../src/symbols.ts'
import { OpenRequest } from '../open-reply.ts'

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

describe('a header that is no pair of a name and a value', () => {
  it.each([
    ['a number as name', () => Reflect.apply(setReplyHeader, null, [{}, 7, 'x']), 'number'],
    ['an object as name', () => Reflect.apply(setReplyHeader, null, [{}, { 'x-own': 'a' }]), 'object'],
    ['a text for an object', () => Reflect.apply(fieldsOf, null, ['x-own']), 'x-own'],
  ])('is an error that names it: %s', (_name, set, name) => {
    expect(set).toThrow(expect.objectContaining({ code: 'CLO_ERR_REP_INVALID_HEADER' }))
    expect(set).toThrow(name)
  })
})

describe('the type of a response', () => {
  afterEach(() => void vi.restoreAllMocks())

  it.each([
    ['json', 1],
    ['text/csv', 0],
    ['', 0],
    [7, 0],
    [['json'], 0],
    [undefined, 0],
  ])('is set to what is given: %j has %i warnings', (type, count) => {
    const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const { reply } = new OpenRequest({ app: { contradictions: new Set() } })
    Reflect.apply(setType, null, [reply, type])
    expect([reply[kReplyHeaders]['content-type'], emit.mock.calls.length]).toEqual([type, count])
  })
})
