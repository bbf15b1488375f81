/** Copies of arrays: a list of plain scalars is used as it is, any other is copied item by item. */
import { prefixPointer } from '../../../runtime/errors.ts'
import type { ArrayNode } from '../../ir.ts'
import { arraySource, nativeTest } from '../read.ts'
import { itemWriters, type Writer, type WriterContext } from '../writer.ts'

/** The writer of a copy of an array. */
export function arrayCopy(context: WriterContext<unknown>, node: ArrayNode): Writer<readonly unknown[]> {
  const source = arraySource(node)
  const isNative = nativeTest(node)
  const { prefix, rest } = itemWriters(context, node)
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
