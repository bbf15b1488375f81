/** Text of arrays: lists of plain scalars natively once they are known to be that, others in a loop. */
import { code, type Code } from '../../codegen/code.ts'
import type { TextEmitter, TextSite } from './text-site.ts'
import type { ArrayNode, Node } from '../ir.ts'
import { areIntegers, areNumbers, areStrings } from '../runtime/containers.ts'
import { nativeText } from '../runtime/text.ts'

/** Appends the text of an array. */
export function emitArrayText(emitter: TextEmitter, node: ArrayNode, value: Code, site: TextSite): void {
  const { unit } = emitter
  const { writer } = site.frame
  const items = unit.writer.unique('a')
  writer.line(code`const ${items} = ${unit.pieces.array(node, value, site.pointer)}`)
  const native = nativeTest(emitter, node, items)
  if (native === undefined) return emitItems(emitter, node, items, site)
  site.out.flush()
  writer.block(code`if (${native})`, () => {
    site.out.value(code`${unit.writer.bind(nativeText, 'nativeText')}(${items}, ${site.pointer})`).flush()
  })
  writer.block(code`else`, () => {
    emitItems(emitter, node, items, site)
    site.out.flush()
  })
}

/** When the whole array can be handed to `JSON.stringify`. */
function nativeTest(emitter: TextEmitter, node: ArrayNode, items: Code): Code | undefined {
  const { writer } = emitter.unit
  if (node.nativeFrom !== undefined) return code`${items}.length >= ${node.nativeFrom}`
  if (node.prefix.length > 0 || node.rest === undefined) return undefined
  const test = nativeItems(node.rest)
  return test === undefined ? undefined : code`${writer.bind(test, 'areNative')}(${items})`
}

function nativeItems(item: Node): ((items: readonly unknown[]) => boolean) | undefined {
  switch (item.kind) {
    case 'string':
      return item.format === 'plain' ? areStrings : undefined
    case 'integer':
      return areIntegers
    case 'number':
      return areNumbers
    default:
      return undefined
  }
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
      emitter.emit(inner, item, { ...site, pointer: `${site.pointer}/${index}` })
      out.flush()
    })
  })
  if (node.rest !== undefined) emitRest(emitter, node.rest, items, node.prefix.length, site)
  else if (node.prefix.length > 0) {
    const reason = `Item at ${node.prefix.length} does not match schema definition.`
    writer.line(
      code`if (${items}.length > ${node.prefix.length}) ${unit.pieces.refuse(reason, `${site.pointer}/${node.prefix.length}`)}`,
    )
  } else {
    writer.line(code`if (${items}.length > 0) ${unit.pieces.refuse('the array must be empty', site.pointer)}`)
  }
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
    emitter.emit(rest, item, { ...site, pointer: '' })
    out.flush()
  })
  writer.line(code`} ${unit.pieces.catchAt(site.pointer, index)}`)
}
