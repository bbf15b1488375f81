// The scan that finds what needs a closer look, and the position that the closer look finds.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkJson } from '../../../src/body/exact/exact-json.ts'
import { contentsOf } from '../../../src/body/exact/contents.ts'
import { hasSmallNumber } from '../../../src/body/exact/small-number.ts'
import { readEscapes } from '../../../src/body/exact/escapes.ts'
import type { Digits } from '../../../src/body/exact/long-number.ts'
import { scanBytes, TextScanner, type Scan } from '../../../src/body/exact/scan-bytes.ts'

const ALL = { text: true, names: true, numbers: true }

/** Keeps the bytes of each text until the next one. */
const scanner = new TextScanner()

/** Bodies come as bytes, and short ones as text. */
function problemOf(text: string, rules = ALL, value: unknown = JSON.parse(text)): string {
  const problems = [Buffer.from(text), null].map((bytes) => {
    try {
      checkJson({ bytes, text, value, literals: null, scanner }, rules)
      return ''
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  })
  expect(problems[1]).toBe(problems[0])
  return String(problems[0])
}

function scan(bytes: Buffer, digits: Digits): Scan {
  const result = scanBytes(bytes, digits)
  expect(scanner.scan(bytes.toString(), digits)).toEqual(result)
  return result
}

const countQuotes = (bytes: Buffer): number => scan(bytes, 'none').quotes

const hasLongNumber = (bytes: Buffer, any: boolean): boolean =>
  scan(bytes, any ? 'all' : 'integers').hasLongNumber

/** The number of texts that JSON has. */
const textsOf = (text: string): number => (countQuotes(Buffer.from(text)) - readEscapes(text).quotes) / 2

const textsRead = (text: string): number => contentsOf(JSON.parse(text)).texts

describe('the scan of JSON', () => {
  const json = fc
    .tuple(fc.json({ maxDepth: 5, stringUnit: 'binary' }), fc.constantFrom(undefined, 1, '\t'))
    .map(([text, indent]) => JSON.stringify(JSON.parse(text), null, indent))

  it('counts as many texts as the value has, and more if a name is given twice', () => {
    fc.assert(
      fc.property(json, json, fc.string(), (text, other, name) => {
        expect(textsOf(text)).toBe(textsRead(text))
        const written = JSON.stringify(name)
        const twice = `[{${written}:${text},"x":[],${written} : ${other}}]`
        expect(textsOf(twice)).toBeGreaterThan(textsRead(twice))
      }),
    )
    for (const text of ['{"a":1,"a" :1}', '[{"a":{"b":1,"b":2}}]', String.raw`{"\u0061":1,"a":2}`])
      expect(textsOf(text)).toBeGreaterThan(textsRead(text))
  })

  it('counts no quote within a text', () => {
    expect(textsOf(String.raw`["\"","\\","\\\"","\\\\",":\"\n\u0022"]`)).toBe(5)
  })

  it('finds quotes at any place of a word, also behind thousands', () => {
    for (const blanks of [0, 1, 2, 3, 4, 5, 11, 15, 16, 500, 511, 512, 513, 5000]) {
      const text = `${' '.repeat(blanks)}{"a":1,"bc":"é","def":3,"ghij":"\u00a2"}`
      expect(countQuotes(Buffer.from(text))).toBe(12)
      expect(countQuotes(Buffer.from(`"${text}`).subarray(1))).toBe(12)
    }
    expect(countQuotes(Buffer.alloc(100_001, '"'))).toBe(100_001)
  })

  it('counts names of any kind', () => {
    expect(textsRead('{"__proto__":{"hasOwnProperty":1},"constructor":2,"7":""}')).toBe(5)
  })

  it('trusts no count where objects inherit names', () => {
    Object.assign(Object.prototype, { inherited: 1 })
    try {
      expect(problemOf('{"a":1,"a":1}')).toContain('body/a is given twice')
      expect(problemOf('{"a":1}')).toBe('')
    } finally {
      Reflect.deleteProperty(Object.prototype, 'inherited')
    }
  })

  it('finds surrogates in escapes, and nothing else', () => {
    const found = (text: string): boolean => readEscapes(text).haveSurrogates
    for (const text of ['\\ud800', '\\n\\uDFFF', '\\\\\\uDc00'])
      expect([text, found(`"${text}"`)]).toEqual([text, true])
    for (const text of ['\\\\ud800', '\\ue800', '\\ud7ff', '\\n'])
      expect([text, found(`"${text}"`)]).toEqual([text, false])
  })

  it('finds 16 digits in a row, wherever they begin', () => {
    for (let before = 0; before < 40; before++) {
      for (const digits of ['1234567890123456', '1234567.890123456'])
        expect(hasLongNumber(Buffer.from(`[${' '.repeat(before)}${digits}]`), true)).toBe(true)
      expect(
        hasLongNumber(Buffer.from(`[${' '.repeat(before)}123456789012345,12345678901234,1]`), false),
      ).toBe(false)
    }
  })

  it('passes over doubles and texts with many digits, and finds each number that is read as an integer', () => {
    const long = (text: string, any = false): boolean => hasLongNumber(Buffer.from(text), any)
    expect(long('[0.14285714285714285,"1234567890123456789","x",-1.2345678901234567e-5]')).toBe(false)
    expect(long('[0.14285714285714285]', true)).toBe(true)
    // A text within which a number may begin is read token by token.
    expect(long('["x 1234567890123456789"]')).toBe(true)
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => JSON.stringify(one)),
      fc.bigInt().map(String),
      fc
        .tuple(fc.stringMatching(/^\d{1,25}$/), fc.stringMatching(/^\d{1,25}$/))
        .map(([whole, part]) => `1${whole}.${part}`),
      fc
        .tuple(fc.stringMatching(/^\d{16,25}$/), fc.integer({ min: -400, max: 400 }))
        .map(([part, e]) => `0.${part}e${e}`),
    )
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            number,
            fc.string().map((one) => JSON.stringify(one)),
          ),
        ),
        (tokens) => {
          const isInexact = tokens.some((token) => {
            const value = token.startsWith('"') ? 0.5 : Number(token)
            const hasRow = /[\d.]{16}/.test(token)
            return hasRow && (Number.isInteger(value) || !Number.isFinite(value))
          })
          // More may be found, within texts; never less.
          if (isInexact) expect(long(`[${tokens.join()}]`)).toBe(true)
          else if (!/"[^,]*\d{16}/.test(tokens.join())) expect(long(`[${tokens.join()}]`)).toBe(false)
        },
      ),
    )
  })

  it('reads no digits that an earlier text has left behind', () => {
    scanner.scan('["123456789012345678901234567890"]', 'integers')
    expect(hasLongNumber(Buffer.from(`${' '.repeat(8)}12345678`), false)).toBe(false)
  })

  it('looks at no byte of a long text twice', () => {
    for (const part of ['1234567890123456-', '1234567890123456']) {
      const text = JSON.stringify(part.repeat(60_000))
      expect(hasLongNumber(Buffer.from(text), false)).toBe(false)
    }
  })
})

