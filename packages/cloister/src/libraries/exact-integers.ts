import type { ValidateFunction } from '@cloister/schema'

import { isRecord } from '../guards.ts'
import { issueOf, type LibraryResult, type LibraryValidator } from './validate.ts'

/**
 * Returns the issues of integers that a number does not represent exactly, as the JSON Schema of a library found them;
 * `null` if there are none. Libraries cannot see these: most take a number beyond 2^53 - 1 for any other integer.
 *
 * @param errors - those of a validator with exact integers
 */
export function inexactIssues(errors: ValidateFunction['errors']): LibraryResult | null {
  const found = (errors ?? []).filter(({ params }) => isRecord(params) && params['exact'] === false)
  if (found.length === 0) return null
  return { error: found.map(({ instancePath }) => issueOf(instancePath, INEXACT)) }
}

const INEXACT = 'must be an integer that is exactly representable, from -(2^53 - 1) to 2^53 - 1, and not -0'

/**
 * Lets the validator of a library refuse integers in JSON that a number does not represent exactly.
 *
 * @param find - the JSON Schema of the library as a validator with exact integers; it changes nothing
 */
export function withExactIntegers(validate: LibraryValidator, find: ValidateFunction): LibraryValidator {
  return (data) => {
    const issues = hasUnsafeInteger(data) && find(data) !== true ? inexactIssues(find.errors) : null
    return issues ?? validate(data)
  }
}

/** Most values have none, and need no second validation. */
function hasUnsafeInteger(value: unknown): boolean {
  const open = [value]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one === 'number' && (one === 0 ? Object.is(one, -0) : isUnsafe(one))) return true
    if (typeof one !== 'object' || one === null) continue
    for (const below of Object.values(one))
      if (typeof below === 'object' || typeof below === 'number') open.push(below)
  }
  return false
}

function isUnsafe(number: number): boolean {
  return number > Number.MAX_SAFE_INTEGER || number < Number.MIN_SAFE_INTEGER
}
