// JSON bodies: read as JSON.parse reads them, but for names that reach a prototype.
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { createJsonParser } from '../../packages/cloister/src/body/default-parsers.ts'
import { sendInject } from '../harness/send.ts'
import { isPeer } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'
import { fuzz, fuzzGrowth } from './fuzz.ts'

const text = fc.oneof(
  fc.json(),
  fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0041e-+. \t\ntrue'.split('')), maxLength: 30 }),
)

describe.skipIf(isPeer)('fuzz: JSON bodies', () => {
  const createApp = useApps()

  fuzz('json', 'are what JSON.parse makes of them, or 400', text, async (body) => {
    const app = createApp()
    app.post('/', (request, reply) => {
      reply.type('application/json')
      return JSON.stringify([request.body])
    })
    const headers = { 'content-type': 'application/json' }
    const response = await sendInject(app, { method: 'POST', path: '/', headers, body: Buffer.from(body) })
    let expected: string | undefined
    try {
      // A byte order mark may be passed over (RFC 8259 section 8.1).
      const text = Buffer.from(body)
        .toString()
        .replace(/^\ufeff/, '')
      expected = JSON.stringify([JSON.parse(text)])
    } catch {
      expected = undefined
    }
    const isRefused = expected === undefined || body === ''
    // Names that reach a prototype are refused, however they are written.
    const mayPoison = /__proto__|constructor|\\u/i.test(body)
    if (isRefused) expect([body, response.status]).toEqual([body, 400])
    else if (!(mayPoison && response.status === 400)) expect([body, response.text]).toEqual([body, expected])
    expect(Object.keys(Object.prototype)).toEqual([])
    await app.close()
  })

  const parse = createJsonParser({
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    bodyText: 'utf-8',
    duplicateNames: 'refuse',
    integers: 'exact',
  })
  fuzzGrowth('json', (body) => {
    try {
      parse.call(undefined, undefined, body)
    } catch (error) {
      expect(error).toHaveProperty('statusCode', 400)
    }
  })
})
