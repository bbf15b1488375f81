import { describe, expect, it, vi } from 'vitest'
import { SchemaScope } from '../../src/document/location.ts'
import { leafOf } from '../../src/keywords/reading.ts'
import { readWalkSettings } from '../../src/validator/policy.ts'
import { SchemaValidator, ValidatorTables } from '../../src/validator/schema-validator.ts'
import { REFUSED_CASES } from '../walk/cases.ts'
import { LATER_CASES as EDGES } from '../walk/later-cases.ts'
import { CASES, LATER_CASES, valuesOf, type Case } from './cases.ts'

/** The schemas that are read while values come to a schema that was read as a whole. */
function readLater([schema, ...values]: Case, isLater: boolean): unknown[] {
  const shared = { get: () => undefined, ids: () => [] }
  const scope = new SchemaScope(shared, new WeakMap(), isLater ? '2020-12' : 'draft-07')
  const tables = new ValidatorTables(readWalkSettings({ coerceTypes: false }))
  const validator = new SchemaValidator(scope.open(schema), scope, tables, { isCollecting: isLater })
  validator.readAll()
  const read = vi.spyOn(validator, 'read')
  const accept = validator.acceptor()
  for (const value of valuesOf([schema, ...values])) {
    accept(structuredClone(value))
    validator.errorsOf(structuredClone(value))
  }
  return read.mock.calls.map(([node]) => node.location.schema)
}

describe.each([
  ['draft-07', { ...CASES, ...REFUSED_CASES }],
  ['2020-12', { ...LATER_CASES, ...EDGES }],
])('schemas of %s that are read as a whole', (dialect, groups) => {
  it.each(Object.entries(groups))('are not read again for values: %s', (_group, cases) => {
    // A schema whose values are tested without a call is read for its errors.
    for (const one of cases)
      expect(
        readLater(one, dialect === '2020-12').filter((schema) => !leafOf(schema).isWhole),
        JSON.stringify(one[0]),
      ).toEqual([])
  })
})
