import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'
import { drawRequests } from '../../src/exchanges/draw-requests.ts'
import { Samples } from '../../src/exchanges/sample-values.ts'

const SCHEMAS: readonly object[] = [
  {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'integer', minimum: 5 }, b: { type: 'boolean' } },
  },
  {
    type: 'object',
    properties: { a: { type: 'string', format: 'date-time' }, b: { type: 'string', format: 'uuid' } },
  },
  {
    type: 'object',
    properties: { a: { type: 'string', pattern: '^[A-Z]+$' }, b: { type: 'string', minLength: 9 } },
  },
  { type: 'array', minItems: 2, items: { enum: ['x', 'y'] } },
  { anyOf: [{ type: 'object', required: ['a'], properties: { a: { const: 1 } } }, { type: 'null' }] },
  {
    allOf: [{ type: 'object', required: ['a'], properties: { a: { type: 'number', exclusiveMinimum: 1 } } }],
  },
  { $ref: '#/definitions/a', definitions: { a: { type: 'string', maxLength: 2, minLength: 2 } } },
  { type: 'object', required: ['a'], properties: { a: { type: ['string', 'null'], default: 'given' } } },
  { type: 'object', properties: { a: { $ref: 'shared#' }, b: { $ref: 'shared#/properties/id' } } },
]
const shared = {
  $id: 'shared',
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', maximum: -3 } },
}

/** Whether a value fits a schema, without conversions. */
async function fits(schema: object, value: unknown): Promise<boolean> {
  const app = cloister({ ajv: { customOptions: { coerceTypes: false, useDefaults: false } } }).addSchema(
    shared,
  )
  app.post('/', { schema: { body: schema } }, () => 'ok')
  const headers = { 'content-type': 'application/json' }
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/',
    headers,
    payload: JSON.stringify(value),
  })
  return statusCode === 200
}

const find = (): unknown => shared

describe('samples of schemas', () => {
  it.each(SCHEMAS.map((schema) => [JSON.stringify(schema), schema]))('fit %s', async (_text, schema) => {
    expect(await fits(Object(schema), new Samples(find).valid(schema))).toBe(true)
  })

  it('end where a schema refers to itself', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' } } }
    expect(new Samples(find).valid(tree)).toMatchObject({ left: { left: {} } })
  })

  it('are refused, or at a limit, where one is odd', async () => {
    const [schema] = SCHEMAS
    const odd = new Samples(find).odd(schema)
    expect(odd.map(({ odd: what }) => what)).toEqual(
      expect.arrayContaining(['without a', 'a: below the minimum', 'a: a word', 'a member more']),
    )
    const [missing, ...members] = odd
    expect(await fits(schema ?? {}, missing?.value)).toBe(false)
    expect(await fits(schema ?? {}, members[0]?.value)).toBe(false)
  })
})

const GET = { method: 'GET', url: '/', schema: {}, callSite: 'app.js:1' }

describe('drawn requests', () => {
  it('are those of the methods that may be sent, the same ones in each run', () => {
    const routes = [GET, { ...GET, method: 'POST' }, { ...GET, method: 'DELETE' }]
    const draw = (): string[] => drawRequests(routes, new Set(['GET']), find).map(({ method }) => method)
    expect(new Set(draw())).toEqual(new Set(['GET']))
    expect(drawRequests(routes, new Set(['POST']), find)).toEqual(
      drawRequests(routes, new Set(['POST']), find),
    )
    expect(drawRequests(routes, new Set(['POST']), find).map(({ odd }) => odd)).toContain('malformed JSON')
  })

  it.each([
    ['/a/:id', '/a/7'],
    ['/a/:id(^\\d+$)/b', '/a/7/b'],
    ['/:other?', '/1'],
    ['/:from-:to', '/1-1'],
    ['/files/*', '/files/a/b'],
    ['/a::b', '/a:b'],
  ])('have values in the path %s', (url, expected) => {
    const schema = { params: { type: 'object', properties: { id: { type: 'integer', minimum: 7 } } } }
    expect(drawRequests([{ ...GET, url, schema }], new Set(['GET']), find)[0]?.url).toBe(expected)
  })

  it('repeat the names of lists in a query', () => {
    const querystring = { ids: { type: 'array', minItems: 2, items: { type: 'integer' } } }
    const [first] = drawRequests([{ ...GET, schema: { querystring } }], new Set(['GET']), find)
    expect(first?.url).toBe('/?ids=1&ids=1')
  })
})
