import formats from 'ajv-formats/dist/formats.js'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type ValidateFunction } from '../src/index.ts'
import { findDuplicate } from '../src/runtime/unique.ts'
import { isUrl } from '../src/runtime/url.ts'
import { anyValue, Random } from './validator/random.ts'

function compile(schema: unknown): ValidateFunction {
  const engine = createSchemaEngine()
  return engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
}

describe('uniqueItems', () => {
  it('reports the same pair as Ajv on random lists', () => {
    const random = new Random(Math.floor(Math.random() * 2 ** 31))
    const reference = new Ajv().compile({ type: 'array', uniqueItems: true })
    for (let round = 0; round < 3000; round++) {
      const list = Array.from({ length: random.below(8) }, () => anyValue(random, 2))
      const text = JSON.stringify(list)
      if (text.includes('toString')) continue
      const valid = reference(list)
      const found = findDuplicate(list, Object.is)
      expect(found, text).toEqual(valid ? null : reference.errors?.[0]?.params)
    }
  })

  it('looks at each of many objects once, also when the list is refused', () => {
    const validate = compile({ type: 'array', items: { type: 'object' }, uniqueItems: true })
    let reads = 0
    const item = (n: number): object => ({
      get n() {
        reads++
        return n
      },
    })
    const list = [item(1), ...Array.from({ length: 2000 }, (_, index) => item(index + 10)), item(1)]
    expect(validate(list)).toBe(false)
    expect(reads).toBeLessThan(list.length * 4)
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
