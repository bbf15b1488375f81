/** Which back end is the faster one, by what has been measured. */
import type { Node } from './ir.ts'
import { childrenOf } from './emit/weight.ts'

/** The two back ends. */
export type BackEnd = 'concat' | 'project'

/** Major version of the engine whose `JSON.stringify` beats string building on objects and lists. */
export const FAST_NATIVE_V8 = 12
/** The only version from {@link FAST_NATIVE_V8} on that is slow at escaping long strings. */
export const SLOW_ESCAPE_V8 = 12

/** The major version of the running engine. */
export function v8Major(): number {
  return Number.parseInt(process.versions.v8, 10)
}

/** The back end for a schema: native from V8 12 on, but for recursion and for dates. */
export function selectBackEnd(root: Node, v8: number): BackEnd {
  if (v8 < FAST_NATIVE_V8) return 'concat'
  const traits: Traits = { leaves: 0, dates: 0, isRecursive: false }
  survey(root, traits, new Set())
  return traits.isRecursive || traits.dates * 2 >= Math.max(traits.leaves, 1) ? 'concat' : 'project'
}

interface Traits {
  leaves: number
  dates: number
  isRecursive: boolean
}

function survey(node: Node, traits: Traits, seen: Set<Node>): void {
  if (seen.has(node)) return
  seen.add(node)
  if (node.kind === 'ref') {
    if (node.target.isRecursive) traits.isRecursive = true
    survey(node.target.node, traits, seen)
    return
  }
  const children = childrenOf(node)
  if (children.length === 0) traits.leaves += 1
  if (node.kind === 'string' && node.format !== 'plain') traits.dates += 1
  for (const child of children) survey(child, traits, seen)
}

/** How many outputs are looked at before a schema is judged by the length of its strings. */
const SAMPLE_SIZE = 32
/** Average distance of quotation marks above which strings are long. */
const LONG_STRING_LENGTH = 100

/** Watches the first outputs of a serializer; tells when they are mostly long strings. */
export class LengthSampler {
  #left = SAMPLE_SIZE
  #length = 0
  #quotes = 0

  /** Whether there is something left to look at. */
  get isOpen(): boolean {
    return this.#left > 0
  }

  /** Looks at one output; true when the sample is complete and its strings are long. */
  add(text: string): boolean {
    this.#left -= 1
    this.#length += text.length
    for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) this.#quotes += 1
    return this.#left === 0 && this.#length > LONG_STRING_LENGTH * (this.#quotes + 1)
  }
}
