/** Closures that build the text of the value piece by piece. */
import { refuse } from '../../../runtime/describe.ts'
import { prefixPointer } from '../../../runtime/errors.ts'
import { anyText, itemText, nativeText } from '../../../runtime/text.ts'
import type { ArrayNode, Node, ObjectNode, ScalarNode } from '../../ir.ts'
import { Interpreter } from '../interpreter.ts'
import { arraySource, nativeTest } from '../read.ts'
import { ScalarTexts } from '../scalars.ts'
import { itemWriters, type Writer } from '../writer.ts'
import { objectText, type TextContext } from './object.ts'

/** Makes the closures of one serializer. */
export class TextInterpreter extends Interpreter<string> implements TextContext {
  readonly scalars: ScalarTexts = new ScalarTexts()

  /** The writer of the whole value. */
  root(node: Node): Writer<string> {
    return node.kind === 'any' ? wholeText : this.whole(node)
  }

  protected any(value: unknown): string {
    return itemText(value, '')
  }

  protected constant(value: unknown): string {
    return JSON.stringify(value)
  }

  protected object(node: ObjectNode, isRecord: boolean): Writer<string> {
    return objectText(this, node, isRecord)
  }

  /** Lists of plain scalars are written natively once they are known to be that, others item by item. */
  protected array(node: ArrayNode): Writer<string> {
    const source = arraySource(node)
    const isNative = nativeTest(node)
    const { prefix, rest } = itemWriters(this, node)
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

  protected scalar(node: ScalarNode): Writer<string> {
    return this.scalars.writer(node)
  }
}

function wholeText(value: unknown): string {
  return anyText(value, '') ?? refuse('the value has no JSON text', '')
}
