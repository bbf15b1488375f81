import { listOf, NOTHING } from '../guards.ts'
import type { Dialect } from './dialect.ts'

/** The schemas of an array's first items by position, and the keyword for the items after them. */
export interface Tuple {
  readonly keyword: 'items' | 'prefixItems'
  readonly schemas: readonly unknown[]
  readonly rest: 'items' | 'additionalItems'
}

/** Reads the items of a schema in its dialect. Without a tuple, the list is empty and `items` applies to all items. */
export function tupleOf(schema: Readonly<Record<string, unknown>>, dialect: Dialect): Tuple {
  if (dialect === '2020-12') {
    const { prefixItems } = schema
    return { keyword: 'prefixItems', schemas: listOf(prefixItems), rest: 'items' }
  }
  const { items } = schema
  return Array.isArray(items)
    ? { keyword: 'items', schemas: items, rest: 'additionalItems' }
    : { keyword: 'items', schemas: NOTHING, rest: 'items' }
}

/** How many items of an array must match `contains`. */
export interface ContainsLimits {
  readonly minimum: number
  readonly maximum: number | undefined
}

const AT_LEAST_ONE: ContainsLimits = { minimum: 1, maximum: undefined }

/** Reads `minContains` and `maxContains`, which draft-07 does not have. */
export function containsLimits(
  { minContains, maxContains }: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): ContainsLimits {
  if (dialect === 'draft-07') return AT_LEAST_ONE
  return {
    minimum: typeof minContains === 'number' ? minContains : 1,
    maximum: typeof maxContains === 'number' ? maxContains : undefined,
  }
}
