import type { ErrorObject } from 'ajv'
import type { ErrorList } from './walk.ts'

/** How many errors of pairs that were listed before are listed once more. */
const MAX_REPEATED = 1000

/** A list that is being copied, and how far. */
interface Position {
  readonly list: ErrorList
  readonly isRepeated: boolean
  next: number
}

/** The errors of a list and of the lists in it. Needs no recursion: references may follow each other in thousands. */
export function flatten(errors: ErrorList): ErrorObject[] {
  const flat: ErrorObject[] = []
  const listed = new Set<ErrorList>([errors])
  const open: Position[] = [{ list: errors, isRepeated: false, next: 0 }]
  let repeated = 0
  for (let position = open.at(-1); position !== undefined; position = open.at(-1)) {
    const entry = position.list[position.next]
    position.next += 1
    if (entry === undefined || (position.isRepeated && repeated >= MAX_REPEATED)) open.pop()
    else if (!Array.isArray(entry)) {
      flat.push(position.isRepeated ? { ...entry } : entry)
      if (position.isRepeated) repeated += 1
    } else {
      const isRepeated = position.isRepeated || listed.has(entry)
      listed.add(entry)
      open.push({ list: entry, isRepeated, next: 0 })
    }
  }
  return flat
}
