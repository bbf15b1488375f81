import { childLocation, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import { acceptsAnything } from '../document/known-keywords.ts'
import { pointerToken } from '../document/pointer.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import type { Expression } from '../regexp/compile.ts'
import type { Coercers } from '../runtime/coerce.ts'
import type { Block, Target } from './code.ts'
import { Declared } from './declared.ts'
import type { Leaf } from './leaf.ts'
import type { ListData, ObjectData, Part } from './part.ts'
import type { Plan } from './plan.ts'
import type { Seen } from './seen.ts'
import type { WalkSettings } from './settings.ts'
import type { Value } from './value.ts'
import type { Frame, Mode } from './walk.ts'

/** The differences if values are seen as JSON shows them. */
export interface JsonReading {
  /** The keywords that describe a value. */
  describing(location: SchemaLocation): Readonly<Record<string, unknown>>
  /**
   * Returns how a schema sees values.
   * @param isShared - whether schemas are applied to the value itself
   * @param allowsNull - whether null is valid before anything else is checked
   */
  seenBy(schema: Readonly<Record<string, unknown>>, isShared: boolean, allowsNull: boolean): Seen
  /** Reads a keyword for unevaluated properties or items, which must not depend on the value. */
  unevaluatedProperties(node: SchemaNode): Part<ObjectData> | undefined
  unevaluatedItems(node: SchemaNode): Part<ListData> | undefined
}

/** The common state of the nodes of one schema. */
export interface NodeContext {
  readonly scope: Pick<SchemaScope, 'resolve'>
  readonly settings: WalkSettings
  readonly coercers: Coercers
  /** Whether a reachable schema is of 2020-12, so that schemas note which properties and items they evaluate. */
  readonly isCollecting: boolean
  /** Whether a schema has a `$dynamicRef`, so that the walk keeps the resources that it enters. */
  readonly isDynamic: boolean
  /** Whether Ajv, and not a walk, decides about values that a look does not accept. */
  readonly isForAjv: boolean
  /** Whether a walk may edit a value. */
  readonly mayEdit: boolean
  /** Whether all errors are wanted, so that Ajv continues in a branch that doesn't match, and may edit the value. */
  readonly editsOnFailure: boolean
  /** Values are seen as JSON shows them, for a serializer; undefined for a validator. */
  readonly json?: JsonReading
  /** Reads a schema. */
  read(node: SchemaNode): Plan
  /** Compiles a pattern. */
  expression(source: string): Expression
  /** Returns how values of a schema are tested without a call. */
  leafOf(schema: unknown): Leaf
  /** Returns the schema itself, which its nodes may have released. */
  reopen(): SchemaLocation
  /** Returns the target of a schema that is only a reference; undefined for any other schema. */
  inPlaceOf(location: SchemaLocation): SchemaNode | undefined
  /**
   * Returns the schema at a location as inlined; undefined if it is a function.
   * @param path - its name in errors
   */
  inlinedAt(location: SchemaLocation, path: string): SchemaNode | undefined
  /** Returns the schema at a location as a function: the paths of its errors start there. */
  functionAt(location: SchemaLocation): SchemaNode
}

/** The path of a schema that is a function. */
const FUNCTION_PATH = '#'

/** A schema with its own rules. It is read when it gets its first value. */
export class SchemaNode {
  readonly context: NodeContext
  readonly #outer: SchemaNode | undefined
  readonly #path: string
  readonly #key: string | number | undefined
  #location: SchemaLocation | undefined
  #schemaPath: string | undefined = undefined
  #plan: Plan | undefined = undefined
  #declared: Declared | undefined = undefined

  /**
   * @param path - its name in errors: the whole path, or the keyword below `outer`
   * @param outer - the schema that contains it
   * @param key - its key below the keyword
   */
  constructor(
    context: NodeContext,
    location: SchemaLocation,
    path: string = FUNCTION_PATH,
    outer?: SchemaNode,
    key?: string | number,
  ) {
    this.context = context
    this.#outer = outer
    this.#path = path
    this.#key = key
    this.#location = location
  }

  /** The location of the schema. */
  get location(): SchemaLocation {
    return (this.#location ??= this.#outer?.locationOf(this.#path, this.#key) ?? this.context.reopen())
  }

  /** Releases the schema. The plan stays; errors find the schema again. */
  forget(): void {
    this.#location = undefined
  }

  /** The schema as an object; empty for a boolean one. */
  get schema(): Readonly<Record<string, unknown>> {
    const { schema } = this.location
    return isSchemaObject(schema) ? schema : {}
  }

  /** Whether it is a function. */
  get isFunction(): boolean {
    return this.#outer === undefined && this.#path === FUNCTION_PATH
  }

  /** Whether a walk enters another resource here, which is relevant for a `$dynamicRef`. */
  get entersResource(): boolean {
    return this.context.isDynamic && (this.isFunction || typeof this.schema['$id'] === 'string')
  }

  /** Its name in errors. */
  get schemaPath(): string {
    if (this.#outer === undefined) return this.#path
    return (this.#schemaPath ??= this.#outer.schemaPath + this.#tokens)
  }

  get #tokens(): string {
    return this.#key === undefined ? `/${this.#path}` : `/${this.#path}/${fragmentToken(this.#key)}`
  }

  /** The names that the schema declares, while it is read. */
  get declared(): Declared {
    return (this.#declared ??= new Declared(this.schema, this.context))
  }

  /** The value of a keyword as errors show it. */
  shown(keyword: string): unknown {
    if (keyword === 'false schema') return false
    return keyword === 'type' ? reportedTypes(this.schema) : this.schema[keyword]
  }

  /** The node below a keyword; undefined if there is none, or one that accepts everything. */
  at(keyword: string, key?: string | number): SchemaNode | undefined {
    return this.isOpen(keyword, key) ? undefined : this.child(keyword, key)
  }

  /** The node below a keyword, even if it accepts everything. */
  child(keyword: string, key?: string | number): SchemaNode {
    const location = this.locationOf(keyword, key)
    return this.context.inPlaceOf(location) ?? new SchemaNode(this.context, location, keyword, this, key)
  }

  /** The location below a keyword. */
  locationOf(keyword: string, key: string | number | undefined): SchemaLocation {
    return childLocation(this.location, key === undefined ? [keyword] : [keyword, key])
  }

  /** The schema below a keyword. */
  schemaAt(keyword: string, key?: string | number): unknown {
    const below = this.schema[keyword]
    return key === undefined ? below : isObject(below) ? below[key] : undefined
  }

  /** Whether there is no schema below a keyword, or one that accepts everything. */
  isOpen(keyword: string, key?: string | number): boolean {
    const schema = this.schemaAt(keyword, key)
    return schema === undefined || acceptsAnything(schema)
  }

  /** The nodes of a list of schemas. */
  listBelow(keyword: string): SchemaNode[] | undefined {
    const list = this.schema[keyword]
    return Array.isArray(list) ? list.map((_schema, index) => this.child(keyword, index)) : undefined
  }

  /** The plan of the schema. */
  get plan(): Plan {
    return this.#plan ?? this.#read()
  }

  #read(): Plan {
    this.#plan = this.context.read(this)
    this.#declared = undefined
    return this.#plan
  }

  /** Applies the schema; returns true if the value matches. */
  apply(value: Value, mode: Mode, frame: Frame): boolean {
    return this.plan.apply(value, mode, frame)
  }

  /** Writes the checks of a value; true when they may assign to the target's variable. */
  emit(target: Target, block: Block): boolean {
    if (this.#outer === undefined) return block.unit.reference(this, target, block)
    return this.plan.emit(target, block)
  }
}

/** The types of a schema as its errors show them: Ajv adds "null" to a list of types beside `nullable: true`. */
export function reportedTypes({ type, nullable }: Readonly<Record<string, unknown>>): unknown {
  if (nullable !== true || !Array.isArray(type) || type.includes('null')) return type
  const types: readonly unknown[] = type
  return [...types, 'null']
}

/** One key of a schema path, as Ajv writes it. */
function fragmentToken(key: string | number): string {
  return encodeURIComponent(pointerToken(key))
}
