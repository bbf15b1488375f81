import { describe, expect, it } from 'vitest'
import { countReasons, runSuite } from './run-suite.ts'
import { readGroups, readRemotes } from './suite.ts'

/*
 * The counts stand in docs/evidence/schema-conformance.md too. A change here is a change of behaviour: say there
 * why it is wanted.
 */

/** The schema as written: no coercion, no defaults, nothing removed, keywords that decide nothing allowed. */
const AS_WRITTEN = { strict: false, coerceTypes: false, useDefaults: false, removeAdditional: false } as const

describe('the official draft-7 suite', () => {
  const groups = readGroups()
  const remotes = readRemotes()

  it('is whole', () => {
    expect(groups.flatMap(({ tests }) => tests)).toHaveLength(927)
  })

  it('passes with schemas read as they are written, but for what is listed', () => {
    const { deviations } = runSuite(groups, remotes, AS_WRITTEN)
    expect(deviations.map(({ name }) => name)).toEqual([
      'properties: properties whose names are Javascript object property names: none of the properties mentioned',
      'ref: ref overrides any sibling keywords: ref valid, maxItems ignored',
      'ref: $ref prevents a sibling $id from changing the base uri: $ref resolves to /definitions/base_foo, data does not validate',
      'ref: $ref prevents a sibling $id from changing the base uri: $ref resolves to /definitions/base_foo, data validates',
      'required: required properties whose names are Javascript object property names: none of the properties mentioned',
      'required: required properties whose names are Javascript object property names: __proto__ present',
      'required: required properties whose names are Javascript object property names: toString present',
      'required: required properties whose names are Javascript object property names: constructor present',
    ])
  })

  it('deviates with the baseline only for the reasons that the baseline is made of', () => {
    const { deviations } = runSuite(groups, remotes)
    expect(countReasons(deviations)).toEqual({
      'strict mode refuses the schema': 52,
      'coercion makes the value fit': 60,
      'removal of undeclared properties makes the value fit': 6,
      'a default that is itself invalid is filled in': 3,
      'names that every object inherits count as present': 5,
      other: 2,
    })
  })
})
