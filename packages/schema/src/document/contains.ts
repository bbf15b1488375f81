import type { Dialect } from './dialect.ts'

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
