// What documents have of the schemas of other libraries.
import { openApiDocument } from '@cloister/openapi'
import type { OpenApiDocument } from '@cloister/openapi'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { cloister } from 'cloister'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

interface AnyRoute {
  post(url: string, options: object, handler: () => unknown): unknown
}

/** The document of an app with these routes. */
async function documentOf(schemas: Readonly<Record<string, object>>): Promise<OpenApiDocument> {
  const app = cloister()
  const routes: AnyRoute = app
  for (const [url, schema] of Object.entries(schemas)) routes.post(url, { schema }, () => null)
  await app.ready()
  return openApiDocument(app, { frameworkResponses: false })
}

const gap = (reason: string): object => ({
  'x-unrepresentable': reason,
  description: `No JSON Schema describes this value: ${reason}.`,
})

describe('a value of another library that has no JSON Schema', () => {
  it.each([
    [
      'Zod',
      z.object({
        a: z.string(),
        b: z.string().transform(Number),
        c: z.map(z.string(), z.string()),
        d: z.custom(),
      }),
      { b: gap('a transform'), c: gap('a Map'), d: gap('a custom type') },
    ],
    [
      'Valibot',
      toStandardJsonSchema(
        v.object({
          a: v.pipe(v.string(), v.trim()),
          b: v.pipe(v.string(), v.transform(Number)),
          c: v.map(v.string(), v.string()),
          d: v.pipe(v.string(), v.parseJson()),
        }),
      ),
      { b: gap('a transform'), c: gap('map of Valibot'), d: gap('parsed JSON') },
    ],
    [
      'ArkType',
      type({ a: 'string', b: ['string', '=>', Number], c: 'Map', d: 'symbol' }),
      { b: gap('a change'), c: gap('a Map'), d: gap('a symbol') },
    ],
  ])(
    'is open, with a note, in a response of %s; the others keep theirs',
    async (_library, response, gaps) => {
      const { paths } = await documentOf({ '/': { response: { 200: response } } })
      const { schema } = Object(paths['/'])['post'].responses[200].content['application/json']
      expect(schema.properties).toEqual({ a: { type: 'string' }, ...gaps })
    },
  )

  it('is as the author describes it', async () => {
    const length = z.string().transform((text) => text.length)
    const response = z.object({
      a: length.meta({ type: 'integer' }),
      b: length.pipe(z.int32()),
      c: length.describe('its length'),
      d: z.date().meta({ type: 'integer', description: 'seconds' }),
    })
    const { paths } = await documentOf({ '/': { response: { 200: response } } })
    const { schema } = Object(paths['/'])['post'].responses[200].content['application/json']
    expect(schema.properties).toMatchObject({
      a: { type: 'integer' },
      b: { type: 'integer', minimum: -2147483648 },
      c: { 'x-unrepresentable': 'a transform', description: 'its length' },
      d: { type: 'integer', description: 'seconds' },
    })
    expect(schema.properties.a).not.toHaveProperty('x-unrepresentable')
    expect(schema.properties.d).not.toHaveProperty('format')
  })

  it('does not stop the start, whatever the library throws', async () => {
    const jsonSchema = {
      input: () => {
        throw new Error('no JSON Schema for a Duration')
      },
    }
    const own = {
      '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }), jsonSchema },
    }
    const { paths } = await documentOf({ '/:id': { params: own, body: own } })
    const { parameters, requestBody } = Object(paths['/{id}'])['post']
    expect(parameters).toEqual([{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }])
    expect(requestBody.content['application/json'].schema).toEqual(gap('no JSON Schema for a Duration'))
  })
})

