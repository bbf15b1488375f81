import { code, type Code } from '../codegen/code.ts'
import { isMultipleOf } from '../runtime/measures.ts'
import { TEST, type Leaf } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'
import { assertion, type Keyword } from '../walk/part.ts'

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
export function limit(name: LimitKeyword): Keyword<number> {
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
export const multipleOf: Keyword<number> = assertion({
  name: 'multipleOf',
  limitIn: (node) => numberIn(node, 'multipleOf'),
  test: isMultipleOf,
  params: (step) => ({ multipleOf: step }),
  message: (params) => `must be multiple of ${params.multipleOf}`,
  code: (value, step, writer) => code`${writer.use('isMultipleOf')}(${value}, ${step})`,
})

/** The number that a keyword has. */
export function numberIn({ schema }: SchemaNode, name: string): number | undefined {
  const value = schema[name]
  return typeof value === 'number' ? value : undefined
}
