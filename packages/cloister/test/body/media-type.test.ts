import { describe, expect, it } from 'vitest'
import { NO_MEDIA_TYPE, nameOf, parseMediaType, typeIn } from '../../src/body/media-type.ts'

describe('a media type', () => {
  it.each([
    ['application/json', 'application/json', {}],
    ['Application/JSON', 'application/json', {}],
    [' \ttext/plain\t ', 'text/plain', {}],
    ['text/plain;', 'text/plain', {}],
    ['text/plain ; ; ', 'text/plain', {}],
    ['text/plain;Charset=UTF-8', 'text/plain', { charset: 'UTF-8' }],
    ['text/plain \t;\t charset=utf-8 ; A=b', 'text/plain', { charset: 'utf-8', a: 'b' }],
    ['text/plain; a="b c;d"; e=f', 'text/plain', { a: 'b c;d', e: 'f' }],
    ['text/plain; a="b\\"c\\\\d"', 'text/plain', { a: 'b"c\\d' }],
    ['text/plain; a=""', 'text/plain', { a: '' }],
    ["a!#$%&'*+-.^_`|~9/b", "a!#$%&'*+-.^_`|~9/b", {}],
  ])('of %j', (header, essence, parameters) => {
    const read = parseMediaType(header)
    expect([read.valid, read.essence, Object.fromEntries(read.parameters)]).toEqual([
      true,
      essence,
      parameters,
    ])
    expect(read.text).toBe(header.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
  })

  it.each([
    '',
    '/',
    'a',
    'a/',
    '/b',
    'a/b/c',
    'a b/c',
    'a/b c',
    'a/b, c/d',
    '\u00a0a/b',
    'a/b\u00a0',
    'a/b; c',
    'a/b; c=',
    'a/b; c="d',
    'a/b; c=d"',
    'a/b; =d',
    'a/b; c="d"e',
    'a/b; c=d e=f',
    'a/b; "c"=d',
  ])('is not %j', (header) => {
    expect([header, parseMediaType(header).valid]).toEqual([header, false])
  })

  it('is the text before the first semicolon and no parameters, where it is none', () => {
    expect(parseMediaType(' A b ; c=d')).toEqual({
      essence: 'a b',
      parameters: new Map(),
      text: 'A b ; c=d',
      valid: false,
    })
    expect(parseMediaType('a/b; c=d; e')).toMatchObject({ essence: 'a/b', text: 'a/b; c=d; e', valid: false })
  })

  it('of blanks alone has no essence', () => {
    expect(parseMediaType(' \t ')).toMatchObject({ essence: '', text: '', valid: false })
  })

  it('that is not sent is valid and empty', () => {
    expect(parseMediaType(undefined)).toBe(NO_MEDIA_TYPE)
    expect(NO_MEDIA_TYPE).toMatchObject({ essence: '', text: '', valid: true })
  })
})

describe('the name of a media type in errors', () => {
  const long = (length: number): string => `a/${'b'.repeat(length - 2)}`

  it.each([
    [undefined, 'none'],
    [' ', 'none'],
    ['Text/Plain; secret=1', 'text/plain'],
    ['<script>', 'not a media type'],
    [long(255), long(255)],
    [long(256), 'not a media type'],
  ])('of %j', (header, name) => {
    expect(nameOf(parseMediaType(header))).toBe(name)
  })
})

describe('the type in a header', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['text', undefined],
    ['Text/Plain', 'text/plain'],
    ['text/plain; charset=utf-8', 'text/plain'],
    ['text/plain; charset', 'text/plain'],
  ])('of %j', (header, type) => {
    expect(typeIn(parseMediaType(header))).toBe(type)
  })
})
