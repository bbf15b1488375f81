// What an engine knows of a schema that it has compiled, so that checks of mistakes need not look for it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../src/index.ts'
import { findIdleKeywords } from '../src/normalize/idle-keywords.ts'
import { findMisspeltNames } from '../src/normalize/misspelt-names.ts'
import { findUnmatchedValues } from '../src/normalize/unmatched-values.ts'
import { findRefusedDefaults } from '../src/normalize/refused-defaults.ts'

const ANYTHING = { defaults: true, values: true, undeclared: true, idle: true }
const name = fc.constantFrom('name', 'nmae', 'names', 'default', 'id', 'toString')
const leaf = fc.record(
  {
    type: fc.constantFrom('string', 'integer'),
    default: fc.constantFrom('a', 1, null),
    minLength: fc.nat(3),
    enum: fc.constantFrom(['a'], [1]),
    required: fc.uniqueArray(name, { maxLength: 1 }),
  },
  { requiredKeys: ['type'] },
)
const schemaAt = (depth: number): fc.Arbitrary<object> => {
  const below = depth === 0 ? leaf : fc.oneof(leaf, leaf, schemaAt(depth - 1))
  return fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(name, below, { maxKeys: 3 }),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      items: below,
      anyOf: fc.oneof(
        { weight: 5, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.array(below, { minLength: 1, maxLength: 2 }) },
      ),
    },
    { requiredKeys: ['type', 'properties'] },
  )
}

describe('what an engine knows of a schema', () => {
  it('is less than anything only where the checks find nothing', () => {
    let known = 0
    fc.assert(
      fc.property(
        schemaAt(1).map((one): unknown => JSON.parse(JSON.stringify(one))),
        (given) => {
          const engine = createSchemaEngine({ ajv: { customOptions: { strict: false } } })
          try {
            engine.compileValidator({ schema: given, httpPart: 'body', store: engine.createStore() })
          } catch {
            // Some drawn schemas are refused; what is known of them must be right, too.
          }
          const { defaults, values, undeclared, idle } = engine.hintsOf(given)
          if (!defaults) expect(findRefusedDefaults(given, 'array')).toEqual([])
          if (!values) expect(findUnmatchedValues(given)).toEqual([])
          if (!idle) expect(findIdleKeywords(given)).toEqual([])
          if (!undeclared) expect(findMisspeltNames(given)).toEqual([])
          known += Number(!defaults) + Number(!undeclared) + Number(!idle)
        },
      ),
      { numRuns: 3000 },
    )
    expect(known).toBeGreaterThan(100)
  })

  it('is anything until it is compiled', () => {
    const engine = createSchemaEngine()
    const given = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    expect(engine.hintsOf(given)).toEqual(ANYTHING)
    engine.compileValidator({ schema: given, httpPart: 'body', store: engine.createStore() })
    expect(engine.hintsOf(given)).toEqual({ defaults: false, values: false, undeclared: false, idle: false })
    expect(engine.hintsOf(structuredClone(given))).toEqual(ANYTHING)
  })
})
