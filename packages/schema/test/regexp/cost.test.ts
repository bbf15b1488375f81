import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type SchemaEngineOptions } from '../../src/index.ts'
import { analyse, longestCheapText } from '../../src/regexp/cost.ts'
import { linearOf } from '../../src/regexp/linear.ts'
import { isSurelyLinear } from '../../src/regexp/glance.ts'
import { bootError } from '../boot-error.ts'

const EXPONENTIAL = [
  String.raw`^(a+)+$`,
  String.raw`^(a|a)*$`,
  String.raw`^(a|aa)+$`,
  String.raw`^(a|b|ab)*c$`,
  String.raw`^(a*)*b`,
  String.raw`(x+x+)+y`,
  String.raw`^(\w+\s?)*$`,
  String.raw`^([a-z0-9]+-?)*$`,
  String.raw`^(\d+,?)+$`,
  String.raw`^((ab)*|(a|b)*)*c$`,
  String.raw`^(([a-z])+.)+[A-Z]([a-z])+$`,
  String.raw`([a-zA-Z]+)*\d`,
  String.raw`^(?:\p{L}+\s*)+$`,
  String.raw`^([a-z]{5,40})+$`,
  String.raw`^(?:a?){25}a{25}$`,
  String.raw`^(a?){30}$`,
  String.raw`^(?:a|b?){40,}c$`,
  String.raw`^(?:(?:a?){8}){8}b$`,
  `^${'a?'.repeat(25)}${'a'.repeat(25)}$`,
  String.raw`^(?=(a+)+$)b`,
  String.raw`^(?!(a|a)*b)`,
  // What need not read a character can do so in two ways.
  String.raw`^(?:(?:x?|y?)a)*$`,
  String.raw`^(?:(?:\s*|-*)\w)*$`,
  String.raw`^(?:(?:\b|)a\s?)*$`,
  String.raw`^(?:(?:a?)+b)*$`,
  String.raw`^(?:a?|b?){12}(?:a?|b?){12}x$`,
  // It has matched at its end, but not before.
  String.raw`^(?:[a-z]+)+\b`,
  String.raw`^-(?:a{3,12}|a{9}){9}`,
  String.raw`^(?:(?:a+)+b)*`,
  // Alternatives in repetitions that are written out.
  String.raw`^(?:(?:a|a){8}){8}$`,
  String.raw`^(?:(?:ab|ab){8}){8}$`,
  String.raw`^x{3}y(?:(?:ab|ab){8}){8}$`,
  `^${'(?:a|aa)'.repeat(20)}$`,
  // Letters that only some scripts have.
  String.raw`^(?:\p{Script=Greek}|\p{L})+$`,
  String.raw`^(?:\p{Script=Arabic}|\p{L})+$`,
]

/** Only V8 runs these. */
const EXPONENTIAL_IN_V8 = [
  String.raw`^(?:(?:(?=a)|(?=.))a)*$`,
  String.raw`^(?:a+)+(?=b)`,
  String.raw`^(?:a+)+(?!a|$)`,
  String.raw`^(?:a|a)+(?<!a)`,
  String.raw`(?<=x(?:a|a)*)b`,
  String.raw`^(a)(?:\1|a)*$`,
  String.raw`^(?<x>a)(?:\k<x>|a)*$`,
  String.raw`^(?:a\1|a)*(x?)$`,
]

