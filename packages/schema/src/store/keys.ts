import { cloneSchema } from './clone.ts'
import { isObject, isPlainObject } from '../guards.ts'

/*
 * Content keys. Two schemas with the same JSON text are the same schema: they share one record, one
 * acceptor, one Ajv function. A schema that holds anything JSON cannot carry (functions, class
 * instances, symbols, dates, bigints, cycles) is keyed by its identity and never shared.
 */

/** A schema with a name that stands for its content. */
export interface SchemaContent {
  /** Equal for equal content, within one engine. */
  readonly key: string
  /** A snapshot: what the user does to his object afterwards does not change it. */
  readonly schema: unknown
  /** False when the schema holds values that JSON cannot carry. */
  readonly pure: boolean
  /** Every string under a key `$ref`, once; some may be data. */
  readonly refs: readonly string[]
  /** False when no schema inside surely has an `$id` or `$anchor`. */
  readonly names: boolean
}

/**
 * Content that JSON can carry. The text is kept (it is the key anyway); the snapshot is parsed when
 * somebody asks for it and may be forgotten when nobody holds it any more.
 */
class PureContent implements SchemaContent {
  readonly key: string
  readonly pure: boolean = true
  readonly refs: readonly string[]
  readonly names: boolean
  readonly #text: string
  #schema: WeakRef<object> | undefined

  constructor(key: string, text: string, refs: readonly string[]) {
    this.key = key
    this.#text = text
    this.refs = refs
    this.names = text.includes('"$id"') || text.includes('"$anchor"')
  }

  get schema(): unknown {
    const known = this.#schema?.deref()
    if (known !== undefined) return known
    const schema: unknown = JSON.parse(this.#text)
    if (isObject(schema)) this.#schema = new WeakRef(schema)
    return schema
  }
}

/** Looks through a schema once: can JSON carry it, and what does it refer to? */
class Inspection {
  readonly refs: Set<string> = new Set()
  readonly #symbolKeysCount: boolean
  readonly #ancestors: object[] = []

  constructor(symbolKeysCount: boolean) {
    this.#symbolKeysCount = symbolKeysCount
  }

  /** True when `JSON.stringify` tells everything about the value. */
  isPure(value: unknown): boolean {
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'undefined':
        return true
      case 'number':
        return Number.isFinite(value)
      case 'object':
        return value === null || this.#isPureObject(value)
      default:
        return false
    }
  }

  #isPureObject(value: object): boolean {
    if (this.#ancestors.includes(value)) return false
    if (this.#symbolKeysCount && Object.getOwnPropertySymbols(value).length > 0) return false
    this.#ancestors.push(value)
    const pure = Array.isArray(value)
      ? value.every((item) => item !== undefined && this.isPure(item))
      : isPlainObject(value) && typeof value['toJSON'] !== 'function' && this.#hasPureValues(value)
    this.#ancestors.pop()
    return pure
  }

  #hasPureValues(value: Record<string, unknown>): boolean {
    for (const key of Object.keys(value)) {
      const entry = value[key]
      if (key === '$ref' && typeof entry === 'string') this.refs.add(entry)
      if (!this.isPure(entry)) return false
    }
    return true
  }
}

const NO_REFS: readonly string[] = Object.freeze([])

/** Gives every schema its {@link SchemaContent}; one per engine. */
export class ContentTable {
  readonly #byText: Map<string, SchemaContent> = new Map()
  readonly #byIdentity: WeakMap<object, SchemaContent> = new WeakMap()
  readonly #symbolKeysCount: boolean
  #count: number = 0

  /** @param symbolKeysCount true when own keywords of the application may read symbol keys */
  constructor(symbolKeysCount: boolean = false) {
    this.#symbolKeysCount = symbolKeysCount
  }

  /** The record of a schema's content. */
  intern(schema: unknown): SchemaContent {
    const inspection = new Inspection(this.#symbolKeysCount)
    if (schema === undefined || !inspection.isPure(schema)) return this.#internImpure(schema)
    const text = JSON.stringify(schema)
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    const refs = inspection.refs.size === 0 ? NO_REFS : [...inspection.refs]
    const content = new PureContent(this.#nextKey('c'), text, refs)
    this.#byText.set(text, content)
    return content
  }

  #internImpure(schema: unknown): SchemaContent {
    if (!isObject(schema)) return { key: this.#nextKey('i'), schema, pure: false, refs: NO_REFS, names: true }
    const known = this.#byIdentity.get(schema)
    if (known !== undefined) return known
    const content = {
      key: this.#nextKey('i'),
      schema: cloneSchema(schema),
      pure: false,
      refs: NO_REFS,
      names: true,
    }
    this.#byIdentity.set(schema, content)
    return content
  }

  #nextKey(kind: string): string {
    this.#count += 1
    return `${kind}${this.#count}`
  }
}
