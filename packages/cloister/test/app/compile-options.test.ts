import { afterEach, describe, expect, it, vi } from 'vitest'

import { compileTrust } from '../../src/app/compile-options.ts'
import { cloister } from '../../src/index.ts'
import { jsonTextOf } from '../../src/inspection.ts'

describe('the addresses of trustProxy', () => {
  it.each([
    ['1', '"1"'],
    ['10.0.0.1, 2', '"2"'],
    ['010.0.0.1', '"010.0.0.1"'],
    [['loopback', 'local'], '"local"'],
    ['', '""'],
    ['10.0.0.0/99', '"10.0.0.0/99"'],
    [['::1', 'fe80::/129'], '"::1, fe80::/129"'],
  ])('are refused where one is no address: %j', (trust, shown) => {
    const refused = expect.objectContaining({ code: 'CLO_ERR_INIT_OPTS_INVALID' })
    expect(() => compileTrust(trust)).toThrow(refused)
    expect(() => compileTrust(trust)).toThrow(`got ${shown}; a number of hops is { hops, from }`)
    expect(() => compileTrust({ hops: 1, from: trust })).toThrow(refused)
  })

  it('are refused with what the library says of them', () => {
    expect(() => compileTrust('10.0.0.0/99')).toThrow(expect.objectContaining({ cause: expect.any(Error) }))
  })

  it.each(['10.0.0.1', '10.0.0.0/8', 'fe80::/10', 'loopback, linklocal ,uniquelocal'])(
    'may be %s',
    (trust) => {
      expect(compileTrust(trust)).toBeTypeOf('function')
    },
  )
})

describe('a slow expression', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('is warned of once, also where it is for text and for JSON that is not coerced', async () => {
    const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const app = cloister({ coerceJsonBodies: false })
    const schemaOf = (pattern: string): object => ({
      type: 'object',
      properties: { mail: { type: 'string', pattern } },
    })
    const [first, second] = [String.raw`^(.+)@.+\1$`, String.raw`^(.+):.+\1$`]
    app.post('/', { schema: { body: schemaOf(first), querystring: schemaOf(first) } }, () => 1)
    app.post('/more', { schema: { body: schemaOf(second) } }, () => 1)
    await app.ready()
    expect(emit.mock.calls.length).toBe(2)
  })
})

describe('the text of a number in JSON', () => {
  const INT64 = { type: 'integer', format: 'int64' }
  it.each([
    ['number', INT64, '9007199254740992'],
    ['exact', { type: 'number' }, '9007199254740992'],
    ['bigint', { type: 'number' }, '9007199254740993'],
    ['bigint', INT64, '9007199254740993'],
  ] as const)('is what JavaScript reads, or what the client wrote: %s, %j', async (integers, n, expected) => {
    const app = cloister({ integers })
    app.post('/', { schema: { body: { type: 'object', properties: { n } } } }, (request) =>
      jsonTextOf(request, Object(request.body), 'n'),
    )
    const headers = { 'content-type': 'application/json' }
    const { body } = await app.inject({
      method: 'POST',
      url: '/',
      headers,
      payload: '{"n":9007199254740993}',
    })
    expect(body).toBe(expected)
  })
})
