import type { SchemaLocation, SchemaScope } from '../document/location.ts'
import { isSchemaObject } from '../guards.ts'
import { childLocation } from '../document/location.ts'
import { acceptsAnything } from '../validator/acceptor/read/keywords.ts'
import { FAILED, PASSED, type Check, type Frame } from './frame.ts'
import type { ErrorKeyword } from './messages.ts'
import type { Mode } from './mode.ts'
import { reportedTypes } from './reported-types.ts'
import type { RefusalSettings } from './settings.ts'
import type { Value } from './value.ts'

/** What is seen of a scalar at once, before anything is made of it that errors would need. */
export interface Quick {
  /** Whether a value surely fits as it is. */
  accepts(data: unknown): boolean
  /**
   * What a scalar is coerced to, where that surely fits; REFUSED where a walk has to find out.
   * @param data - a text, a number, a boolean or null
   * @param levels - how many lists of one item to put around it
   */
  coerced(data: unknown, levels: number): unknown
}

/** A schema where it is applied. */
export interface Applied extends Quick {
  /** Applies it; true when the value fits. */
  apply(value: Value, mode: Mode, frame: Frame): boolean
}

/** The keywords about one kind of value. */
export interface Group {
  /**
   * Returns the keywords to check, in Ajv's order, after it has filled in defaults: none for a value of another kind;
   * undefined when that is an error.
   */
  enter(value: Value, mode: Mode, frame: Frame): readonly Check[] | undefined
}

/** What a schema says, read once. */
export interface Plan {
  /** Looks at the type first, and coerces. */
  readonly type: Check | undefined
  /** The keywords about any value, in Ajv's order. */
  readonly general: readonly Check[]
  readonly groups: readonly Group[]
}

/** What the nodes of one schema share. */
export interface Unit {
  readonly scope: SchemaScope
  readonly settings: RefusalSettings
  /** A schema of 2020-12 is among those that values meet: they note which properties and items they look at. */
  readonly isCollecting: boolean
  /** Some schema has a `$dynamicRef`: the walk keeps the resources that it comes through. */
  readonly isDynamic: boolean
  /** Reads a schema. */
  plan(node: SchemaNode): Plan
  /** Reads as much of a schema as says of a scalar at once that it fits. */
  quick(node: SchemaNode): Quick
  /** The schema at a location, under the path by which errors name it. */
  applied(location: SchemaLocation, schemaPath: string): Applied
  /** A reference to a schema that counts as a function of its own. */
  call(location: SchemaLocation): Applied
}

/** A schema with rules of its own. It is read when the first value comes to it. */
export class SchemaNode implements Applied {
  readonly unit: Unit
  readonly location: SchemaLocation
  /** How errors name it. */
  readonly schemaPath: string
  #plan: Plan | undefined
  #quick: Quick | undefined

  constructor(unit: Unit, location: SchemaLocation, schemaPath: string) {
    this.unit = unit
    this.location = location
    this.schemaPath = schemaPath
  }

  /** The schema as an object; empty for a boolean one. */
  get schema(): Readonly<Record<string, unknown>> {
    const { schema } = this.location
    return isSchemaObject(schema) ? schema : {}
  }

  /** The value of a keyword as errors show it. */
  shown(keyword: ErrorKeyword): unknown {
    if (keyword === 'false schema') return false
    return keyword === 'type' ? reportedTypes(this.schema) : this.schema[keyword]
  }

  /** Reads the schema below a keyword; undefined where there is none, or one that accepts everything. */
  below(keyword: string, key?: string | number): Applied | undefined {
    const location = childLocation(this.location, key === undefined ? [keyword] : [keyword, key])
    if (location.schema === undefined || acceptsAnything(location.schema)) return undefined
    const path = key === undefined ? keyword : `${keyword}/${fragmentToken(key)}`
    return this.unit.applied(location, `${this.schemaPath}/${path}`)
  }

  accepts(data: unknown): boolean {
    return (this.#quick ??= this.unit.quick(this)).accepts(data)
  }

  coerced(data: unknown, levels: number): unknown {
    return (this.#quick ??= this.unit.quick(this)).coerced(data, levels)
  }

  /**
   * Applies the schema; true when the value fits. The order of everything in here is that of Ajv's generated code: a
   * type that does not fit ends a trial only behind the keywords about any value.
   */
  apply(value: Value, mode: Mode, frame: Frame): boolean {
    const { descent } = frame.walk
    descent.open += 1
    const fits = this.#apply((this.#plan ??= this.unit.plan(this)), value, mode, frame)
    descent.open -= 1
    return fits
  }

  #apply({ type, general, groups }: Plan, value: Value, mode: Mode, frame: Frame): boolean {
    let fits = true
    if (type !== undefined && type(value, mode, frame) === FAILED) {
      if (mode.endsAtOnce) return false
      fits = false
    }
    if (!applyAll(general, value, mode, frame)) fits = false
    for (const group of groups) {
      if (!fits && !mode.isThorough) return false
      const checks = group.enter(value, mode, frame)
      if (checks === undefined || !applyAll(checks, value, mode, frame)) fits = false
    }
    return fits
  }
}

/** Applies keywords of one group, up to the first that ends it. */
function applyAll(checks: readonly Check[], value: Value, mode: Mode, frame: Frame): boolean {
  let fits = true
  for (const check of checks) {
    const outcome = check(value, mode, frame)
    if (outcome === FAILED) fits = false
    if (outcome !== PASSED && !mode.isThorough) break
  }
  return fits
}

/** One key of a schema path, as Ajv writes it. */
function fragmentToken(key: string | number): string {
  if (typeof key === 'number') return String(key)
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
}
