import type { Infer } from 'cloister'

import { app, is, it } from './support.ts'

declare const value: <const Schema>(schema: Schema) => Infer<Schema>

it('infers an object without `as const`', () => {
  app.post(
    '/',
    {
      schema: {
        body: {
          type: 'object',
          properties: { title: { type: 'string' }, pages: { type: 'integer' }, price: { type: 'number' } },
          required: ['title'],
        },
      },
    },
    (request) => is<{ title: string; pages?: number; price?: number }>()(request.body),
  )
})

it('infers the shorthand form of every part', () => {
  app.post(
    '/:id',
    {
      schema: {
        params: { id: { type: 'integer' } },
        querystring: { limit: { type: 'integer', default: 10 } },
        headers: { 'x-trace': { type: 'string' } },
        body: { done: { type: 'boolean' } },
      },
    },
    (request) => {
      is<{ id: number }>()(request.params)
      is<{ limit: number }>()(request.query)
      is<string | undefined>()(request.headers['x-trace'])
      is<string | undefined>()(request.headers['user-agent'])
      is<{ done?: boolean }>()(request.body)
    },
  )
})

it('reads `query` for `querystring`', () => {
  app.get('/', { schema: { query: { page: { type: 'integer', default: 1 } } } }, (request) =>
    is<{ page: number }>()(request.query),
  )
})

it('has a property with a default, required or not', () => {
  is<{ a: number; b?: string }>()(
    value({ type: 'object', properties: { a: { type: 'number', default: 1 }, b: { type: 'string' } } }),
  )
})

it('lowers the names of headers', () => {
  app.get(
    '/',
    {
      schema: {
        headers: { type: 'object', properties: { 'X-Key': { type: 'string' } }, required: ['X-Key'] },
      },
    },
    (request) => is<string>()(request.headers['x-key']),
  )
})

it('infers lists of types and nullable', () => {
  is<number | null>()(value({ type: ['number', 'null'] }))
  is<string | null>()(value({ type: 'string', nullable: true }))
})

it('infers enum and const', () => {
  is<'red' | 'blue'>()(value({ type: 'string', enum: ['red', 'blue'] }))
  is<'circle'>()(value({ const: 'circle' }))
  is<'x' | null>()(value({ enum: ['x', null] }))
})

it('infers unions of objects as discriminated unions', () => {
  const shape = value({
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
        required: ['kind', 'radius'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'square' }, side: { type: 'number' } },
        required: ['kind', 'side'],
      },
    ],
  })
  if (shape.kind === 'circle') is<number>()(shape.radius)
  else is<number>()(shape.side)
})

it('infers anyOf and allOf', () => {
  is<string | number>()(value({ anyOf: [{ type: 'string' }, { type: 'number' }] }))
  is<{ a: string; b: number }>()(
    value({
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    }),
  )
})

it('infers arrays and tuples', () => {
  is<string[]>()(value({ type: 'array', items: { type: 'string' } }))
  is<unknown[]>()(value({ type: 'array' }))
  is<[string, number]>()(
    value({
      type: 'array',
      items: [{ type: 'string' }, { type: 'number' }],
      minItems: 2,
      additionalItems: false,
    }),
  )
})

it('infers records', () => {
  is<{ [key: string]: number }>()(value({ type: 'object', additionalProperties: { type: 'number' } }))
  is<{ [key: string]: string }>()(value({ type: 'object', patternProperties: { '^x-': { type: 'string' } } }))
  is<{ [key: string]: unknown }>()(value({ type: 'object' }))
})

it('infers nested objects and arrays', () => {
  is<{ lines: { sku: string; count?: number }[] }>()(
    value({
      type: 'object',
      properties: {
        lines: {
          type: 'array',
          items: {
            type: 'object',
            properties: { sku: { type: 'string' }, count: { type: 'integer' } },
            required: ['sku'],
          },
        },
      },
      required: ['lines'],
    }),
  )
})

it('takes `true`, `{}` and `false` for schemas', () => {
  is<unknown>()(value(true))
  is<unknown>()(value({}))
  is<never>()(value(false))
})

it('infers a body per media type as their union', () => {
  app.post(
    '/',
    {
      schema: {
        body: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
            },
            'text/plain': { schema: { type: 'string' } },
          },
        },
      },
    },
    (request) => is<{ a: string } | string>()(request.body),
  )
})

it('infers a schema that was written apart with `as const`', () => {
  const schema = { body: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } } as const
  app.post('/', { schema }, (request) => is<{ a: string }>()(request.body))
})

it('says unknown where there is no schema', () => {
  app.post('/', (request) => {
    is<unknown>()(request.body)
    is<unknown>()(request.query)
  })
})

it('has no readonly in what a handler reads', () => {
  app.post('/', { schema: { body: { tags: { type: 'array', items: { type: 'string' } } } } }, (request) => {
    request.body.tags?.push('x')
    request.body.tags = []
  })
})

it('gives the items of prefixItems the types of their positions', () => {
  const pair = {
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'integer' }],
    items: { type: 'boolean' },
    minItems: 2,
  } as const
  app.post('/pairs', { schema: { body: pair } }, (request) => {
    is<string>()(request.body[0])
    is<number>()(request.body[1])
    is<boolean | undefined>()(request.body[2])
    return 'read'
  })
})
