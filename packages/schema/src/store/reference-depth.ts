import { MAX_REFERENCE_DEPTH, MAX_REFERENCES, referencesTooDeep } from '../document/depth.ts'
import type { SchemaLocation } from '../document/location.ts'
import type { Reference } from '../document/references.ts'

/** A reference, and the number of schemas around it, counted from the location where the walk entered. */
export interface LocatedReference extends Reference {
  readonly location: SchemaLocation
  /** Undefined below `definitions`, whose schemas apply only where something refers to them. */
  readonly depth: number | undefined
}

/** A followed reference. */
interface Edge {
  readonly location: SchemaLocation
  readonly depth: number
  readonly target: unknown
}

/** The references of one closure as a graph of schemas. */
export class ReferenceGraph {
  readonly #edges: Map<unknown, Edge[]> = new Map()
  #count = 0
  #depth = 0

  /** Adds a reference of a schema to its target. */
  add(from: unknown, { location, depth }: LocatedReference, target: unknown): void {
    if (depth === undefined) return
    const edges = this.#edges.get(from)
    if (edges === undefined) this.#edges.set(from, [{ location, depth, target }])
    else edges.push({ location, depth, target })
    this.#count += 1
    this.#depth += depth
  }

  /**
   * Walks the references without recursion. Validators and serializers are built by a recursion that visits each
   * schema once, along the same paths.
   * @throws {@link SchemaError} `SCHEMA_INVALID` when a path is too long
   */
  check(root: unknown): void {
    if (this.#depth <= MAX_REFERENCE_DEPTH && this.#count <= MAX_REFERENCES) return
    const seen = new Set<unknown>()
    const open = [{ schema: root, depth: 0, references: 0 }]
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      if (seen.has(entry.schema)) continue
      seen.add(entry.schema)
      for (const { location, depth, target } of (this.#edges.get(entry.schema) ?? []).toReversed()) {
        const next = { schema: target, depth: entry.depth + depth, references: entry.references + 1 }
        if (next.depth > MAX_REFERENCE_DEPTH || next.references > MAX_REFERENCES)
          throw referencesTooDeep(location)
        if (!seen.has(target)) open.push(next)
      }
    }
  }
}
