import type { ErrorObject } from 'ajv'
import { describe, expect, it } from 'vitest'
import { SchemaScope } from '../../src/document/location.ts'
import type { Decider } from '../../src/validator/decider.ts'
import { narrowUnionErrors } from '../../src/validator/union-errors.ts'

describe('a decider', () => {
  type Shown = Pick<ErrorObject, 'instancePath' | 'keyword' | 'message'>
  const OWN: Shown = { instancePath: '/a', keyword: 'type', message: 'must be integer' }
  const OTHER: Shown = { instancePath: '', keyword: 'required', message: 'must have b' }
  const UNION: ErrorObject = { instancePath: '', schemaPath: '#/oneOf', keyword: 'oneOf', params: {} }
  const full = (shown: Shown): ErrorObject => ({ ...shown, schemaPath: 'x#', params: {} })
  const scope = new SchemaScope({ get: () => undefined, ids: () => [] })
  const root = scope.open({ oneOf: ['a', 'b'].map((kind) => ({ properties: { kind: { const: kind } } })) })

  /** Narrows the errors of both branches, which are given for the second run. */
  function narrow(data: unknown, ...branches: readonly (readonly Shown[] | null)[]) {
    const asked: string[] = []
    const decider: Decider = {
      errorsOf: () => null,
      errorsOfPart: (path) => {
        asked.push(path)
        return branches[Number(path.at(-1))]?.map(full) ?? null
      },
    }
    const narrowed = narrowUnionErrors([full(OWN), full(OTHER), UNION], data, { root, scope, decider })
    return { narrowed, asked }
  }

  it('that does not note where the errors of branches begin is asked again about each branch', () => {
    const { narrowed, asked } = narrow({ kind: 'a' }, [OWN], [OTHER])
    expect(narrowed).toEqual([full(OWN)])
    expect(asked).toEqual(['#/oneOf/0', '#/oneOf/0', '#/oneOf/1'])
  })

  it.each<readonly [string, readonly Shown[] | null]>([
    ['the path', [{ ...OTHER, instancePath: '/b' }]],
    ['the keyword', [{ ...OTHER, keyword: 'const' }]],
    ['the message', [{ ...OTHER, message: 'must have c' }]],
    ['fewer errors', null],
    ['more errors', [OTHER, OTHER]],
  ])('keeps all errors where a branch differs the second time, in %s', (_name, again) => {
    expect(narrow({ kind: 'a' }, [OWN], again).narrowed).toEqual([full(OWN), full(OTHER), UNION])
  })

  it('keeps all errors where a rule beside the union, and no branch, refused what the branch refuses now', () => {
    const errors = [full(OWN), full(OTHER), UNION]
    const decider = { errorsOf: () => null, errorsOfPart: () => [full(OWN)], branchesStart: () => 1 }
    expect(narrowUnionErrors(errors, { kind: 'a' }, { root, scope, decider })).toEqual(errors)
  })

  it('keeps all errors where the branch takes the value when it is alone', () => {
    expect(narrow({ kind: 'a' }, null, [OWN, OTHER]).narrowed).toEqual([full(OWN), full(OTHER), UNION])
  })

  it('is asked nothing where the value names no branch', () => {
    expect(narrow({ kind: 'c' }, [OWN], [OTHER]).asked).toEqual([])
  })
})
