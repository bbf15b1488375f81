import { compileExpression } from '../regexp/compile.ts'
import { codePointLength } from '../runtime/length.ts'
import { formatTestOf } from './format.ts'
import type { TestFactory } from './scalar-test.ts'

function lengthTest(
  keyword: 'maxLength' | 'minLength',
  fits: (text: string, limit: number) => boolean,
): TestFactory {
  return (node) => {
    const limit = node.schema[keyword]
    if (typeof limit !== 'number') return undefined
    const rule = { keyword, node }
    return {
      fits: (data) => fits(String(data), limit),
      report: (value, mode, frame) => frame.fail(rule, { limit }, value, mode),
    }
  }
}

const patternTest: TestFactory = (node) => {
  const { pattern } = node.schema
  if (typeof pattern !== 'string') return undefined
  const expression = compileExpression(pattern, 'u')
  const rule = { keyword: 'pattern', node } as const
  return {
    fits: (data) => expression.test(String(data)),
    report: (value, mode, frame) => frame.fail(rule, { pattern }, value, mode),
  }
}

/** The keywords about strings, in Ajv's order. Characters are counted only where the number of units leaves it open. */
export const STRING_TESTS: readonly TestFactory[] = [
  lengthTest(
    'maxLength',
    (text, limit) => text.length <= limit || (text.length <= limit * 2 && codePointLength(text) <= limit),
  ),
  lengthTest(
    'minLength',
    (text, limit) => text.length >= limit * 2 || (text.length >= limit && codePointLength(text) >= limit),
  ),
  patternTest,
  formatTestOf('string'),
]
