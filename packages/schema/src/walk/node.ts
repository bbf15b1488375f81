import { childLocation, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import { acceptsAnything } from '../document/known-keywords.ts'
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

/** What differs where values are seen as JSON shows them. */
export interface JsonReading {
  /** The keywords that describe a value. */
  describing(location: SchemaLocation): Readonly<Record<string, unknown>>
  /**
   * How a schema sees values.
   * @param isShared - schemas are applied to the value itself
   * @param allowsNull - null passes before all else
   */
  seenBy(schema: Readonly<Record<string, unknown>>, isShared: boolean, allowsNull: boolean): Seen
  /** Reads a keyword about what is unevaluated: it must not depend on the value. */
  unevaluatedProperties(node: SchemaNode): Part<ObjectData> | undefined
  unevaluatedItems(node: SchemaNode): Part<ListData> | undefined
}

/** What the nodes of one schema share. */
export interface NodeContext {
  readonly scope: Pick<SchemaScope, 'resolve'>
  readonly settings: WalkSettings
  readonly coercers: Coercers
  /** A schema of 2020-12 is among those that values meet: they note which properties and items they look at. */
  readonly isCollecting: boolean
  /** Some schema has a `$dynamicRef`: the walk keeps the resources that it comes through. */
  readonly isDynamic: boolean
  /** Ajv decides about what a look does not accept, not a walk. */
  readonly isForAjv: boolean
  /** Some walk may edit a value. */
  readonly mayEdit: boolean
  /** Where all errors are wanted, Ajv goes on in a branch that does not fit, and may edit the value. */
  readonly editsOnFailure: boolean
  /** Values are seen as JSON shows them, for a serializer; undefined for a validator. */
  readonly json?: JsonReading
  /** Reads a schema. */
  read(node: SchemaNode): Plan
  /** Compiles a pattern. */
  expression(source: string): Expression
  /** Reads how the values of a schema are tested without a call. */
  leafOf(schema: unknown): Leaf
  /** The schema itself, again: its nodes may have let go of it. */
  reopen(): SchemaLocation
  /** What is applied in place of a schema that only refers to another one; undefined for any other schema. */
  inPlaceOf(location: SchemaLocation): SchemaNode | undefined
  /**
   * The schema at a location in place of a reference to it; undefined where it is a function of its own.
   * @param path - how errors name it
   */
  inlinedAt(location: SchemaLocation, path: string): SchemaNode | undefined
  /** The schema at a location as a function of its own: the way to it is not in the path of its errors. */
  functionAt(location: SchemaLocation): SchemaNode
}

/** The path of a schema that is a function of its own. */
const FUNCTION_PATH = '#'

/** A schema with rules of its own. It is read when the first value comes to it. */
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
   * @param path - how errors name it: the whole path, or the keyword below `outer`
   * @param outer - the schema that it is in
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

  /** Where the schema is. */
  get location(): SchemaLocation {
    return (this.#location ??= this.#outer?.locationOf(this.#path, this.#key) ?? this.context.reopen())
  }

  /** Lets go of the schema. What has been read of it stays; errors find it again. */
  forget(): void {
    this.#location = undefined
  }

  /** The schema as an object; empty for a boolean one. */
  get schema(): Readonly<Record<string, unknown>> {
    const { schema } = this.location
    return isSchemaObject(schema) ? schema : {}
  }

  /** Whether it is a function of its own. */
  get isFunction(): boolean {
    return this.#outer === undefined && this.#path === FUNCTION_PATH
  }

  /** Whether a walk comes into another resource here, which counts for a `$dynamicRef`. */
  get entersResource(): boolean {
    return this.context.isDynamic && (this.isFunction || typeof this.schema['$id'] === 'string')
  }

  /** How errors name it. */
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

  /** The node below a keyword; undefined where there is none, or one that accepts everything. */
  at(keyword: string, key?: string | number): SchemaNode | undefined {
    return this.isOpen(keyword, key) ? undefined : this.child(keyword, key)
  }

  /** The node below a keyword, whatever it accepts. */
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

  /** What the schema says. */
  get plan(): Plan {
    return this.#plan ?? this.#read()
  }

  #read(): Plan {
    this.#plan = this.context.read(this)
    this.#declared = undefined
    return this.#plan
  }

  /** Applies the schema; true when the value fits. */
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
  if (typeof key === 'number') return String(key)
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
}
