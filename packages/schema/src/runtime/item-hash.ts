import { isPlainObject } from '../guards.ts'

/*
 * Hashes of containers made of plain objects, arrays and JSON scalars. Equal values have equal hashes; different
 * values may too, so callers compare values with equal hashes.
 */

/** Values nested more deeply get no hash, because it is computed by recursion. */
const MAX_DEPTH = 32
const PRIME = 0x01000193
const ARRAY = 0x2f0b4c47
const OBJECT = 0x51ed270b
const NULL = 0x1b873593
const TRUE = 0x3c6ef372
const FALSE = 0x5bd1e995
const UPPER = 2 ** 32

/** Returns the hash of a container; NaN if it is nested deeply or contains a value that is not JSON. */
export function hashOfItem(container: object): number {
  return hashContainer(container, MAX_DEPTH)
}

function hashContainer(value: object, depth: number): number {
  if (depth === 0) return Number.NaN
  if (Array.isArray(value)) return hashArray(value, depth)
  return isPlainObject(value) ? hashObject(value, depth) : Number.NaN
}

function hashArray(list: readonly unknown[], depth: number): number {
  let hash = ARRAY
  for (let at = 0; at < list.length; at++) {
    const entry = hashValue(list[at], depth)
    if (Number.isNaN(entry)) return entry
    hash = mix(hash, entry)
  }
  return hash
}

/** Properties are hashed regardless of their order. */
function hashObject(value: Readonly<Record<string, unknown>>, depth: number): number {
  let hash = OBJECT
  for (const name of Object.keys(value)) {
    const entry = hashValue(value[name], depth)
    if (Number.isNaN(entry)) return entry
    hash = (hash + mix(hashText(name), entry)) | 0
  }
  return hash
}

function hashValue(value: unknown, depth: number): number {
  switch (typeof value) {
    case 'string':
      return hashText(value)
    case 'number':
      return hashNumber(value)
    case 'boolean':
      return value ? TRUE : FALSE
    case 'object':
      return value === null ? NULL : hashContainer(value, depth - 1)
    default:
      return Number.NaN
  }
}

function hashNumber(value: number): number {
  if (!Number.isFinite(value)) return Number.NaN
  return Number.isSafeInteger(value)
    ? mix(value | 0, (value / UPPER) | 0)
    : mix(value | 0, (Math.log(Math.abs(value)) * UPPER) | 0)
}

function hashText(text: string): number {
  let hash = text.length
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  return hash
}

function mix(hash: number, entry: number): number {
  const mixed = Math.imul(hash ^ entry ^ (entry >>> 15), PRIME)
  return mixed ^ (mixed >>> 13)
}
