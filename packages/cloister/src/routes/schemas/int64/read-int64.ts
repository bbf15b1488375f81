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
  for (const one of place.all) takeOwn(one, holder, key, pointer, taking, level)
}

function takeOwn(
  place: Place,
  holder: Holder,
  key: string | number,
  pointer: string,
  taking: Taking,
  level: number,
): void {
  const value = read(holder, key)
  const { limits, first, items } = place
  if (limits !== null) takeText(holder, key, pointer, taking)
  if (Array.isArray(value))
    eachItem(place, value, (inner, index) =>
      takeTexts(inner, value, index, at(pointer, index), taking, level + 1),
    )
  else if (isRecord(value))
    eachMember(place, value, (inner, name) =>
      takeTexts(inner, value, name, at(pointer, name), taking, level + 1),
    )
  else {
    // Coercion makes a list of a scalar.
    const item = first[0] ?? items
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

function eachItem(
  { first, items }: Place,
  list: readonly unknown[],
  visit: (place: Place, index: number) => void,
): void {
  for (const index of list.keys()) {
    const place = index < first.length ? first[index] : items
    if (place != null) visit(place, index)
  }
}

function eachMember(
  { properties, declared, others }: Place,
  object: Readonly<Record<string, unknown>>,
  visit: (place: Place, name: string) => void,
): void {
  for (const [name, place] of properties) if (Object.hasOwn(object, name)) visit(place, name)
  if (others === null) return
  for (const name of Object.keys(object)) if (!declared.has(name)) visit(others, name)
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
    const value = read(holder, key)
    const visit = (inner: Place, name: string | number): void => {
      if (Array.isArray(value) || isRecord(value))
        error ??= putBigints(inner, value, name, at(pointer, name), texts)
    }
    if (Array.isArray(value)) eachItem(one, value, visit)
    else if (isRecord(value)) eachMember(one, value, visit)
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
