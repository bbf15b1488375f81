import { codePointLength } from '../runtime/length.ts'
import { formatCheck } from './format.ts'
import { PASSED } from './frame.ts'
import type { CheckFactory } from './plan.ts'

function lengthCheck(
  keyword: 'maxLength' | 'minLength',
  fits: (text: string, limit: number) => boolean,
): CheckFactory {
  return (node) => {
    const limit = node.schema[keyword]
    if (typeof limit !== 'number') return undefined
    const rule = { keyword, node }
    return (value, mode, frame) =>
      fits(String(value.data), limit) ? PASSED : frame.fail(rule, { limit }, value, mode)
  }
}

const patternCheck: CheckFactory = (node) => {
  const { pattern } = node.schema
  if (typeof pattern !== 'string') return undefined
  const expression = new RegExp(pattern, 'u')
  const rule = { keyword: 'pattern', node } as const
  return (value, mode, frame) =>
    expression.test(String(value.data)) ? PASSED : frame.fail(rule, { pattern }, value, mode)
}

/** The keywords about strings, in Ajv's order. Characters are counted only where the number of units leaves it open. */
export const STRING_CHECKS: readonly CheckFactory[] = [
  lengthCheck(
    'maxLength',
    (text, limit) => text.length <= limit || (text.length <= limit * 2 && codePointLength(text) <= limit),
  ),
  lengthCheck(
    'minLength',
    (text, limit) => text.length >= limit * 2 || (text.length >= limit && codePointLength(text) >= limit),
  ),
  patternCheck,
  formatCheck('string'),
]
