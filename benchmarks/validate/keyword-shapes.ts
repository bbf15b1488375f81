/** Bodies that are mostly one keyword. */
import type { Shape } from './shape.ts'

const branch = (kind: string, name: string): object => ({
  type: 'object',
  properties: { kind: { const: kind }, [name]: { type: 'string' } },
  required: ['kind', name],
})

const textSchema = {
  type: 'object',
  properties: { text: { type: 'string', maxLength: 20_000 } },
  required: ['text'],
}

const fixedBody = (name: string, schema: object, make: () => object): Shape => ({
  name: `body: ${name}`,
  part: 'body',
  schema,
  make,
  mutates: false,
})

const formatted = (format: string, value: string): Shape =>
  fixedBody(
    format,
    { type: 'object', properties: { value: { type: 'string', format } }, required: ['value'] },
    () => ({ value }),
  )

/** Shapes of single keywords. */
export const keywordShapes: readonly Shape[] = [
  fixedBody('string of 20 characters, maxLength', textSchema, () => ({ text: 'x'.repeat(20) })),
  fixedBody('string of 10,000 characters, maxLength', textSchema, () => ({ text: 'x'.repeat(10_000) })),
  formatted('date-time', '2024-05-06T07:08:09Z'),
  formatted('date', '2024-05-06'),
  formatted('uri', 'https://example.org/things?page=2#part'),
  fixedBody(
    'one of three objects, the last',
    {
      type: 'object',
      properties: {
        pet: { anyOf: [branch('cat', 'lives'), branch('dog', 'tricks'), branch('fish', 'water')] },
      },
      required: ['pet'],
    },
    () => ({ pet: { kind: 'fish', water: 'fresh' } }),
  ),
  fixedBody(
    '200 unique objects',
    {
      type: 'array',
      uniqueItems: true,
      items: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
    },
    () => Array.from({ length: 200 }, (_, id) => ({ id, name: `Item ${id}` })),
  ),
]
