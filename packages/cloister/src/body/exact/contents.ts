import { isRecord, type Dictionary } from '../../guards.ts'

/** What a value that was read from JSON contains. */
export interface Contents {
  /** the number of texts: names, and values that are strings */
  texts: number
  /** a number is infinite, too many levels were not counted, or objects inherit names that were counted */
  isOdd: boolean
  /** a number is an integer */
  hasInteger: boolean
  /** a number is beyond the safe integers */
  hasLarge: boolean
  /** a number is 0, as one is that is too small */
  hasZero: boolean
}

/** Deeper values are read token by token. */
const MAX_LEVELS = 500

/** Counts the texts of a value that was read from JSON, and notes odd numbers. */
export function contentsOf(value: unknown): Contents {
  const contents = { texts: 0, isOdd: inheritsNames(), hasInteger: false, hasLarge: false, hasZero: false }
  add(contents, value, 0)
  return contents
}

function add(contents: Contents, value: unknown, level: number): void {
  if (typeof value === 'string') contents.texts++
  else if (typeof value === 'number') note(contents, value)
  else if (level > MAX_LEVELS) contents.isOdd = true
  else if (Array.isArray(value)) addItems(contents, value, level + 1)
  else if (isRecord(value)) addMembers(contents, value, level + 1)
}

// Scalars need no call, and most are strings.
function addItems(contents: Contents, list: readonly unknown[], level: number): void {
  let texts = 0
  for (let at = 0; at < list.length; at++) {
    const item = list[at]
    if (typeof item === 'string') texts++
    else if (typeof item === 'number') note(contents, item)
    else if (typeof item === 'object') add(contents, item, level)
  }
  contents.texts += texts
}

function addMembers(contents: Contents, object: Dictionary, level: number): void {
  let texts = 0
  for (const name in object) {
    const member = object[name]
    texts++
    if (typeof member === 'string') texts++
    else if (typeof member === 'number') note(contents, member)
    else if (typeof member === 'object') add(contents, member, level)
  }
  contents.texts += texts
}

function note(contents: Contents, number: number): void {
  if (!Number.isInteger(number)) contents.isOdd ||= number - number !== 0
  else {
    contents.hasInteger = true
    contents.hasZero ||= number === 0
    contents.hasLarge ||= !Number.isSafeInteger(number)
  }
}

/** Whether the loops over names of this file find more names than an object has: `Object.prototype` was extended. */
function inheritsNames(): boolean {
  for (const _name in {}) return true
  return false
}