describe('the search for small numbers', () => {
  it('finds each number that is too small for a double', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,3}$/)
    const small = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', '.0', '.5'), fc.constantFrom('e', 'E'))
      .map(([sign, whole, fraction, letter]) => `${sign}${whole}${fraction}${letter}-400`)
    const other = fc.oneof(
      fc.constantFrom('0', '-0', '"e-"', '"-e-400"', '"0e-400"', '1e-4', '[-1,-2]', '{"-":-1e-12}'),
      fc.uuid().map((one) => JSON.stringify(one)),
      fc.string({ unit: fc.constantFrom('-', 'e', '4', '0', '.') }).map((one) => JSON.stringify(one)),
    )
    fc.assert(
      fc.property(fc.array(other), small, fc.array(other), (before, one, after) => {
        const text = `[${[...before, one, ...after].join()}]`
        expect([text, hasSmallNumber(text)]).toEqual([text, true])
        const wide = `{"a":[${before.join(' , ')}],\n"b": ${one} }`
        expect([wide, hasSmallNumber(wide)]).toEqual([wide, true])
      }),
    )
    expect(['1e-400', '-1e-400', '0.1E-999'].map(hasSmallNumber)).toEqual([true, true, true])
  })

  it('passes over other numbers and texts', () => {
    const texts = [
      '[0,1e-30]',
      '["0000001e-1234-4000-8000-00000000000e"]',
      '"e-400"',
      '["a1e-400"]',
      '[0,-0]',
    ]
    for (const text of texts) expect([text, hasSmallNumber(text)]).toEqual([text, false])
  })
})

