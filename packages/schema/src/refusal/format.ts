import { formatTest, type FormatTest } from '../runtime/formats.ts'
import type { TestFactory } from './scalar-test.ts'

/** The test of a format, in the group of the values that it is about. */
export function formatTestOf(kind: FormatTest['kind']): TestFactory {
  return (node) => {
    const { format } = node.schema
    const found = typeof format === 'string' ? formatTest(format) : undefined
    if (typeof format !== 'string' || found === undefined || found.kind !== kind) return undefined
    const rule = { keyword: 'format', node } as const
    return {
      fits: asFunction(found.test),
      report: (value, mode, frame) => frame.fail(rule, { format }, value, mode),
    }
  }
}

function asFunction(test: FormatTest['test']): (data: unknown) => boolean {
  if (test instanceof RegExp) return (data) => test.test(String(data))
  return (data) => Boolean(Reflect.apply(test, undefined, [data]))
}
