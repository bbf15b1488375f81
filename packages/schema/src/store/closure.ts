import { isMetaSchema, type Dialect } from '../document/dialect.ts'
import { referencesOf } from '../document/references.ts'
import { SchemaError } from '../errors.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { DEFINITIONS, eachSubschema, type Path } from '../document/subschemas.ts'
import { nearestNames } from '../suggest.ts'
import {
  childLocation,
  SchemaDocument,
  SchemaScope,
  type DocumentCache,
  type SchemaLocation,
} from '../document/location.ts'
import { ReferenceCycleCheck, ReferenceGraph, type LocatedReference } from './reference-checks.ts'
import type { SchemaContent } from './keys.ts'
import type { ContextStore, SharedEntry } from './context-store.ts'
import { remember } from '../remember.ts'

/** The shared schemas that a schema reaches through `$ref`, directly or indirectly. */
export interface SchemaClosure {
  /** Equal if the reached schemas have the same content. */
  readonly key: string
  readonly entries: readonly SharedEntry[]
}

/** The closures for references in a context; valid until a schema is added. */
interface ClosuresByRefs {
  readonly version: number
  /** Keys are the JSON texts of lists. */
  readonly closures: Map<string, SchemaClosure | null>
}

/** Finds closures, and explains unresolved references; one per engine. */
export class ClosureFinder {
  readonly dialect: Dialect
  readonly #documents: DocumentCache = new WeakMap()
  readonly #references: WeakMap<object, LocatedReference[]> = new WeakMap()
  readonly #closures: Map<string, SchemaClosure> = new Map()
  readonly #scopes: WeakMap<SchemaClosure, SchemaScope> = new WeakMap()
  readonly #byRefs: WeakMap<ContextStore, ClosuresByRefs> = new WeakMap()
  readonly #empty: SchemaClosure = this.closureOf([])

  constructor(dialect: Dialect = 'draft-07') {
    this.dialect = dialect
  }

  /** Creates the scope in which schemas of a store's context resolve their references. */
  scope(store: ContextStore): SchemaScope {
    const shared = { get: (id: string) => store.entry(id)?.snapshot, ids: () => store.ids() }
    return new SchemaScope(shared, this.#documents, this.dialect)
  }

  /** Returns a scope with only the schemas of a closure, even if the store gets more later. */
  closedScope(closure: SchemaClosure): SchemaScope {
    return remember(this.#scopes, closure, () => {
      const schemas = new Map(closure.entries.map(({ id, snapshot }) => [id, snapshot]))
      const shared = { get: (id: string) => schemas.get(id), ids: () => schemas.keys() }
      return new SchemaScope(shared, this.#documents, this.dialect)
    })
  }

  /** Returns the unique closure with these entries. */
  closureOf(entries: Iterable<SharedEntry>): SchemaClosure {
    const sorted = [...entries].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const key = sorted.map(({ content }) => content.key).join()
    return remember(this.#closures, key, () => ({ key, entries: sorted }))
  }

  /**
   * Returns the closure of a schema in a context.
   * @throws {@link SchemaError} `REF_UNRESOLVED`
   */
  findFor(content: SchemaContent, store: ContextStore): SchemaClosure {
    const { refs, pure, names } = content
    if (pure && refs.length === 0) return this.#empty
    const quick = pure && !names ? this.#findShared(refs, store) : undefined
    if (quick !== undefined) return quick
    const visible = this.scope(store)
    return this.find(visible.open(content.schema, names), visible, store)
  }

  /**
   * Does the same as {@link findFor}, from a location in a document.
   * @throws {@link SchemaError} `REF_UNRESOLVED`, or `SCHEMA_INVALID` for a reference cycle
   */
  find(root: SchemaLocation, scope: SchemaScope, store: ContextStore): SchemaClosure {
    const entries = new Map<string, SharedEntry>()
    const queue = [root]
    const seen = new Set<unknown>([root.schema])
    const cycles = new ReferenceCycleCheck(scope)
    const graph = new ReferenceGraph()
    for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
      for (const reference of this.#referencesIn(from)) {
        const { location, ref } = reference
        const target = scope.resolve(location, ref)
        if (target === undefined && isMetaSchema(ref, location.document.dialect)) continue
        if (target === undefined) throw unresolved(reference, store)
        cycles.check(location)
        graph.add(from.schema, reference, target.schema)
        if (seen.has(target.schema)) continue
        seen.add(target.schema)
        queue.push(target)
        const { sharedId } = target.document
        const entry = sharedId === undefined ? undefined : store.entry(sharedId)
        if (entry !== undefined) entries.set(entry.id, entry)
      }
    }
    graph.check(root.schema)
    return this.closureOf(entries.values())
  }

  /** Finds the closure if all references lead into shared schemas; otherwise returns undefined. */
  #findShared(refs: readonly string[], store: ContextStore): SchemaClosure | undefined {
    const { version } = store
    let cache = this.#byRefs.get(store)
    if (cache === undefined || cache.version !== version) {
      cache = { version, closures: new Map() }
      this.#byRefs.set(store, cache)
    }
    const [first, ...others] = refs
    const isOne = first !== undefined && others.length === 0
    const find = (): SchemaClosure | null =>
      (isOne ? this.#tryFind(first, store) : this.#unite(refs, store)) ?? null
    return remember(cache.closures, JSON.stringify(refs), find) ?? undefined
  }

  #unite(refs: readonly string[], store: ContextStore): SchemaClosure | undefined {
    const entries = new Map<string, SharedEntry>()
    for (const ref of refs) {
      const found = this.#findShared([ref], store)
      if (found === undefined) return undefined
      for (const entry of found.entries) entries.set(entry.id, entry)
    }
    return this.closureOf(entries.values())
  }

