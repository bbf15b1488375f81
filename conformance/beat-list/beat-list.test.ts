// What users of the peer suffer from, as cases: each is run on the framework under test, and what comes out is what
// docs/beat-list.md says, for the peers as well: CLOISTER_SUBJECT=fastify5 npx vitest run conformance/beat-list
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { subjectName } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'
import { allCases } from './all-cases.ts'

describe(`the beat list on ${subjectName}`, () => {
  const createApp = useApps()
  for (const { number, asks, probe, outcome } of allCases) {
    const expected = outcome[subjectName]
    it.skipIf(expected === null)(`${number}: ${asks}`, async () => {
      expect(await probe(createApp)).toBe(expected)
    }, 60_000)
  }
})

describe('docs/beat-list.md', () => {
  it('has a row for every case, and says what comes out', () => {
    const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/beat-list.md'), 'utf8')
    const rows = page.split('\n').filter((line) => /^\| \d/.test(line))
    const wanted = allCases.map(({ number, asks, outcome: { fastify4, fastify5, cloister } }) => {
      const [four, five, ours] = [fastify4, fastify5, cloister].map((text) =>
        text === null ? 'no such option' : `\`${text}\``,
      )
      return `| ${number} | ${asks} | ${four} | ${four === five ? 'same' : five} | ${ours} |`
    })
    expect(rows.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(wanted)
  })
})
