/** Text of arrays: lists of plain scalars natively once they are known to be that, others item by item. */
import { prefixPointer } from '../../../runtime/errors.ts'
import { nativeText } from '../../../runtime/text.ts'
import type { ArrayNode } from '../../ir.ts'
import { arraySource, nativeTest } from '../read.ts'
import { itemWriters, type Writer } from '../writer.ts'
import type { TextContext } from './text.ts'

/** The writer of an array. */
export function arrayText(context: TextContext, node: ArrayNode): Writer<string> {
  const source = arraySource(node)
  const isNative = nativeTest(node)
  const { prefix, rest } = itemWriters(context, node)
  return (value) => {
    const items = source(value)
    if (isNative !== undefined && isNative(items)) return nativeText(items, '') ?? 'null'
    let text = '['
    let index = 0
    try {
      for (; index < items.length; index++) {
        const write = prefix[index] ?? rest
        text += index === 0 ? write(items[index]) : `,${write(items[index])}`
      }
    } catch (error) {
      throw prefixPointer(error, '', index)
    }
    return `${text}]`
  }
}
