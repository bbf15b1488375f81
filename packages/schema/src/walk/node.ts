import { childLocation, type SchemaLocation, type SchemaScope } from '../document/location.ts'
import { acceptsAnything } from '../document/survey.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { REFUSED, type Coercer } from '../runtime/coerce.ts'
import type { Block, Target } from './code.ts'
import type { Coercers } from './coercers.ts'
import { Declared } from './declared.ts'
import { DynamicScope } from './dynamic-scope.ts'
import { collect } from './evaluated.ts'
import type { Frame } from './frame.ts'
import type { Group, Held } from './group.ts'
import { fitsLeaf, type Leaf } from './leaf.ts'
import { EDIT, OBSERVE, UNION, type Look } from './look.ts'
import type { Mode } from './mode.ts'
import type { ListData, ObjectData, Part, TypePart } from './part.ts'
import type { WalkSettings } from './settings.ts'
import type { Container, Value } from './value.ts'
import { ASK, FAILED, NO, PASSED, YES, type Verdict } from './verdict.ts'
import type { Walk } from './walk.ts'

/** What a schema says, read once. */
export interface Plan {
  readonly type: TypePart | undefined
  /** A group reports a value of another type, behind the keywords about any value. */
  readonly isTypeLate: boolean
  /** What values of other types become; infinities are for a walk. Undefined where nothing can be coerced. */
  readonly coerce: Coercer | undefined
  /** The keywords about any value, in Ajv's order. */
  readonly general: readonly Part[]
  readonly groups: readonly Group[]
  /** Schemas are applied to the value itself. */
  readonly isInPlace: boolean
  /** All that is asked of an object, where there is nothing about any value; so for arrays. */
  readonly objects: Held<ObjectData> | undefined
  readonly lists: Held<ListData> | undefined
  /** Looks need to see to nothing else first. */
  readonly isDirect: boolean
  /** Only a walk can tell about values. */
  readonly asksAlways: boolean
  /** A function of its own: looks count how deep they are in such. */
  readonly isFunction: boolean
  /** A reference that is all there is. */
  readonly alone: Part | undefined
  /** Starts a collection of what is evaluated. */
  readonly collects: boolean
  /** The walk comes into another resource, which counts for a `$dynamicRef`. */
  readonly entersResource: boolean
}

/** What the nodes of one schema share. */
export interface NodeContext {
  readonly scope: SchemaScope
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
  /** Reads a schema. */
  read(node: SchemaNode): Plan
  /** Reads how the values of a schema are tested without a call. */
  leafOf(schema: unknown): Leaf
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
  readonly location: SchemaLocation
  readonly #outer: SchemaNode | undefined
  readonly #path: string
  readonly #key: string | number | undefined
  #schemaPath: string | undefined = undefined
  #leaf: Leaf | undefined = undefined
  #plan: Plan | undefined = undefined
  #height: number | undefined = undefined
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
    this.location = location
    this.#path = path
    this.#outer = outer
    this.#key = key
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

