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
import { pointerToken } from '../../document/pointer.ts'
import type { ArrayNode, ObjectNode } from '../ir.ts'
import type { ReadOptions } from './writer.ts'

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

/** The array that a node reads. */
export function arraySource({ strict }: ArrayNode): (value: unknown) => readonly unknown[] {
  const convert = strict ? strictArray : compatArray
  return (value) =>
    Array.isArray(value) && isObject(value) && value['toJSON'] === undefined ? value : convert(value, '')
}

/** Whether an array can be handed to `JSON.stringify` as it is; undefined when none can. */
export function nativeTest(node: ArrayNode): ((items: readonly unknown[]) => boolean) | undefined {
  const { nativeFrom, prefix, rest } = node
  if (nativeFrom !== undefined) return ({ length }) => length >= nativeFrom
  if (prefix.length > 0 || rest === undefined) return undefined
  switch (rest.kind) {
    case 'string':
      return rest.format === 'plain' ? areStrings : undefined
    case 'integer':
      return areIntegers
    case 'number':
      return areNumbers
    default:
      return undefined
  }
}
