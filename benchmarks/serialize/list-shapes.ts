/** Lists of objects and of scalars. */
import { mediumDefinitions, mediumSchema, mediumValue, smallSchema, smallValue } from './object-shapes.ts'
import { listOf, shape, type Shape } from './shape.ts'

const list = (items: object): object => ({ type: 'array', items })
const day = Date.UTC(2024, 4, 6, 7, 8, 9, 123)

/** A list of 100 small objects. */
export const arr100: Shape = shape('arr100', list(smallSchema), (v) =>
  listOf(100, (i) => smallValue(i + v * 100)),
)

/** A list of 100 articles. */
export const medium100: Shape = shape(
  'medium100',
  { ...list(mediumSchema), definitions: mediumDefinitions },
  (v) => listOf(100, (i) => mediumValue(i + v * 100)),
)

/** Shapes of lists. */
export const listShapes: readonly Shape[] = [
  arr100,
  shape('arr10k', list(smallSchema), (v) => listOf(10_000, (i) => smallValue(i + v * 10_000)), {
    variants: 4,
  }),
  medium100,
  shape('ints1k', list({ type: 'integer' }), (v) => listOf(1000, (i) => ((i + v * 1000) * 7919) % 1_000_003)),
  shape('floats1k', list({ type: 'number' }), (v) => listOf(1000, (i) => Math.sin(i + v * 1000) * 1000)),
  shape('strArr', list({ type: 'string' }), (v) => listOf(200, (i) => `a word or two ${i + v}`)),
  shape(
    'dates100',
    list({
      type: 'object',
      properties: { id: { type: 'integer' }, at: { type: 'string', format: 'date-time' } },
    }),
    (v) => listOf(100, (i) => ({ id: i, at: new Date(day + (i + v * 100) * 61_000) })),
  ),
  shape(
    'nullable100',
    list({
      type: 'object',
      properties: {
        a: { type: 'string', nullable: true },
        b: { type: 'integer', nullable: true },
        c: { type: ['string', 'null'] },
        d: { type: ['number', 'null'] },
      },
    }),
    (v) =>
      listOf(100, (i) => ({
        a: i % 2 === 0 ? null : `text ${i}`,
        b: i % 3 === 0 ? null : i,
        c: i % 4 === 0 ? null : 'some text',
        d: i % 5 === 0 ? null : (i + v * 100) / 7,
      })),
  ),
]
