import { MAX_REFERENCES, MAX_REFERENCE_DEPTH, referencesTooDeep } from '../document/depth.ts'
import { SchemaError } from '../errors.ts'
import { isSchemaObject } from '../guards.ts'
import { eachSubschema, type Path } from '../document/subschemas.ts'
import { namesOf } from '../document/vocabulary.ts'
import { referencesOf, type Reference } from '../document/references.ts'
import { childLocation, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import { remember } from '../remember.ts'

/*
 * A schema may refer to itself where the value gets smaller: below "properties", "items" and similar keywords. A
 * reference that returns to itself for the same value never ends: validators would overflow the stack, and
 * serializers have nothing to declare.
 */

/** Keywords whose schemas apply to the value itself. */
const IN_PLACE: ReadonlySet<string> = new Set(namesOf(({ inPlace }) => inPlace === true))

/** No chain has more references and schemas around them. */
const MAX_PATH_LENGTH = MAX_REFERENCES + MAX_REFERENCE_DEPTH

/** Throws for references that return to themselves for the same value, in one closure. */
export class ReferenceCycleCheck {
  readonly #scope: SchemaScope
  readonly #passed: Set<unknown> = new Set()
  readonly #path: SchemaLocation[] = []

  constructor(scope: SchemaScope) {
    this.#scope = scope
  }

  /**
   * @param location - a schema with a `$ref`
   * @throws {@link SchemaError} `SCHEMA_INVALID`
   */
  check(location: SchemaLocation): void {
    const { schema, base } = location
    if (!isSchemaObject(schema) || this.#passed.has(schema)) return
    if (this.#path.some((above) => above.schema === schema && above.base === base)) throw endless(location)
    this.#path.push(location)
    for (const { ref } of referencesOf(location)) {
      const target = this.#scope.resolve(location, ref)
      if (target === undefined) continue
      // Longer chains are rejected anyway; here they would overflow the stack.
      if (this.#path.length > MAX_PATH_LENGTH) throw referencesTooDeep(location)
      this.check(target)
    }
    const path: Path = []
    eachSubschema(schema, path, (_child, keyword) => {
      if (IN_PLACE.has(keyword)) this.check(childLocation(location, path))
    })
    this.#path.pop()
    this.#passed.add(schema)
  }
}

function endless({ pointer, document }: SchemaLocation): SchemaError {
  return new SchemaError({
    code: 'SCHEMA_INVALID',
    reason:
      'the schema comes back to itself through "$ref" for the same value, without an end; ' +
      'it may refer to itself below keywords like "properties" and "items" only',
    pointer,
    schemaId: document.sharedId,
  })
}

/** A reference, and the number of schemas around it, counted from the location where the walk began. */
export interface LocatedReference extends Reference {
  readonly location: SchemaLocation
  /** Undefined below `definitions`, whose schemas apply only if something refers to them. */
  readonly depth: number | undefined
}

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

  add(from: unknown, { location, depth }: LocatedReference, target: unknown): void {
    if (depth === undefined) return
    remember(this.#edges, from, () => []).push({ location, depth, target })
    this.#count += 1
    this.#depth += depth
  }

  /**
   * Walks the references without recursion. Validators and serializers are built with a recursion that visits each
   * schema once, on the same paths.
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
