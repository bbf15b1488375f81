import { TYPE_TESTS, type JsonType } from '../../../document/json-types.ts'
import { REFUSED } from '../../../runtime/coerce.ts'
import type { Coercion, TypeNode } from '../ir.ts'
import { DEFERRED, FITS, REJECTED, type Check, type Step } from './verdict.ts'

/** Whether a value has a type. */
export type TypeTest = (value: unknown) => boolean

/** What becomes of a value of another type; `again` checks the value that a coercer has made. */
export function mismatchOf({ otherwise, coercion }: TypeNode, again: () => Check): Check {
  if (coercion === undefined) return otherwise === 'defer' ? defer : reject
  if (coercion.effect === 'replace') return replacing(coercion, again)
  return deferring(coercion, otherwise === 'defer' ? DEFERRED : REJECTED)
}

function reject(): typeof REJECTED {
  return REJECTED
}

function defer(): typeof DEFERRED {
  return DEFERRED
}

function replacing({ coercer }: Coercion, again: () => Check): Check {
  const coerce = coercer.value
  return (value, log, parent, key) => {
    const made = coerce(value)
    if (made === REFUSED) return REJECTED
    log.push(parent, key, made)
    return again()(made, log, parent, key)
  }
}

function deferring({ coercer, unwraps }: Coercion, otherwise: typeof REJECTED | typeof DEFERRED): Check {
  const coerce = coercer.value
  return (value) => {
    const changes = coerce(value) !== REFUSED || (unwraps && Array.isArray(value) && value.length === 1)
    return changes ? DEFERRED : otherwise
  }
}

/** The check of a type alone. */
export function typeCheck(node: TypeNode): Check {
  const mismatch = mismatchOf(node, () => check)
  const check = withTest(node.types, mismatch)
  return check
}

/** One function literal per type: each stays fast for its own. */
function withTest(types: readonly JsonType[], mismatch: Check): Check {
  switch (types.length === 1 ? types[0] : undefined) {
    case 'string':
      return (value, log, parent, key) =>
        typeof value === 'string' ? FITS : mismatch(value, log, parent, key)
    case 'integer':
      return (value, log, parent, key) => (Number.isInteger(value) ? FITS : mismatch(value, log, parent, key))
    case 'boolean':
      return (value, log, parent, key) =>
        typeof value === 'boolean' ? FITS : mismatch(value, log, parent, key)
    default: {
      const isRight = testOf(types)
      return (value, log, parent, key) => (isRight(value) ? FITS : mismatch(value, log, parent, key))
    }
  }
}

/** The check of several types, or of one whose values need no further narrowing, and of what follows. */
export function typedCheck(node: TypeNode, step: Step): Check {
  const isRight = testOf(node.types)
  const mismatch = mismatchOf(node, () => check)
  const check: Check = (value, log, parent, key) =>
    isRight(value) ? step(value, log) : mismatch(value, log, parent, key)
  return check
}

function testOf(types: readonly JsonType[]): TypeTest {
  const tests = types.map((type) => TYPE_TESTS[type])
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (value) => {
    for (const test of tests) if (test(value)) return true
    return false
  }
}
