/** What both back ends write of objects and arrays: the reading of the container, and the loops over what is in it. */
import { code, type Code } from '../../codegen/code.ts'
import type { CodeWriter } from '../../codegen/writer.ts'
import { pointerToken } from '../../document/pointer.ts'
import type { ArrayNode, Node, ObjectNode } from '../ir.ts'
import { nativeTestOf } from '../nodes.ts'
import type { FunctionScope, UnitBuilder } from './unit.ts'

/** The value that code is written for. */
export interface ValueContext {
  readonly scope: FunctionScope
  /** JSON pointer of the value, relative to the generated function that prefixes its errors. */
  readonly pointer: string
  /** The value is an object (no array, no date) whose `toJSON` has been called. */
  readonly isRecord: boolean
}

/** Reads the object of a node; returns its variable. */
export function readObject(unit: UnitBuilder, node: ObjectNode, value: Code, context: ValueContext): Code {
  const { writer } = context.scope
  const object = unit.writer.unique('o')
  writer.line(code`const ${object} = ${unit.snippets.object(node, value, context)}`)
  for (const required of node.requiredOnly) {
    const test = code`${unit.snippets.read(object, required)} === undefined`
    writer.line(code`if (${test}) ${unit.snippets.missing(context.pointer + step(required))}`)
  }
  return object
}

/**
 * Writes the loop over patterned and additional properties, in the order of the object.
 * @param put - writes one of them; its pointer is that of the object
 */
export function eachOther(
  unit: UnitBuilder,
  node: ObjectNode,
  object: Code,
  { scope, pointer }: ValueContext,
  put: (node: Node, key: Code, value: Code) => void,
): void {
  const { writer } = scope
  const [key, value] = [unit.writer.unique('k'), unit.writer.unique('v')]
  writer.line(code`let ${key} = ''`)
  writer.line(code`try {`)
  writer.block(code`for (${key} of Object.keys(${object}))`, () => {
    writer.line(unit.snippets.skipDeclared(key, node))
    writer.line(code`const ${value} = ${object}[${key}]`)
    writer.line(unit.snippets.skipAbsent(value))
    for (const { pattern, node: family } of node.patterns) {
      writer.block(code`if (${unit.writer.matches(pattern, key)})`, () => {
        if (family !== undefined) put(family, key, value)
        writer.line(code`continue`)
      })
    }
    if (node.additional !== undefined) put(node.additional, key, value)
  })
  writer.line(code`} ${unit.snippets.catchAt(pointer, key)}`)
}

/**
 * Writes the items of an array: those at the beginning one by one, the others in a loop.
 * @param put - writes one of them; its pointer is relative to the array in the loop
 */
export function eachItem(
  unit: UnitBuilder,
  { prefix, rest }: ArrayNode,
  items: Code,
  { scope, pointer }: ValueContext,
  put: (node: Node, item: Code, index: Code | number, pointer: string) => void,
): void {
  const { writer } = scope
  prefix.forEach((inner, at) => {
    const item = unit.writer.unique('x')
    writer.block(code`if (${items}.length > ${at})`, () => {
      writer.line(code`const ${item} = ${items}[${at}]`)
      put(inner, item, at, `${pointer}/${at}`)
    })
  })
  if (rest === undefined) {
    writer.line(unit.snippets.checkLength(items, prefix.length, pointer))
    return
  }
  const [index, item] = [unit.writer.unique('i'), unit.writer.unique('x')]
  writer.line(code`let ${index} = ${prefix.length}`)
  writer.line(code`try {`)
  writer.block(code`for (; ${index} < ${items}.length; ${index}++)`, () => {
    writer.line(code`const ${item} = ${items}[${index}]`)
    put(rest, item, index, '')
  })
  writer.line(code`} ${unit.snippets.catchAt(pointer, index)}`)
}

/** The test of the items that `JSON.stringify` can write as they are; undefined when the items are not plain scalars. */
export function nativeItems(writer: CodeWriter, node: ArrayNode, items: Code): Code | undefined {
  if (node.nativeFrom !== undefined) return code`${items}.length >= ${node.nativeFrom}`
  const test = nativeTestOf(node)
  return test && code`${writer.use(test)}(${items})`
}

/** A property in a JSON pointer. */
export function step(key: string): string {
  return `/${pointerToken(key)}`
}
