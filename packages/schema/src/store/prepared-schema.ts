import type { ClosureFinder, SchemaClosure } from './closure.ts'
import { dialectOf, isMetaSchema, type Dialect } from '../document/dialect.ts'
import { isSchemaObject } from '../guards.ts'
import type { SchemaContent } from './keys.ts'
import { SchemaDocument, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import type { ContextStore, SharedEntry } from './context-store.ts'

/** A schema for the compilers: its content, its closure, and the key of both. */
export class PreparedSchema {
  readonly content: SchemaContent
  readonly closure: SchemaClosure
  readonly key: string
  /** The dialect in which the schema itself is read. */
  readonly dialect: Dialect
  readonly #closures: ClosureFinder

  /**
   * @param seesAll - whether keywords of the application may refer to any visible schema
   * @throws SchemaError when a reference cannot be resolved
   */
  constructor(content: SchemaContent, store: ContextStore, closures: ClosureFinder, seesAll: boolean) {
    this.content = content
    this.#closures = closures
    this.dialect = content.plain ? closures.dialect : dialectOf(content.schema, closures.dialect)
    this.closure = seesAll ? closures.closureOf(this.#visible(store)) : closures.findFor(content, store)
    this.key = `${content.key}|${this.closure.key}`
  }

  /** Whether the schema, or one of its closure, is read in a dialect. */
  uses(dialect: Dialect): boolean {
    return (
      this.dialect === dialect || this.closure.entries.some((entry) => this.#dialectOf(entry) === dialect)
    )
  }

  get isDynamic(): boolean {
    return this.content.dynamic || this.closure.entries.some(({ content }) => content.dynamic)
  }

  /** The scope with only the closure, even if the store gets more schemas later. */
  get scope(): SchemaScope {
    return this.#closures.closedScope(this.closure)
  }

  /** The location from which the references of the schema are resolved. */
  get root(): SchemaLocation {
    return this.scope.open(this.content.schema, this.content.names)
  }

  /** Does the same as {@link root}, for reading right now: needs no snapshot. */
  rootNow(original: unknown): SchemaLocation {
    const { pure, names } = this.content
    return pure && !names
      ? new SchemaDocument(original, this.#closures.dialect, undefined, false).root
      : this.root
  }

  /** Whether JSON can represent all values of the schema and its closure. */
  get isPure(): boolean {
    return this.content.pure && this.closure.entries.every(({ content }) => content.pure)
  }

  /** How often the schemas inside can be combined, as a power of two. */
  get combinations(): number {
    return this.closure.entries.reduce(
      (sum, { content }) => sum + content.combinations,
      this.content.combinations,
    )
  }

  /**
   * Whether the schema and its closure only have common keywords, each with a value of the right form, and do not
   * refer to a meta-schema.
   */
  get isPlain(): boolean {
    const isPlain = ({ plain, refs }: SchemaContent): boolean =>
      plain && !refs.some((ref) => isMetaSchema(ref, this.dialect))
    return isPlain(this.content) && this.closure.entries.every(({ content }) => isPlain(content))
  }

  /** Returns all visible schemas that the same Ajv instance can read. */
  #visible(store: ContextStore): SharedEntry[] {
    return [...new Set(store.ids())]
      .flatMap((id) => store.entry(id) ?? [])
      .filter((entry) => this.#dialectOf(entry) === this.dialect)
  }

  /** Plain content names no dialect, so its snapshot is not needed. */
  #dialectOf({ content, snapshot }: SharedEntry): Dialect {
    return content.plain ? this.#closures.dialect : dialectOf(snapshot, this.#closures.dialect)
  }
}

/** Whether a schema has `$async`, so that its validator returns a promise. */
export function isAsyncSchema(schema: unknown): boolean {
  return isSchemaObject(schema) && schema['$async'] === true
}
