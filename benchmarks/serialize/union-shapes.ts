/** Lists of alternatives. */
import { listOf, shape, type Shape } from './shape.ts'

const cat = {
  type: 'object',
  required: ['kind', 'name'],
  properties: {
    kind: { type: 'string', const: 'cat' },
    name: { type: 'string' },
    lives: { type: 'integer' },
  },
}
const dog = {
  type: 'object',
  required: ['kind', 'name'],
  properties: {
    kind: { type: 'string', const: 'dog' },
    name: { type: 'string' },
    isGood: { type: 'boolean' },
  },
}

function pet(index: number): object {
  return index % 2 === 0
    ? { kind: 'cat', name: `Cat ${index}`, lives: index }
    : { kind: 'dog', name: `Dog ${index}`, isGood: true }
}

/** Shapes with unions and conditions. */
export const unionShapes: readonly Shape[] = [
  shape('anyOfDisc100', { type: 'array', items: { anyOf: [cat, dog] } }, (v) =>
    listOf(100, (i) => pet(i + v)),
  ),
  shape(
    'oneOfRef100',
    {
      type: 'array',
      definitions: { cat, dog },
      items: { oneOf: [{ $ref: '#/definitions/cat' }, { $ref: '#/definitions/dog' }] },
    },
    (v) => listOf(100, (i) => pet(i + v)),
  ),
  shape(
    'anyOfPrim100',
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] } },
    (v) => listOf(100, (i) => [`text ${i}`, i + v, null][i % 3]),
  ),
  shape(
    'ifThenElse100',
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { kind: { type: 'string' } },
        if: { type: 'object', properties: { kind: { type: 'string', enum: ['cat'] } } },
        then: { properties: { lives: { type: 'integer' } } },
        else: { properties: { isGood: { type: 'boolean' } } },
      },
    },
    (v) => listOf(100, (i) => (i % 2 === 0 ? { kind: 'cat', lives: v } : { kind: 'dog', isGood: true })),
  ),
]
