/** Single objects. */
import { listOf, shape, type Shape } from './shape.ts'

/** Five scalars. */
export const smallSchema: object = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    email: { type: 'string' },
    active: { type: 'boolean' },
    score: { type: 'number' },
  },
}

/** A value of {@link smallSchema}. */
export function smallValue(index: number): Record<string, unknown> {
  return {
    id: index,
    name: `User number ${index}`,
    email: `user${index}@example.org`,
    active: index % 3 !== 0,
    score: ((index * 37) % 1000) / 10,
  }
}

const addressSchema = {
  type: 'object',
  properties: {
    street: { type: 'string' },
    city: { type: 'string' },
    zip: { type: 'string' },
    country: { type: 'string' },
  },
  required: ['street', 'city'],
}

/** What {@link mediumSchema} refers to. */
export const mediumDefinitions: object = { address: addressSchema }

/** An article: nested objects, references, lists. What is required stands first, as some serializers write it. */
export const mediumSchema: object = {
  type: 'object',
  required: ['id', 'title', 'status', 'author', 'address'],
  definitions: mediumDefinitions,
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    status: { type: 'string', enum: ['draft', 'published'] },
    author: {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: { type: 'string' }, url: { type: 'string' } },
    },
    address: { $ref: '#/definitions/address' },
    summary: { type: 'string', nullable: true },
    views: { type: 'integer' },
    rating: { type: 'number' },
    isPinned: { type: 'boolean' },
    billing: { $ref: '#/definitions/address' },
    tags: { type: 'array', items: { type: 'string' } },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { sku: { type: 'string' }, count: { type: 'integer' }, price: { type: 'number' } },
      },
    },
  },
}

/** A value of {@link mediumSchema}. */
export function mediumValue(index: number): Record<string, unknown> {
  return {
    id: index,
    title: `The title of article ${index}`,
    status: index % 2 === 0 ? 'draft' : 'published',
    author: { id: index + 100, name: 'Ada Lovelace', url: 'https://example.org/people/ada' },
    address: { street: 'Long Lane 1', city: 'Ely', zip: 'CB7 4AA', country: 'GB' },
    summary: index % 4 === 0 ? null : 'A few words about what stands in it, for lists and previews',
    views: index * 17,
    rating: (index % 50) / 10,
    isPinned: index % 5 === 0,
    billing: { street: 'Short Street 22', city: 'Leeds', zip: 'LS1 1UR', country: 'GB' },
    tags: ['history', 'computing', 'engines'],
    lines: listOf(4, (line) => ({
      sku: `SKU-${line}-${index}`,
      count: line + 1,
      price: line * 2.5 + (index % 100) / 100,
    })),
  }
}

const optionalNames = listOf(20, (index) => `field${index}`)

/** Shapes of one object. */
export const objectShapes: readonly Shape[] = [
  shape('small', smallSchema, smallValue),
  shape(
    'small+extra',
    smallSchema,
    (variant) => ({
      ...smallValue(variant),
      password: 'a secret',
      internal: { notes: ['x', 'y'] },
      hash: '0123456789abcdef',
    }),
    { isJson: false },
  ),
  shape('medium', mediumSchema, mediumValue),
  shape(
    'opt20',
    { type: 'object', properties: Object.fromEntries(optionalNames.map((key) => [key, { type: 'string' }])) },
    (variant) =>
      Object.fromEntries(
        optionalNames.filter((_, i) => i % 3 !== 1).map((key, i) => [key, `value ${i + variant}`]),
      ),
  ),
  shape(
    'addlTrue',
    { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: true },
    (variant) => extended(variant, (i) => [`extra${i}`, i % 2 === 0 ? i + variant : `text ${i}`]),
  ),
  shape(
    'addlStr',
    { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: { type: 'string' } },
    (variant) => extended(variant, (i) => [`label${i}`, `text ${i + variant}`]),
  ),
  shape(
    'pattern',
    {
      type: 'object',
      properties: { id: { type: 'integer' } },
      patternProperties: { '^s_': { type: 'string' }, '^n_': { type: 'number' } },
    },
    (variant) => extended(variant, (i) => (i % 2 === 0 ? [`s_${i}`, `text ${i}`] : [`n_${i}`, variant + i])),
  ),
  shape(
    'bigint',
    { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
    (variant) => ({ id: 12345678901234567890n + BigInt(variant), name: 'big' }),
    { isJson: false },
  ),
  shape('any', { type: 'object', properties: { data: {} } }, (variant) => ({ data: mediumValue(variant) })),
  shape('tree7', treeSchema(), (variant) => treeValue(7, variant)),
]

function extended(variant: number, entry: (index: number) => [string, unknown]): object {
  return { id: variant, ...Object.fromEntries(listOf(10, entry)) }
}

function treeSchema(): object {
  return {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      size: { type: 'integer' },
      children: { type: 'array', items: { $ref: '#' } },
    },
  }
}

function treeValue(depth: number, variant: number): object {
  const children = depth === 0 ? [] : [treeValue(depth - 1, variant), treeValue(depth - 1, variant + 1)]
  return { name: `node at ${depth}`, size: depth * 100 + variant, children }
}
