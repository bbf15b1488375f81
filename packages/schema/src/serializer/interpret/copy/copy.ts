/** Closures that build a clean copy of the value, for one native `JSON.stringify`. */
import { refuse } from '../../../runtime/describe.ts'
import { prefixPointer } from '../../../runtime/errors.ts'
import { anyValueOrNull } from '../../../runtime/projection.ts'
import { nativeText } from '../../../runtime/text.ts'
import type { ArrayNode, Node, ObjectNode, ScalarNode } from '../../ir.ts'
import type { SharedWriters } from '../definitions.ts'
import { Interpreter } from '../interpreter.ts'
import { arraySource, nativeTest } from '../read.ts'
import { ScalarCopies } from '../scalars.ts'
import { itemWriters, type Writer } from '../writer.ts'
import { objectCopy } from './object.ts'

/** Makes the closures of one serializer. */
export class CopyInterpreter extends Interpreter<unknown> {
  readonly #scalars: ScalarCopies = new ScalarCopies()

  /** @param shared - the writers of shared definitions that other serializers have made */
  constructor(shared: SharedWriters<unknown>) {
    super({ ownReads: false }, shared)
  }

  /** The writer of the whole value, as text. */
  root(node: Node): Writer<string> {
    const copy = node.kind === 'any' ? this.whole(node, (value) => value) : this.whole(node)
    return (value) => nativeText(copy(value), '') ?? refuse('the value has no JSON text', '')
  }

  protected any(value: unknown): unknown {
    return anyValueOrNull(value)
  }

  protected constant(value: unknown): unknown {
    return value
  }

  protected object(node: ObjectNode, isRecord: boolean): Writer<unknown> {
    return objectCopy(this, node, isRecord)
  }

  /** A list of plain scalars is used as it is, any other is copied item by item. */
  protected array(node: ArrayNode): Writer<readonly unknown[]> {
    const source = arraySource(node)
    const isNative = nativeTest(node)
    const { prefix, rest } = itemWriters(this, node)
    return (value) => {
      const items = source(value)
      if (isNative !== undefined && isNative(items)) return items
      const copy: unknown[] = []
      let index = 0
      try {
        for (; index < items.length; index++) copy.push((prefix[index] ?? rest)(items[index]))
      } catch (error) {
        throw prefixPointer(error, '', index)
      }
      return copy
    }
  }

  protected scalar(node: ScalarNode): Writer<unknown> {
    return this.#scalars.writer(node)
  }
}
