import { isMultipleOf } from '../runtime/measures.ts'
import { formatCheck } from './format.ts'
import { PASSED } from './frame.ts'
import type { CheckFactory } from './plan.ts'

type LimitKeyword = 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum'

/** NaN is within no limits. */
function limitCheck(
  keyword: LimitKeyword,
  comparison: string,
  fits: (data: number, limit: number) => boolean,
): CheckFactory {
  return (node) => {
    const limit = node.schema[keyword]
    if (typeof limit !== 'number') return undefined
    const rule = { keyword, node }
    return (value, mode, frame) =>
      fits(Number(value.data), limit) ? PASSED : frame.fail(rule, { comparison, limit }, value, mode)
  }
}

const multipleOfCheck: CheckFactory = (node) => {
  const { multipleOf } = node.schema
  if (typeof multipleOf !== 'number') return undefined
  const rule = { keyword: 'multipleOf', node } as const
  return (value, mode, frame) =>
    isMultipleOf(Number(value.data), multipleOf) ? PASSED : frame.fail(rule, { multipleOf }, value, mode)
}

/** The keywords about numbers, in Ajv's order. */
export const NUMBER_CHECKS: readonly CheckFactory[] = [
  limitCheck('maximum', '<=', (data, limit) => data <= limit),
  limitCheck('minimum', '>=', (data, limit) => data >= limit),
  limitCheck('exclusiveMaximum', '<', (data, limit) => data < limit),
  limitCheck('exclusiveMinimum', '>', (data, limit) => data > limit),
  multipleOfCheck,
  formatCheck('number'),
]
