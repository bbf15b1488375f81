import { describe, expect, it } from 'vitest'
import { SchemaScope } from '../../src/document/location.ts'
import { Parser } from '../../src/serializer/read/parse.ts'
import { selectBackEnd, TextSampler } from '../../src/serializer/select.ts'

const scope = new SchemaScope({ get: () => undefined, ids: () => [] })
const text = { type: 'string' }
const object = (properties: object): object => ({ type: 'object', properties })
const wide = object(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, text])))

function choose(schema: object, v8: number): string {
  const parser = new Parser(scope, {
    mode: 'compat',
    rounding: 'trunc',
    nativeArrayFrom: undefined,
    shared: undefined,
  })
  return selectBackEnd(parser.read([scope.open(schema)]), v8)
}

describe('the back end', () => {
  it('builds text on engines with a slow JSON.stringify', () => {
    expect(choose(wide, 11)).toBe('concat')
  })

  it('projects on later engines', () => {
    for (const v8 of [12, 13, 14]) expect(choose(wide, v8)).toBe('project')
  })

  it('builds text for small objects on V8 13 only', () => {
    expect(choose(object({ a: text }), 12)).toBe('project')
    expect(choose(object({ a: text }), 13)).toBe('concat')
    expect(choose(object({ a: text, b: {} }), 13)).toBe('project')
    expect(choose(object({ a: text }), 14)).toBe('project')
  })

  it('builds text for dates, recursion and objects of several shapes', () => {
    const date = { type: 'string', format: 'date-time' }
    expect(choose({ type: 'array', items: object({ a: text, at: date }) }, 14)).toBe('concat')
    expect(choose({ type: 'object', properties: { a: { $ref: '#' } } }, 14)).toBe('concat')
    const tagged = (tag: string): object => ({
      ...object({ tag: { const: tag }, [tag]: text }),
      required: ['tag'],
    })
    expect(choose({ oneOf: [tagged('a'), tagged('b')] }, 14)).toBe('concat')
  })

  it('builds text for names that an object would put first', () => {
    expect(choose({ ...wide, required: ['f3'] }, 14)).toBe('project')
    expect(choose({ type: 'array', items: object({ a: text, 7: text }) }, 14)).toBe('concat')
  })

  it('is changed when the first outputs are long strings outside ASCII', () => {
    const nullabilityOf = (output: string): boolean => {
      const sampler = new TextSampler()
      let verdict = false
      while (sampler.isOpen) verdict = sampler.add(output)
      return verdict
    }
    expect(nullabilityOf(JSON.stringify({ a: 'größe '.repeat(100) }))).toBe(true)
    expect(nullabilityOf(JSON.stringify({ a: 'plain '.repeat(100) }))).toBe(false)
    expect(nullabilityOf(JSON.stringify({ a: 'ü', b: 'ä' }))).toBe(false)
  })
})
