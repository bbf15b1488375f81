/** Closures that read objects and arrays. */
import { isObject } from '../../guards.ts'
import {
  areIntegers,
  areNumbers,
  areStrings,
  compatArray,
  compatObject,
  ownObject,
  strictArray,
  strictObject,
  strictOwnObject,
} from '../../runtime/containers.ts'
import { missing } from '../../runtime/describe.ts'
import { prefixPointer } from '../../runtime/errors.ts'
import { pointerToken } from '../../document/pointer.ts'
import type { ArrayNode, Node, ObjectNode } from '../ir.ts'
import { nativeTestOf } from '../nodes.ts'
import type { ReadOptions, Writer } from './writer.ts'

/** An object that is read. */
export type Source = Readonly<Record<string, unknown>>

const PLAIN: object = Object.prototype
const OBJECT_NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Whether a property is read only if it is the object's own. */
export function isOwnRead(name: string, { ownReads }: ReadOptions): boolean {
  return ownReads || OBJECT_NAMES.has(name)
}

/** Reads an own property. */
export function readOwn(object: object, name: string): unknown {
  return Object.hasOwn(object, name) && isObject(object) ? object[name] : undefined
}

/** Reads the property that tells the branches of a union apart. */
export function tagReader(name: string, options: ReadOptions): (value: unknown) => unknown {
  const isOwn = isOwnRead(name, options)
  return (value) => {
    if (!isObject(value)) return undefined
    return isOwn || Object.getPrototypeOf(value) !== PLAIN ? readOwn(value, name) : value[name]
  }
}

/** The object that a node reads; anything but a plain object takes the slow way. */
export function objectSource(node: ObjectNode, isRecord: boolean): (value: unknown) => Source {
  const names = [...node.properties.map(({ name }) => name), ...node.requiredOnly]
  const own = { names, isOpen: node.additional !== undefined || node.patterns.length > 0 }
  const convert = isRecord
    ? node.strict
      ? strictOwnObject
      : ownObject
    : node.strict
      ? strictObject
      : compatObject
  return (value) => {
    if (
      isObject(value) &&
      (isRecord || value['toJSON'] === undefined) &&
      Object.getPrototypeOf(value) === PLAIN
    )
      return value
    const object = convert(value, own, '')
    return isObject(object) ? object : {}
  }
}

/** Throws when a property is missing that must be there though no schema declares it. */
export function requiredTest({ requiredOnly }: ObjectNode, options: ReadOptions): (object: Source) => void {
  const entries = requiredOnly.map((name) => ({ name, isOwn: isOwnRead(name, options) }))
  return (object) => {
    for (const { name, isOwn } of entries) {
      if ((isOwn ? readOwn(object, name) : object[name]) === undefined) missing(`/${pointerToken(name)}`)
    }
  }
}

/** Writes the properties of an object that its schema does not declare; gets what was made of each. */
export type OtherWriter<Result> = (object: Source, put: (key: string, made: Result) => void) => void

/** The writer of patterned and additional properties, in the order of the object; undefined where all are left out. */
export function otherWriter<Result>(
  { properties, patterns, additional }: ObjectNode,
  writerOf: (node: Node) => Writer<Result>,
): OtherWriter<Result> | undefined {
  if (patterns.length === 0 && additional === undefined) return undefined
  const declared = new Set(properties.map(({ name }) => name))
  const families = patterns.map(({ pattern, node }) => ({ pattern, write: node && writerOf(node) }))
  const others = additional && writerOf(additional)
  return (object, put) => {
    let key = ''
    try {
      for (key of Object.keys(object)) {
        if (declared.has(key)) continue
        const value = object[key]
        if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue
        const family = families.find(({ pattern }) => pattern.test(key))
        const write = family === undefined ? others : family.write
        if (write !== undefined) put(key, write(value))
      }
    } catch (error) {
      throw prefixPointer(error, '', key)
    }
  }
}

/** The array that a node reads. */
export function arraySource({ strict }: ArrayNode): (value: unknown) => readonly unknown[] {
  const convert = strict ? strictArray : compatArray
  return (value) =>
    Array.isArray(value) && isObject(value) && value['toJSON'] === undefined ? value : convert(value, '')
}

/** Whether an array can be handed to `JSON.stringify` as it is; undefined when none can. */
export function nativeTest(node: ArrayNode): ((items: readonly unknown[]) => boolean) | undefined {
  const { nativeFrom } = node
  if (nativeFrom !== undefined) return ({ length }) => length >= nativeFrom
  const test = nativeTestOf(node)
  return test && NATIVE_TESTS[test]
}

const NATIVE_TESTS = { areIntegers, areNumbers, areStrings } as const
