import { codePointLength } from '../../../runtime/length.ts'
import { TYPE_TESTS, type JsonType } from '../../../document/json-types.ts'
import type { CheckNode, NumberTest, Scalar, StringTest } from '../ir.ts'

/*
 * Most values are scalars with a type and limits. The loop over the properties or items that hold them tests them by a
 * number that says how, without a call of a closure. What does not fit at once goes to the whole check.
 */

/** How a scalar is tested. `call` leaves it to the check; `any` takes every value. */
export const TEST = {
  call: 0,
  string: 1,
  boolean: 2,
  integer: 3,
  number: 4,
  length: 5,
  integerRange: 6,
  numberRange: 7,
  literal: 8,
  literals: 9,
  any: 10,
} as const

/** One of {@link TEST}. */
export type TestKind = (typeof TEST)[keyof typeof TEST]

/** Up to this number of literals are compared one by one. */
const FEW_LITERALS = 8

/** The test of a scalar, and its limits. */
export class Leaf {
  readonly kind: TestKind
  readonly minimum: number
  readonly maximum: number
  readonly values: readonly unknown[]

  constructor(
    kind: TestKind,
    minimum: number = -Infinity,
    maximum: number = Infinity,
    values: readonly unknown[] = [],
  ) {
    this.kind = kind
    this.minimum = minimum
    this.maximum = maximum
    this.values = values
  }
}

/** Whether a value surely fits as it is. */
export function fits(kind: TestKind, leaf: Leaf, value: unknown): boolean {
  switch (kind) {
    case TEST.string:
      return typeof value === 'string'
    case TEST.boolean:
      return typeof value === 'boolean'
    case TEST.integer:
      return Number.isInteger(value)
    case TEST.number:
      return typeof value === 'number' && Number.isFinite(value)
    case TEST.any:
      return value !== undefined
    case TEST.call:
      return false
    default:
      return fitsLimits(leaf, value)
  }
}

function fitsLimits(leaf: Leaf, value: unknown): boolean {
  switch (leaf.kind) {
    case TEST.length:
      return typeof value === 'string' && hasLength(value, leaf)
    case TEST.integerRange:
      return Number.isInteger(value) && isWithin(value, leaf)
    case TEST.numberRange:
      return Number.isFinite(value) && isWithin(value, leaf)
    case TEST.literal:
      return value === leaf.values[0]
    default:
      return leaf.values.includes(value)
  }
}

function isWithin(value: unknown, { minimum, maximum }: Leaf): boolean {
  return typeof value === 'number' && value >= minimum && value <= maximum
}

/** A code point has one or two code units: a text of up to so many units has no more code points. */
function hasLength(text: string, { minimum, maximum }: Leaf): boolean {
  const { length } = text
  if (length > maximum || length < minimum) return false
  return length >= minimum * 2 || codePointLength(text) >= minimum
}

/** The leaf of what only a check decides. */
export const CALL: Leaf = new Leaf(TEST.call)
const PLAIN: Readonly<Record<string, Leaf>> = {
  string: new Leaf(TEST.string),
  boolean: new Leaf(TEST.boolean),
  integer: new Leaf(TEST.integer),
  number: new Leaf(TEST.number),
}
/** The leaf of what no schema is for. */
export const ANY: Leaf = new Leaf(TEST.any)

/** How the values of a node are tested at once. */
export function leafOf({ type, tests }: CheckNode): Leaf {
  if (type !== undefined && type.types.length !== 1) return CALL
  if (tests.length > 1) return CALL
  const kind = type?.types[0]
  const [test] = tests
  if (test === undefined) return kind === undefined ? ANY : (PLAIN[kind] ?? CALL)
  if (test.kind === 'literals') return literalLeaf(test.values, kind)
  if (test.kind === 'string' && kind === 'string') return lengthLeaf(test)
  if (test.kind === 'number' && kind === 'integer') return rangeLeaf(TEST.integerRange, test)
  return test.kind === 'number' && kind === 'number' ? rangeLeaf(TEST.numberRange, test) : CALL
}

function lengthLeaf({ minLength, maxLength, pattern }: StringTest): Leaf {
  return pattern === undefined ? new Leaf(TEST.length, minLength ?? 0, maxLength) : CALL
}

function rangeLeaf(kind: TestKind, test: NumberTest): Leaf {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = test
  const isPlain = exclusiveMinimum === undefined && exclusiveMaximum === undefined
  return isPlain && multipleOf === undefined ? new Leaf(kind, minimum, maximum) : CALL
}

function literalLeaf(values: readonly Scalar[], kind: JsonType | undefined): Leaf {
  const allowed = kind === undefined ? values : values.filter(TYPE_TESTS[kind])
  if (allowed.length > FEW_LITERALS) return CALL
  return new Leaf(allowed.length === 1 ? TEST.literal : TEST.literals, undefined, undefined, allowed)
}