const LINEAR = [
  String.raw`^[a-z0-9]+(?:-[a-z0-9]+)*$`,
  String.raw`^([a-z]+\.)+com$`,
  String.raw`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$`,
  String.raw`^(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)$`,
  String.raw`^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`,
  String.raw`^(?:[^"\\]|\\.)*$`,
  String.raw`^([a-z]{2})+$`,
  String.raw`^\+?(\d{1,3} ?){1,5}$`,
  String.raw`^(\p{L}|\d)+$`,
  String.raw`^([\w]+ )*\w+$`,
  String.raw`^(ab|cd)*$`,
  String.raw`^[^@]+@[^@]+$`,
  String.raw`^https?://.+`,
  String.raw`^(?:a?){8}a{8}$`,
  String.raw`^(?:a?){0,25}b$`,
  String.raw`^(?:a?){25}`,
  String.raw`^\d{4}-\d{2}-\d{2}$`,
  String.raw`^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`,
  String.raw`^\d{1,40}[.]?\d{0,40}$`,
  String.raw`^(?=.*[a-z])(?=.*\d).{8,64}$`,
  String.raw`[a-z]`,
  String.raw`^#(?:[0-9a-f]{3}){1,2}$`,
  String.raw`\d+`,
  String.raw`^[\s\S]*a[\s\S]*$`,
  String.raw`^(?:\+|00)[1-9]\d{0,2} ?[\d ]{4,20}$`,
  String.raw`^(?:a{0,3}b)*$`,
  String.raw`^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$`,
  String.raw`^(?:(['"])[^'"]*\1|[^'"])*$`,
  String.raw`^(a+)(?:-\1)*$`,
  String.raw`^(?:\bfoo\b ?)*$`,
  String.raw`^(?=.*\d)(?!.*\s)[a-z\d]{8,}`,
  `^(?:${Array.from({ length: 30 }, (_, index) => `name${index}`).join('|')})$`,
]

