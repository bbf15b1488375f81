import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type UnionErrors } from '../src/index.ts'

const CAT = {
  $id: 'cat',
  type: 'object',
  required: ['kind', 'lives'],
  properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
}
const DOG = {
  type: 'object',
  required: ['kind', 'toy'],
  properties: {
    kind: { enum: ['dog', 'puppy'] },
    toy: {
      oneOf: [
        {
          type: 'object',
          properties: { of: { const: 'wood' }, tree: { type: 'string' } },
          required: ['of', 'tree'],
        },
        {
          type: 'object',
          properties: { of: { const: 'rubber' }, squeaks: { type: 'boolean' } },
          required: ['of', 'squeaks'],
        },
      ],
    },
  },
}

function errors(schema: object, data: unknown, unionErrors: UnionErrors): [string, string][] {
  const engine = createSchemaEngine({ unionErrors })
  const store = engine.createStore()
  store.add(CAT)
  const validate = engine.compileValidator({ schema, httpPart: 'body', store })
  expect(validate(data)).toBe(false)
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => [instancePath, message])
}

const PETS = { type: 'object', properties: { pet: { anyOf: [{ $ref: 'cat#' }, DOG] } } }

describe('errors of a union', () => {
  it('are those of all branches by default', () => {
    expect(errors(PETS, { pet: { kind: 'cat' } }, 'all').length).toBeGreaterThan(2)
  })

  it('are those of the branch that the value names, when asked', () => {
    expect(errors(PETS, { pet: { kind: 'cat' } }, 'branch')).toEqual([
      ['/pet', "must have required property 'lives'"],
    ])
    expect(errors(PETS, { pet: { kind: 'puppy' } }, 'branch')).toEqual([
      ['/pet', "must have required property 'toy'"],
    ])
  })

  it('are narrowed in unions inside unions', () => {
    expect(errors(PETS, { pet: { kind: 'dog', toy: { of: 'rubber' } } }, 'branch')).toEqual([
      ['/pet/toy', "must have required property 'squeaks'"],
    ])
  })

  it('stay whole when the value names no branch, or nothing tells them apart', () => {
    expect(errors(PETS, { pet: { kind: 'fish' } }, 'branch')).toEqual(
      errors(PETS, { pet: { kind: 'fish' } }, 'all'),
    )
    const plain = { anyOf: [{ type: 'object', required: ['a'] }, { type: 'null' }] }
    expect(errors(plain, {}, 'branch')).toEqual(errors(plain, {}, 'all'))
  })

  it('have the schema path of the branch', () => {
    const engine = createSchemaEngine({ unionErrors: 'branch' })
    const validate = engine.compileValidator({
      schema: { oneOf: [DOG] },
      httpPart: 'body',
      store: engine.createStore(),
    })
    validate({ kind: 'dog' })
    expect(validate.errors?.map(({ schemaPath }) => schemaPath)).toEqual(['#/oneOf/0/required'])
  })
})
