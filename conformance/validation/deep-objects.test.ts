// Objects in a query string: `name[key]=value`, as documents of OpenAPI say it (style `deepObject`).
import { z } from 'zod'
import type { Handler } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'

const filter = {
  type: 'object',
  properties: { min: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['min'],
}

describeTransports(
  'objects in a query',
  ({ createApp, send, expect, ours }) => {
    const test = ours('the peers keep the brackets in the names')
    const echo: Handler = (request) => request.query
    const querystring = { type: 'object', properties: { filter, page: { type: 'integer' } } }

    test.each([
      ['/?filter[min]=3&filter[tags]=a&page=1', { filter: { min: 3, tags: ['a'] }, page: 1 }],
      ['/?filter%5Bmin%5D=3&filter[tags]=a&filter[tags]=b', { filter: { min: 3, tags: ['a', 'b'] } }],
      ['/?other[min]=3', { 'other[min]': '3' }],
      ['/?filter[tags][]=a', { 'filter[tags][]': 'a' }],
      ['/?filter[min]=3&filter[max][of]=9', { filter: { min: 3 }, 'filter[max][of]': '9' }],
      ['/', {}],
    ])('are gathered where the schema has an object: %s', async (path, query) => {
      const app = createApp()
      app.get('/', { schema: { querystring } }, echo)
      expect((await send(app, { path })).json()).toEqual(query)
    })

    test('are validated by the schema of the object', async () => {
      const app = createApp()
      app.get('/', { schema: { querystring } }, echo)
      const missing = await send(app, { path: '/?filter[tags]=a' })
      expect([missing.status, missing.json()]).toEqual([
        400,
        expect.objectContaining({ message: "querystring/filter must have required property 'min'" }),
      ])
      expect((await send(app, { path: '/?filter[min]=x' })).status).toBe(400)
    })

    /** Schemas of a query with an object `filter`, in each way in which it may be written. */
    const WRITTEN: readonly (readonly [way: string, querystring: object])[] = [
      ['by a reference', { type: 'object', properties: { filter: { $ref: 'filter#' } } }],
      ['or null', { type: 'object', properties: { filter: { ...filter, type: ['object', 'null'] } } }],
      ['nullable', { type: 'object', properties: { filter: { ...filter, nullable: true } } }],
      ['in a union', { type: 'object', properties: { filter: { anyOf: [{ type: 'null' }, filter] } } }],
      ['in allOf', { type: 'object', properties: { filter: { allOf: [{ $ref: 'filter#' }] } } }],
      ['of a part', { allOf: [{ type: 'object', properties: { filter } }] }],
      [
        'of a condition',
        { type: 'object', if: { required: ['sort'] }, else: { properties: { filter: { $ref: 'filter#' } } } },
      ],
      ['of a shared query', { $ref: 'query#' }],
      [
        'of a definition',
        {
          type: 'object',
          properties: { filter: { $ref: '#/definitions/own' } },
          definitions: { own: filter },
        },
      ],
      ['required', { type: 'object', properties: { filter: { $ref: 'filter#' } }, required: ['filter'] }],
      ['of Zod, or null', z.object({ filter: z.object({ min: z.int() }).nullable().optional() })],
      ['of Zod, with an id', z.object({ filter: z.object({ min: z.int() }).meta({ id: 'OwnFilter' }) })],
    ]

    test.each(WRITTEN)('are gathered and validated where the object is written %s', async (_way, query) => {
      const app = createApp()
      app.addSchema({ $id: 'filter', ...filter })
      app.addSchema({ $id: 'query', type: 'object', properties: { filter: { $ref: 'filter#' } } })
      app.get('/', { schema: { querystring: query } }, echo)
      expect((await send(app, { path: '/?filter[min]=3' })).json()).toEqual({ filter: { min: 3 } })
      expect((await send(app, { path: '/?filter[min]=x' })).status).toBe(400)
    })

    test('poison no prototype', async () => {
      const app = createApp()
      app.get('/', { schema: { querystring } }, () => String(Reflect.get({}, 'min')))
      expect((await send(app, { path: '/?filter[min]=1&filter[__proto__]=2' })).text).toBe('undefined')
    })

    test('are gathered for schemas of other libraries', async () => {
      const app = createApp()
      app.get('/', { schema: { querystring: z.object({ filter: z.object({ min: z.number() }) }) } }, echo)
      expect((await send(app, { path: '/?filter[min]=3' })).json()).toEqual({ filter: { min: 3 } })
    })

    test('are those of the querystringParser, where the app has one', async () => {
      const app = createApp({ querystringParser: () => ({ 'filter[min]': '1' }) })
      app.get('/', { schema: { querystring } }, echo)
      expect((await send(app, { path: '/?a' })).json()).toEqual({ 'filter[min]': '1' })
    })
  },
  ['in-process', 'socket', 'memory', 'fetch'],
)
