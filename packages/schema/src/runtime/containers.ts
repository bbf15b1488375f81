/** Replacements that generated code reads for objects and arrays that are not plain. */
import { misfit } from './describe.ts'
import { callToJson } from './json-text.ts'

/** The names that every object inherits. */
export const OBJECT_NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** The properties that an object node reads. */
export interface OwnNames {
  readonly names: readonly string[]
  /** Whether undeclared properties are also read. */
  readonly isOpen: boolean
}

/** Returns the object to read for a value that is not a plain object; `null` is empty in compat mode. */
export function compatObject(value: unknown, own: OwnNames, pointer: string): object {
  return value === null ? {} : ownObject(callToJson(value), own, pointer)
}

/** Does the same as {@link compatObject} in strict mode: throws for `null` and for objects that hide their content. */
export function strictObject(value: unknown, own: OwnNames, pointer: string): object {
  return strictOwnObject(callToJson(value), own, pointer)
}

/** Does the same as {@link strictObject}, for a value whose `toJSON` has already been called. */
export function strictOwnObject(value: unknown, own: OwnNames, pointer: string): object {
  if (hidesContent(value)) return misfit('a plain object', value, pointer)
  return ownObject(value, own, pointer)
}

/** Whether an object hides its content: collections and promises have no properties for it. */
function hidesContent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof Map || value instanceof Set) return true
  return 'then' in value && typeof value.then === 'function'
}

/** Does the same as {@link compatObject}, for a value whose `toJSON` has already been called. */
export function ownObject(object: unknown, own: OwnNames, pointer: string): object {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return misfit('an object', object, pointer)
  }
  const prototype: unknown = Object.getPrototypeOf(object)
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return object
  const inherits = own.names.some((name) => name in prototype && !OBJECT_NAMES.has(name))
  return inherits ? ownCopy(object, own) : object
}

/** Copies the own properties of an object that inherits a declared one. */
function ownCopy(object: object, { names, isOpen }: OwnNames): object {
  const copy: Record<string, unknown> = { __proto__: null }
  for (const name of names) {
    if (Object.hasOwn(object, name)) copy[name] = Reflect.get(object, name)
  }
  if (!isOpen) return copy
  for (const name of Object.keys(object)) {
    if (!(name in copy)) copy[name] = Reflect.get(object, name)
  }
  return copy
}

/** Returns the array to read for a value that is not an array; `null` is empty in compat mode. */
export function compatArray(value: unknown, pointer: string): readonly unknown[] {
  return value === null ? [] : strictArray(value, pointer)
}

/** Does the same as {@link compatArray}, in strict mode. */
export function strictArray(value: unknown, pointer: string): readonly unknown[] {
  const array = callToJson(value)
  return Array.isArray(array) ? array : misfit('an array', value, pointer)
}

export function areStrings(items: readonly unknown[]): boolean {
  for (let i = 0; i < items.length; i++) if (typeof items[i] !== 'string') return false
  return true
}

export function areIntegers(items: readonly unknown[]): boolean {
  for (let i = 0; i < items.length; i++) if (!Number.isInteger(items[i])) return false
  return true
}

export function areNumbers(items: readonly unknown[]): boolean {
  for (let i = 0; i < items.length; i++) if (!Number.isFinite(items[i])) return false
  return true
}

/** Whether a library has added enumerable properties to `Object.prototype`, which every object then inherits. */
export function isPrototypePolluted(): boolean {
  for (const _ in Object.prototype) return true
  return false
}

/** Whether two JSON values are structurally equal; a bigint on the left equals the number of its value. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right) || left === right) return true
  if (typeof left === 'bigint') return Number.isInteger(right) && BigInt(Number(right)) === left
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left)) return Array.isArray(right) && isSameList(left, right)
  if (Array.isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && isSameJson(Reflect.get(left, key), Reflect.get(right, key)),
    )
  )
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (!isSameJson(left[at], right[at])) return false
  return true
}

/* Built-in functions, under names that generated code can import. */

export const hasOwn: (object: object, key: PropertyKey) => boolean = Object.hasOwn
export const prototypeOf: (object: object) => unknown = Object.getPrototypeOf
export const plainPrototype: object = Object.prototype
export const isArray: (value: unknown) => value is unknown[] = Array.isArray
