/** What the closures of serializers have in common. */
import { JUDGE, Look, YES } from '../../walk/look.ts'
import type { SchemaNode } from '../../walk/node.ts'

/** Makes JSON text of a value, or a clean copy of it. Errors have pointers that are relative to the value. */
export type Writer<Result> = (value: unknown) => Result

/** How closures read values. */
export interface ReadOptions {
  /** Every property is read only if it is the object's own; needed when `Object.prototype` is polluted. */
  readonly ownReads: boolean
}

/** Whether a value passes. */
export type Test = (value: unknown) => boolean

/** The test of a predicate. */
export function testOf(predicate: SchemaNode): Test {
  const look = new Look()
  return (value) => predicate.plan.lookAsBranch(value, look.begin(JUDGE)) === YES
}
