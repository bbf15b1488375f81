/** Request parts as real applications have them. */
import type { Shape } from './shape.ts'

const money = {
  type: 'object',
  properties: { amount: { type: 'number' }, currency: { type: 'string', minLength: 3, maxLength: 3 } },
  required: ['amount', 'currency'],
}

const flatObject = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    active: { type: 'boolean' },
    score: { type: 'number' },
    kind: { type: 'string' },
  },
  required: ['id', 'name'],
}

const flatValue = { id: 7, name: 'Ada', active: true, score: 1.5, kind: 'small' }

const wideNames = Array.from({ length: 40 }, (_, index) => `field${index}`)

const bodyValue = {
  name: 'A thing',
  email: 'ada@example.org',
  kind: 'small',
  note: 'leave at the door',
  createdAt: '2024-05-06T07:08:09Z',
  website: 'https://example.org/things',
  price: { amount: 12.5, currency: 'EUR' },
  address: { street: 'Long Lane 1', city: 'Ely', country: 'GB' },
  tags: ['gift', 'paper'],
  items: [
    { sku: 'a1', quantity: 2, price: { amount: 1, currency: 'EUR' } },
    { sku: 'b2', quantity: 1, price: { amount: 3.25, currency: 'EUR' } },
  ],
  active: true,
  score: 88,
  parent: null,
}

/** Shapes of whole request parts. */
export const requestShapes: readonly Shape[] = [
  {
    name: 'params: string and coerced integer',
    part: 'params',
    schema: {
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1 }, part: { type: 'string' } },
      required: ['id', 'part'],
    },
    make: () => ({ id: '41', part: 'wheel' }),
    mutates: true,
  },
  {
    name: 'query: 6 values, coercion and defaults',
    part: 'querystring',
    schema: {
      type: 'object',
      properties: {
        page: { type: 'integer', minimum: 1 },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        sort: { type: 'string', enum: ['name', 'price', 'createdAt'] },
        tags: { type: 'array', items: { type: 'string' } },
        active: { type: 'boolean' },
        q: { type: 'string', maxLength: 100 },
        order: { type: 'string', default: 'asc' },
      },
    },
    make: () => ({ page: '2', limit: '10', sort: 'name', tags: 'a', active: 'true', q: 'wheel' }),
    mutates: true,
  },
  {
    name: 'body: 13 properties, nested, 3 formats',
    part: 'body',
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 80 },
        email: { type: 'string', format: 'email' },
        kind: { type: 'string', enum: ['small', 'medium', 'large'] },
        note: { type: 'string', maxLength: 500 },
        createdAt: { type: 'string', format: 'date-time' },
        website: { type: 'string', format: 'uri' },
        price: money,
        address: {
          type: 'object',
          properties: {
            street: { type: 'string' },
            city: { type: 'string', minLength: 1 },
            country: { type: 'string', minLength: 2, maxLength: 2 },
          },
          required: ['street', 'city', 'country'],
        },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
        items: {
          type: 'array',
          maxItems: 50,
          items: {
            type: 'object',
            properties: { sku: { type: 'string' }, quantity: { type: 'integer', minimum: 1 }, price: money },
            required: ['sku', 'quantity'],
          },
        },
        active: { type: 'boolean', default: true },
        score: { type: 'number', minimum: 0, maximum: 100 },
        parent: { type: ['string', 'null'] },
      },
      required: ['name', 'price'],
    },
    make: () => structuredClone(bodyValue),
    mutates: false,
  },
  {
    name: 'body: 5 flat properties',
    part: 'body',
    schema: flatObject,
    make: () => ({ ...flatValue }),
    mutates: false,
  },
  {
    name: 'body: 100 objects of 5 properties',
    part: 'body',
    schema: { type: 'array', items: flatObject },
    make: () => Array.from({ length: 100 }, () => ({ ...flatValue })),
    mutates: false,
  },
  {
    name: 'body: 40 properties, none additional',
    part: 'body',
    schema: {
      type: 'object',
      properties: Object.fromEntries(wideNames.map((name) => [name, { type: 'string' }])),
      additionalProperties: false,
    },
    make: () => Object.fromEntries(wideNames.map((name) => [name, 'value'])),
    mutates: false,
  },
]
