import {
  asksExact,
  isExactInteger,
  typesOf,
  type ExactIntegers,
  type JsonType,
} from '../document/json-types.ts'
import { isSchemaObject, NOTHING } from '../guards.ts'
import { codePointLength } from '../runtime/measures.ts'

/*
 * Most values are scalars with a type and limits, or lists of these. The loop over their properties or items tests them
 * without a call, by a number for the kind of test. Values that don't match at once go to the whole schema.
 */

/**
 * The kind of test. `call` leaves the value to the schema; `any` accepts every value, `list` a list whose items match a
 * leaf.
 */
export const TEST = {
  call: 0,
  string: 1,
  boolean: 2,
  integer: 3,
  number: 4,
  length: 5,
  integerRange: 6,
  numberRange: 7,
  literals: 8,
  text: 9,
  nullable: 10,
  any: 11,
  list: 12,
  safeInteger: 13,
  safeIntegerRange: 14,
} as const

/** One of {@link TEST}. */
export type TestKind = (typeof TEST)[keyof typeof TEST]

/** The test of a scalar, and its limits. Keywords narrow it while their schema is read. */
export class Leaf {
  kind: TestKind
  /** The kind of test for values other than null, if null is allowed. */
  inner: TestKind = 0
  minimum: number = -Infinity
  maximum: number = Infinity
  values: readonly unknown[] = NOTHING
  /** The tests of a text after that of its length. */
  tests: readonly ((text: string) => boolean)[] = NOTHING
  /** The test of the items of a list; undefined if any are allowed. */
  item: Leaf | undefined = undefined

  constructor(kind: TestKind) {
    this.kind = kind
  }

  /** Whether it tests all keywords of a schema; otherwise it leaves every value to the schema. */
  get isWhole(): boolean {
    return this.kind !== TEST.call
  }

  /** Whether it accepts lists. */
  get isOfList(): boolean {
    return this.kind === TEST.list || this.inner === TEST.list
  }
}

/** Whether a value surely matches without edits. */
export function fitsLeaf(kind: TestKind, leaf: Leaf, value: unknown): boolean {
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
      return fitsLimits(kind, leaf, value)
  }
}

function fitsLimits(kind: TestKind, leaf: Leaf, value: unknown): boolean {
  switch (kind) {
    case TEST.length:
      return typeof value === 'string' && hasLength(value, leaf)
    case TEST.integerRange:
      return Number.isInteger(value) && isWithin(value, leaf)
    case TEST.numberRange:
      return Number.isFinite(value) && isWithin(value, leaf)
    case TEST.nullable:
      return value === null || fitsLeaf(leaf.inner, leaf, value)
    case TEST.text:
      return typeof value === 'string' && hasLength(value, leaf) && passes(value, leaf)
    case TEST.list:
      return Array.isArray(value) && isWithin(value.length, leaf) && fitItems(value, leaf.item)
    case TEST.safeInteger:
      return isExactInteger(value)
    case TEST.safeIntegerRange:
      return isExactInteger(value) && isWithin(value, leaf)
    default:
      return leaf.values.includes(value)
  }
}

function fitItems(list: readonly unknown[], item: Leaf | undefined): boolean {
  if (item === undefined) return true
  const { kind } = item
  for (let index = 0; index < list.length; index++) if (!fitsLeaf(kind, item, list[index])) return false
  return true
}

function isWithin(value: unknown, { minimum, maximum }: Leaf): boolean {
  return typeof value === 'number' && value >= minimum && value <= maximum
}

/**
 * Each code point has one or two code units. Code points are counted only if the number of code units doesn't decide.
 */
function hasLength(text: string, { minimum, maximum }: Leaf): boolean {
  const { length } = text
  if (length < minimum || length > maximum * 2) return false
  if (length >= minimum * 2 && length <= maximum) return true
  const points = codePointLength(text)
  return points >= minimum && points <= maximum
}

function passes(text: string, { tests }: Leaf): boolean {
  for (const test of tests) if (!test(text)) return false
  return true
}

/** The leaf that leaves every value to the schema. */
export const CALL: Leaf = new Leaf(TEST.call)
/** The leaf that accepts every value. */
export const ANY: Leaf = new Leaf(TEST.any)

const PLAIN: Readonly<Partial<Record<JsonType, Leaf>>> = {
  string: new Leaf(TEST.string),
  boolean: new Leaf(TEST.boolean),
  integer: new Leaf(TEST.integer),
  number: new Leaf(TEST.number),
  array: new Leaf(TEST.list),
}

const SAFE_INTEGER = new Leaf(TEST.safeInteger)

/** Adds a test of texts to a leaf; returns false if its values are no texts. */
export function addTextTest(leaf: Leaf, test: (text: string) => boolean): boolean {
  if (leaf.kind === TEST.string || leaf.kind === TEST.length) leaf.kind = TEST.text
  leaf.tests = [...leaf.tests, test]
  return leaf.kind === TEST.text
}

/**
 * Adds a keyword to a leaf; returns false if it can't.
 * @param leafOf - reads a schema in the keyword
 */
export type Narrow = (leaf: Leaf, value: unknown, leafOf: (schema: unknown) => Leaf) => boolean

/**
 * Returns the leaf of a schema.
 * @param brought - how keywords narrow a leaf; null for a keyword that no leaf can have
 * @param exactIntegers - which integers must be safe ones
 */
export function leafOf(
  schema: Readonly<Record<string, unknown>>,
  brought: ReadonlyMap<string, { readonly narrow: Narrow | null }>,
  exactIntegers: ExactIntegers = false,
): Leaf {
  const types = typesOf(schema)
  const isNullable = types.length === 2 && types.includes('null')
  const type = isNullable ? types.find((one) => one !== 'null') : types[0]
  const plain =
    type === undefined
      ? ANY
      : isNullable || types.length === 1
        ? plainOf(type, asksExact(schema, exactIntegers))
        : undefined
  if (plain === undefined) return CALL
  const below = (inner: unknown): Leaf =>
    isSchemaObject(inner) ? leafOf(inner, brought, exactIntegers) : CALL
  let leaf = isNullable ? new Leaf(plain.kind) : plain
  for (const keyword of Object.keys(schema)) {
    const narrow = brought.get(keyword)?.narrow
    if (narrow === undefined || schema[keyword] === undefined) continue
    if (narrow === null) return CALL
    if (leaf === plain) leaf = new Leaf(plain.kind)
    if (!narrow(leaf, schema[keyword], below)) return CALL
  }
  return isNullable ? asNullable(leaf) : leaf
}

function plainOf(type: JsonType, exactIntegers: boolean): Leaf | undefined {
  return type === 'integer' && exactIntegers ? SAFE_INTEGER : PLAIN[type]
}

/** A list of values contains null itself, if it is allowed. */
function asNullable(leaf: Leaf): Leaf {
  if (leaf.kind === TEST.literals) return CALL
  leaf.inner = leaf.kind
  leaf.kind = TEST.nullable
  return leaf
}
