import { describe, expect, it } from 'vitest'
import { backtracksExponentially } from '../src/regexp/backtracking.ts'
import { createSchemaEngine } from '../src/index.ts'
import { bootError } from './boot-error.ts'

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
]

const BOUNDED = [
  String.raw`^[a-z0-9]+(?:-[a-z0-9]+)*$`,
  String.raw`^([a-z]+\.)+com$`,
  String.raw`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$`,
  String.raw`^([\w.-]+)@(([a-zA-Z0-9-]+\.)+)([a-zA-Z]{2,4}|\d{1,3})$`,
  String.raw`^(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)$`,
  String.raw`^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`,
  String.raw`^(?:[^"\\]|\\.)*$`,
  String.raw`^([a-z]{2})+$`,
  String.raw`^\+?(\d{1,3} ?){1,5}$`,
  String.raw`^(\p{L}|\d)+$`,
  String.raw`^([\w]+ )*\w+$`,
  String.raw`^(ab|cd)*$`,
]

describe('expressions that backtrack', () => {
  it.each(EXPONENTIAL)('%s takes exponential time', (source) => {
    expect(backtracksExponentially(source)).toBe(true)
  })

  it.each(BOUNDED)('%s reads each text in one way, or in few', (source) => {
    expect(backtracksExponentially(source)).toBe(false)
  })

  it('lets pass what matches as soon as it has repeated, which leaves nothing to try again', () => {
    expect(backtracksExponentially('^(a+)+')).toBe(false)
  })

  it('lets pass what it cannot look into', () => {
    expect(backtracksExponentially(String.raw`(a)(?:\1b)*$`)).toBe(false)
    expect(backtracksExponentially(`^(${'(a|b)*c'.repeat(300)})*$`)).toBe(false)
  })
})

describe('a schema with such an expression', () => {
  it('stops the start, with the place and a way out', () => {
    const pattern = { type: 'object', properties: { slug: { type: 'string', pattern: '^([a-z]+-?)*$' } } }
    expect(bootError(pattern)?.pointer).toBe('/properties/slug/pattern')
    expect(bootError(pattern)?.message).toMatch(
      /"\^\(\[a-z\]\+-\?\)\*\$".*doubles.*ajv\.customOptions\.code\.regExp/,
    )
    const keys = { type: 'object', patternProperties: { '^(a+)+$': {} } }
    expect(bootError(keys)?.pointer).toBe('/patternProperties')
  })

  it('is taken where Ajv has another engine, and in a response, where no request meets it', () => {
    const schema = { type: 'string', pattern: '^(a+)+$' }
    const regExp = Object.assign((source: string, flags: string) => new RegExp(source, flags), {
      code: 'own',
    })
    expect(bootError(schema, { ajv: { customOptions: { code: { regExp } } } })).toBeUndefined()
    const engine = createSchemaEngine()
    expect(engine.compileSerializer({ schema, store: engine.createStore() })('aa')).toBe('"aa"')
  })
})
