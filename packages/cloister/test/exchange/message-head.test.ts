import { describe, expect, it } from 'vitest'
import type { ResponseHeaders } from '../../src/exchange/exchange.ts'
import { declareLength, framingOf, headerText } from '../../src/exchange/message-head.ts'

describe('the length of a response', () => {
  const lengthOf = (method: string, headers: ResponseHeaders, content: string | Uint8Array): unknown => {
    declareLength(method, headers, content)
    return headers['content-length']
  }

  it('is that of its content in bytes, whatever the application has declared', () => {
    expect(lengthOf('GET', {}, 'ü€')).toBe('5')
    expect(lengthOf('GET', {}, new Uint8Array(3))).toBe('3')
    expect(lengthOf('POST', { 'content-length': 9 }, '')).toBe('0')
  })

  it('stays as it was declared for HEAD, which sends no content', () => {
    expect(lengthOf('HEAD', { 'content-length': 9 }, 'four')).toBe(9)
    expect(lengthOf('HEAD', {}, 'four')).toBe('4')
  })
})

describe('the head of a request', () => {
  it('says how the body ends: a transfer coding comes before a length', () => {
    expect(framingOf({})).toBe('none')
    expect(framingOf({ 'content-length': '0' })).toBe('length')
    expect(framingOf({ 'content-length': '0', 'transfer-encoding': 'chunked' })).toBe('chunked')
  })

  it('has a list of lines as one text', () => {
    expect(headerText({ 'set-cookie': ['a=1', 'b=2'] }, 'set-cookie')).toBe('a=1, b=2')
    expect(headerText({ accept: '*/*' }, 'accept')).toBe('*/*')
    expect(headerText({}, 'accept')).toBeUndefined()
  })
})
