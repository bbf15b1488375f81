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
    }
  | { readonly kind: 'array'; readonly prefix: readonly number[]; readonly rest: number | null }

interface ObjectShape {
  readonly kind: 'object'
  readonly properties: ReadonlyMap<string, number>
  readonly patterns: readonly { readonly pattern: Expression; readonly shape: number | null }[]
  readonly additional: number | null
}

type Shape = Exclude<ShapeEntry, { kind: 'object' }> | ObjectShape

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
  tests: readonly ((value: unknown) => boolean)[],
  shapes: ShapeTable,
  roots: readonly number[],
): number {
  let best = -1
  let leastLost = Infinity
  for (let i = 0; i < tests.length; i++) {
    if (tests[i]?.(value) !== true) continue
    const lost = countLost(shapes, roots[i] ?? null, value)
    if (lost === 0) return i
    if (lost < leastLost) {
      leastLost = lost
      best = i
    }
  }
  return best
}

function countLost(shapes: ShapeTable, index: number | null, value: unknown): number {
  if (index === null) return 1
  const shape = shapes[index]
  if (shape === undefined || shape.kind === 'whole') return 0
  if (shape.kind === 'object') return hasProperties(value) ? countLostProperties(shapes, shape, value) : 0
  if (!Array.isArray(value)) return 0
  return value.reduce(
    (sum: number, item: unknown, at) => sum + countLost(shapes, shape.prefix[at] ?? shape.rest, item),
    0,
  )
}

function countLostProperties(
  shapes: ShapeTable,
  { properties, patterns, additional }: ObjectShape,
  value: Readonly<Record<string, unknown>>,
): number {
  let lost = 0
  for (const key of Object.keys(value)) {
    const entry = value[key]
    if (entry === undefined || typeof entry === 'function' || typeof entry === 'symbol') continue
    const family = patterns.find(({ pattern }) => pattern.test(key))
    lost += countLost(
      shapes,
      properties.get(key) ?? (family === undefined ? additional : family.shape),
      entry,
    )
  }
  return lost
}

/** Arrays count too: an object node would refuse to write one. */
function hasProperties(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}
