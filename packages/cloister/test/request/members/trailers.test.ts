import { describe, expect, it } from 'vitest'

import { checkTrailer } from '../../../src/request/members/fields.ts'

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
