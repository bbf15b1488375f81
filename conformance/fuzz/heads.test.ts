// Fields of a head: the media type of a body, the credentials, the query of a target.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readToken } from '../../packages/bearer-auth/src/challenge.ts'
import { parseMediaType } from '../../packages/cloister/src/body/media-type.ts'
import { dependencies } from '../../packages/cloister/src/dependencies.ts'
import { sendInject } from '../harness/send.ts'
import { isPeer } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'
import { growthOf } from '../../packages/schema/test/growth.ts'
import { fuzz, fuzzGrowth } from './fuzz.ts'

const field = (alphabet: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet.split('')), maxLength: 40 })

describe.skipIf(isPeer)('fuzz: media types', () => {
  const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
  const run = (text: string): void => {
    const { essence, valid, parameters } = parseMediaType(text)
    expect(essence).toBe(essence.toLowerCase())
    if (valid) expect(essence).toMatch(token)
    const written = text.split(';')[0] ?? ''
    expect(essence).toBe(written.replace(/^[ \t]+|[ \t]+$/g, '').toLowerCase())
    for (const name of parameters.keys()) expect(name).toBe(name.toLowerCase())
  }
  fuzz(
    'media-type',
    'have one essence, what is written before the first semicolon',
    field('aZ/+.;="\\ \t,*\u00a0'),
    run,
  )
  fuzzGrowth('media-type', parseMediaType)

  it('take time in proportion to the blanks within, which no request of the usual size would show', () => {
    const run = (size: number): unknown => parseMediaType(`a/b${' '.repeat(size)}x`)
    expect(growthOf(run, 8192, 4)).toBeLessThan(1.6)
  })
})

describe.skipIf(isPeer)('fuzz: Authorization', () => {
  fuzz(
    'authorization',
    'has one token, without the blanks around it',
    field('Bearer \t\u00a0a=.'),
    (text) => {
      const expected = /^Bearer [ \t]*([^]*?)[ \t]*$/.exec(text)?.[1]
      const token = readToken(text, { bearerType: 'Bearer', anyLetterCase: false })
      expect(token).toBe(expected === '' ? undefined : expected)
      const lenient = readToken(text, { bearerType: 'bEARER', anyLetterCase: true })
      if (token !== undefined) expect(lenient).toBe(token)
    },
  )
  fuzzGrowth('authorization', (text) => readToken(text, { bearerType: 'Bearer', anyLetterCase: true }))
})

describe.skipIf(isPeer)('fuzz: query strings', () => {
  const createApp = useApps()
  const legal = field("aB1&=+%20%41%C3%A4;?/[]'")

  fuzz('query', 'have the names and values that URLSearchParams reads', legal, async (text) => {
    const query = encodeURI(text).replaceAll('#', '')
    const app = createApp()
    app.get('/', (request) => request.query)
    const response = await sendInject(app, { path: `/?${query}` })
    const expected = new Map<string, unknown[]>()
    for (const [name, value] of new URLSearchParams(`&${query}`)) {
      if (name !== '') expected.set(name, [...(expected.get(name) ?? []), value])
    }
    const read = Object.entries(Object(response.json())).filter(([name]) => name !== '')
    const lists = read.map(([name, value]) => [name, Array.isArray(value) ? value : [value]] as const)
    expect([response.status, new Map(lists)]).toEqual([200, expected])
    await app.close()
  })

  const { parse } = dependencies.fastQuerystring()
  fuzzGrowth('query', (text) => parse(text))
})
