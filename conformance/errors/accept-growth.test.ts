// The CPU time of a request grows with the length of its `Accept` field, whatever the field has.
import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'
import { isPeer } from '../harness/subject.ts'

const SMALL = 65_536
const TIMES = 4
/** Above this the CPU time of a request grows faster than its field. */
const LINEAR = 1.6
const ATTEMPTS = 8

const PIECES = ['"a",', ',', ';', 'a;', '"', 'a/b,', 'a/b;c="d",', 'a/b;c="', ' ', '/']
const STARTS = ['', '"', 'a/b;c="', 'a/b;']

describe.skipIf(isPeer)('the CPU time of a request with a long Accept field', () => {
  const text = { schema: { type: 'string' } }
  const response = { 200: { content: { 'text/csv': text, 'text/html': text } } }

  it.each(STARTS)('grows with its length, if it begins with %j', async (start) => {
    const app = cloister({ contentNegotiation: true, problemDetails: 'accepted' })
    app.get('/', { schema: { response } }, (_request, reply) => reply.type('text/csv').send('a'))
    const timeOf = async (piece: string, size: number): Promise<number> => {
      const accept = (start + piece.repeat(size)).slice(0, size)
      const begun = process.cpuUsage()
      await app.inject({ url: '/', headers: { accept } })
      const { user, system } = process.cpuUsage(begun)
      return user + system
    }
    for (const piece of PIECES) {
      let growth = Infinity
      for (let attempt = 0; attempt < ATTEMPTS && growth > LINEAR; attempt++) {
        const small = await timeOf(piece, SMALL)
        const large = await timeOf(piece, SMALL * TIMES)
        growth = Math.min(growth, Math.log(large / small) / Math.log(TIMES))
      }
      expect([piece, growth > LINEAR]).toEqual([piece, false])
    }
    await app.close()
  })
})
