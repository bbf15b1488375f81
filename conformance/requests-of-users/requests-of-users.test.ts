// What users of the peer suffer from, as cases: each is run on the framework under test, and what comes out is what
// docs/evidence/requests-of-users.md says, for the peers as well: CLOISTER_SUBJECT=fastify5 npx vitest run conformance/requests-of-users
import { describe, expect, it } from 'vitest'
import { isPeer, subjectName } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'
import { rowsOfPage, rowWithStrict } from '../outcome-case.ts'
import { allCases } from './all-cases.ts'

describe(`requests of users on ${subjectName}`, () => {
  const createApp = useApps()
  for (const { number, asks, probe, outcome } of allCases) {
    const expected = outcome[subjectName]
    it.skipIf(expected === null)(`${number}: ${asks}`, async () => {
      expect(await probe(createApp)).toBe(expected)
    })
  }
})

describe('requests of users with strict: true', () => {
  const createStrict = useApps({ strict: true })
  for (const { number, asks, probe, outcome, strict = outcome.cloister } of allCases) {
    it.skipIf(isPeer)(`${number}: ${asks}`, async () => {
      expect(await probe(createStrict)).toBe(strict)
    })
  }
})

describe('docs/evidence/requests-of-users.md', () => {
  it('has a row for every case, and says what comes out', () => {
    expect(rowsOfPage('evidence/requests-of-users.md', 6)).toEqual(allCases.map(rowWithStrict))
  })
})
