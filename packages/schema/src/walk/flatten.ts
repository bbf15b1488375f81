import type { ErrorObject } from 'ajv'
import type { ErrorList } from './walk.ts'

/** The number of errors, of pairs that were already listed, to list again. */
const MAX_REPEATED = 1000

/** The keywords whose errors are in one list with those of their branches. */
export const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf'])

/** A list that is being copied, and the position. */
interface Position {
  readonly list: ErrorList
  /** The start of its errors. */
  readonly start: number
  readonly isRepeated: boolean
  next: number
}

/**
 * Returns the errors of a list and of nested lists. It is not recursive, because thousands of references may follow
 * each other.
 * @param unions - gets the start of the errors of a union's branches, by the error of the union
 */
export function flatten(errors: ErrorList, unions?: WeakMap<ErrorObject, number>): ErrorObject[] {
  let only = errors
  for (let [first] = only; only.length === 1 && first !== undefined; [first] = only) {
    if (!Array.isArray(first)) return [first]
    only = first
  }
  const flat: ErrorObject[] = []
  const listed = new Set<ErrorList>([errors])
  const open: Position[] = [{ list: errors, start: 0, isRepeated: false, next: 0 }]
  let repeated = 0
  for (let position = open.at(-1); position !== undefined; position = open.at(-1)) {
    const entry = position.list[position.next]
    position.next += 1
    if (entry === undefined || (position.isRepeated && repeated >= MAX_REPEATED)) open.pop()
    else if (!Array.isArray(entry)) {
      const error = position.isRepeated ? { ...entry } : entry
      flat.push(error)
      if (position.isRepeated) repeated += 1
      if (UNIONS.has(error.keyword)) unions?.set(error, position.start)
    } else {
      const isRepeated = position.isRepeated || listed.has(entry)
      listed.add(entry)
      open.push({ list: entry, start: flat.length, isRepeated, next: 0 })
    }
  }
  return flat
}