  /** How errors name it. */
  get schemaPath(): string {
    if (this.#outer === undefined) return this.#path
    return (this.#schemaPath ??= this.#pathIn(this.#outer.schemaPath))
  }

  #pathIn(outer: string): string {
    const path = `${outer}/${this.#path}`
    return this.#key === undefined ? path : `${path}/${fragmentToken(this.#key)}`
  }

  /** How its values are tested without a call. */
  get leaf(): Leaf {
    return (this.#leaf ??= this.context.leafOf(this.location.schema))
  }

  /** The names that the schema declares. */
  get declared(): Declared {
    return (this.#declared ??= new Declared(this.schema, this.context.settings))
  }

  /** The value of a keyword as errors show it. */
  shown(keyword: string): unknown {
    if (keyword === 'false schema') return false
    return keyword === 'type' ? reportedTypes(this.schema) : this.schema[keyword]
  }

  /** The node below a keyword; undefined where there is none, or one that accepts everything. */
  at(keyword: string, key?: string | number): SchemaNode | undefined {
    const child = this.child(keyword, key)
    const { schema } = child.location
    return schema === undefined || acceptsAnything(schema) ? undefined : child
  }

  /** The node below a keyword, whatever it accepts. */
  child(keyword: string, key?: string | number): SchemaNode {
    const location = childLocation(this.location, key === undefined ? [keyword] : [keyword, key])
    return new SchemaNode(this.context, location, keyword, this, key)
  }

  /** Whether there is no schema below a keyword, or one that accepts everything. */
  isOpen(keyword: string): boolean {
    const schema = this.schema[keyword]
    return schema === undefined || acceptsAnything(schema)
  }

  /** The nodes of a list of schemas; undefined in place of one that accepts everything. */
  listBelow(keyword: string): (SchemaNode | undefined)[] | undefined {
    const list = this.schema[keyword]
    return Array.isArray(list) ? list.map((_schema, index) => this.at(keyword, index)) : undefined
  }

  /** What the schema says. */
  get plan(): Plan {
    return (this.#plan ??= this.context.read(this))
  }

  /**
   * Looks at a value.
   * @param parent - the object that holds the value under `key`
   */
  look(data: unknown, look: Look, parent: unknown, key: string | number): Verdict {
    const plan = (this.#plan ??= this.context.read(this))
    if (plan.isDirect) {
      if (plan.objects !== undefined && isSchemaObject(data))
        return plan.objects.fits(data, look, parent, key)
      if (plan.lists !== undefined && Array.isArray(data)) return plan.lists.fits(data, look, parent, key)
      if (plan.coerce !== undefined && look.use === EDIT && plan.type?.holds(data) === false) {
        return this.#lookCoerced(plan.coerce(data), look, parent, key)
      }
    }
    if (plan.asksAlways) return ASK
    return plan.isFunction
      ? this.#lookOpen(plan, data, look, parent, key)
      : this.#lookIn(plan, data, look, parent, key)
  }

  /** Looks at what coercion makes of a value. */
  #lookCoerced(coerced: unknown, look: Look, parent: unknown, key: string | number): Verdict {
    if (coerced === REFUSED) return NO
    const { leaf } = this
    look.log.push(parent, key, coerced)
    return fitsLeaf(leaf.kind, leaf, coerced) ? YES : this.look(coerced, look, parent, key)
  }

  /** Looks through a reference. Schemas that see the same value may come back to it again and again. */
  #lookOpen(plan: Plan, data: unknown, look: Look, parent: unknown, key: string | number): Verdict {
    if (look.isDeep) return ASK
    const isOnce = look.use !== EDIT && !look.decisions.isFree() && isObject(data)
    const decided = isOnce ? look.decisions.of(look.use === UNION ? this : plan) : undefined
    const known = isOnce ? decided?.get(data) : undefined
    if (known !== undefined) return known
    look.open += 1
    const verdict = this.#lookIn(plan, data, look, parent, key)
    look.open -= 1
    if (isOnce) decided?.set(data, verdict)
    return verdict
  }

  #lookIn(plan: Plan, data: unknown, look: Look, parent: unknown, key: string | number): Verdict {
    if (plan.objects !== undefined && isSchemaObject(data)) return plan.objects.fits(data, look, parent, key)
    if (plan.lists !== undefined && Array.isArray(data)) return plan.lists.fits(data, look, parent, key)
    if (plan.alone !== undefined) return plan.alone.fits(data, look, parent, key)
    if (!plan.isInPlace || look.use !== EDIT) return this.#lookAt(plan, data, look, parent, key)
    look.use = OBSERVE
    const verdict = this.#lookAt(plan, data, look, parent, key)
    look.use = EDIT
    return verdict
  }

  #lookAt(
    { type, coerce, general, groups }: Plan,
    data: unknown,
    look: Look,
    parent: unknown,
    key: string | number,
  ): Verdict {
    if (type !== undefined && !type.holds(data)) {
      if (look.use !== EDIT) return type.mismatch(data, look.use)
      return coerce === undefined ? NO : this.#lookCoerced(coerce(data), look, parent, key)
    }
    for (const part of general) {
      const verdict = part.fits(data, look, parent, key)
      if (verdict !== YES) return verdict
    }
    for (const group of groups) {
      const verdict = group.fits(data, look)
      if (verdict !== YES) return verdict
    }
    return YES
  }

  /** The schema that looks in place of this one: what a reference leads to that is all there is. */
  get looked(): SchemaNode {
    const { alone } = this.plan
    return alone?.below?.[0]?.looked ?? this
  }

  /**
   * Looks at a value as a branch of a union. Where all errors are wanted, Ajv goes on in a branch that does not fit, and
   * may change the value.
   */
  lookAsBranch(data: unknown, look: Look): Verdict {
    const { leaf } = this
    if (fitsLeaf(leaf.kind, leaf, data)) return YES
    const outer = look.use
    look.use = UNION
    const verdict = this.look(data, look, undefined, '')
    look.use = outer
    return verdict === NO && this.context.editsOnFailure ? ASK : verdict
  }

  /** Writes the checks of a value; true when they may assign to the target's variable. */
  emit(target: Target, outer: Block): boolean {
    const { type, general, groups, isInPlace, alone } = this.plan
    const referenced = alone?.below?.[0]
    if (referenced !== undefined) return outer.unit.reference(referenced, target, outer)
    const block: Block = isInPlace && outer.use === EDIT ? { ...outer, use: OBSERVE } : outer
    const reassigned = type?.emit(target, block) === true
    for (const part of general) part.emit(target, block)
    for (const group of groups) group.emit(target, block, type)
    return reassigned
  }

  /**
   * Looks at a property or an item in the course of a walk, where that costs little; makes the edits that it needs.
   * @returns true when it fits; false where only a walk can tell
   */
  settles(container: Container, key: string | number, { isTrial }: Mode, walk: Walk): boolean {
    const data = container[key]
    const isScalar = !isObject(data)
    if (this.height > (isScalar ? MAX_LISTS : 1)) return false
    // A branch gets no defaults, and what it would remove may be noted only.
    const mayEdit = isScalar || (!isTrial && walk.removal.treatment === 'remove')
    const look = walk.look.begin(mayEdit ? EDIT : UNION)
    return look.end(this.look(data, look, container, key) === YES)
  }

  /** The schemas that it applies, but for those that are tested without a call. */
  get below(): SchemaNode[] {
    return partsOf(this.plan).flatMap(({ below = [] }) => below.filter((node) => node !== undefined))
  }

  /** The levels of values below; infinite where a look must not take the place of a walk. */
  get height(): number {
    return (this.#height ??= heightOf(this.plan))
  }

  /** Applies the schema; true when the value fits. */
  apply(value: Value, mode: Mode, frame: Frame): boolean {
    const { plan } = this
    if (plan.entersResource) return this.#applyWithin(plan, value, mode, frame)
    return plan.collects
      ? collect(value, () => applyPlan(plan, value, mode, frame))
      : applyPlan(plan, value, mode, frame)
  }

  /** Applies it as a part of its own resource. */
  #applyWithin(plan: Plan, value: Value, mode: Mode, frame: Frame): boolean {
    const { walk } = frame
    const outer = walk.scope
    walk.scope = (outer ?? new DynamicScope()).enter(this.location)
    const fits = plan.collects
      ? collect(value, () => applyPlan(plan, value, mode, frame))
      : applyPlan(plan, value, mode, frame)
    walk.scope = outer
    return fits
  }
}

/**
 * Applies what a schema says. The order of everything in here is that of Ajv's generated code: a type that does not fit
 * ends a trial only behind the keywords about any value.
 */
function applyPlan(plan: Plan, value: Value, mode: Mode, frame: Frame): boolean {
  const { type, isTypeLate, general, groups, alone } = plan
  if (alone !== undefined) return alone.apply(value.data, value, mode, frame) !== FAILED
  const { descent } = frame.walk
  descent.open += 1
  let fits = true
  if (type !== undefined && !isTypeLate && type.apply(value, mode, frame) === FAILED) {
    if (mode.endsAtOnce) {
      descent.open -= 1
      return false
    }
    fits = false
  }
  for (const part of general) {
    const outcome = part.apply(value.data, value, mode, frame)
    if (outcome === FAILED) fits = false
    if (outcome !== PASSED && !mode.isThorough) break
  }
  for (const group of groups) {
    if (!fits && !mode.isThorough) break
    if (!group.apply(value, mode, frame)) fits = false
  }
  descent.open -= 1
  return fits
}

/** Scalars become lists of lists of up to this many levels. */
const MAX_LISTS = 100

function heightOf(plan: Plan): number {
  const { isInPlace, alone, collects } = plan
  if (isInPlace || alone !== undefined || collects) return Infinity
  let height = 0
  for (const part of partsOf(plan)) {
    if (part.keepsVerdict === true) return Infinity
    for (const node of part.below ?? []) height = Math.max(height, 1 + (node?.height ?? 0))
  }
  return height
}

function partsOf({ general, groups }: Plan): Group['parts'] {
  return [general, ...groups.map(({ parts }) => parts)].flat()
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
