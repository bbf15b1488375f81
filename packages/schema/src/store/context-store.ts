import { cloneSchema } from './clone.ts'
import { findTooDeep } from '../document/depth.ts'
import { SchemaError } from '../errors.ts'
import { isStackOverflow } from '../nesting.ts'
import { defineOwn, isSchemaObject, unwrapFluent } from '../guards.ts'
import type { ContentTable, SchemaContent } from './keys.ts'
import type { SharedLookup } from '../document/location.ts'
import { remember } from '../remember.ts'

/** The caller's `file:line`, as text or as an object whose `toString` is called when a message needs it. */
export type CallSiteText = string | { toString(): string }

/** The shared schemas of one context, chained to those of its parent without copies. */
export interface SchemaStore {
  /** Name of the context, for messages. */
  readonly name: string
  /**
   * Adds a shared schema under its `$id`.
   * @param callSite - the caller's `file:line`, for the error about a taken `$id`
   * @throws {@link SchemaError} `ID_MISSING`, or `ID_DUPLICATE` when the `$id` is already visible here
   */
  add(schema: unknown, callSite?: CallSiteText): void
  /** The shared schema with that `$id`, own or inherited; undefined when none is visible. */
  get(id: string): unknown
  /** Where the shared schema with that `$id` was added; undefined if none is visible, or no call site was given. */
  callSiteOf(id: string): CallSiteText | undefined
  /** All visible schemas by `$id`, ancestors first, as a new object. */
  all(): Record<string, unknown>
}

/** A shared schema, with what messages and keys need. */
export interface SharedEntry {
  readonly id: string
  readonly schema: Record<string, unknown>
  readonly callSite: CallSiteText | undefined
  readonly context: string
  readonly content: SchemaContent
  /** `content.schema`; this reference keeps it alive, so that it remains the same object. */
  readonly snapshot: unknown
}

/** `$id` → the contexts of an engine that define it, for the hint about an unresolved reference. */
export type IdRegistry = Map<string, Set<string>>

/** The implementation of {@link SchemaStore}, with members that only the engine uses. */
export class ContextStore implements SchemaStore, SharedLookup {
  readonly name: string
  readonly #parent: ContextStore | undefined
  readonly #own: Map<string, SharedEntry> = new Map()
  readonly #contents: ContentTable
  readonly #registry: IdRegistry

  constructor(name: string, parent: ContextStore | undefined, contents: ContentTable, registry: IdRegistry) {
    this.name = name
    this.#parent = parent
    this.#contents = contents
    this.#registry = registry
  }

  add(input: unknown, callSite?: CallSiteText): void {
    try {
      this.#add(input, callSite)
    } catch (error) {
      throw isStackOverflow(error) ? (findTooDeep(input) ?? error) : error
    }
  }

  #add(input: unknown, callSite: CallSiteText | undefined): void {
    const schema = cloneSchema(unwrapFluent(input))
    const id = isSchemaObject(schema) ? schema['$id'] : undefined
    if (!isSchemaObject(schema) || typeof id !== 'string' || id === '') {
      throw new SchemaError({
        code: 'ID_MISSING',
        reason: `a shared schema needs a non-empty string "$id", by which "$ref" finds it${here(callSite)}`,
      })
    }
    const taken = this.entry(id)
    if (taken !== undefined) {
      throw new SchemaError({
        code: 'ID_DUPLICATE',
        schemaId: id,
        reason: `the "$id" is already taken in context "${taken.context}"${taken.callSite === undefined ? '' : ` by the schema added at ${taken.callSite.toString()}`}; give the schema added${callSite === undefined ? ' now' : ` at ${callSite.toString()}`} another "$id"`,
      })
    }
    const content = this.#contents.intern(schema)
    this.#own.set(id, { id, schema, callSite, context: this.name, content, snapshot: content.schema })
    remember(this.#registry, id, () => new Set()).add(this.name)
  }

  get(id: string): unknown {
    return this.entry(id)?.schema
  }

  callSiteOf(id: string): CallSiteText | undefined {
    return this.entry(id)?.callSite
  }

  all(): Record<string, unknown> {
    const visible: Record<string, unknown> = this.#parent === undefined ? {} : this.#parent.all()
    for (const [id, { schema }] of this.#own) defineOwn(visible, id, schema)
    return visible
  }

  /** Increases with every schema that becomes visible here. */
  get version(): number {
    return this.#own.size + (this.#parent?.version ?? 0)
  }

  /** Returns the entry for {@link get}. */
  entry(id: string): SharedEntry | undefined {
    return this.#own.get(id) ?? this.#parent?.entry(id)
  }

  *ids(): Iterable<string> {
    if (this.#parent !== undefined) yield* this.#parent.ids()
    yield* this.#own.keys()
  }

  /** Returns the contexts of the same engine that define `id`, even if it is not visible here. */
  contextsOf(id: string): string[] {
    return [...(this.#registry.get(id) ?? [])]
  }
}

function here(callSite: CallSiteText | undefined): string {
  return callSite === undefined ? '' : ` (added at ${callSite.toString()})`
}
