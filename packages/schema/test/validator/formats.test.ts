import { fullFormats } from 'ajv-formats/dist/formats.js'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../../src/index.ts'
import { Random } from './random.ts'

/** Pieces that values of a format are made of, and some that they are not. */
const PIECES = {
  date: ['2024', '-', '02', '28', '29', '30', '00', '13', '1900', 'x', '-02-29', '2023-04-31'],
  'date-time': [
    '2024-02-29T10:00:00',
    '2023-02-28t23:59:60',
    '2023-02-30 10:00:00',
    '.5',
    'Z',
    'z',
    '+01:00',
  ],
  uri: [
    'http',
    'https',
    '://',
    'a.b',
    'A',
    ':80',
    '/',
    'p-q',
    '?',
    'x=1',
    '#',
    '%20',
    '%',
    ' ',
    '[::1]',
    'é',
    '@',
  ],
} as const

describe.each(['date', 'date-time', 'uri'] as const)('the format %s', (format) => {
  it('has the verdicts of the usual formats', () => {
    const engine = createSchemaEngine()
    const schema = { type: 'string', format }
    const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
    const usual = fullFormats[format]
    const isUsual = typeof usual === 'function' ? usual : Reflect.get(Object(usual), 'validate')
    const random = new Random(Math.floor(Math.random() * 2 ** 31))
    const pieces = PIECES[format]
    let valid = 0
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from(
        { length: 1 + random.below(6) },
        () => pieces[random.below(pieces.length)],
      ).join('')
      const verdict: unknown = Reflect.apply(isUsual, undefined, [text])
      if (verdict === true) valid++
      expect(validate(text), text).toBe(verdict)
    }
    expect(valid).toBeGreaterThan(20)
  })
})
