import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type ValidateFunction } from '../../../src/index.ts'
import { ClosureFinder } from '../../../src/store/closure.ts'
import { ContextStore } from '../../../src/store/context-store.ts'
import { ContentTable } from '../../../src/store/keys.ts'
import { AjvDecider } from '../../../src/validator/ajv/decider.ts'
import { AjvPool } from '../../../src/validator/ajv/pool.ts'

const branch = (kind: string): object => ({
  type: 'object',
  properties: { kind: { const: kind }, n: { type: 'integer' } },
  required: ['kind', 'n'],
})
const UNION = { oneOf: [branch('a'), branch('b')] }

/** A validator in which Ajv decides about every value. */
function compile(schema: unknown, shared: readonly object[] = []): ValidateFunction {
  const engine = createSchemaEngine({ unionErrors: 'branch', ajv: { onCreate: () => {} } })
  const store = engine.createStore()
  for (const entry of shared) store.add(entry)
  return engine.compileValidator({ schema, httpPart: 'body', store })
}

describe('Ajv as a decider', () => {
  it('replaces a whole value in its holder, and needs none', () => {
    const validate = compile({ type: 'integer' })
    const [valid, invalid] = [{ value: '5' }, { value: 'x' }]
    expect([validate('5', valid), validate('x', invalid), validate('5'), validate('x')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect([valid.value, invalid.value]).toEqual([5, 'x'])
    expect(validate.errors).toMatchObject([{ instancePath: '', keyword: 'type' }])
  })

  it('narrows the errors of a union to the branch that the value names, also in a shared schema', () => {
    const shared = { $id: 'shared', definitions: { union: UNION } }
    for (const schema of [
      UNION,
      { type: 'object', properties: { a: { $ref: 'shared#/definitions/union' } } },
    ]) {
      const validate = compile(schema, [shared])
      expect(validate('oneOf' in schema ? { kind: 'b', n: 'x' } : { a: { kind: 'b', n: 'x' } })).toBe(false)
      expect(validate.errors).toMatchObject([{ keyword: 'type', params: { type: 'integer' } }])
    }
  })

  it('has no errors for a part that takes the value, and where there is no such part', () => {
    const contents = new ContentTable()
    const store = new ContextStore('root', undefined, contents, new Map())
    const finder = new ClosureFinder()
    const content = contents.intern({ properties: { a: { type: 'integer' } } })
    const root = finder.scope(store).open(content.schema)
    const pool = new AjvPool({ customOptions: { strict: false } })
    const compiled = pool.compile(content, root, finder.findFor(content, store))
    const decider = new AjvDecider(compiled)
    expect(decider.errorsOfPart('#/properties/a', 'x')).toMatchObject([{ keyword: 'type' }])
    for (const path of ['#/properties/b', '#/%', 'nothing#/properties/a']) {
      expect([path, decider.errorsOfPart(path, 'x')]).toEqual([path, null])
    }
    expect(decider.errorsOfPart('#/properties/a', 5)).toBeNull()
    expect(pool.compile(content, root, finder.findFor(content, store))).toBe(compiled)
  })

  it('has a list of errors also where a keyword of the application gives none', () => {
    const ajv = new Ajv({ keywords: [{ keyword: 'never', validate: () => false, errors: false }] })
    const validate = ajv.compile({ never: true })
    const decider = new AjvDecider({ validate, part: () => validate })
    expect(decider.errorsOf({})).toMatchObject([{ keyword: 'never' }])
  })
})
