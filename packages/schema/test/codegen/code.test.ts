import { describe, expect, it } from 'vitest'
import { code, join, jsonLiteral, literalKey, name, property, quote, regexp } from '../../src/codegen/code.ts'
import { compile } from '../../src/codegen/compile.ts'
import { CodeWriter } from '../../src/codegen/writer.ts'

const HOSTILE = [
  '"',
  "'",
  '`',
  '\\',
  '${x}',
  '\u2028',
  '\n',
  '*/',
  '__proto__',
  '");process.exit(1);("',
  '\u0000',
  '\ud800',
  '\\"\\\\"\'',
  '\'"\\',
]

describe('the code tag', () => {
  it('quotes every string, so that user text is never code', () => {
    for (const text of HOSTILE) {
      const writer = new CodeWriter().line(code`return ${text}`)
      expect(compile<string>(writer.toUnit()).value).toBe(text)
    }
  })

  it('writes numbers, bigints and constants as literals', () => {
    expect(code`${-0} ${1.5} ${2n} ${true} ${null} ${undefined} ${Number.NaN}`.toString()).toBe(
      '-0 1.5 2n true null undefined NaN',
    )
  })

  it('refuses a name that is not an identifier', () => {
    expect(() => name('a b')).toThrow('"a b" is not an identifier')
  })

  it('reads hostile properties with a quoted key', () => {
    for (const text of HOSTILE) {
      const writer = new CodeWriter()
      const value = writer.bind({ kind: 'literal', value: Object.fromEntries([[text, 1]]) }, 'value')
      expect(compile<number>(writer.line(code`return ${property(value, text)}`).toUnit()).value).toBe(1)
    }
  })

  it('writes object literals whose keys are own properties', () => {
    const value = Object.fromEntries(HOSTILE.map((text) => [text, [text, { [text]: null }]]))
    const writer = new CodeWriter().line(code`return ${jsonLiteral(value)}`)
    expect(compile<unknown>(writer.toUnit()).value).toEqual(value)
    expect(literalKey('__proto__').toString()).toBe('["__proto__"]')
  })

  it('quotes text that holds quotation marks with the other kind', () => {
    expect(quote('it is')).toBe('"it is"')
    expect(quote('"it\'s" \\"')).toBe('\'"it\\\'s" \\\\"\'')
    expect(regexp('a/b', 'u').toString()).toBe('new RegExp("a/b", "u")')
  })
})

describe('the writer', () => {
  it('hands out unique names and binds one value once', () => {
    const writer = new CodeWriter()
    const list = { kind: 'literal', value: [4] } as const
    expect(String(writer.unique('x'))).toBe('x0')
    expect(String(writer.nested().unique('x'))).toBe('x1')
    expect(writer.bind(list, 'list')).toBe(writer.nested().bind(list, 'list'))
    expect(writer.use('isArray')).toBe(writer.nested().use('isArray'))
    writer.block(code`if (${writer.use('isArray')}(${writer.bind(list, 'list')}))`, () =>
      writer.line(code`return ${writer.bind(list, 'list')}[0]`),
    )
    expect(compile<number>(writer.toUnit()).value).toBe(4)
  })

  it('joins pieces', () => {
    expect(join([code`a`, code`b`], code` && `).toString()).toBe('a && b')
  })
})
