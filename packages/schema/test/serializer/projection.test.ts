import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSerializer, SerializeError } from '../../src/serializer/index.ts'
import { runs, sample } from './arbitraries.ts'
import { projection } from './reference.ts'

const pairs = sample(3).chain(({ schema, value }) => fc.tuple(fc.constant(schema), value))

/** JSON shows `-0` as `0`; so must the expectation. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

describe('a serializer writes the projection of the value onto its schema', { timeout: 600_000 }, () => {
  for (const backEnd of ['concat', 'project', 'text', 'copy'] as const) {
    it(`by the ${backEnd} back end, strict mode`, () => {
      fc.assert(
        fc.property(pairs, ([schema, value]) => {
          const text = createSerializer(schema, { mode: 'strict', backEnd })(value)
          deepStrictEqual(JSON.parse(text), asJson(projection(schema, value, 'strict')))
        }),
        { numRuns: runs(150) },
      )
    })

    it(`by the ${backEnd} back end, compat mode`, () => {
      fc.assert(
        fc.property(pairs, ([schema, value]) => {
          const text = createSerializer(schema, { mode: 'compat', backEnd })(value)
          deepStrictEqual(JSON.parse(text), asJson(projection(schema, value, 'compat')))
        }),
        { numRuns: runs(150) },
      )
    })
  }

  it('writes valid JSON or throws for any value under any schema', () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true })
    const modes = fc.constantFrom('compat' as const, 'strict' as const)
    const backEnds = fc.constantFrom('concat' as const, 'project' as const, 'text' as const, 'copy' as const)
    fc.assert(
      fc.property(sample(2), anything, modes, backEnds, ({ schema }, value, mode, backEnd) => {
        const serialize = createSerializer(schema, { mode, backEnd })
        let text: string
        try {
          text = serialize(value)
        } catch (error) {
          expect(error).toHaveProperty('pointer')
          return
        }
        JSON.parse(text)
      }),
      { numRuns: runs(750) },
    )
  })

  it('writes the same with both back ends, or refuses with both', () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withSparseArray: true })
    fc.assert(
      fc.property(
        sample(),
        anything,
        fc.constantFrom('compat' as const, 'strict' as const),
        ({ schema }, value, mode) => {
          expect(outcome(schema, value, mode, 'project')).toStrictEqual(
            outcome(schema, value, mode, 'concat'),
          )
        },
      ),
      { numRuns: runs(750) },
    )
  })
})

function outcome(
  schema: object,
  value: unknown,
  mode: 'compat' | 'strict',
  backEnd: 'concat' | 'project',
): unknown {
  try {
    return JSON.parse(createSerializer(schema, { mode, backEnd })(value))
  } catch (error) {
    return error instanceof SerializeError ? 'refused' : error
  }
}
