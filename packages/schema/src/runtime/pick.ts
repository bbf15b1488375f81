import { compileExpression, type Expression } from '../regexp/compile.ts'

/**
 * Picks the branch of a union when several accept a value: the one that omits least of it, the first if several are
 * equal. So an earlier, smaller shape does not drop properties of a value that matches a later one.
 */

/**
 * The part of a value that a node writes. Inner nodes are indexes into the list of all nodes; `null` writes nothing.
 */
export type ShapeEntry =
  | { readonly kind: 'whole' }
  | {
      readonly kind: 'object'
      readonly properties: readonly (readonly [name: string, shape: number])[]
      readonly patterns: readonly (readonly [source: string, flags: string, shape: number | null])[]
      readonly additional: number | null
      /** Undeclared properties are written by what no other schema is about. */
      readonly isUnevaluated?: boolean
    }
  | { readonly kind: 'array'; readonly prefix: readonly number[]; readonly rest: number | null }
  | BranchShape

/** The part of a value that a node writes which chooses one of several others. Scalars lose nothing, in any of them. */
type BranchShape =
  /** by the kind of the value */
  | { readonly kind: 'kinds'; readonly object: number | null; readonly array: number | null }
  /** the first whose test passes; tests are indexes into the list of all tests */
  | {
      readonly kind: 'first'
      readonly tests: readonly number[]
      readonly shapes: readonly number[]
      readonly otherwise: number | null
    }
  /** of those whose test passes, the one that omits least */
  | { readonly kind: 'least'; readonly tests: readonly number[]; readonly shapes: readonly number[] }
  /** by the value of a property */
  | {
      readonly kind: 'switch'
      readonly property: string
      readonly cases: readonly (readonly [values: readonly unknown[], shape: number])[]
      readonly otherwise: number | null
    }

interface ObjectShape {
  readonly kind: 'object'
  readonly properties: ReadonlyMap<string, number>
  readonly patterns: readonly { readonly pattern: Expression; readonly shape: number | null }[]
  readonly additional: number | null
  readonly isUnevaluated?: boolean
}

type Shape = Exclude<ShapeEntry, { kind: 'object' }> | ObjectShape

/** Whether a value passes. */
type Test = (value: unknown) => boolean

/** The shapes of the branches of a union and of the nodes inside them. */
export type ShapeTable = readonly Shape[]

/** Creates the table for {@link pickBranch}. */
export function createShapes(entries: readonly ShapeEntry[]): ShapeTable {
  return entries.map((entry) =>
    entry.kind === 'object'
      ? {
          ...entry,
          properties: new Map(entry.properties),
          patterns: entry.patterns.map(([source, flags, shape]) => ({
            pattern: compileExpression(source, flags),
            shape,
          })),
        }
      : entry,
  )
}

/** Returns the index of the branch, or -1 if none accepts the value. */
export function pickBranch(
  value: unknown,
  tests: readonly Test[],
  shapes: ShapeTable,
  roots: readonly number[],
  inner: readonly Test[],
): number {
  let best = -1
  let leastLost = Infinity
  for (let i = 0; i < tests.length; i++) {
    if (tests[i]?.(value) !== true) continue
    const lost = countLost({ shapes, inner }, roots[i] ?? null, value)
    if (lost === 0) return i
    if (lost < leastLost) {
      leastLost = lost
      best = i
    }
  }
  return best
}

/** The shapes, and the tests that the shapes of branches name. */
interface Table {
  readonly shapes: ShapeTable
  readonly inner: readonly Test[]
}

function countLost(table: Table, index: number | null, value: unknown): number {
  if (index === null) return 1
  const shape = table.shapes[index]
  if (shape === undefined || shape.kind === 'whole' || typeof value !== 'object' || value === null) return 0
  if (shape.kind === 'object') return hasProperties(value) ? countLostProperties(table, shape, value) : 0
  if (shape.kind !== 'array') return countLostInBranch(table, shape, value)
  if (!Array.isArray(value)) return 0
  return value.reduce(
    (sum: number, item: unknown, at) => sum + countLost(table, shape.prefix[at] ?? shape.rest, item),
    0,
  )
}

/** Follows the choice that the node will make for the value. One that no branch takes is an error, and loses nothing. */
function countLostInBranch(table: Table, shape: BranchShape, value: object): number {
  const lostIn = (index: number | null): number => (index === null ? 0 : countLost(table, index, value))
  switch (shape.kind) {
    case 'kinds':
      return lostIn(Array.isArray(value) ? shape.array : shape.object)
    case 'first': {
      const at = shape.tests.findIndex((test) => table.inner[test]?.(value) === true)
      return lostIn(shape.shapes[at] ?? shape.otherwise)
    }
    case 'least': {
      const passed = shape.shapes.filter((_, at) => table.inner[shape.tests[at] ?? -1]?.(value) === true)
      return passed.length === 0 ? 0 : Math.min(...passed.map(lostIn))
    }
    case 'switch': {
      const tag: unknown = Reflect.get(value, shape.property)
      const found = shape.cases.find(([values]) => values.includes(tag))
      return lostIn(found?.[1] ?? shape.otherwise)
    }
  }
}

/** Of branches that omit equally much, the one that declares what others leave to `unevaluatedProperties` is picked. */
const UNDECLARED = 1 / 2 ** 20

function countLostProperties(
  table: Table,
  { properties, patterns, additional, isUnevaluated }: ObjectShape,
  value: Readonly<Record<string, unknown>>,
): number {
  let lost = 0
  for (const key of Object.keys(value)) {
    const entry = value[key]
    if (entry === undefined || typeof entry === 'function' || typeof entry === 'symbol') continue
    const family = patterns.find(({ pattern }) => pattern.test(key))
    const declared = properties.get(key) ?? family?.shape
    lost += countLost(table, declared === undefined ? additional : declared, entry)
    if (declared === undefined && isUnevaluated === true) lost += UNDECLARED
  }
  return lost
}

/** Arrays count too: an object node would refuse to write one. */
function hasProperties(value: object): value is Readonly<Record<string, unknown>> {
  return !(value instanceof Date)
}
