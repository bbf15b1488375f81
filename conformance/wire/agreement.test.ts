// What one engine takes for a request, the other takes for the same request: otherwise a message could hide in another
// one, behind a proxy that reads it as Node does. Random messages go to both; refusing more than Node is allowed.
import { describe, expect } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import { ours, useApps } from '../harness/transports.ts'
import { addEcho, isUpgrade, understand } from './echo-app.ts'
import { drawMessage } from './reference/draw-message.ts'
import type { Understood } from './echo-app.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const MESSAGES = Number(process.env['CLOISTER_MESSAGES'] ?? 1500)
const AT_ONCE = 20
/** A second request on each connection: it gets a response only where both agree on the end of the first. */
const LAST = 'GET /last HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n'

/** Whether all that one engine accepted was understood by the other, as far as that one read on. */
function agree(one: Understood, other: Understood): boolean {
  if (one.fault !== null) return false
  return one.accepted.every((body, index) =>
    index < other.accepted.length
      ? body === other.accepted[index]
      : other.isLast || isUpgrade(other.accepted.at(-1)),
  )
}

describe('the engine beside node:http', () => {
  const createApp = useApps({ logger: false })

  ours('the peers have one engine')(
    `accepts nothing that Node understands in another way (CLOISTER_SEED=${SEED})`,
    async () => {
      const own = addEcho(createApp({ transport: 'auto' }))
      const nodes = addEcho(createApp({ transport: 'node' }))
      const random = new Random(SEED)
      const differences: string[] = []
      let accepted = 0
      const compare = async (bytes: Buffer): Promise<void> => {
        const [mine, theirs] = await Promise.all([understand(own, bytes), understand(nodes, bytes)])
        accepted += mine.accepted.length
        if (agree(mine, theirs)) return
        differences.push(
          `${JSON.stringify(bytes.toString('latin1').replace(LAST, '<LAST>'))}\n  ${mine.fault ?? mine.accepted.join(' ')}\n  ${theirs.accepted.join(' ')}`,
        )
      }
      for (let done = 0; done < MESSAGES; done += AT_ONCE) {
        await Promise.all(
          Array.from({ length: AT_ONCE }, () => compare(Buffer.from(drawMessage(random) + LAST, 'latin1'))),
        )
      }
      expect(differences.slice(0, 5)).toEqual([])
      expect(own).toMatchObject({ transport: { name: 'wire' } })
      // Messages that all are refused would prove nothing.
      expect(accepted / MESSAGES).toBeGreaterThan(0.25)
    },
  )
})
