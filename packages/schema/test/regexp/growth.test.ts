import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type SchemaEngineOptions } from '../../src/index.ts'
import { analyse } from '../../src/regexp/cost.ts'
import { compileExpression } from '../../src/regexp/compile.ts'
import { linearOf } from '../../src/regexp/linear.ts'
import { growthOf } from '../growth.ts'
import { Random } from '../validator/random.ts'
import { HOSTILE, hostileText } from './hostile.ts'

const MIB = 1_048_576
/** Above this the CPU time of a text grows faster than its length. */
const LINEAR = 1.6

const SETTINGS: readonly (readonly [name: string, options: SchemaEngineOptions])[] = [
  ['closures', { codeGeneration: 'never' }],
  ['code', { codeGeneration: 'always' }],
  ['Ajv', { ajv: { plugins: [(ajv) => ajv] } }],
  ['all errors', { ajv: { customOptions: { allErrors: true } } }],
]

function validatorOf(schema: object, options: SchemaEngineOptions): (value: unknown) => unknown {
  const warnings: string[] = []
  const engine = createSchemaEngine({ ...options, onWarning: ({ message }) => warnings.push(message) })
  const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
  expect(warnings).toEqual([])
  return validate
}

function serializerOf(schema: object, options: SchemaEngineOptions): (value: unknown) => string {
  const engine = createSchemaEngine(options)
  return engine.compileSerializer({ schema, store: engine.createStore() })
}

/** Texts of 256 KiB and of 1 MiB, made before their time is measured. */
const TEXTS = new Map(
  [MIB / 4, MIB].map((size) => [size, HOSTILE.map(([, piece, end]) => hostileText(piece, end, size))]),
)
const textsOf = (size: number): readonly string[] => TEXTS.get(size) ?? []

function expectLinear(run: (size: number) => unknown): void {
  expect(growthOf(run, MIB / 4, 4)).toBeLessThan(LINEAR)
}

const nameOf = (index: number): string => `property${index}`

/** An object whose properties have hostile expressions. */
const OBJECT = {
  type: 'object',
  properties: Object.fromEntries(
    HOSTILE.map(([pattern], index) => [nameOf(index), { type: 'string', pattern }]),
  ),
}
const eachText = (size: number): [name: string, text: string][] =>
  textsOf(size).map((text, index) => [nameOf(index), text])

describe('the time of a hostile expression grows with the length of the text', () => {
  it('by itself', () => {
    const expressions = HOSTILE.map(([pattern, piece, end]) => {
      const expression = compileExpression(pattern, 'u')
      // V8 would never come back from a long text.
      expect(expression).not.toBeInstanceOf(RegExp)
      expect([pattern, new RegExp(pattern, 'u').test(hostileText(piece, end, 8))]).toEqual([pattern, false])
      return expression
    })
    const run = (size: number): boolean[] =>
      textsOf(size).map((text, index) => expressions[index]?.test(text) ?? true)
    expect(run(MIB)).toEqual(HOSTILE.map(() => false))
    expectLinear(run)
  })

  it.each(SETTINGS)('in a validator: %s', (_name, options) => {
    const validate = validatorOf(OBJECT, options)
    for (const [name, text] of eachText(MIB))
      expect([name, validate({ [name]: text })]).toEqual([name, false])
    expectLinear((size) => eachText(size).map(([name, text]) => validate({ [name]: text })))
    for (const [pattern, piece, end] of HOSTILE) {
      const names = validatorOf({ type: 'object', patternProperties: { [pattern]: false } }, options)
      expect([pattern, names({ [hostileText(piece, end, MIB)]: 1 })]).toEqual([pattern, true])
    }
  })

  it.each(SETTINGS.slice(0, 2))('in a serializer: %s', (_name, options) => {
    const families = HOSTILE.map(([pattern, piece, end]) => {
      const serialize = serializerOf({ type: 'object', patternProperties: { [pattern]: {} } }, options)
      const either = {
        anyOf: [
          { type: 'string', pattern },
          { type: 'string', maxLength: 2 * MIB },
        ],
      }
      const text = hostileText(piece, end, MIB)
      expect(serializerOf(either, options)(text)).toBe(JSON.stringify(text))
      return (size: number): string => serialize({ [hostileText(piece, end, size)]: 1 })
    })
    expect(families.map((serialize) => serialize(MIB))).toEqual(HOSTILE.map(() => '{}'))
    expectLinear((size) => families.map((serialize) => serialize(size)))
  })
})

