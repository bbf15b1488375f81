/** What the closures of serializers have in common. */
import { refuse } from '../../runtime/describe.ts'
import type { ArrayNode, Node } from '../ir.ts'
import { tooLong } from '../nodes.ts'
import { JUDGE, Look, YES } from '../../walk/look.ts'
import type { SchemaNode } from '../../walk/node.ts'

/** Makes JSON text of a value, or a clean copy of it. Errors have pointers that are relative to the value. */
export type Writer<Result> = (value: unknown) => Result

/** How closures read values. */
export interface ReadOptions {
  /** Every property is read only if it is the object's own; needed when `Object.prototype` is polluted. */
  readonly ownReads: boolean
}

/** Makes the writers of the nodes within a node. */
export interface WriterContext<Result> {
  /**
   * The writer of a node.
   * @param isRecord - the value is an object (no array, no date) whose `toJSON` has been called
   */
  writer(node: Node, isRecord: boolean): Writer<Result>
  readonly options: ReadOptions
}

/** Whether a value passes. */
export type Test = (value: unknown) => boolean

/** The test of a predicate. */
export function testOf(predicate: SchemaNode): Test {
  const look = new Look()
  return (value) => predicate.plan.lookAsBranch(value, look.begin(JUDGE)) === YES
}

/** The writer of what no value fits. */
export function refusal(reason: string): Writer<never> {
  return () => refuse(reason, '')
}

/** The writers of the items of an array: of those at its beginning, and of any behind them. */
export function itemWriters<Result>(
  context: WriterContext<Result>,
  { prefix, rest }: ArrayNode,
): { readonly prefix: readonly Writer<Result>[]; readonly rest: Writer<Result> } {
  return {
    prefix: prefix.map((node) => context.writer(node, false)),
    rest: rest === undefined ? refusal(tooLong(prefix.length)) : context.writer(rest, false),
  }
}