  #tryFind(ref: string, store: ContextStore): SchemaClosure | undefined {
    if (ref.startsWith('#')) return undefined
    try {
      return this.find(new SchemaDocument({ $ref: ref }, this.dialect).root, this.scope(store), store)
    } catch (error) {
      if (error instanceof SchemaError) return undefined
      throw error
    }
  }

  /** Returns the schemas with a `$ref` at or below a location. */
  #referencesIn(location: SchemaLocation): LocatedReference[] {
    if (!isObject(location.schema)) return []
    return remember(this.#references, location.schema, () => {
      const references: LocatedReference[] = []
      collect(location, references, new Set(), 0)
      return references
    })
  }
}

function collect(
  location: SchemaLocation,
  references: LocatedReference[],
  ancestors: Set<unknown>,
  depth: number | undefined,
): void {
  const { schema } = location
  if (ancestors.has(schema)) return
  ancestors.add(schema)
  for (const reference of referencesOf(location)) references.push({ ...reference, location, depth })
  const path: Path = []
  eachSubschema(schema, path, (_child, keyword) => {
    const isApplied = depth !== undefined && !DEFINITIONS.has(keyword)
    collect(childLocation(location, path), references, ancestors, isApplied ? depth + 1 : undefined)
  })
  ancestors.delete(schema)
}

function unresolved({ location, keyword, ref }: LocatedReference, store: ContextStore): SchemaError {
  const [written = '', fragment = ''] = ref.split('#', 2)
  const elsewhere = written === '' ? [] : store.contextsOf(written)
  const shared = written === '' ? undefined : store.get(written)
  let reason = `"${keyword}": "${ref}" leads nowhere`
  let candidates: string[]
  if (shared === undefined && elsewhere.length > 0) {
    reason += `: "${written}" is defined in context ${quoteAll(elsewhere)}, which context "${store.name}" does not see; add it to "${store.name}" or to a parent of it`
    candidates = []
  } else if (written !== '' && shared === undefined) {
    reason += `: no shared schema "${written}" is visible in context "${store.name}"; add it with addSchema`
    candidates = nearestNames(written, store.ids()).map((id) => ref.replace(written, id))
  } else {
    const document = written === '' ? location.document.root.schema : shared
    const names = fragmentsOf(document)
    const near = nearestNames(lastToken(fragment), names.map(lastToken))
    reason += `: the schema has no "#${fragment}"`
    candidates = names.filter((name) => near.includes(lastToken(name))).map((name) => `${written}${name}`)
    // A shared schema is known by its "$id": OpenAPI writes '#/components/schemas/id', and others '#id'.
    if (written === '' && store.get(lastToken(fragment)) !== undefined)
      candidates = [`${lastToken(fragment)}#`]
  }
  const { sharedId } = location.document
  return new SchemaError({
    code: 'REF_UNRESOLVED',
    reason,
    pointer: `${location.pointer}/${keyword}`,
    schemaId: sharedId,
    nearest: candidates,
  })
}

function fragmentsOf(schema: unknown): string[] {
  if (!isSchemaObject(schema)) return []
  const names: string[] = []
  for (const keyword of ['definitions', '$defs', 'properties']) {
    const map = schema[keyword]
    if (!isSchemaObject(map)) continue
    for (const [key, value] of Object.entries(map)) {
      names.push(`#/${keyword}/${key}`)
      if (isSchemaObject(value) && typeof value['$id'] === 'string') names.push(value['$id'])
    }
  }
  return names
}

function lastToken(fragment: string): string {
  return fragment.slice(Math.max(fragment.lastIndexOf('/'), fragment.lastIndexOf('#')) + 1)
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