describe('a date of another library', () => {
  it.each([
    ['Zod', z.object({ from: z.coerce.date(), to: z.date().optional() })],
    ['Valibot', toStandardJsonSchema(v.object({ from: v.date(), to: v.optional(v.date()) }))],
    ['ArkType', type({ from: 'Date', 'to?': 'Date' })],
  ])('is a date-time, in requests and responses: %s', async (_library, schema) => {
    const { paths } = await documentOf({ '/': { querystring: schema, response: { 200: schema } } })
    const { parameters, responses } = Object(paths['/'])['post']
    const date = { type: 'string', format: 'date-time' }
    expect(parameters).toEqual([
      { name: 'from', in: 'query', required: true, schema: date },
      { name: 'to', in: 'query', schema: date },
    ])
    expect(responses[200].content['application/json'].schema).toMatchObject({
      properties: { from: date, to: date },
      required: ['from'],
    })
  })

  it('is a date-time where a library makes it of text', async () => {
    const iso = z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    })
    const response = {
      200: z.object({ at: iso }),
      201: toStandardJsonSchema(v.object({ at: v.pipe(v.string(), v.toDate()) })),
    }
    const { paths } = await documentOf({ '/': { response } })
    const { responses } = Object(paths['/'])['post']
    for (const status of [200, 201]) {
      expect(responses[status].content['application/json'].schema.properties.at).toEqual({
        type: 'string',
        format: 'date-time',
      })
    }
  })
})

describe('an id of another library', () => {
  const refs = (document: OpenApiDocument): string[] =>
    [...JSON.stringify(document.paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name = '']) => name,
    )

  it('is one component, however many routes have it, in requests and responses', async () => {
    const Tag = z.object({ name: z.string() }).meta({ id: 'Tag' })
    const Item = z.object({ n: z.number(), tags: z.array(Tag) }).meta({ id: 'Item' })
    const document = await documentOf({
      '/a': { body: Item, response: { 200: Item, 201: z.array(Item) } },
      '/b': {
        body: z.object({ item: Item }),
        response: { 200: z.object({ items: z.array(Item), tag: Tag }) },
      },
    })
    expect(Object.keys(document.components?.schemas ?? {}).toSorted()).toEqual(['Item', 'Tag'])
    expect(new Set(refs(document))).toEqual(new Set(['Item', 'Tag']))
  })

  it.each([['first'], ['last']])(
    'has a form for requests where that differs, the request being %s',
    async (place) => {
      const Size = z.object({ n: z.number().default(1) }).meta({ id: 'Size' })
      const Same = z.object({ n: z.number() }).meta({ id: 'Same' })
      const taking = { body: z.object({ size: Size, same: Same }) }
      const giving = { response: { 200: z.object({ size: Size, same: Same }) } }
      const routes = place === 'first' ? { '/a': taking, '/b': giving } : { '/a': giving, '/b': taking }
      const { components } = await documentOf(routes)
      expect(components?.schemas).toEqual({
        Size: { type: 'object', properties: { n: { type: 'number', default: 1 } }, required: ['n'] },
        SizeInput: { type: 'object', properties: { n: { type: 'number', default: 1 } } },
        Same: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      })
    },
  )

  it('has its own name where only requests have it', async () => {
    const Size = z.object({ n: z.number().default(1) }).meta({ id: 'Size' })
    const { components } = await documentOf({ '/': { body: z.object({ size: Size }) } })
    expect(Object.keys(components?.schemas ?? {})).toEqual(['Size'])
  })

  it('is two components where two schemas have it', async () => {
    const one = z.object({ a: z.object({ n: z.number() }).meta({ id: 'Item' }) })
    const two = z.object({ a: z.object({ n: z.string() }).meta({ id: 'Item' }) })
    const { components } = await documentOf({ '/a': { body: one }, '/b': { body: two } })
    expect(Object.keys(components?.schemas ?? {}).toSorted()).toEqual(['Item', 'Item_2'])
  })

  it('may contain itself', async () => {
    const Tree = z
      .object({
        n: z.number(),
        get below() {
          return z.array(Tree)
        },
      })
      .meta({ id: 'Tree' })
    const document = await documentOf({ '/a': { body: Tree }, '/b': { response: { 200: Tree } } })
    expect(document.components?.schemas).toEqual({
      Tree: {
        type: 'object',
        properties: {
          n: { type: 'number' },
          below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
        required: ['n', 'below'],
      },
    })
  })
})
