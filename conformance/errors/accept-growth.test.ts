// The CPU time of a request grows with the length of its `Accept` field, whatever the field has.
import { cloister } from 'cloister'
import { describe, it } from 'vitest'
import { expectLinear, textOf } from '../harness/growth.ts'
import { isPeer } from '../harness/subject.ts'

const PIECES = ['"a",', ',', ';', 'a;', '"', 'a/b,', 'a/b;c="d",', 'a/b;c="', ' ', '/']
const STARTS = ['', '"', 'a/b;c="', 'a/b;']

describe.skipIf(isPeer)('the CPU time of a request with a long Accept field', () => {
  const text = { schema: { type: 'string' } }
  const response = { 200: { content: { 'text/csv': text, 'text/html': text } } }

  it.each(STARTS)('grows with its length, if it begins with %j', async (start) => {
    const app = cloister({ contentNegotiation: true, problemDetails: 'accepted' })
    app.get('/', { schema: { response } }, (_request, reply) => reply.type('text/csv').send('a'))
    for (const piece of PIECES)
      await expectLinear(
        app,
        (size) => ({ url: '/', headers: { accept: textOf(start, piece, size) } }),
        piece,
      )
    await app.close()
  })
})
