// The scan that finds what needs a closer look, and the position that the closer look finds.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkJson } from '../../../src/body/exact/exact-json.ts'
import { countMembers, namesOf, scanJson } from '../../../src/body/exact/scan-json.ts'

const ALL = { text: true, names: true, numbers: true }

function problemOf(text: string, rules = ALL, isWhole = true): string {
  try {
    checkJson(text, JSON.parse(text), rules, isWhole)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('the scan of JSON', () => {
  it('counts the members that a value has, unless a name is given twice', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(namesOf(scanJson(text))).toBe(countMembers(JSON.parse(text)))
      }),
    )
    for (const text of ['{"a":1,"a":1}', '[{"a":{"b":1,"b":2}}]', String.raw`{"\u0061":1,"a":2}`])
      expect(namesOf(scanJson(text))).toBeGreaterThan(countMembers(JSON.parse(text)))
  })

  it('counts no colon, brace or quote within a text', () => {
    const text = String.raw`[{"a:\"b\\":":{\"c\":1}"}, ":"]`
    expect(namesOf(scanJson(text))).toBe(1)
  })

  it('counts deep values, and members of any name', () => {
    const depth = 20_000
    expect(countMembers(JSON.parse('{"a":['.repeat(depth) + ']}'.repeat(depth)))).toBe(depth)
    expect(countMembers(JSON.parse('{"__proto__":{"hasOwnProperty":1},"constructor":2}'))).toBe(3)
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
  ])('%s', (text, problem) => {
    expect(problemOf(text)).toContain(problem)
  })

  it('is cut where a client has sent a long name', () => {
    const name = 'n'.repeat(5000)
    expect(problemOf(`{"${name}":1,"${name}":1}`).length).toBeLessThan(400)
  })

  it('is found where members were removed from the value', () => {
    const text = '{"__proto__":1,"a":1}'
    expect(problemOf(text, ALL, false)).toBe('')
    expect(problemOf('{"a":1,"a":1}', ALL, false)).toContain('body/a')
  })

  it('is not looked for without its rule', () => {
    expect(problemOf('{"a":1,"a":1}', { ...ALL, names: false })).toBe('')
    expect(problemOf('1e999', { ...ALL, numbers: false })).toBe('')
    expect(problemOf(String.raw`"\ud800"`, { ...ALL, text: false })).toBe('')
  })
})
