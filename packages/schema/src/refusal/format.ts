import { formatTest, type FormatTest } from '../runtime/formats.ts'
import { PASSED } from './frame.ts'
import type { CheckFactory } from './plan.ts'

/** The check of a format, in the group of the values that it is about. */
export function formatCheck(kind: FormatTest['kind']): CheckFactory {
  return (node) => {
    const { format } = node.schema
    const found = typeof format === 'string' ? formatTest(format) : undefined
    if (typeof format !== 'string' || found === undefined || found.kind !== kind) return undefined
    const fits = asFunction(found.test)
    const rule = { keyword: 'format', node } as const
    return (value, mode, frame) => (fits(value.data) ? PASSED : frame.fail(rule, { format }, value, mode))
  }
}

function asFunction(test: FormatTest['test']): (data: unknown) => boolean {
  if (test instanceof RegExp) return (data) => test.test(String(data))
  return (data) => Boolean(Reflect.apply(test, undefined, [data]))
}
