/** Projection of objects and arrays. */
import { code, join, literalKey, type Code } from '../../../codegen/code.ts'
import { pointerToken } from '../../../document/pointer.ts'
import type { ArrayNode, Node, ObjectNode, PropertyNode } from '../../ir.ts'
import { nativeItems } from '../native-items.ts'
import type { ProjectionEmitter, ProjectionContext } from './context.ts'

/**
 * Projects an object to one object literal with all declared properties; `JSON.stringify` skips those that are
 * `undefined`.
 */
export function projectObject(
  emitter: ProjectionEmitter,
  node: ObjectNode,
  value: Code,
  context: ProjectionContext,
): Code {
  const { unit } = emitter
  const { writer } = context.scope
  const object = unit.writer.unique('o')
  writer.line(code`const ${object} = ${unit.snippets.object(node, value, context)}`)
  for (const required of node.requiredOnly) {
    const test = code`${unit.snippets.read(object, required)} === undefined`
    writer.line(code`if (${test}) ${unit.snippets.missing(context.pointer + step(required))}`)
  }
  const entries = node.properties.map(
    (property) => code`${literalKey(property.name)}: ${projectProperty(emitter, property, object, context)}`,
  )
  const literal = code`{ ${join(entries, code`, `)} }`
  if (node.patterns.length === 0 && node.additional === undefined) return literal
  const result = unit.writer.unique('r')
  writer.line(code`const ${result} = ${literal}`)
  projectOthers(emitter, node, object, result, context)
  return result
}

function projectProperty(
  emitter: ProjectionEmitter,
  property: PropertyNode,
  object: Code,
  context: ProjectionContext,
): Code {
  const { unit } = emitter
  const { writer } = context.scope
  const pointer = context.pointer + step(property.name)
  const inner: ProjectionContext = { ...context, pointer, isRecord: false }
  const value = unit.writer.unique('v')
  const read = unit.snippets.read(object, property.name)
  const isAny = property.node.kind === 'any'
  writer.line(code`const ${value} = ${isAny ? emitter.anyValue(read) : read}`)
  const isAbsent = code`${value} === undefined`
  if (property.defaultText !== undefined) {
    const fallback = emitter.literal(JSON.parse(property.defaultText))
    if (isAny) return code`(${isAbsent} ? ${fallback} : ${value})`
    return emitter.projectUnless(isAbsent, fallback, property.node, value, inner)
  }
  if (property.isRequired) {
    writer.line(code`if (${isAbsent}) ${unit.snippets.missing(pointer)}`)
    return isAny ? value : emitter.project(property.node, value, inner)
  }
  return isAny ? value : emitter.projectUnless(isAbsent, code`undefined`, property.node, value, inner)
}

function projectOthers(
  emitter: ProjectionEmitter,
  node: ObjectNode,
  object: Code,
  result: Code,
  context: ProjectionContext,
): void {
  const { unit } = emitter
  const { writer } = context.scope
  const key = unit.writer.unique('k')
  const value = unit.writer.unique('v')
  const inner: ProjectionContext = { ...context, pointer: '', isRecord: false }
  const put = (other: Node): void => {
    const projected = other.kind === 'any' ? emitter.anyValue(value) : emitter.project(other, value, inner)
    writer.line(code`${unit.writer.use('putProperty')}(${result}, ${key}, ${projected})`)
  }
  writer.line(code`let ${key} = ''`)
  writer.line(code`try {`)
  writer.block(code`for (${key} of Object.keys(${object}))`, () => {
    writer.line(unit.snippets.skipDeclared(key, node))
    writer.line(code`const ${value} = ${object}[${key}]`)
    writer.line(unit.snippets.skipAbsent(value))
    for (const { pattern, node: family } of node.patterns) {
      writer.block(code`if (${unit.writer.matches(pattern, key)})`, () => {
        if (family !== undefined) put(family)
        writer.line(code`continue`)
      })
    }
    if (node.additional !== undefined) put(node.additional)
  })
  writer.line(code`} ${unit.snippets.catchAt(context.pointer, key)}`)
}

/** Projects an array: a list of plain scalars is used as it is, any other is copied item by item. */
export function projectArray(
  emitter: ProjectionEmitter,
  node: ArrayNode,
  value: Code,
  context: ProjectionContext,
): Code {
  const { unit } = emitter
  const { writer } = context.scope
  const items = unit.writer.unique('a')
  const result = unit.writer.unique('r')
  writer.line(code`const ${items} = ${unit.snippets.array(node, value, context.pointer)}`)
  writer.line(code`let ${result} = ${items}`)
  const native = nativeItems(unit.writer, node, items)
  const copy = (): void => {
    writer.line(code`${result} = []`)
    projectPrefix(emitter, node, items, result, context)
    if (node.rest === undefined)
      writer.line(unit.snippets.checkLength(items, node.prefix.length, context.pointer))
    else projectRest(emitter, node.rest, { items, result, start: node.prefix.length }, context)
  }
  if (native === undefined) copy()
  else writer.block(code`if (!(${native}))`, copy)
  return result
}

function projectPrefix(
  emitter: ProjectionEmitter,
  node: ArrayNode,
  items: Code,
  result: Code,
  context: ProjectionContext,
): void {
  const { unit } = emitter
  const { writer } = context.scope
  node.prefix.forEach((inner, index) => {
    const item = unit.writer.unique('x')
    writer.block(code`if (${items}.length > ${index})`, () => {
      writer.line(code`const ${item} = ${items}[${index}]`)
      const pointer = `${context.pointer}/${index}`
      const projected = emitter.project(inner, item, { ...context, pointer, isRecord: false })
      writer.line(code`${result}.push(${projected})`)
    })
  })
}

interface RestList {
  readonly items: Code
  readonly result: Code
  readonly start: number
}

function projectRest(
  emitter: ProjectionEmitter,
  rest: Node,
  { items, result, start }: RestList,
  context: ProjectionContext,
): void {
  const { unit } = emitter
  const { writer } = context.scope
  const index = unit.writer.unique('i')
  const item = unit.writer.unique('x')
  const isPreallocated = emitter.preallocates && start === 0
  if (isPreallocated) writer.line(code`${result} = new Array(${items}.length)`)
  writer.line(code`let ${index} = ${start}`)
  writer.line(code`try {`)
  writer.block(code`for (; ${index} < ${items}.length; ${index}++)`, () => {
    writer.line(code`const ${item} = ${items}[${index}]`)
    const projected = emitter.project(rest, item, { ...context, pointer: '', isRecord: false })
    writer.line(
      isPreallocated ? code`${result}[${index}] = ${projected}` : code`${result}.push(${projected})`,
    )
  })
  writer.line(code`} ${unit.snippets.catchAt(context.pointer, index)}`)
}

function step(key: string): string {
  return `/${pointerToken(key)}`
}
