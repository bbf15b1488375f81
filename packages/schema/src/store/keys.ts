import { cloneSchema, findCircles } from './clone.ts'
import { combinationsOf } from './combinations.ts'
import { isObject, NOTHING } from '../guards.ts'
import { Findings, isPlainSchema, isPure } from './plain-schema.ts'
import { remember } from '../remember.ts'

/*
 * Content keys. Two schemas with the same JSON text are the same schema: they share one record, one acceptor, one
 * Ajv function. A schema that contains anything JSON cannot represent (functions, class instances, symbols, dates,
 * bigints, cycles) is identified by its object and never shared.
 */

/** A schema with a key that identifies its content. */
export interface SchemaContent {
  /** Equal for equal content, within one engine. */
  readonly key: string
  /** The content as JSON; undefined if the schema contains values that JSON cannot represent. */
  readonly text: string | undefined
  /** A snapshot, which is independent of later changes to the user's object. */
  readonly schema: unknown
  /** False if the schema contains values that JSON cannot represent. */
  readonly pure: boolean
  /** Every string under a key `$ref` or `$dynamicRef`, once; some may be data. */
  readonly refs: readonly string[]
  /** False if no schema inside has an `$id` or an anchor. */
  readonly names: boolean
  /** False if no schema inside has a `$dynamicRef`. */
  readonly dynamic: boolean
  /** Whether the schema itself needs no further check; its references may. */
  readonly plain: boolean
  /** How often the schemas inside can be combined, as a power of two. */
  readonly combinations: number
  /** What no check needs to look for if it is not there. */
  readonly hints: SchemaHints
}

/** What a schema may contain. */
export interface SchemaHints {
  /** Defaults that their own schema may refuse. */
  readonly defaults: boolean
  /** An `enum` or `const` without a type beside it. */
  readonly values: boolean
  /** Names that are required, and that the `properties` beside them lack. */
  readonly undeclared: boolean
  /** Keywords that check nothing beside their type. */
  readonly idle: boolean
}

const ANYTHING: SchemaHints = { defaults: true, values: true, undeclared: true, idle: true }
/** Most schemas share it. */
const NOTHING_DOUBTFUL: SchemaHints = { defaults: false, values: false, undeclared: false, idle: false }

const NAMES = /"\$(?:id|anchor|dynamicAnchor)"/

/**
 * Content that JSON can represent. The text stays in memory, because it is the key; the snapshot is parsed on first
 * use, and may be garbage-collected when it is no longer used.
 */
class PureContent implements SchemaContent {
  readonly key: string
  readonly pure: boolean = true
  readonly refs: readonly string[]
  readonly names: boolean
  readonly dynamic: boolean
  readonly plain: boolean
  readonly text: string
  readonly hints: SchemaHints
  #schema: WeakRef<object> | undefined
  #combinations: number | undefined

  constructor(key: string, text: string, findings: Findings, plain: boolean) {
    this.key = key
    this.text = text
    this.refs = findings.refs
    // Most schemas have no such key, and one search for its first characters shows that.
    const hasSign = text.includes('"$')
    this.names = hasSign && NAMES.test(text)
    this.dynamic = hasSign && text.includes('"$dynamicRef"')
    this.plain = plain && !this.names
    this.hints = this.plain ? hintsOf(findings) : ANYTHING
    this.#combinations = this.plain ? findings.combinations : undefined
  }

  get combinations(): number {
    return (this.#combinations ??= combinationsOf(this.schema))
  }

  get schema(): unknown {
    const known = this.#schema?.deref()
    if (known !== undefined) return known
    const schema: unknown = JSON.parse(this.text)
    if (isObject(schema)) this.#schema = new WeakRef(schema)
    return schema
  }
}

function hintsOf({ defaults, values, undeclared, idle }: Findings): SchemaHints {
  return defaults || values || undeclared || idle ? { defaults, values, undeclared, idle } : NOTHING_DOUBTFUL
}

/** Returns the {@link SchemaContent} of every schema; one per engine. */
export class ContentTable {
  readonly #byText: Map<string, SchemaContent> = new Map()
  readonly #byIdentity: WeakMap<object, SchemaContent> = new WeakMap()
  readonly #latest: WeakMap<object, SchemaContent> = new WeakMap()
  readonly #symbolKeysCount: boolean
  #count: number = 0

  /** @param symbolKeysCount - whether keywords of the application may read symbol keys */
  constructor(symbolKeysCount: boolean = false) {
    this.#symbolKeysCount = symbolKeysCount
  }

  /**
   * Returns the record of a schema's content, in which an annotation that contains itself is empty.
   * @throws SchemaError `SCHEMA_INVALID` when the schema, or data in it, contains itself
   */
  intern(schema: unknown): SchemaContent {
    const findings = new Findings(this.#symbolKeysCount)
    const plain = isPlainSchema(schema, findings)
    if (!plain && (schema === undefined || !isPure(schema, findings))) return this.#internImpure(schema)
    const text = JSON.stringify(schema)
    const content = remember(
      this.#byText,
      text,
      () => new PureContent(this.#nextKey('c'), text, findings, plain),
    )
    if (isObject(schema)) this.#latest.set(schema, content)
    return content
  }

  /** What a schema contained when it was last interned. */
  hintsOf(schema: unknown): SchemaHints {
    return (isObject(schema) ? this.#latest.get(schema)?.hints : undefined) ?? ANYTHING
  }

  #internImpure(schema: unknown): SchemaContent {
    if (!isObject(schema)) return impure(this.#nextKey('i'), schema)
    return remember(this.#byIdentity, schema, () => {
      const circles = findCircles(schema)
      const copy = cloneSchema(schema, circles)
      return circles.size > 0 ? this.intern(copy) : impure(this.#nextKey('i'), copy)
    })
  }

  #nextKey(kind: string): string {
    this.#count += 1
    return `${kind}${this.#count}`
  }
}

function impure(key: string, schema: unknown): SchemaContent {
  return {
    key,
    text: undefined,
    schema,
    pure: false,
    refs: NOTHING,
    names: true,
    dynamic: true,
    plain: false,
    combinations: combinationsOf(schema),
    hints: ANYTHING,
  }
}
