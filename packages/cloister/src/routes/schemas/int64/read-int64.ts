import { exactInteger, isExactInteger, isExactText, pointerToken } from '@cloister/schema/internal'

import type { Literals } from '../../../body/exact/rules.ts'
import { isRecord } from '../../../guards.ts'
import type { PartValidateFunction } from '../../../request/route-plan.ts'
import type { Limits, Place } from './places.ts'

/*
 * Validators see the nearest number of a 64-bit integer, so coercion, defaults and removal are as without it. The texts
 * are taken before, since coercion replaces them, and after it bigints take the place of the numbers.
 */

/** The texts of the 64-bit integers in a value, by their place in it after coercion. */
type Texts = Map<string, string>

/** Returns a validator that replaces 64-bit integers by bigints. */
export function readInt64(
  validate: PartValidateFunction,
  place: Place,
  literals: Literals | null,
): PartValidateFunction {
  const checked: PartValidateFunction = (data, holder) => {
    const texts: Texts = new Map()
    takeTexts(place, { value: data }, 'value', '', { texts, literals })
    const isValid = validate(data, holder)
    checked.errors = validate.errors ?? null
    if (isValid !== true) return isValid
    const error = putBigints(place, holder ?? { value: data }, 'value', '', texts)
    if (error === null) return true
    checked.errors = [error]
    return false
  }
  return checked
}

/** An object or list. */
type Holder = object

const read = (holder: object, key: string | number): unknown =>
  Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined

const at = (pointer: string, key: string | number): string => `${pointer}/${pointerToken(key)}`

interface Taking {
  readonly texts: Texts
  readonly literals: Literals | null
}

/** Deeper values are refused if they have inexact numbers. */
const MOST_LEVELS = 500

function takeTexts(
  place: Place,
  holder: Holder,
  key: string | number,
  pointer: string,
  taking: Taking,
  level: number = 0,
): void {
  if (level > MOST_LEVELS) return
  const value = read(holder, key)
  for (const one of place.all) {
    if (one.limits !== null) takeText(holder, key, pointer, taking)
    const isScalar = !eachBelow(one, value, (inner, outer, name) =>
      takeTexts(inner, outer, name, at(pointer, name), taking, level + 1),
    )
    // Coercion makes a list of a scalar.
    const item = isScalar ? (one.first[0] ?? one.items) : null
    if (item != null) takeTexts(item, holder, key, at(pointer, 0), taking, level + 1)
  }
}

function takeText(holder: Holder, key: string | number, pointer: string, { texts, literals }: Taking): void {
  const value = read(holder, key)
  // Coercion takes the only item of a list.
  if (Array.isArray(value) && value.length === 1) takeText(value, 0, pointer, { texts, literals })
  else if (typeof value === 'string') texts.set(pointer, value)
  else if (typeof value === 'number' && !isExactInteger(value)) {
    const literal = literals?.get(holder)?.get(String(key))
    if (literal !== undefined) texts.set(pointer, literal)
  }
}

/** Visits the items or members of a value that may have 64-bit integers; returns false for a scalar. */
function eachBelow(
  { first, items, properties, declared, others }: Place,
  value: unknown,
  visit: (inner: Place, outer: Holder, key: string | number) => void,
): boolean {
  if (Array.isArray(value)) {
    for (const index of value.keys()) {
      const place = index < first.length ? first[index] : items
      if (place != null) visit(place, value, index)
    }
    return true
  }
  if (!isRecord(value)) return false
  for (const [name, place] of properties) if (Object.hasOwn(value, name)) visit(place, value, name)
  if (others !== null)
    for (const name of Object.keys(value)) if (!declared.has(name)) visit(others, value, name)
  return true
}

/** An error in the form of Ajv. */
type ErrorOfValue = Readonly<Record<'instancePath' | 'schemaPath' | 'keyword' | 'message', string>> & {
  readonly params: object
}

/** Replaces the numbers of a valid value by bigints; returns the first error. */
function putBigints(
  place: Place,
  holder: Holder,
  key: string | number,
  pointer: string,
  texts: Texts,
): ErrorOfValue | null {
  let error: ErrorOfValue | null = null
  for (const one of place.all) {
    if (one.limits !== null) error ??= putBigint(one.limits, holder, key, pointer, texts)
    eachBelow(one, read(holder, key), (inner, outer, name) => {
      error ??= putBigints(inner, outer, name, at(pointer, name), texts)
    })
  }
  return error
}

function putBigint(
  limits: Limits,
  holder: Holder,
  key: string | number,
  pointer: string,
  texts: Texts,
): ErrorOfValue | null {
  const value = read(holder, key)
  if (typeof value !== 'number' && typeof value !== 'bigint') return null
  const exact = typeof value === 'bigint' ? value : toBigint(value, texts.get(pointer))
  if (exact === null) return inexact(pointer)
  if (exact < MIN || exact > MAX) return outside(pointer)
  if (exact < limits.minimum) return beyond('minimum', '>=', limits.minimum, pointer)
  if (exact > limits.maximum) return beyond('maximum', '<=', limits.maximum, pointer)
  Reflect.set(holder, key, exact)
  return null
}

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n

/** Returns the integer of a text that was read as a number; `null` if it is another one, or not certain. */
function toBigint(value: number, text: string | undefined): bigint | null {
  if (Object.is(value, -0)) return null
  // A hook or a default may have set another value.
  const isOfText = text !== undefined && Number(text) === value
  if (isExactInteger(value)) return isOfText && !isExactText(text) ? exactInteger(text) : BigInt(value)
  return isOfText ? exactInteger(text) : null
}

const INT64 = 'an integer of 64 bits: from -9223372036854775808 to 9223372036854775807, and not -0'

function inexact(instancePath: string): ErrorOfValue {
  const params = { type: 'integer', exact: false }
  return { instancePath, schemaPath: '#/type', keyword: 'type', params, message: `must be ${INT64}` }
}

function outside(instancePath: string): ErrorOfValue {
  const params = { format: 'int64' }
  return { instancePath, schemaPath: '#/format', keyword: 'format', params, message: `must be ${INT64}` }
}

function beyond(keyword: string, comparison: string, limit: number, instancePath: string): ErrorOfValue {
  const message = `must be ${comparison} ${limit}`
  return { instancePath, schemaPath: `#/${keyword}`, keyword, params: { comparison, limit }, message }
}
