// The requests that the suites of this repository send, as `record.mjs` has kept them: both engines understand them alike.
import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { ours, useApps } from '../harness/transports.ts'
import { addEcho, isUpgrade, understand } from './echo-app.ts'

const AT_ONCE = 20
const LAST = 'GET /last HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n'

function readRecorded(): readonly string[] {
  const content: unknown = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8'))
  if (!Array.isArray(content)) throw new Error('recorded.json is a list of texts')
  return content.map(String)
}

describe('recorded requests', () => {
  const createApp = useApps({ logger: false })

  ours('the peers have one engine')('are understood alike by both engines', async () => {
    const own = addEcho(createApp({ transport: 'auto' }))
    const nodes = addEcho(createApp({ transport: 'node' }))
    const recorded = readRecorded()
    const differences: string[] = []
    let accepted = 0
    const compare = async (text: string): Promise<void> => {
      const bytes = Buffer.from(text + LAST, 'latin1')
      const [mine, theirs] = await Promise.all([understand(own, bytes), understand(nodes, bytes)])
      accepted += mine.accepted.length
      const most = isUpgrade(theirs.accepted.at(-1)) ? theirs.accepted.length : Infinity
      const seen = [mine, theirs].map(({ accepted, statuses, fault }) => ({
        bodies: accepted.slice(0, most),
        statuses: statuses.slice(0, most),
        fault,
      }))
      if (JSON.stringify(seen[0]) === JSON.stringify(seen[1])) return
      differences.push(`${text}\n  ${JSON.stringify(seen)}`)
    }
    for (let at = 0; at < recorded.length; at += AT_ONCE) {
      await Promise.all(recorded.slice(at, at + AT_ONCE).map(compare))
    }
    expect(differences.slice(0, 3)).toEqual([])
    expect(own).toMatchObject({ transport: { name: 'wire' } })
    // Requests that all are refused would prove nothing.
    expect(accepted).toBeGreaterThan(recorded.length / 2)
  })
})
