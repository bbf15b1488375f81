import type { ModuleGraph } from './module-graph.ts'
import type { Part } from './parts.ts'
import { UNSEEN } from './probes.ts'

/** Members that JavaScript and the platform call by name. */
const PROTOCOLS: readonly string[] = (
  'then toJSON toString valueOf next return throw start pull cancel transform flush type size done value fetch ' +
  'handleEvent get set has deleteProperty apply construct ownKeys defineProperty getPrototypeOf setPrototypeOf ' +
  'getOwnPropertyDescriptor isExtensible preventExtensions name message stack cause'
).split(' ')

/** What is not ours in a bundle. */
export interface Foreign {
  /** all words of its text: what it reads or calls is among them, unless it makes a name of pieces */
  readonly words: ReadonlySet<string>
  /** our modules that it imports */
  readonly imports: readonly string[]
}

/** Our own code calls no member of the object that user code calls the app. */
function isOfApp({ owner }: Part): boolean {
  return owner !== null && /members$/i.test(owner.name)
}

/**
 * Finds the members of our classes and tables that nothing in a bundle names. Only what can run counts as naming: what
 * a member names counts if the member itself is named, and its class is used.
 *
 * @param graph - the modules of which the bundle has something
 */
export function findUnnamed(graph: ModuleGraph, { words, imports }: Foreign): Part[] {
  const reached = new Set<Part>()
  const named = new Set<string>()
  const queue: Part[] = []
  const waiting = new Map<Part, Part[]>()
  const rows = new Map<Part | null, Part[]>()
  const reach = (part: Part | null): void => {
    if (part === null || reached.has(part)) return
    const { owner } = part
    if (owner !== null && !reached.has(owner)) {
      waiting.set(owner, [...(waiting.get(owner) ?? []), part])
      return
    }
    reached.add(part)
    queue.push(part)
    for (const member of waiting.get(part) ?? []) reach(member)
  }
  const name = (word: string): void => {
    if (named.has(word)) return
    named.add(word)
    for (const member of graph.members(word)) if (!isOfApp(member)) reach(member)
  }
  for (const part of graph.parts())
    if (part.owner?.form === 'data') rows.set(part.owner, [...(rows.get(part.owner) ?? []), part])
  for (const word of [...PROTOCOLS, ...words]) {
    name(word)
    for (const member of graph.members(word)) reach(member)
  }
  for (const part of graph.parts()) if (part.kind === 'module' || part.form === 'effect') reach(part)
  for (const file of imports) for (const word of [...words, 'default']) reach(graph.exported(file, word))
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    for (const closure of part.closures) reach(closure)
    for (const word of [...part.calls, ...part.values]) reach(graph.find(part, word))
    for (const word of part.lists) for (const row of rows.get(graph.find(part, word)) ?? []) reach(row)
    for (const word of [...part.memberCalls, ...part.memberValues, ...part.words]) name(word)
  }
  return [...graph.parts()].filter((part) => part.kind === 'member' && !reached.has(part))
}

/**
 * Removes members from the text of their module. What was a getter throws: code that reads it by a name which it makes of
 * pieces would take `undefined` for its value.
 */
export function withoutMembers(text: string, members: readonly Part[]): string {
  // From the last to the first, so that what is before stays where it is.
  const sorted = members.toSorted(({ range: one }, { range: other }) => startOf(other) - startOf(one))
  return sorted.reduce((kept, member) => {
    if (member.range === null) return kept
    const [start, end] = member.range
    const [before, own, after] = [kept.slice(0, start), kept.slice(start, end), kept.slice(end)]
    return GETTER.test(own)
      ? `${before}get ${member.name}(){${UNSEEN}()}${after}`
      : before + after.replace(/^\s*[,;]/, '')
  }, text)
}

/** A getter that other code can read. */
const GETTER = /^get [\w$]/

function startOf(range: Part['range']): number {
  return range?.[0] ?? 0
}