describe('the position of a problem', () => {
  it.each([
    ['{"a":{"b":[0,{"c":1,"c":2}]}}', 'body/a/b/1/c is given twice'],
    ['[{},{"x":1},{"~/":1,"~/":2}]', 'body/2/~0~1 is given twice'],
    ['[[1,2],[3,1e999]]', 'body/1/1 is not exactly'],
    ['1e999', 'body is not exactly'],
    [String.raw`"\udfff"`, 'body contains a lone surrogate'],
    [String.raw`{"a":"x","b":["\ud83d\ude00","\ude00\ud83d"]}`, 'body/b/1 contains a lone surrogate'],
    ['{"a":[{"b":",]}"}],"c":{"d":1,"d":2}}', 'body/c/d is given twice'],
    ['{"a":[1,2E-400]}', 'body/a/1 is not exactly'],
    ['1e-400', 'body is not exactly'],
    ['[-0.5e-400]', 'body/0 is not exactly'],
    ['{"a": 0.1e-400, "b":"a1e-400"}', 'body/a is not exactly'],
    ['{"a":0.99999999999999999999}', 'body/a is not exactly'],
    [`${'{"a":['.repeat(9000)}{"b":1,"b":1}${']}'.repeat(9000)}`, 'is given twice'],
  ])('%s', (text, problem) => {
    expect(problemOf(text)).toContain(problem)
  })

  it.each([
    '{"a" : 1, "b": [": ", "\\": "]}',
    '{"a":": x"}',
    '{"a":0,"b":"0000001e-1234-4000-8000-00000000000e"}',
    `${'[{"a":'.repeat(9000)}1${'}]'.repeat(9000)}`,
  ])('is none where a doubt is unfounded: %.40s', (text) => {
    expect(problemOf(text)).toBe('')
  })

  it('is cut where a client has sent a long name', () => {
    const name = 'n'.repeat(5000)
    expect(problemOf(`{"${name}":1,"${name}":1}`).length).toBeLessThan(400)
  })

  it.each(['a', String.raw`\"`, String.raw`\\`])('is found behind millions of characters: %s', (part) => {
    expect(problemOf(`{"a":"${part.repeat(12_000_000 / part.length)}","b":1e999}`)).toContain(
      'body/b is not exactly',
    )
  })

  it('is found where members were removed from the value', () => {
    expect(problemOf('{"__proto__":1,"a":1}', ALL, { a: 1 })).toBe('')
    expect(problemOf('{"__proto__":"x","a":1,"a":1}', ALL, { a: 1 })).toContain('body/a')
  })

  it('is not looked for without its rule', () => {
    expect(problemOf('{"a":1,"a":1}', { ...ALL, names: false })).toBe('')
    expect(problemOf('1e999', { ...ALL, numbers: false })).toBe('')
    expect(problemOf(String.raw`"\ud800"`, { ...ALL, text: false })).toBe('')
  })
})
