import type { ClosureFinder, SchemaClosure } from './closure.ts'
import { isSchemaObject } from '../guards.ts'
import type { SchemaContent } from './keys.ts'
import { SchemaDocument, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import type { ContextStore, SharedEntry } from './context-store.ts'

/** A schema made ready for the compilers: its content, what it refers to, and the key of both. */
export class PreparedSchema {
  readonly content: SchemaContent
  readonly closure: SchemaClosure
  readonly key: string
  readonly #closures: ClosureFinder

  /**
   * @param seesAll true when own keywords may refer to any schema in ways that only they know
   * @throws SchemaError when a reference leads nowhere
   */
  constructor(content: SchemaContent, store: ContextStore, closures: ClosureFinder, seesAll: boolean) {
    this.content = content
    this.#closures = closures
    this.closure = seesAll ? closures.closureOf(visible(store)) : closures.findFor(content, store)
    this.key = `${content.key}|${this.closure.key}`
  }

  /** Sees the closure and nothing else, whatever is added to the store later. */
  get scope(): SchemaScope {
    return this.#closures.closedScope(this.closure)
  }

  /** The schema as a place from which its references are resolved. */
  get root(): SchemaLocation {
    return this.scope.open(this.content.schema, this.content.names)
  }

  /** The same as {@link root} for a look at the schema right now: saves making the snapshot. */
  rootNow(original: unknown): SchemaLocation {
    const { pure, names } = this.content
    return pure && !names ? new SchemaDocument(original, undefined, false).root : this.root
  }

  /** True when nothing in reach holds values that JSON cannot carry. */
  get isPure(): boolean {
    return this.content.pure && this.closure.entries.every(({ content }) => content.pure)
  }
}

/** True for a schema whose verdict is a promise. */
export function isAsyncSchema(schema: unknown): boolean {
  return isSchemaObject(schema) && schema['$async'] === true
}

function visible(store: ContextStore): SharedEntry[] {
  return [...new Set(store.ids())].flatMap((id) => store.entry(id) ?? [])
}
