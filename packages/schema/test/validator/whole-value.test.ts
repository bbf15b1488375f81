import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../../src/index.ts'

const CASES: readonly (readonly [schema: object, sent: unknown, held: unknown])[] = [
  [{ type: 'integer', maximum: 10 }, '10', 10],
  [{ type: 'integer' }, ['10'], 10],
  [{ type: 'boolean' }, 'true', true],
  [{ type: 'string' }, 5, '5'],
  [{ type: 'string' }, 'as it is', 'as it is'],
  [{ type: 'array', items: { type: 'integer' } }, '5', [5]],
  [{ type: 'array', items: { type: 'integer' } }, ['5'], [5]],
  [{ type: 'object', properties: { n: { type: 'integer' } } }, { n: '5' }, { n: 5 }],
  [{ type: ['object', 'null'] }, null, null],
]

describe.each(['auto', 'eager'] as const)('a value in a holder (%s)', (schemaCompilation) => {
  const compile = (schema: object): ReturnType<ReturnType<typeof createSchemaEngine>['compileValidator']> => {
    const engine = createSchemaEngine({ schemaCompilation })
    return engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
  }

  it.each(CASES)('for %j, %j becomes %j', (schema, sent, held) => {
    const holder = { value: structuredClone(sent) }
    expect(compile(schema)(holder.value, holder)).toBe(true)
    expect(holder).toEqual({ value: held })
  })

  it('stays, with the usual errors, when it is refused', () => {
    const validate = compile({ type: 'integer' })
    const holder = { value: 'word' }
    expect(validate(holder.value, holder)).toBe(false)
    expect(holder).toEqual({ value: 'word' })
    expect(validate.errors).toMatchObject([{ instancePath: '', keyword: 'type' }])
  })
})
