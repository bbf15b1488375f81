/** Projection of objects and arrays. */
import { code, join, literalKey, type Code } from '../../../codegen/code.ts'
import type { ArrayNode, Node, ObjectNode, PropertyNode } from '../../ir.ts'
import { eachItem, eachOther, nativeItems, readObject, step, type ValueContext } from '../containers.ts'
import type { UnitBuilder } from '../unit.ts'

/** Writes the projection of nodes. */
export interface ProjectionEmitter {
  readonly unit: UnitBuilder
  /** Lists are created with their final length. */
  readonly preallocates: boolean
  /** An expression for the projected value. */
  project(node: Node, value: Code, context: ValueContext): Code
  /** The projected value, or `fallback` when the test holds. */
  projectUnless(test: Code, fallback: Code, node: Node, value: Code, context: ValueContext): Code
  /** An untyped value, `undefined` when it has no JSON text. */
  anyValue(value: Code): Code
  /** A JSON value of the schema. */
  literal(value: unknown): Code
}

/**
 * Projects an object to one object literal with all declared properties; `JSON.stringify` skips those that are
 * `undefined`.
 */
export function projectObject(
  emitter: ProjectionEmitter,
  node: ObjectNode,
  value: Code,
  context: ValueContext,
): Code {
  const { unit } = emitter
  const { writer } = context.scope
  const object = readObject(unit, node, value, context)
  const entries = node.properties.map(
    (property) => code`${literalKey(property.name)}: ${projectProperty(emitter, property, object, context)}`,
  )
  const literal = code`{ ${join(entries, code`, `)} }`
  if (node.patterns.length === 0 && node.additional === undefined) return literal
  const result = unit.writer.unique('r')
  writer.line(code`const ${result} = ${literal}`)
  const inner: ValueContext = { ...context, pointer: '', isRecord: false }
  eachOther(unit, node, object, context, (other, key, entry) => {
    const projected = other.kind === 'any' ? emitter.anyValue(entry) : emitter.project(other, entry, inner)
    writer.line(code`${unit.writer.use('putProperty')}(${result}, ${key}, ${projected})`)
  })
  return result
}

function projectProperty(
  emitter: ProjectionEmitter,
  property: PropertyNode,
  object: Code,
  context: ValueContext,
): Code {
  const { unit } = emitter
  const { writer } = context.scope
  const pointer = context.pointer + step(property.name)
  const inner: ValueContext = { ...context, pointer, isRecord: false }
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

/** Projects an array: a list of plain scalars is used as it is, any other is copied item by item. */
export function projectArray(
  emitter: ProjectionEmitter,
  node: ArrayNode,
  value: Code,
  context: ValueContext,
): Code {
  const { unit } = emitter
  const { writer } = context.scope
  const items = unit.writer.unique('a')
  const result = unit.writer.unique('r')
  writer.line(code`const ${items} = ${unit.snippets.array(node, value, context.pointer)}`)
  writer.line(code`let ${result} = ${items}`)
  const native = nativeItems(unit.writer, node, items)
  const isPreallocated = emitter.preallocates && node.prefix.length === 0 && node.rest !== undefined
  const copy = (): void => {
    writer.line(code`${result} = ${isPreallocated ? code`new Array(${items}.length)` : code`[]`}`)
    eachItem(unit, node, items, context, (inner, item, index, pointer) => {
      const projected = emitter.project(inner, item, { ...context, pointer, isRecord: false })
      writer.line(
        isPreallocated ? code`${result}[${index}] = ${projected}` : code`${result}.push(${projected})`,
      )
    })
  }
  if (native === undefined) copy()
  else writer.block(code`if (!(${native}))`, copy)
  return result
}