describe('automata', () => {
  it('need time in proportion to the text also where there are too many states to keep', () => {
    const linear = linearOf(/(?:a|b)*a[ab]{40}c/)
    if (typeof linear === 'string') throw new Error(linear)
    const random = new Random(1)
    const text = Array.from({ length: MIB }, () => random.pick(['a', 'b'])).join('')
    expect(linear.test(text)).toBe(false)
    expect(linear.test(`${text}a${'b'.repeat(40)}c`)).toBe(true)
    expect(growthOf((size) => linear.test(text.slice(0, size)), MIB / 4, 4)).toBeLessThan(LINEAR)
  })

  it('find groups in time in proportion to the text', () => {
    const expression = compileExpression('^((?:x+x+)+)-(\\d+)$')
    expect(expression).not.toBeInstanceOf(RegExp)
    const text = (size: number): string => `${'x'.repeat(size)}-1`
    expect(expression.exec(text(100_000))?.slice(1)).toEqual(['x'.repeat(100_000), '1'])
    expect(expression.exec(`${'x'.repeat(100_000)}-`)).toBeNull()
    expect(growthOf((size) => expression.exec(text(size)), 32_768, 4)).toBeLessThan(LINEAR)
  })
})

describe('an expression', () => {
  it('stays with V8 where that takes linear time', () => {
    for (const source of ['^[a-z]+$', '^[a-z0-9]+(?:-[a-z0-9]+)*$', '^[^@]+@[^@]+$'])
      expect(compileExpression(source, 'u')).toBeInstanceOf(RegExp)
  })

  it('stays with V8 where texts are so short that they cost little', () => {
    expect(compileExpression('^.+@.+$', '', 100)).toBeInstanceOf(RegExp)
    expect(compileExpression('^.+@.+$', '', 10_000)).not.toBeInstanceOf(RegExp)
    expect(compileExpression('^(a+)+$', '', 30)).not.toBeInstanceOf(RegExp)
  })

  it('does not stay with V8 where the analysis gives up', () => {
    const large = `^(?:${Array.from({ length: 60 }, (_, index) => `a${index}`).join('|')}|a\\d+)*$`
    expect(analyse(large, 'u')).toMatchObject({ isCertain: false })
    expect(compileExpression(large, 'u')).not.toBeInstanceOf(RegExp)
  })

  it('throws what V8 throws when it is none', () => {
    expect(() => compileExpression('(', 'u')).toThrow(SyntaxError)
    expect(() => compileExpression('a', 'uu')).toThrow(SyntaxError)
  })

  it('has the source and the flags of V8', () => {
    const expression = compileExpression('^(a+/)+$', 'ui')
    expect([expression.source, expression.flags, String(expression)]).toEqual([
      String.raw`^(a+\/)+$`,
      'iu',
      String.raw`/^(a+\/)+$/iu`,
    ])
  })

  it('of an application that is a format is compiled, too', () => {
    const ajv = {
      customOptions: { formats: { letters: /^(a+)+$/, words: { type: 'string', validate: /^(\w+\s?)*$/ } } },
    } as const
    const schema = (format: string): object => ({
      type: 'object',
      properties: { a: { type: 'string', format } },
    })
    for (const format of ['letters', 'words']) {
      const validate = validatorOf(schema(format), { ajv })
      expect(validate({ a: 'aaa' })).toBe(true)
      expect(validate({ a: `${'a'.repeat(MIB)}!` })).toBe(false)
    }
  })
})
