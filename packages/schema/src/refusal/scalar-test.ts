import { PASSED, type Check } from './frame.ts'
import type { SchemaNode } from './node.ts'

/** A keyword that only looks at a value. */
export interface ScalarTest {
  readonly fits: (data: unknown) => boolean
  /** Reports a value that does not fit. */
  readonly report: Check
}

/** Reads such a keyword of a schema; undefined where the schema does not have it. */
export type TestFactory = (node: SchemaNode) => ScalarTest | undefined

/** The keyword as a check. */
export function asCheck(factory: TestFactory): (node: SchemaNode) => Check | undefined {
  return (node) => {
    const test = factory(node)
    if (test === undefined) return undefined
    const { fits, report } = test
    return (value, mode, frame) => (fits(value.data) ? PASSED : report(value, mode, frame))
  }
}
