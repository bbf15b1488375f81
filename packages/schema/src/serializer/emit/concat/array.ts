/** Text of arrays: lists of plain scalars natively once they are known to be that, others in a loop. */
import { code, type Code } from '../../../codegen/code.ts'
import { nativeItems } from '../native-items.ts'
import type { TextEmitter, TextSite } from './context.ts'
import type { ArrayNode, Node } from '../../ir.ts'

/** Appends the text of an array. */
export function emitArrayText(emitter: TextEmitter, node: ArrayNode, value: Code, site: TextSite): void {
  const { unit } = emitter
  const { writer } = site.frame
  const items = unit.writer.unique('a')
  writer.line(code`const ${items} = ${unit.pieces.array(node, value, site.pointer)}`)
  const native = nativeItems(unit.writer, node, items)
  if (native === undefined) return emitItems(emitter, node, items, site)
  site.out.flush()
  writer.block(code`if (${native})`, () => {
    site.out.value(code`${unit.writer.use('nativeText')}(${items}, ${site.pointer})`).flush()
  })
  writer.block(code`else`, () => {
    emitItems(emitter, node, items, site)
    site.out.flush()
  })
}

function emitItems(emitter: TextEmitter, node: ArrayNode, items: Code, site: TextSite): void {
  const { unit } = emitter
  const { out } = site
  const { writer } = site.frame
  out.text('[')
  node.prefix.forEach((inner, index) => {
    out.flush()
    const item = unit.writer.unique('x')
    writer.block(code`if (${items}.length > ${index})`, () => {
      writer.line(code`const ${item} = ${items}[${index}]`)
      if (index > 0) out.text(',')
      emitter.emit(inner, item, { ...site, pointer: `${site.pointer}/${index}`, isRecord: false })
      out.flush()
    })
  })
  if (node.rest !== undefined) emitRest(emitter, node.rest, items, node.prefix.length, site)
  else writer.line(unit.pieces.checkLength(items, node.prefix.length, site.pointer))
  out.text(']')
}

function emitRest(emitter: TextEmitter, rest: Node, items: Code, start: number, site: TextSite): void {
  const { unit } = emitter
  const { out } = site
  const { writer } = site.frame
  const index = unit.writer.unique('i')
  const item = unit.writer.unique('x')
  out.flush()
  writer.line(code`let ${index} = ${start}`)
  writer.line(code`try {`)
  writer.block(code`for (; ${index} < ${items}.length; ${index}++)`, () => {
    writer.line(code`const ${item} = ${items}[${index}]`)
    out.pair(code`${index} === 0`, '', ',')
    emitter.emit(rest, item, { ...site, pointer: '', isRecord: false })
    out.flush()
  })
  writer.line(code`} ${unit.pieces.catchAt(site.pointer, index)}`)
}
