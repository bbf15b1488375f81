// Draws an app whose contexts have hooks and guards, and the clients of its routes.
import type { Lane } from '../harness/leaving-client.ts'
import type { Random } from '../../packages/schema/test/validator/random.ts'

export const STAGES = ['onRequest', 'preValidation', 'preHandler'] as const
const MODES = ['sync', 'async', 'slow'] as const
const NAMES = ['user', 'tenant', 'store', 'role', 'limit'] as const
const RELEASES = ['none', 'sync', 'async', 'throws', 'rejects'] as const
const HANDLERS = [
  'returns',
  'throws',
  'goes on',
  'streams',
  'generates',
  'hijacks',
  'ends the raw response',
] as const

/** What a hook or guard does. A guard that refuses and returns has replied before its value is there. */
export type Deed = 'passes' | 'throws' | 'refuses' | 'refuses and returns' | 'outlasts the deadline'

/** A hook, or a guard with a name. */
export interface Entry {
  readonly id: number
  /** `null` for a hook */
  readonly name: string | null
  readonly at: (typeof STAGES)[number]
  readonly mode: (typeof MODES)[number]
  readonly deed: Deed
  readonly release: (typeof RELEASES)[number]
}

/** A context with a route, whose path is its number. */
export interface Node {
  readonly id: number
  readonly entries: readonly Entry[]
  /** the guards that tests replace in this context and below */
  readonly overrides: readonly string[]
  readonly handler: (typeof HANDLERS)[number]
  readonly children: readonly Node[]
}

/** A request to the route of a context. */
export interface Call {
  readonly node: number
  /** the entry, or the handler, in which the client leaves; `null` if it stays */
  readonly leavesIn: number | 'handler' | null
}

/** One case. */
export interface Case {
  readonly root: Node
  readonly calls: readonly Call[]
}

const DEEDS: readonly Deed[] = ['throws', 'refuses', 'refuses and returns', 'outlasts the deadline']

/** Draws a case; `hasRaw` is false for transports without Node's objects, and a client leaves no injected request. */
export function drawCase(random: Random, { name: lane, hasRaw }: Pick<Lane, 'name' | 'hasRaw'>): Case {
  let entries = 0
  let nodes = 0
  const drawEntry = (taken: Set<string>): Entry => {
    const free = NAMES.filter((name) => !taken.has(name))
    const name = free.length > 0 && random.chance(0.7) ? random.pick(free) : null
    if (name !== null) taken.add(name)
    const drawn = random.chance(0.12) ? random.pick(DEEDS) : 'passes'
    const deed = drawn === 'refuses and returns' && name === null ? 'refuses' : drawn
    const mode = random.pick(deed === 'outlasts the deadline' ? (['slow'] as const) : MODES)
    return { id: entries++, name, at: random.pick(STAGES), mode, deed, release: random.pick(RELEASES) }
  }
  const drawNode = (above: ReadonlySet<string>, depth: number): Node => {
    const taken = new Set(above)
    const id = nodes++
    const own = Array.from({ length: random.below(4) }, () => drawEntry(taken))
    const children = Array.from({ length: depth < 2 ? random.below(3) : 0 }, () => drawNode(taken, depth + 1))
    const below = [...own, ...children.flatMap(entriesOf)].flatMap(({ name }) => name ?? [])
    const overrides = below.length > 0 && random.chance(0.15) ? [random.pick(below)] : []
    const handlers = HANDLERS.filter(
      (one) => hasRaw || (one !== 'hijacks' && one !== 'ends the raw response'),
    )
    return { id, entries: own, overrides, handler: random.pick(handlers), children }
  }
  const root = drawNode(new Set(), 0)
  const calls = Array.from({ length: 1 + random.below(3) }, (): Call => {
    const node = random.below(nodes)
    const path = pathTo(root, node)
    if (lane === 'inject' || random.chance(0.5)) return { node, leavesIn: null }
    const waiting = runsOf(path).filter(({ entry, isReplaced }) => entry.mode !== 'sync' && !isReplaced)
    return { node, leavesIn: random.pick([...waiting.map(({ entry }) => entry.id), 'handler'] as const) }
  })
  return { root, calls }
}

function entriesOf({ entries, children }: Node): readonly Entry[] {
  return [...entries, ...children.flatMap(entriesOf)]
}

/** Returns the contexts from the root to one of them. */
export function pathTo(node: Node, id: number): readonly Node[] {
  if (node.id === id) return [node]
  for (const child of node.children) {
    const path = pathTo(child, id)
    if (path.length > 0) return [node, ...path]
  }
  return []
}

/** An entry that a request meets, and whether a test has replaced its guard. */
export interface Run {
  readonly entry: Entry
  readonly isReplaced: boolean
}

/** Returns what a request meets in order: by stage, from the root down, as added. */
export function runsOf(path: readonly Node[]): readonly Run[] {
  return STAGES.flatMap((at) =>
    path.flatMap((node, depth) =>
      node.entries
        .filter((entry) => entry.at === at)
        .map((entry) => ({
          entry,
          isReplaced: path
            .slice(0, depth + 1)
            .some(({ overrides }) => overrides.some((one) => one === entry.name)),
        })),
    ),
  )
}
