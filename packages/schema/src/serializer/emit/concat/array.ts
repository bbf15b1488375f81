/**
 * Text of arrays: a list of plain scalars is written natively after a test of its items, any other in a loop.
 */
import { code, type Code } from '../../../codegen/code.ts'
import { nativeItems } from '../native-items.ts'
import type { TextEmitter, TextContext } from './context.ts'
import type { ArrayNode, Node } from '../../ir.ts'

/** Appends the text of an array. */
export function emitArrayText(
  emitter: TextEmitter,
  node: ArrayNode,
  value: Code,
  context: TextContext,
): void {
  const { unit } = emitter
  const { writer } = context.scope
  const items = unit.writer.unique('a')
  writer.line(code`const ${items} = ${unit.snippets.array(node, value, context.pointer)}`)
  const native = nativeItems(unit.writer, node, items)
  if (native === undefined) return emitItems(emitter, node, items, context)
  context.out.flush()
  writer.block(code`if (${native})`, () => {
    context.out.value(code`${unit.writer.use('nativeText')}(${items}, ${context.pointer})`).flush()
  })
  writer.block(code`else`, () => {
    emitItems(emitter, node, items, context)
    context.out.flush()
  })
}

function emitItems(emitter: TextEmitter, node: ArrayNode, items: Code, context: TextContext): void {
  const { unit } = emitter
  const { out } = context
  const { writer } = context.scope
  out.text('[')
  node.prefix.forEach((inner, index) => {
    out.flush()
    const item = unit.writer.unique('x')
    writer.block(code`if (${items}.length > ${index})`, () => {
      writer.line(code`const ${item} = ${items}[${index}]`)
      if (index > 0) out.text(',')
      emitter.emit(inner, item, { ...context, pointer: `${context.pointer}/${index}`, isRecord: false })
      out.flush()
    })
  })
  if (node.rest !== undefined) emitRest(emitter, node.rest, items, node.prefix.length, context)
  else writer.line(unit.snippets.checkLength(items, node.prefix.length, context.pointer))
  out.text(']')
}

function emitRest(emitter: TextEmitter, rest: Node, items: Code, start: number, context: TextContext): void {
  const { unit } = emitter
  const { out } = context
  const { writer } = context.scope
  const index = unit.writer.unique('i')
  const item = unit.writer.unique('x')
  out.flush()
  writer.line(code`let ${index} = ${start}`)
  writer.line(code`try {`)
  writer.block(code`for (; ${index} < ${items}.length; ${index}++)`, () => {
    writer.line(code`const ${item} = ${items}[${index}]`)
    out.pair(code`${index} === 0`, '', ',')
    emitter.emit(rest, item, { ...context, pointer: '', isRecord: false })
    out.flush()
  })
  writer.line(code`} ${unit.snippets.catchAt(context.pointer, index)}`)
}
