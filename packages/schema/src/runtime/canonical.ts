import { isJsonScalar, isObject, isPlainObject } from '../guards.ts'
import { unwrap } from './scalars.ts'

/** Thrown for a value that contains itself, or is not made of plain objects, arrays and scalars. */
export class NotJson extends Error {}

/** Maps a value to the plain object, array or scalar that represents it. */
export type View = (value: unknown) => unknown

/**
 * Returns values unchanged.
 * @throws {@link NotJson}
 */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw new NotJson()
  if (isObject(value) && !Array.isArray(value) && !isPlainObject(value)) throw new NotJson()
  return value
}

/** Returns values as JSON represents them: after `toJSON`, and `null` for a value without JSON. */
export function writtenJson(value: unknown): unknown {
  if (value instanceof Date) return value.toJSON()
  const unwrapped = unwrap(value)
  return isWritten(unwrapped) ? unwrapped : null
}

/** Whether the JSON of an object contains a property with this value. */
function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}

/**
 * Returns JSON text with the keys of each object sorted: equal values have equal texts. Needs linear time and no
 * recursion, however deep the value is.
 * @throws {@link NotJson}
 */
export function canonicalJson(container: object, view: View): string {
  return isInOrder(container, MAX_NATIVE_DEPTH) ? JSON.stringify(container) : write(container, view)
}

/** Values nested more deeply go to the writer, which does not recurse. */
const MAX_NATIVE_DEPTH = 32

/** Whether `JSON.stringify` writes a plain value with its keys in order. */
function isInOrder(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return isJsonScalar(value)
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every((entry) => isInOrder(entry, depth - 1))
  if (!isPlainObject(value)) return false
  let previous: string | undefined
  for (const name of Object.keys(value)) {
    if (previous !== undefined && name < previous) return false
    if (!isInOrder(value[name], depth - 1)) return false
    previous = name
  }
  return true
}

interface OpenContainer {
  readonly value: object
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly length: number
  next: number
}

function write(root: object, view: View): string {
  const open = [opened(root, view)]
  let text = openingOf(root)
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next === top.length) {
      text += top.names === undefined ? ']' : '}'
      open.pop()
      continue
    }
    if (top.next > 0) text += ','
    const name = top.names?.[top.next]
    if (name !== undefined) text += `${JSON.stringify(name)}:`
    const entry = view(Reflect.get(top.value, name ?? top.next))
    top.next += 1
    if (isObject(entry)) {
      refuseCircle(entry, open)
      text += openingOf(entry)
      open.push(opened(entry, view))
    } else {
      text += typeof entry === 'string' ? JSON.stringify(entry) : String(entry)
    }
  }
  return text
}

function openingOf(container: object): string {
  return Array.isArray(container) ? '[' : '{'
}

function opened(value: object, view: View): OpenContainer {
  if (Array.isArray(value)) return { value, names: undefined, length: value.length, next: 0 }
  const keys = Object.keys(value).sort()
  const names = view === writtenJson ? keys.filter((name) => isWritten(Reflect.get(value, name))) : keys
  return { value, names, length: names.length, next: 0 }
}

/**
 * A value that contains itself has an infinite descent, in which the same containers repeat. So one of them repeats
 * below every depth; comparing those at powers of two finds it (Brent's algorithm).
 */
function refuseCircle(entry: object, open: readonly OpenContainer[]): void {
  const mark = 2 ** (31 - Math.clz32(open.length))
  if (open[mark - 1]?.value === entry) throw new NotJson()
}
