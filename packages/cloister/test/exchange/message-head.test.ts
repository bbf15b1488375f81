import { describe, expect, it } from 'vitest'
import { byteLengthOf, framingOf, headerText } from '../../src/exchange/message-head.ts'

describe('the length of a content', () => {
  it('is in bytes', () => {
    expect(['ü€', '', new Uint8Array(3)].map(byteLengthOf)).toEqual([5, 0, 3])
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
