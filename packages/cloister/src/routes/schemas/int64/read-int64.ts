import { exactInteger, isExactInteger, isExactText, pointerToken } from '@cloister/schema/internal'

import type { Literals } from '../../../body/exact/rules.ts'
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
    takeTexts(place, { holder: { value: data }, key: 'value', pointer: '' }, { texts, literals })
    const isValid = validate(data, holder)
    checked.errors = validate.errors ?? null
    if (isValid !== true) return isValid
    const whole = { holder: holder ?? { value: data }, key: 'value', pointer: '' }
    const error = putBigints(place, whole, texts)
    if (error === null) return true
    checked.errors = [error]
    return false
  }
  return checked
}

/** Where a value is: the object or list that has it, and its pointer after coercion. */
interface Spot {
  readonly holder: object
  readonly key: string | number
  readonly pointer: string
}

const read = ({ holder, key }: Spot): unknown =>
  Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined

interface Taking {
  readonly texts: Texts
  readonly literals: Literals | null
}

/** Deeper values are refused if they have inexact numbers. */
const MAX_LEVELS = 500

function takeTexts(place: Place, spot: Spot, taking: Taking, level: number = 0): void {
  if (level > MAX_LEVELS) return
  for (const one of place.all) {
    if (one.limits !== null) takeText(spot, taking)
    const isScalar = !eachBelow(one, spot, (inner, at) => takeTexts(inner, at, taking, level + 1))
    // Coercion makes a list of a scalar.
    const item = isScalar ? (one.first[0] ?? one.items) : null
    if (item != null) takeTexts(item, { ...spot, pointer: `${spot.pointer}/0` }, taking, level + 1)
  }
}

function takeText(spot: Spot, taking: Taking): void {
  const { holder, key, pointer } = spot
  const value = read(spot)
  // Coercion takes the only item of a list.
  if (Array.isArray(value) && value.length === 1) takeText({ holder: value, key: 0, pointer }, taking)
  else if (typeof value === 'string') taking.texts.set(pointer, value)
  else if (typeof value === 'number' && !isExactInteger(value)) {
    const literal = taking.literals?.get(holder)?.get(String(key))
    if (literal !== undefined) taking.texts.set(pointer, literal)
  }
}

/** Visits the items or members of a value that may have 64-bit integers; returns false for a scalar. */
function eachBelow(place: Place, spot: Spot, visit: (inner: Place, at: Spot) => void): boolean {
  const { first, items, properties, declared, others } = place
  const value = read(spot)
  if (typeof value !== 'object' || value === null) return false
  const visitAt = (inner: Place, key: string | number): void =>
    visit(inner, { holder: value, key, pointer: `${spot.pointer}/${pointerToken(key)}` })
  if (Array.isArray(value)) {
    for (const index of value.keys()) {
      const inner = index < first.length ? first[index] : items
      if (inner != null) visitAt(inner, index)
    }
    return true
  }
  for (const [name, inner] of properties) if (Object.hasOwn(value, name)) visitAt(inner, name)
  if (others !== null) for (const name of Object.keys(value)) if (!declared.has(name)) visitAt(others, name)
  return true
}

/** An error in the form of Ajv. */
type ErrorOfValue = Readonly<Record<'instancePath' | 'schemaPath' | 'keyword' | 'message', string>> & {
  readonly params: object
}

/** Replaces the numbers of a valid value by bigints; returns the first error. */
function putBigints(place: Place, spot: Spot, texts: Texts): ErrorOfValue | null {
  let error: ErrorOfValue | null = null
  for (const one of place.all) {
    if (one.limits !== null) error ??= putBigint(one.limits, spot, texts)
    eachBelow(one, spot, (inner, at) => {
      error ??= putBigints(inner, at, texts)
    })
  }
  return error
}

function putBigint(limits: Limits, spot: Spot, texts: Texts): ErrorOfValue | null {
  const { pointer } = spot
  const value = read(spot)
  if (typeof value !== 'number' && typeof value !== 'bigint') return null
  const exact = typeof value === 'bigint' ? value : toBigint(value, texts.get(pointer))
  if (exact === null) return inexact(pointer)
  if (exact < MIN || exact > MAX) return outside(pointer)
  if (exact < limits.minimum) return beyond('minimum', '>=', limits.minimum, pointer)
  if (exact > limits.maximum) return beyond('maximum', '<=', limits.maximum, pointer)
  Reflect.set(spot.holder, spot.key, exact)
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
