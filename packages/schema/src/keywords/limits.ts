import { code, type Code } from '../codegen/code.ts'
import { isMultipleOf } from '../runtime/measures.ts'
import { defaultIn } from '../walk/declared.ts'
import { TEST, type Leaf, type TestKind } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'
import { assertion, type Assertion, type Keyword, type ListData, type ObjectData } from '../walk/part.ts'

type LimitKeyword = 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum'

interface Comparison {
  readonly sign: string
  readonly operator: Code
  readonly holds: (data: number, limit: number) => boolean
}

/** NaN is within no limits. */
export const COMPARISONS: Readonly<Record<LimitKeyword, Comparison>> = {
  maximum: { sign: '<=', operator: code`<=`, holds: (data, limit) => data <= limit },
  minimum: { sign: '>=', operator: code`>=`, holds: (data, limit) => data >= limit },
  exclusiveMaximum: { sign: '<', operator: code`<`, holds: (data, limit) => data < limit },
  exclusiveMinimum: { sign: '>', operator: code`>`, holds: (data, limit) => data > limit },
}

/** The keywords `maximum`, `minimum`, `exclusiveMaximum` and `exclusiveMinimum`. */
function limit(name: LimitKeyword): Keyword<number> {
  const { sign, operator, holds } = COMPARISONS[name]
  return assertion({
    name,
    read: (node) => numberIn(node, name),
    test: holds,
    params: (limit) => ({ comparison: sign, limit }),
    message: ({ comparison, limit }) => `must be ${comparison} ${limit}`,
    code: (value, limit) => code`${value} ${operator} ${limit}`,
    narrow: (leaf, limit) => typeof limit === 'number' && narrow(leaf, name, limit),
  })
}

const RANGES: ReadonlySet<TestKind> = new Set([TEST.integerRange, TEST.safeIntegerRange, TEST.numberRange])

function narrow(leaf: Leaf, name: LimitKeyword, limit: number): boolean {
  if (leaf.kind === TEST.integer) leaf.kind = TEST.integerRange
  else if (leaf.kind === TEST.safeInteger) leaf.kind = TEST.safeIntegerRange
  else if (leaf.kind === TEST.number) leaf.kind = TEST.numberRange
  if (name === 'minimum') leaf.minimum = limit
  else if (name === 'maximum') leaf.maximum = limit
  else return false
  return RANGES.has(leaf.kind)
}

/** The keyword `multipleOf`. */
const multipleOf: Keyword<number> = assertion({
  name: 'multipleOf',
  read: (node) => numberIn(node, 'multipleOf'),
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

/** Reads the number of a keyword. */
export function numberIn({ schema }: SchemaNode, name: string): number | undefined {
  const value = schema[name]
  return typeof value === 'number' ? value : undefined
}

/** Whether a limit is a maximum or a minimum. */
export type Bound = 'maximum' | 'minimum'

/** The common part of all limits of an amount. */
export function amount(
  name: string,
  bound: Bound,
  unit: string,
): Pick<Assertion<unknown, number, { readonly limit: number }>, 'name' | 'read' | 'params' | 'message'> {
  return {
    name,
    read: (node) => numberIn(node, name),
    params: (limit) => ({ limit }),
    message: ({ limit }) => `must NOT have ${bound === 'maximum' ? 'more' : 'fewer'} than ${limit} ${unit}`,
  }
}

/** How an amount is counted, in looks and code. */
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
function counted<Data>(
  name: string,
  bound: Bound,
  { unit, of, code: measured }: Measure<Data>,
): Assertion<Data, number, { readonly limit: number }> {
  const { operator, holds } = COMPARISONS[bound]
  return {
    ...amount(name, bound, unit),
    test: (data, limit) => holds(of(data), limit),
    code: (value, limit) => code`${measured(value)} ${operator} ${limit}`,
    admitsOne: (limit) => holds(1, limit),
    narrow(leaf, limit) {
      if (typeof limit !== 'number' || unit !== 'items' || leaf.kind !== TEST.list) return false
      leaf[bound] = limit
      return true
    },
  }
}

/** No items may follow those of a tuple. */
export function tupleEnd(
  node: SchemaNode,
  name: string,
  limit: number,
): ReturnType<Keyword<ListData>['read']> {
  return assertion({ ...counted(name, 'maximum', ITEMS), read: () => limit }).read(node)
}

/** Properties are counted after defaults were set and others removed. */
function hasDefaults({ schema, declared }: SchemaNode): boolean {
  return declared.names.some((name) => defaultIn(schema, name) !== undefined)
}

/** The limits of the number of items, in Ajv's order. */
export const ITEM_COUNTS: readonly Keyword<ListData>[] = [
  assertion(counted('maxItems', 'maximum', ITEMS)),
  assertion(counted('minItems', 'minimum', ITEMS)),
]

/** The limits of the number of properties, in Ajv's order. */
export const PROPERTY_COUNTS: readonly Keyword<ObjectData>[] = [
  assertion({ ...counted('maxProperties', 'maximum', PROPERTIES), seesEdits: hasDefaults }),
  assertion({ ...counted('minProperties', 'minimum', PROPERTIES), seesEdits: hasDefaults }),
]
