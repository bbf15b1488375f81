import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countReasons, runSuite, type Deviation } from '../draft7/run-suite.ts'
import { readGroups, readRemotes } from '../draft7/suite.ts'

/*
 * The suite is not part of the repository. The counts are those of the commit that docs/evidence/schema-conformance.md
 * names; they stand there too. A change here is a change of behaviour: say there why it is wanted.
 */

const CHECKOUT = process.env['CLOISTER_SCHEMA_SUITE'] ?? ''
if (CHECKOUT === '') {
  throw new Error('CLOISTER_SCHEMA_SUITE must name a checkout of the official JSON Schema test suite')
}

const TESTS = join(CHECKOUT, 'tests', 'draft2020-12')
const remotes = readRemotes(
  join(CHECKOUT, 'remotes'),
  (path) => path.startsWith('draft2020-12') || !/^(?:draft|v1)/.test(path),
)

/** The schema as written: no coercion, no defaults, nothing removed, keywords that decide nothing allowed. */
const AS_WRITTEN = { strict: false, coerceTypes: false, useDefaults: false, removeAdditional: false } as const

/** Number of deviations by file. */
function countFiles(deviations: readonly Deviation[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { name } of deviations) {
    const [file = ''] = name.split(':', 1)
    counts[file] = (counts[file] ?? 0) + 1
  }
  return counts
}

/** Without code, schemas that need Ajv stop the start: formats that no validator of ours has, and the meta-schema. */
const STOPPED = { defs: 2, format: 28, ref: 2, refOfUnknownKeyword: 8 } as const

describe.each(['hot', 'always', 'never'] as const)('2020-12, codeGeneration: %s', (codeGeneration) => {
  const engine = { jsonSchemaDialect: '2020-12', codeGeneration } as const
  const isWithoutCode = codeGeneration === 'never'

  it('passes the required tests with schemas read as they are written, but for what is listed', () => {
    const { tests, deviations } = runSuite(readGroups(TESTS), remotes, AS_WRITTEN, engine)
    expect(tests).toBe(1299)
    expect(countFiles(deviations)).toEqual({
      enum: 6,
      format: 15 + (isWithoutCode ? STOPPED.format : 0),
      properties: 1,
      refRemote: 4,
      required: 4,
      vocabulary: 5,
      ...(isWithoutCode ? { defs: STOPPED.defs, ref: STOPPED.ref } : {}),
    })
  })

  it('deviates with the baseline only for the reasons that the baseline is made of', () => {
    const { deviations } = runSuite(readGroups(TESTS), remotes, {}, engine)
    expect(countReasons(deviations)).toEqual({
      // Without code the error that Ajv is needed comes first, and counts among the others.
      'strict mode refuses the schema': isWithoutCode ? 44 : 72,
      'coercion makes the value fit': 75,
      'removal of undeclared properties makes the value fit': 9,
      'a default that is itself invalid is filled in': 3,
      ...(isWithoutCode ? {} : { 'names that every object inherits count as present': 5 }),
      other: isWithoutCode ? 67 : 30,
    })
  })

  it('passes the optional tests, but for what is listed', () => {
    const { tests, deviations } = runSuite(readGroups(join(TESTS, 'optional')), remotes, AS_WRITTEN, engine)
    expect(tests).toBe(162)
    expect(countFiles(deviations)).toEqual({
      'cross-draft': 1,
      'float-overflow': 1,
      'format-assertion': 4,
      unknownKeyword: 3,
      ...(isWithoutCode ? { refOfUnknownKeyword: STOPPED.refOfUnknownKeyword } : {}),
    })
  })
})
