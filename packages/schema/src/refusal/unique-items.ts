import { typesOf, type JsonType } from '../document/json-types.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { createNumberTable } from '../runtime/number-table.ts'
import { findDuplicate, type Duplicate } from '../runtime/unique.ts'
import { PASSED } from './frame.ts'
import type { CheckFactory } from './plan.ts'
import { anyOf, testOf } from './types.ts'

type Finder = (list: readonly unknown[]) => Duplicate | null

/** The keyword `uniqueItems`. Which pair is named depends on whether the items are scalars by their schema. */
export const uniqueItemsCheck: CheckFactory = (node) => {
  const { uniqueItems, items, prefixItems } = node.schema
  if (uniqueItems !== true) return undefined
  const types = isSchemaObject(items) && prefixItems === undefined ? typesOf(items) : []
  const areScalars = types.length > 0 && !types.includes('object') && !types.includes('array')
  const find: Finder = areScalars
    ? scalarFinder(types, node.unit.settings.finiteNumbers)
    : (list) => findDuplicate(list, isSameInstance)
  const rule = { keyword: 'uniqueItems', node } as const
  return (value, mode, frame) => {
    const found = Array.isArray(value.data) ? find(value.data) : null
    return found === null ? PASSED : frame.fail(rule, { i: found.i, j: found.j }, value, mode)
  }
}

/** Finds the last item that has an equal one behind it, and the nearest of those. */
function scalarFinder(types: readonly JsonType[], finiteNumbers: boolean): Finder {
  const isScalar = anyOf(types.map((type) => testOf(type, finiteNumbers)))
  const isMixed = types.length > 1
  return (list) => {
    const seen = new Map<string, number>()
    const numbers = createNumberTable(list.length)
    const numberAt: number[] = []
    for (let i = list.length - 1; i >= 0; i--) {
      const item = list[i]
      if (!isScalar(item)) continue
      if (typeof item === 'number' && Number.isFinite(item)) {
        const index = numbers.indexOf(item)
        const j = numberAt[index]
        if (j !== undefined) return { i, j }
        numberAt[index] = i
        continue
      }
      // Texts that look like numbers have hashes that a client can foresee.
      const key = isMixed && typeof item === 'string' ? `_${item}_` : `_${String(item)}`
      const j = seen.get(key)
      if (j !== undefined) return { i, j }
      // Ajv looks items up in an object, which does not keep this name.
      if (key !== '___proto__') seen.set(key, i)
    }
    return null
  }
}

/** Compares what is no JSON, such as dates that a parser of the application has made. */
function isSameInstance(left: unknown, right: unknown): boolean {
  if (Object.is(left, right) || left === right) return true
  if (!isObject(left) || !isObject(right) || left.constructor !== right.constructor) return false
  if (left.valueOf !== Object.prototype.valueOf) return left.valueOf() === right.valueOf()
  if (!Array.isArray(left) && left.toString !== Object.prototype.toString) {
    return left.toString() === right.toString()
  }
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameInstance(left[key], right[key]))
  )
}
