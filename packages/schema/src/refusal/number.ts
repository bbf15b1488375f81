import { isMultipleOf } from '../runtime/measures.ts'
import { formatTestOf } from './format.ts'
import type { TestFactory } from './scalar-test.ts'

type LimitKeyword = 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum'

/** NaN is within no limits. */
function limitTest(
  keyword: LimitKeyword,
  comparison: string,
  fits: (data: number, limit: number) => boolean,
): TestFactory {
  return (node) => {
    const limit = node.schema[keyword]
    if (typeof limit !== 'number') return undefined
    const rule = { keyword, node }
    return {
      fits: (data) => fits(Number(data), limit),
      report: (value, mode, frame) => frame.fail(rule, { comparison, limit }, value, mode),
    }
  }
}

const multipleOfTest: TestFactory = (node) => {
  const { multipleOf } = node.schema
  if (typeof multipleOf !== 'number') return undefined
  const rule = { keyword: 'multipleOf', node } as const
  return {
    fits: (data) => isMultipleOf(Number(data), multipleOf),
    report: (value, mode, frame) => frame.fail(rule, { multipleOf }, value, mode),
  }
}

/** The keywords about numbers, in Ajv's order. */
export const NUMBER_TESTS: readonly TestFactory[] = [
  limitTest('maximum', '<=', (data, limit) => data <= limit),
  limitTest('minimum', '>=', (data, limit) => data >= limit),
  limitTest('exclusiveMaximum', '<', (data, limit) => data < limit),
  limitTest('exclusiveMinimum', '>', (data, limit) => data > limit),
  multipleOfTest,
  formatTestOf('number'),
]
