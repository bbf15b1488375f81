// What a team that moves has to look at: each row of the table in docs/migrating.md is run on the framework under test,
// and what comes out is what stands there, for the peers as well.
import { describe, expect, it } from 'vitest'
import { subjectName } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'
import { rowOf, rowsOfPage } from '../outcome-case.ts'
import { definitionCases } from './definitions.ts'
import { requestCases } from './requests.ts'

const cases = [...requestCases, ...definitionCases]

describe(`where the lines differ: ${subjectName}`, () => {
  const createApp = useApps()
  for (const { number, asks, probe, outcome } of cases) {
    const expected = outcome[subjectName]
    it.skipIf(expected === null)(`${number}: ${asks}`, async () => {
      expect(await probe(createApp)).toBe(expected)
    })
  }
})

describe('docs/migrating.md', () => {
  it('has a row for every difference, and says what comes out', () => {
    expect(rowsOfPage('migrating.md')).toEqual(cases.map(rowOf))
  })
})
