import { code, type Code } from '../codegen/code.ts'
import { isMultipleOf } from '../runtime/measures.ts'
import { defaultIn } from '../walk/declared.ts'
import { TEST, type Leaf } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'
import {
  assertion,
  AssertionPart,
  type Assertion,
  type Keyword,
  type ListData,
  type ObjectData,
  type Part,
} from '../walk/part.ts'

type LimitKeyword = 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum'

interface Comparison {
  readonly sign: string
  readonly operator: Code
  readonly test: (data: number, limit: number) => boolean
}

/** NaN is within no limits. */
const COMPARISONS: Readonly<Record<LimitKeyword, Comparison>> = {
  maximum: { sign: '<=', operator: code`<=`, test: (data, limit) => data <= limit },
  minimum: { sign: '>=', operator: code`>=`, test: (data, limit) => data >= limit },
  exclusiveMaximum: { sign: '<', operator: code`<`, test: (data, limit) => data < limit },
  exclusiveMinimum: { sign: '>', operator: code`>`, test: (data, limit) => data > limit },
}

/** The keywords `maximum`, `minimum`, `exclusiveMaximum` and `exclusiveMinimum`. */
function limit(name: LimitKeyword): Keyword<number> {
  const { sign, operator, test } = COMPARISONS[name]
  return assertion({
    name,
    limitIn: (node) => numberIn(node, name),
    test,
    params: (limit) => ({ comparison: sign, limit }),
    message: ({ comparison, limit }) => `must be ${comparison} ${limit}`,
    code: (value, limit) => code`${value} ${operator} ${limit}`,
    narrow: (leaf, limit) => typeof limit === 'number' && narrow(leaf, name, limit),
  })
}

function narrow(leaf: Leaf, name: LimitKeyword, limit: number): boolean {
  if (leaf.kind === TEST.integer) leaf.kind = TEST.integerRange
  else if (leaf.kind === TEST.number) leaf.kind = TEST.numberRange
  if (name === 'minimum') leaf.minimum = limit
  else if (name === 'maximum') leaf.maximum = limit
  else return false
  return leaf.kind === TEST.integerRange || leaf.kind === TEST.numberRange
}

/** The keyword `multipleOf`. */
const multipleOf: Keyword<number> = assertion({
  name: 'multipleOf',
  limitIn: (node) => numberIn(node, 'multipleOf'),
  test: isMultipleOf,
  params: (step) => ({ multipleOf: step }),
  message: (params) => `must be multiple of ${params.multipleOf}`,
  code: (value, step, writer) => code`${writer.use('isMultipleOf')}(${value}, ${step})`,
})

/** The keywords about numbers, in Ajv's order; formats follow. */
export const NUMBERS: readonly Keyword<number>[] = [
  limit('maximum'),
  limit('minimum'),
  limit('exclusiveMaximum'),
  limit('exclusiveMinimum'),
  multipleOf,
]

/** The number that a keyword has. */
export function numberIn({ schema }: SchemaNode, name: string): number | undefined {
  const value = schema[name]
  return typeof value === 'number' ? value : undefined
}

/** Which side a limit is on. */
export type Bound = 'maximum' | 'minimum'

/** What differs between the two sides. */
interface Side {
  readonly word: 'more' | 'fewer'
  readonly operator: Code
  readonly holds: (count: number, limit: number) => boolean
}

/** The two sides. */
export const BOUNDS: Readonly<Record<Bound, Side>> = {
  maximum: { word: 'more', operator: code`<=`, holds: (count, limit) => count <= limit },
  minimum: { word: 'fewer', operator: code`>=`, holds: (count, limit) => count >= limit },
}

/** How much there is of something, in look and code. */
interface Measure<Data> {
  readonly unit: 'items' | 'properties'
  readonly of: (data: Data) => number
  readonly code: (value: Code) => Code
}

const ITEMS: Measure<ListData> = {
  unit: 'items',
  of: (list) => list.length,
  code: (list) => code`${list}.length`,
}

const PROPERTIES: Measure<ObjectData> = {
  unit: 'properties',
  of: (object) => Object.keys(object).length,
  code: (object) => code`Object.keys(${object}).length`,
}

/** The keywords `maxItems`, `minItems`, `maxProperties` and `minProperties`. */
function count<Data>(name: string, bound: Bound, measure: Measure<Data>): Keyword<Data> {
  return assertion(counted(name, bound, measure))
}

function counted<Data>(
  name: string,
  bound: Bound,
  { unit, of, code: measured }: Measure<Data>,
): Assertion<Data, number, { readonly limit: number }> {
  const { word, operator, holds } = BOUNDS[bound]
  return {
    name,
    limitIn: (node) => numberIn(node, name),
    test: (data, limit) => holds(of(data), limit),
    params: (limit) => ({ limit }),
    message: ({ limit }) => `must NOT have ${word} than ${limit} ${unit}`,
    code: (value, limit) => code`${measured(value)} ${operator} ${limit}`,
    admitsOne: (limit) => holds(1, limit),
    narrow(leaf, limit) {
      if (typeof limit !== 'number' || unit !== 'items' || leaf.kind !== TEST.list) return false
      leaf[bound] = limit
      return true
    },
    // Properties are counted when defaults are filled in and others removed.
    seesEdits: (node) => unit === 'properties' && node.context.mayEdit && changesProperties(node),
  }
}

/** No items may be behind those of a tuple. */
export function tupleEnd(node: SchemaNode, name: string, limit: number): Part<ListData> {
  return new AssertionPart(counted(name, 'maximum', ITEMS), node, limit)
}

/** Whether properties may be removed, or have a default. */
function changesProperties({ schema, declared: { names, others } }: SchemaNode): boolean {
  return others === 'remove' || names.some((name) => defaultIn(schema, name) !== undefined)
}

/** The limits of how many items there are, in Ajv's order. */
export const ITEM_COUNTS: readonly Keyword<ListData>[] = [
  count('maxItems', 'maximum', ITEMS),
  count('minItems', 'minimum', ITEMS),
]

/** The limits of how many properties there are, in Ajv's order. */
export const PROPERTY_COUNTS: readonly Keyword<ObjectData>[] = [
  count('maxProperties', 'maximum', PROPERTIES),
  count('minProperties', 'minimum', PROPERTIES),
]
