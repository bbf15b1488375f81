import { beforeAll, describe, expect } from 'vitest'
import { ours } from '../harness/transports.ts'
import { runCorpus } from './corpus.ts'
import type { Outcome, Transport } from './corpus.ts'
import { readCases } from './wire-case.ts'
import type { CaseFile, SendMode } from './wire-case.ts'

const TRANSPORTS: readonly Transport[] = ['node', 'auto']

/** Cases that are not met, each with its reason. A case that is met leaves the list, or the suite fails. */
const DEVIATIONS: Readonly<Record<string, string>> = {
  'json.age-hexstr': 'the baseline coerces what Number() reads; `coerceJsonBodies: false` does not',
  'json.age-tabstr': 'the baseline coerces what Number() reads; `coerceJsonBodies: false` does not',
}

/** The same for the parser of Node only. */
const DEVIATIONS_OF_NODE: Readonly<Record<string, string>> = {
  'line.protocol-rtsp': 'Node reads `RTSP/1.1` as HTTP/1.1 and does not tell',
}

/** Describes the cases of a file in a mode, over both engines: a test for each case. */
export function describeCorpus(name: string, mode: SendMode, file: CaseFile = 'cases.json'): void {
  for (const transport of TRANSPORTS) describeOver(transport, name, mode, file)
}

function describeOver(transport: Transport, name: string, mode: SendMode, file: CaseFile): void {
  describe(`wire: ${name} (transport: ${transport})`, () => {
    const cases = readCases(file).filter(({ slow }) => slow !== true || mode === 'asis')
    const test = ours('the peers fail a part of it')
    let outcome: Outcome = new Map()
    beforeAll(async () => {
      outcome = await runCorpus(cases, mode, transport)
    }, 240_000)

    for (const { id, level } of cases) {
      const deviation = DEVIATIONS[id] ?? (transport === 'node' ? DEVIATIONS_OF_NODE[id] : undefined)
      test(`${id} (${level}${deviation === undefined ? '' : `, not met: ${deviation}`})`, () => {
        const faults = outcome.get(id)
        if (deviation === undefined) expect(faults).toEqual([])
        else expect(faults?.length).toBeGreaterThan(0)
      })
    }
  })
}
