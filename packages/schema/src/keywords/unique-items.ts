import { code } from '../codegen/code.ts'
import { scalarItemTypes } from '../document/json-types.ts'
import { isObject } from '../guards.ts'
import { createNumberTable } from '../runtime/number-table.ts'
import {
  allDistinct,
  allScalarsDistinct,
  areDistinct,
  findDuplicate,
  type Duplicate,
} from '../runtime/unique.ts'
import { keyword, type Keyword, type ListData } from '../walk/part.ts'
import { testOf } from '../walk/type.ts'
import { ASK, YES } from '../walk/look.ts'
import { PASSED } from '../walk/walk.ts'

const TESTS = { allDistinct, allScalarsDistinct, areDistinct } as const

/** The keyword `uniqueItems`. The reported pair depends on whether the items are scalars by their schema. */
export const uniqueItems: Keyword<ListData> = keyword({
  names: ['uniqueItems'],
  seesEdits: () => true,
  read(node) {
    if (node.schema['uniqueItems'] !== true) return undefined
    const scalars = scalarItemTypes(node.schema)
    const test = scalars === undefined ? 'allDistinct' : 'allScalarsDistinct'
    return {
      scalars,
      test: node.context.json === undefined ? test : 'areDistinct',
    } as const
  },
  message: ({ i, j }: Duplicate) => `must NOT have duplicate items (items ## ${j} and ${i} are identical)`,
  fits: ({ read }, list) => (TESTS[read.test](list) ? YES : ASK),
  apply(part, list, value, mode, frame) {
    const { scalars } = part.read
    const { finiteNumbers } = frame.walk.settings
    const found =
      scalars === undefined
        ? findDuplicate(list, isSameInstance)
        : findScalar(list, testOf(scalars, finiteNumbers), scalars.length > 1)
    return found === null ? PASSED : frame.fail(part, { i: found.i, j: found.j }, value, mode)
  },
  emit({ read }, { value }, { writer, defer }) {
    writer.line(code`if (!${writer.use(read.test)}(${value})) ${defer}`)
  },
})

/** Finds the last item with an equal one after it, and the nearest of those. */
function findScalar(
  list: ListData,
  isScalar: (item: unknown) => boolean,
  isMixed: boolean,
): Duplicate | null {
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
    // Texts that look like numbers have predictable hashes, which a client could use for an attack.
    const key = isMixed && typeof item === 'string' ? `_${item}_` : `_${String(item)}`
    const j = seen.get(key)
    if (j !== undefined) return { i, j }
    // Ajv looks items up in an object, which does not store this name.
    if (key !== '___proto__') seen.set(key, i)
  }
  return null
}

/** Compares values that are no JSON, such as dates from a parser of the application. */
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
