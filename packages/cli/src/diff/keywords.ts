import type { Effect } from './changes.ts'
import { isObject, listOf, textOf } from './json.ts'

/** How the change of a keyword affects the valid values. */
export type Effects = readonly Effect[]

const NONE: Effects = []
const NARROWED: Effects = ['narrowed']
const WIDENED: Effects = ['widened']
const BOTH: Effects = ['narrowed', 'widened']

/** Compares the values of a keyword; `undefined` if it is missing. */
type Compare = (before: unknown, after: unknown) => Effects

interface KeywordCheck {
  readonly keyword: string
  readonly compare: Compare
}

const upper: Compare = (before, after) =>
  compareNumbers(limitOf(before, Infinity), limitOf(after, Infinity), NARROWED, WIDENED)
const lower: Compare = (before, after) =>
  compareNumbers(limitOf(before, -Infinity), limitOf(after, -Infinity), WIDENED, NARROWED)
/** A lower limit with the default 0. */
const least: Compare = (before, after) =>
  compareNumbers(limitOf(before, 0), limitOf(after, 0), WIDENED, NARROWED)
/** A value that cannot be compared in detail. */
const opaque: Compare = (before, after) => {
  if (textOf(before) === textOf(after)) return NONE
  if (before === undefined) return NARROWED
  return after === undefined ? WIDENED : BOTH
}
const flag: Compare = (before, after) => {
  if ((before === true) === (after === true)) return NONE
  return after === true ? NARROWED : WIDENED
}
/** A list of allowed values; if it is missing, all are allowed. */
const oneOfValues: Compare = (before, after) => {
  if (before === undefined || after === undefined) return opaque(before, after)
  const [old, now] = [listOf(before).map(textOf), listOf(after).map(textOf)]
  return effects(
    old.some((value) => !now.includes(value)),
    now.some((value) => !old.includes(value)),
  )
}
/** A list of required values. */
const allOfValues: Compare = (before, after) => {
  const [old, now] = [listOf(before).map(textOf), listOf(after).map(textOf)]
  return effects(
    now.some((value) => !old.includes(value)),
    old.some((value) => !now.includes(value)),
  )
}
const types: Compare = (before, after) => {
  if (before === undefined || after === undefined) return opaque(before, after)
  const [old, now] = [typesOf(before), typesOf(after)]
  const isIn = (type: unknown, all: readonly unknown[]): boolean =>
    all.includes(type) || (type === 'integer' && all.includes('number'))
  return effects(
    old.some((type) => !isIn(type, now)),
    now.some((type) => !isIn(type, old)),
  )
}
const multiples: Compare = (before, after) => {
  if (typeof before !== 'number' || typeof after !== 'number') return opaque(before, after)
  return effects(!isMultiple(before, after), !isMultiple(after, before))
}
const dependents: Compare = (before, after) => {
  const pairs = (value: unknown): string[] =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, all]) => listOf(all).map((one) => `${name} ${textOf(one)}`))
      : []
  return allOfValues(pairs(before), pairs(after))
}

/** The keywords that restrict values by themselves. Those that contain schemas are in `compare-schemas.ts`. */
export const KEYWORD_CHECKS: readonly KeywordCheck[] = [
  { keyword: 'type', compare: types },
  { keyword: 'enum', compare: oneOfValues },
  { keyword: 'const', compare: opaque },
  { keyword: 'format', compare: opaque },
  { keyword: 'pattern', compare: opaque },
  { keyword: 'maximum', compare: upper },
  { keyword: 'exclusiveMaximum', compare: upper },
  { keyword: 'minimum', compare: lower },
  { keyword: 'exclusiveMinimum', compare: lower },
  { keyword: 'multipleOf', compare: multiples },
  { keyword: 'maxLength', compare: upper },
  { keyword: 'minLength', compare: least },
  { keyword: 'maxItems', compare: upper },
  { keyword: 'minItems', compare: least },
  { keyword: 'uniqueItems', compare: flag },
  { keyword: 'maxContains', compare: upper },
  { keyword: 'minContains', compare: lower },
  { keyword: 'maxProperties', compare: upper },
  { keyword: 'minProperties', compare: least },
  { keyword: 'required', compare: allOfValues },
  { keyword: 'dependentRequired', compare: dependents },
  { keyword: 'contentMediaType', compare: opaque },
  { keyword: 'contentEncoding', compare: opaque },
  { keyword: 'contentSchema', compare: opaque },
  { keyword: 'discriminator', compare: opaque },
]

function effects(isNarrowed: boolean, isWidened: boolean): Effects {
  if (isNarrowed) return isWidened ? BOTH : NARROWED
  return isWidened ? WIDENED : NONE
}

function compareNumbers(before: number, after: number, less: Effects, more: Effects): Effects {
  if (before === after) return NONE
  return after < before ? less : more
}

function limitOf(value: unknown, missing: number): number {
  return typeof value === 'number' ? value : missing
}

function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return Math.abs(quotient - Math.round(quotient)) < 1e-9
}

export function typesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
