/** What random schemas are read in: options of Ajv, and shared schemas that they refer to. */
import type { Options } from 'ajv'
import { randomSchema, type Random } from './random.ts'

/** References to the shared schemas. */
export const SHARED_REFS = ['small#', 'tree#', 'big#', 'big#/properties/a', 'big#named']

/** The shared schemas; half of their properties are random. */
export function sharedSchemas(random: Random): object[] {
  return [
    {
      $id: 'small',
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string', default: 'x' } },
      required: ['a'],
    },
    {
      $id: 'tree',
      type: 'object',
      properties: { id: { type: 'integer' }, c: { type: 'array', items: { $ref: '#' } } },
      additionalProperties: false,
    },
    {
      $id: 'big',
      type: 'object',
      properties: {
        a: { type: ['integer', 'null'] },
        b: { $ref: 'small#' },
        c: { $ref: '#named' },
        kind: { enum: ['cat', 'dog'] },
        ...Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => [`p${index}`, randomSchema(random, 0)]),
        ),
      },
      definitions: {
        named: {
          $id: '#named',
          type: 'object',
          properties: { id: { type: 'number' }, b: { $ref: '#named' } },
        },
      },
    },
  ]
}

/** What a reference to a shared schema leads to. */
export function targetOf(shared: readonly object[]): (ref: string) => unknown {
  const byId = new Map(shared.map((schema) => [Reflect.get(schema, '$id'), schema]))
  return (ref) => byId.get(ref.split('#', 1)[0])
}

/** Options of Ajv that acceptors follow, and which share of the schemas is compared with each. */
export const OPTIONS: [string, Options, number][] = [
  ['the baseline', {}, 1],
  ['no coercion', { coerceTypes: false }, 0.15],
  ['coercion of scalars', { coerceTypes: true }, 0.15],
  ['removal of everything undeclared', { removeAdditional: 'all' }, 0.15],
  ['no removal and no defaults', { removeAdditional: false, useDefaults: false }, 0.15],
  ['all errors', { allErrors: true }, 0.15],
]
