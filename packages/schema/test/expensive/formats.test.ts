import formats from 'ajv-formats/dist/formats.js'
import { describe, expect, it, vi } from 'vitest'
import { KNOWN_FORMATS } from '../../src/document/known-keywords.ts'
import { createSchemaEngine, type SerializeFunction } from '../../src/index.ts'
import { formatTest, isUrl } from '../../src/runtime/formats.ts'
import { growthOf } from '../growth.ts'
import { Random } from '../validator/random.ts'

function compileSerializer(schema: unknown): SerializeFunction {
  const engine = createSchemaEngine()
  return engine.compileSerializer({ schema, store: engine.createStore() })
}

describe('formats in a union of a response', () => {
  it('are tested by the functions that the validator uses', () => {
    const serialize = compileSerializer({
      anyOf: [
        { type: 'string', format: 'url' },
        { type: 'string', pattern: '^http' },
      ],
    })
    const text = (length: number): string => `http://${':'.repeat(length)} `
    expect(serialize(text(10))).toBe(JSON.stringify(text(10)))
    expect(growthOf((length) => serialize(text(length)), 4000, 8)).toBeLessThan(1.5)
  })

  it('of numbers say nothing about strings', () => {
    const serialize = compileSerializer({
      anyOf: [{ type: 'string', format: 'int32', maxLength: 2 }, { type: 'object' }],
    })
    expect(serialize('ab')).toBe('"ab"')
  })
})

describe('the formats of the baseline', () => {
  const names = [...KNOWN_FORMATS].filter((name) => formatTest(name)?.kind === 'string')
  const PIECES = ['a', '1', '.', ':', '-', '/', '%', '@', '{', '0:', 'a.', 'a-', '1.', '::', '~', '#', ' ']

  it.each(names)('%s is tested in linear time', (name) => {
    const test = formatTest(name)?.test
    const run = (text: string): unknown =>
      test instanceof RegExp ? test.test(text) : Reflect.apply(test ?? String, undefined, [text])
    for (const piece of PIECES) {
      for (const start of ['', 'http://', 'a@', '{']) {
        const growth = growthOf((length) => run(`${start}${piece.repeat(length)}!`), 4000, 8)
        expect(growth, `${start}${piece}`).toBeLessThan(1.6)
      }
    }
  })
})

describe.each(['date-time', 'iso-date-time'])('the format %s', (name) => {
  const test = formatTest(name)?.test
  const run = (text: string): unknown =>
    Reflect.apply(test instanceof RegExp ? String : (test ?? String), undefined, [text])

  it.each(['', '2020-01-01', '2020-01-01T', '2020-01-01T10:00:00', '2020-01-01T10:00:00Z'])(
    'cuts no text of many blanks into pieces: %j',
    (start) => {
      const split = vi.spyOn(String.prototype, 'split')
      expect(run(`${start}${' '.repeat(1000)}`)).toBe(false)
      const calls = split.mock.calls.length
      split.mockRestore()
      expect(calls).toBe(0)
    },
  )

  it('has the verdicts of the full test', () => {
    const { validate } = Object(Reflect.get(formats.fullFormats, name))
    const random = new Random(Math.floor(Math.random() * 2 ** 31))
    const parts = [
      ['2020-02-29', '2019-02-29', '1999-12-31', '20-1-1', '2020-13-01'],
      ['T', 't', ' ', '\u00a0', '', 'TT', '\n'],
      ['10:00:00', '23:59:60', '24:00:00', '10:00:00.5', '10:00:00,5', '10:00', '1:00:00'],
      ['Z', 'z', '+01:00', '-0130', '+1', '', ' Z', 'T', 'ſ'],
      ['', '', '', '\n', ' '],
    ]
    for (let round = 0; round < 3000; round++) {
      const text = parts.map((some) => random.pick(some)).join('')
      expect(run(text), JSON.stringify(text)).toBe(validate(text))
    }
  })
})

describe('the url format', () => {
  it('has the verdicts of the usual regular expression', () => {
    const { url } = formats.fullFormats
    if (!(url instanceof RegExp)) throw new Error('the format is no regular expression any more')
    const random = new Random(Math.floor(Math.random() * 2 ** 31))
    const parts = [
      'http://',
      'https://',
      'ftp://',
      'HTTP://',
      'a',
      'b.cc',
      '.',
      'example.com',
      '@',
      '@@',
      ':',
      ':80',
      ':8',
      '/',
      '/x?y#z',
      ' ',
      '-',
      'é',
      '\u2028',
      '127.0.0.1',
      '8.8.8.8',
      '1.2.3.256',
      'ſ',
      'K',
      '_',
      'user:pw@',
      '😀',
      '\u3000',
    ]
    for (let round = 0; round < 30_000; round++) {
      const text =
        (random.chance(0.9) ? random.pick(parts.slice(0, 4)) : '') +
        Array.from({ length: random.below(7) }, () => random.pick(parts.slice(4))).join('')
      expect(isUrl(text), JSON.stringify(text)).toBe(url.test(text))
    }
  })
})
