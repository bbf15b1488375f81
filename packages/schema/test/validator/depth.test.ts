import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../../src/index.ts'
import { isNestingError } from '../../src/nesting.ts'
import { bothBackEnds } from './both-back-ends.ts'

const TREE = { type: 'object', properties: { child: { $ref: '#' }, size: { type: 'integer', default: 1 } } }

const TREE_BY_NAME = { type: 'object', properties: { child: { $ref: '#/definitions/tree' } } }

function nested(levels: number, innermost: unknown = {}): unknown {
  let value = innermost
  for (let level = 0; level < levels; level++) value = { child: value }
  return value
}

/** Reads a value as many levels down. */
function at(value: unknown, levels: number): unknown {
  let found: unknown = value
  for (let level = 0; level < levels; level++)
    found = typeof found === 'object' && found !== null && 'child' in found ? found.child : undefined
  return found
}

/** Validates with little room on the stack. */
function withFullStack<Result>(run: () => Result, frames: number): Result {
  return frames === 0 ? run() : withFullStack(run, frames - 1)
}

describe('an acceptor of a recursive schema', () => {
  const [[, code], [, look]] = bothBackEnds(TREE)

  it('accepts a value that is nested deeply, as code', () => {
    expect(code(nested(1000))).toBe(true)
  })

  it('throws an error about the nesting for one that is nested too deeply, as code', () => {
    const deep = nested(100_000)
    let thrown: unknown
    try {
      code(deep)
    } catch (error) {
      thrown = error
    }
    expect(isNestingError(thrown, deep)).toBe(true)
    expect(code(nested(10))).toBe(true)
  })

  it('passes deep values to a walk, as a look, however full the stack is', () => {
    expect([look(nested(100)), look(nested(10_000)), look(nested(100))]).toEqual([true, false, true])
    expect(withFullStack(() => look(nested(10_000)), 3000)).toBe(false)
  })
})

const SCHEMAS: Readonly<Record<string, object>> = {
  properties: TREE,
  allOf: { type: 'object', allOf: [{ type: 'object', properties: { child: { $ref: '#' } } }] },
  anyOf: { anyOf: [{ type: 'boolean' }, { type: 'object', properties: { child: { $ref: '#' } } }] },
  'two references': {
    definitions: {
      a: {
        type: 'object',
        properties: { child: { oneOf: [{ $ref: '#/definitions/b' }, { type: 'null' }] } },
      },
      b: { allOf: [{ $ref: '#/definitions/a' }] },
    },
    $ref: '#/definitions/a',
  },
}

describe.each(Object.entries(SCHEMAS))('values nested deeply in a schema with %s', (_name, schema) => {
  const build = (codeGeneration: 'always' | 'never') => {
    const engine = createSchemaEngine({ codeGeneration, ajv: { customOptions: { coerceTypes: false } } })
    return engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
  }

  it.each([100, 500, 2400])('are decided the same way by code and by closures: %i levels', (levels) => {
    for (const validate of [build('always'), build('never')]) {
      expect(validate(nested(levels))).toBe(true)
      expect(validate(nested(levels, { child: 5 }))).toBe(false)
      expect(validate.errors?.some(({ instancePath }) => instancePath.startsWith('/child/child'))).toBe(true)
    }
  })

  it('are decided the same way with little room on the stack', () => {
    for (const validate of [build('always'), build('never')]) {
      expect(withFullStack(() => validate(nested(2400)), 2400)).toBe(true)
      expect(withFullStack(() => validate(nested(2400, { child: 5 })), 2400)).toBe(false)
      expect(validate.errors?.[0]?.keyword).not.toBe('nesting')
    }
  })

  it('are refused for their nesting from a number of levels on, and nothing is left of them', () => {
    for (const validate of [build('always'), build('never')]) {
      expect(validate(nested(60_000))).toBe(false)
      expect(validate.errors).toMatchObject([{ keyword: 'nesting', instancePath: '' }])
      expect(validate(nested(3))).toBe(true)
    }
  })
})

describe('values nested deeply', () => {
  it.each(['always', 'never'] as const)('get their defaults at every level: %s', (codeGeneration) => {
    const engine = createSchemaEngine({ codeGeneration })
    const validate = engine.compileValidator({ schema: TREE, httpPart: 'body', store: engine.createStore() })
    const value = nested(4900, { size: '7' })
    expect(validate(value)).toBe(true)
    for (const levels of [0, 1, 200, 4899]) expect(at(value, levels)).toMatchObject({ size: 1 })
    expect(at(value, 4900)).toEqual({ size: 7 })
  })

  it('are decided where many of them are side by side', () => {
    const schema = {
      type: 'array',
      items: { $ref: '#/definitions/tree' },
      definitions: { tree: TREE_BY_NAME },
    }
    const engine = createSchemaEngine({ codeGeneration: 'never' })
    const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
    const trees = Array.from({ length: 100 }, () => nested(400))
    expect(validate(trees)).toBe(true)
    expect(validate([...trees, nested(400, { child: [] })])).toBe(false)
    expect(validate.errors).toMatchObject([{ keyword: 'type', message: 'must be object' }])
  })

  it('are looked at anew in each validation', () => {
    const engine = createSchemaEngine({ codeGeneration: 'never' })
    const schema = { anyOf: [{ type: 'boolean' }, { type: 'object', properties: { child: { $ref: '#' } } }] }
    const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
    const value = { child: {} }
    for (let calls = 0; calls < 3000; calls++) expect(validate(value)).toBe(true)
    expect(validate(Object.assign(value, { child: [5, 6] }))).toBe(false)
  })

  it.each(['always', 'never'] as const)(
    'end where coercion makes another list of a scalar each time: %s',
    (codeGeneration) => {
      const endless = { type: 'null', if: { $ref: '#/definitions/root' }, then: { minLength: 1 } }
      const union = { anyOf: [{ properties: { a: { $ref: '#/definitions/union' } } }] }
      const schema = {
        type: 'array',
        items: [{ oneOf: [endless] }],
        if: { $ref: '#/definitions/union' },
        else: { minProperties: 1 },
        definitions: { union, root: { $ref: '#' } },
      }
      const engine = createSchemaEngine({ codeGeneration, ajv: { customOptions: { allErrors: true } } })
      const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
      expect(validate(7)).toBe(false)
      expect(validate.errors).toMatchObject([{ keyword: 'nesting' }])
    },
  )
})