/** Expression, and how often the length of the text is a factor of the time. */
const POLYNOMIAL: readonly (readonly [source: string, degree: number])[] = [
  [String.raw`^.+@.+$`, 2],
  [String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`, 2],
  [String.raw`^\S+@\S+\.\S+$`, 3],
  [String.raw`^\d+\d+x$`, 2],
  [String.raw`^\d+\d+\d+x$`, 3],
  [String.raw`.*a.*b.*c`, 4],
  [String.raw`x*y`, 2],
  [String.raw`\s+$`, 2],
  [String.raw`^\s*\S.*\s*$`, 2],
  [String.raw`(?=.*[A-Z])(?=.*\d).{8,}`, 2],
  [String.raw`^a*b*a*c$`, 2],
  [String.raw`^\d+x?\d+,\d+x?\d+$`, 3],
  [String.raw`(a*)\1b`, 3],
  [String.raw`^(a*)\1b`, 2],
  [String.raw`(?<x>a+)\k<x>b`, 3],
  [String.raw`(a*)\1{0,3}b`, 3],
  [String.raw`^(.+)@.+\1$`, 3],
  [String.raw`(a)\1b`, 1],
  [String.raw`^([\w.-]+)@(([a-zA-Z0-9-]+\.)+)([a-zA-Z]{2,4}|\d{1,3})$`, 1],
]

function degreeOf(source: string): number {
  const { cost } = analyse(source, 'u')
  return cost === 'exponential' ? Infinity : Math.max(cost.unlimited, 1)
}

describe('the cost of an expression', () => {
  it.each([...EXPONENTIAL, ...EXPONENTIAL_IN_V8])('%s takes exponential time', (source) => {
    expect(analyse(source, 'u').cost).toBe('exponential')
  })

  it.each(LINEAR)('%s takes linear time', (source) => {
    expect(degreeOf(source)).toBe(1)
  })

  it.each(POLYNOMIAL)('%s takes the length of the text to the power of %i', (source, degree) => {
    expect(degreeOf(source)).toBe(degree)
  })

  it('is known without parsing for most expressions, and never wrongly', () => {
    const linear = LINEAR.filter(isSurelyLinear)
    expect(linear.length).toBeGreaterThan(5)
    expect(EXPONENTIAL.filter(isSurelyLinear)).toEqual([])
    expect(POLYNOMIAL.filter(([source, degree]) => degree > 1 && isSurelyLinear(source))).toEqual([])
  })

  it('counts as linear where the repetition ends with a match, after which nothing is tried again', () => {
    expect(degreeOf('^(a+)+')).toBe(1)
  })

  it('counts as linear where the expression cannot be analysed', () => {
    expect(degreeOf(String.raw`(a)(?:\1b)*$`)).toBeLessThan(3)
    expect(degreeOf(`^(${'(a|b)*c'.repeat(300)})*$`)).toBe(1)
  })
})

describe('the longest text that an expression tests in time', () => {
  const longest = (source: string): number => {
    const { cost } = analyse(source, 'u')
    return cost === 'exponential' ? 0 : longestCheapText(cost)
  }

  it('is any text for a linear expression, within the limit of a body', () => {
    for (const source of LINEAR) expect(longest(source), source).toBeGreaterThan(1_048_576)
  })

  it('falls with the degree', () => {
    expect(longest('^.+@.+$')).toBe(6324)
    expect(longest(String.raw`^\d+\d+\d+x$`)).toBe(493)
    expect(longest('.*a.*b.*c')).toBe(148)
  })
})

describe('a schema with an expression of exponential time that only V8 can run', () => {
  it.each([
    ['^([a-z]+-?)*(x)\\2$', 'a backreference'],
    ['(?<=-)(x+x+)+y', 'a lookbehind'],
    ['^a(?=b)(x+x+)+y', 'a lookahead that is not behind the "^"'],
    ['^(?:a+){600}$', 'more than 512 places that read a character'],
  ])('%s stops the start, with the pointer, the reason and a way out', (pattern, reason) => {
    const schema = { type: 'object', properties: { slug: { type: 'string', pattern } } }
    expect(bootError(schema)?.pointer).toBe('/properties/slug/pattern')
    expect(bootError(schema)?.message).toMatch(/doubles.*ajv\.customOptions\.code\.regExp/)
    expect(bootError(schema)?.message).toContain(`${JSON.stringify(pattern)}, whose time`)
    expect(bootError(schema)?.message).toContain(`cannot be run in linear time because it has ${reason}`)
    expect(bootError({ type: 'object', patternProperties: { [pattern]: {} } })?.pointer).toBe(
      '/patternProperties',
    )
  })

  it.each([
    'a{1,5}'.repeat(160) + 'b',
    `^(?:${'[ab]?c'.repeat(300)})*$`,
    `${'(.*),'.repeat(3)}${'x'.repeat(600)}`,
  ])('stops the start where it is too large to know its time: %s', (pattern) => {
    const schema = { type: 'object', properties: { slug: { type: 'string', pattern } } }
    expect(bootError(schema)?.pointer).toBe('/properties/slug/pattern')
    expect(bootError(schema)?.message).toMatch(/too large to know.*ajv\.customOptions\.code\.regExp/)
  })

  it('stops no start for a list of words of any length', () => {
    const words = Array.from({ length: 1000 }, (_, index) => `word${index}`).join('|')
    for (const pattern of [words, `^(?:${words})$`, `^x-(?:${words})?$`])
      expect(bootError({ type: 'string', pattern }), pattern.slice(0, 20)).toBeUndefined()
  })

  it('stops the start, whatever only V8 can run', () => {
    for (const pattern of EXPONENTIAL_IN_V8)
      expect(bootError({ type: 'string', pattern })?.message, pattern).toContain('doubles')
  })

  it('stops no start where automata run it', () => {
    for (const pattern of EXPONENTIAL) expect(bootError({ type: 'string', pattern }), pattern).toBeUndefined()
  })

  it('stops the start also where Ajv has plugins or options that decide about everything else', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+(x)\\2$' } } }
    const ajv = { plugins: [(instance: unknown) => instance] }
    expect(bootError(schema, { ajv })?.pointer).toBe('/properties/a/pattern')
    expect(bootError(schema, { ajv: { customOptions: { strict: false } } })?.pointer).toBe(
      '/properties/a/pattern',
    )
  })

  it('is taken where Ajv has another engine, and in a response, where no request meets it', () => {
    const schema = { type: 'string', pattern: '^(a+)+(x)\\2$' }
    const regExp = Object.assign((source: string, flags: string) => new RegExp(source, flags), {
      code: 'own',
    })
    expect(bootError(schema, { ajv: { customOptions: { code: { regExp } } } })).toBeUndefined()
    const engine = createSchemaEngine()
    expect(engine.compileSerializer({ schema, store: engine.createStore() })('aa')).toBe('"aa"')
  })
})

describe('a schema with an expression of polynomial time that only V8 can run', () => {
  function warningsOf(schema: unknown, options: SchemaEngineOptions = {}, httpPart = 'body'): string[] {
    const messages: string[] = []
    const engine = createSchemaEngine({ ...options, onWarning: ({ message }) => messages.push(message) })
    engine.compileValidator({ schema, httpPart, store: engine.createStore(), route: { url: '/x' } })
    return messages
  }
  const text = (keywords: object): object => ({
    type: 'object',
    properties: { mail: { type: 'string', ...keywords } },
  })

  it('is warned of, with the route, the pointer, the length that is safe and the other way out', () => {
    expect(warningsOf(text({ pattern: '^(.+)@.+\\1$' }))).toEqual([
      'schema of body of route /x at /properties/mail/pattern: "pattern" has the expression "^(.+)@.+\\\\1$", whose time grows with the cube of the length of a text that does not match, and which cannot be run in linear time because it has a backreference, so that one long text blocks the process; put "maxLength": 493 or less beside it, or write it without that, or so that a text can be read in one way only',
    ])
    expect(warningsOf(text({ pattern: String.raw`^\d+\d+\d+x(?<!y)$` }))[0]).toContain(
      'the cube of the length',
    )
    expect(warningsOf(text({ pattern: '.*a.*b.*c(?<!x)' }))[0]).toContain('4th power')
  })

  it('stops the start where only its counts are too large, with the length that is safe', () => {
    expect(() => warningsOf(text({ pattern: '^.+@.{1,600}$' }))).toThrow(
      '"pattern" has the expression "^.+@.{1,600}$", whose time grows with 600 times the length of a text that does not match, and which cannot be run in linear time because it has more than 512 places that read a character, counted repetitions written out, so that one long text blocks the process; put "maxLength": 33333 or less beside it',
    )
    expect(warningsOf(text({ pattern: '^.+@.{1,600}$', maxLength: 1000 }))).toEqual([])
  })

  it.each(['(a|b|c|d){1,5000}e', 'e(?:[a-c]|d){0,5000}', '(?:xy|[ab]{1,5000}y)', '[a-z]{1,5000}$'])(
    'is run in linear time where its counts make no difference: %s',
    (pattern) => {
      expect(warningsOf(text({ pattern }))).toEqual([])
      const compiled = linearOf({ source: pattern, flags: 'u' })
      if (typeof compiled === 'string') throw new Error(compiled)
      const native = new RegExp(pattern, 'u')
      for (const sample of ['', 'abcd', 'abcde', 'eabcd', 'xababy', 'xay', 'ba', '-abz', 'z!'])
        expect([sample, compiled.test(sample)]).toEqual([sample, native.test(sample)])
    },
  )

  it('is no matter beside a maxLength that is small enough, or where no text can be long', () => {
    expect(warningsOf(text({ pattern: '^(.+)@.+\\1$', maxLength: 254 }))).toEqual([])
    expect(warningsOf(text({ pattern: '^(.+)@.+\\1$', maxLength: 10_000 }))).toHaveLength(1)
    const longestText = { params: 100 }
    expect(warningsOf(text({ pattern: '^(.+)@.+\\1$' }), { longestText }, 'params')).toEqual([])
    expect(warningsOf(text({ pattern: '^(.+)@.+\\1$' }), { longestText }, 'body')).toHaveLength(1)
    expect(
      warningsOf({ type: 'integer', pattern: '^(.+)@.+\\1$' }, { ajv: { customOptions: { strict: false } } }),
    ).toEqual([])
  })

  it('is warned of in the names of properties, unless their length is limited', () => {
    const names = { type: 'object', patternProperties: { '^(.+)@.+\\1$': { type: 'string' } } }
    expect(warningsOf(names)[0]).toMatch(/at \/patternProperties: .*"propertyNames": \{ "maxLength": 493 \}/)
    expect(warningsOf({ ...names, propertyNames: { maxLength: 100 } })).toEqual([])
  })

  it('is warned of once, in shared schemas too', () => {
    const messages: string[] = []
    const engine = createSchemaEngine({ onWarning: ({ message }) => messages.push(message) })
    const store = engine.createStore()
    store.add({ $id: 'mail', type: 'string', pattern: '^(.+)@.+\\1$' })
    for (const name of ['a', 'b']) {
      const schema = { type: 'object', properties: { [name]: { $ref: 'mail#' } } }
      engine.compileValidator({ schema, httpPart: 'body', store })
    }
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('in schema "mail"')
  })

  it('is not guarded by maxLength where Ajv collects all errors', () => {
    const ajv = { customOptions: { allErrors: true } }
    const messages = warningsOf(text({ pattern: '^(.+)@.+\\1$', maxLength: 254 }), { ajv })
    expect(messages[0]).toContain('allErrors')
  })
})
