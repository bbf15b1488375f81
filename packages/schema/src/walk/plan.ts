import { isObject, isSchemaObject } from '../guards.ts'
import { REFUSED, type Coercer } from '../runtime/coerce.ts'
import { code } from '../codegen/code.ts'
import type { Block, Target } from './code.ts'
import { DynamicScope } from './dynamic-scope.ts'
import { collect } from './evaluated.ts'
import type { Group, Held } from './group.ts'
import { fitsLeaf, type Leaf } from './leaf.ts'
import { ASK, EDIT, JUDGE, NO, OBSERVE, UNION, YES, type Look, type Verdict } from './look.ts'
import type { SchemaNode } from './node.ts'
import type { Part } from './part.ts'
import type { TypesPart } from './type.ts'
import type { Seen } from './seen.ts'
import type { Container, Value } from './value.ts'
import { FAILED, PASSED, type Frame, type Mode, type Walk } from './walk.ts'

/** The reading of a schema. */
export interface Rules {
  readonly type: TypesPart | undefined
  /** Whether a group reports a value of another type, after the keywords for any value. */
  readonly isTypeLate: boolean
  /** The keywords for any value, in Ajv's order. */
  readonly general: readonly Part[]
  readonly groups: readonly Group[]
  /** Whether the schema is only a reference. */
  readonly isReference: boolean
  /** How values are seen; undefined if they are seen as they are. */
  readonly seen: Seen | undefined
}

/** Scalars become lists of lists of up to this many levels. */
const MAX_LISTS = 100

/** The plan of a schema, by which values are looked at and walked over, and code is written. */
export class Plan {
  readonly type: TypesPart | undefined
  readonly general: readonly Part[]
  readonly groups: readonly Group[]
  /** Whether schemas are applied to the value itself. */
  readonly isInPlace: boolean
  /** The target, if the schema is only a reference. */
  readonly referenced: SchemaNode | undefined
  /** Whether only a walk can decide about values. */
  readonly asksAlways: boolean
  /** Whether it is a function. */
  readonly isFunction: boolean
  /**
   * Whether scalars of another type are coerced. With several types, a value of the right one that is outside of its
   * limits may be coerced to another.
   */
  readonly coerce: Coercer | undefined
  /** Whether the last value to which it was applied as a property or an item didn't match. */
  hasFailed: boolean = false
  readonly #node: SchemaNode
  /** The types, unless a group reports a value of another type. */
  readonly #early: TypesPart | undefined
  /** The look at an object or a list, if nothing has to be done before it. */
  readonly #objects: Held<unknown> | undefined
  readonly #lists: Held<unknown> | undefined
  /** Whether a walk must track what is evaluated, or resources. */
  readonly #isScoped: boolean
  /** Starts a collection of what is evaluated. */
  readonly #collects: boolean
  readonly #seen: Seen | undefined
  #leaf: Leaf | undefined = undefined
  #height: number | undefined = undefined

  constructor(node: SchemaNode, rules: Rules) {
    const { type, isTypeLate, general, groups, isReference, seen } = rules
    const { schema } = node
    this.type = type
    this.coerce = type?.only === undefined ? undefined : type.coerce
    this.general = general
    this.groups = groups
    this.referenced = isReference ? general[0]?.below?.[0] : undefined
    this.isInPlace = !isReference && general.some(({ below }) => below !== undefined)
    this.#node = node
    this.#early = isTypeLate ? undefined : type
    this.#collects =
      seen === undefined &&
      (schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined)
    this.#seen = seen
    this.asksAlways = this.#collects || general.some((part) => part.asksAlways === true)
    const heldOf = (kind: 'object' | 'array'): Held<unknown> | undefined => {
      const isDirect = general.length === 0 && !this.asksAlways && type?.types.includes(kind) !== false
      return isDirect ? groups.find((group) => group.kind === kind)?.held : undefined
    }
    this.#objects = heldOf('object')
    this.#lists = heldOf('array')
    this.isFunction = node.isFunction
    this.#isScoped = this.#collects || node.context.isDynamic
  }

  /** The test of values without a call. */
  get leaf(): Leaf {
    return (this.#leaf ??= this.#node.context.leafOf(this.#node.location.schema))
  }

  /** The schema that looks in place of this one: the target, if it is only a reference. */
  get looked(): Plan {
    return this.referenced?.plan.looked ?? this
  }

  /**
   * Looks at a value.
   * @param parent - the object that holds the value under `key`
   */
  look(shown: unknown, look: Look, parent: unknown, key: string | number): Verdict {
    const data = this.#seen === undefined ? shown : this.#seen.view(shown)
    const objects = this.#objects
    if (objects !== undefined && isSchemaObject(data)) return objects.fits(data, look, parent, key)
    const lists = this.#lists
    if (lists !== undefined && Array.isArray(data)) return lists.fits(data, look, parent, key)
    return this.#lookAround(data, look, parent, key)
  }

  #lookAt(data: unknown, look: Look, parent: unknown, key: string | number): Verdict {
    const { type, general, groups } = this
    if (type !== undefined && !type.holds(data)) {
      if (look.use !== EDIT) return type.mismatch(data, look.use)
      const coerced = type.coerce === undefined ? REFUSED : type.coerce(data)
      if (coerced === REFUSED) return NO
      look.log.push(parent, key, coerced)
      return this.look(coerced, look, parent, key)
    }
    for (let at = 0; at < general.length; at++) {
      const verdict = general[at]?.fits(data, look, parent, key) ?? YES
      if (verdict !== YES) return verdict
    }
    for (let at = 0; at < groups.length; at++) {
      const verdict = groups[at]?.look(data, look) ?? YES
      if (verdict !== YES) return verdict
    }
    return YES
  }

  #lookAround(data: unknown, look: Look, parent: unknown, key: string | number): Verdict {
    if (data === null && this.#seen?.allowsNull === true) return YES
    const { use } = look
    if (this.asksAlways) return ASK
    if (this.isInPlace && use === EDIT) look.use = OBSERVE
    const verdict = this.#lookAt(data, look, parent, key)
    look.use = use
    return verdict
  }

  /**
   * Looks at a value by a reference. If its target is a function, schemas that see the same value may reach it again
   * and again.
   */
  lookBehind(data: unknown, look: Look, parent: unknown, key: string | number): Verdict {
    if (!this.isFunction) return this.look(data, look, parent, key)
    if (look.isDeep && look.use !== JUDGE) return ASK
    const isOnce = look.use !== EDIT && !look.decisions.isFree() && isObject(data)
    const decided = isOnce ? look.decisions.of(look.use === UNION ? this : this.groups) : undefined
    const known = isOnce ? decided?.get(data) : undefined
    if (known !== undefined) return known
    look.open += 1
    const verdict = this.look(data, look, parent, key)
    look.open -= 1
    if (isOnce) decided?.set(data, verdict)
    return verdict
  }

  /**
   * Looks at a value as a branch of a union. If all errors are wanted, Ajv continues in a branch that doesn't match,
   * and may change the value.
   */
  lookAsBranch(data: unknown, look: Look): Verdict {
    const { leaf } = this
    if (fitsLeaf(leaf.kind, leaf, data)) return YES
    const outer = look.use
    // JSON shows a text as it is, and nothing converts it, so the leaf decides.
    if (outer === JUDGE && leaf.isWhole && typeof data === 'string') return NO
    if (outer === JUDGE) return this.look(data, look, undefined, '') === YES ? YES : NO
    look.use = UNION
    const verdict = this.look(data, look, undefined, '')
    look.use = outer
    return verdict === NO && this.#node.context.editsOnFailure ? ASK : verdict
  }

  /** Writes the checks of a value; true when they may assign to the target's variable. */
  emit(target: Target, outer: Block): boolean {
    if (this.#seen === undefined) return this.#emit(target, outer)
    if (this.type === undefined && this.general.length === 0 && this.groups.length === 0) return false
    const { value } = target
    const { writer } = outer
    this.#seen.emit(value, writer, this.type?.only)
    if (this.#seen.allowsNull) writer.block(code`if (${value} !== null)`, () => this.#emit(target, outer))
    else this.#emit(target, outer)
    return false
  }

  #emit(target: Target, outer: Block): boolean {
    if (this.referenced !== undefined) return outer.unit.reference(this.referenced, target, outer)
    const { type, general, groups, isInPlace } = this
    const block: Block = isInPlace && outer.use === EDIT ? { ...outer, use: OBSERVE } : outer
    const reassigned = type?.emit(target, block) === true
    for (const part of general) part.emit(target, block)
    for (const group of groups) group.emit(target, block, type)
    return reassigned
  }

  /** Calls back for each part, until the callback returns true. */
  #some(test: (part: Group['parts'][number]) => boolean): boolean {
    return this.general.some(test) || this.groups.some(({ parts }) => parts.some(test))
  }

  /** Calls back for each schema that it applies, except those that are tested without a call. */
  eachBelow(visit: (node: SchemaNode) => void): void {
    this.#some(({ below }) => {
      if (below !== undefined) for (const node of below) if (node !== undefined) visit(node)
      return false
    })
  }

  /** The depth of values below; infinite if a look must not replace a walk. */
  get height(): number {
    return (this.#height ??= this.#findHeight())
  }

  #findHeight(): number {
    const isOpen = this.isInPlace || this.referenced !== undefined || this.#collects
    if (isOpen || this.#some(({ keepsVerdict }) => keepsVerdict === true)) return Infinity
    let height = 0
    this.eachBelow(({ plan }) => (height = Math.max(height, 1 + plan.height)))
    return height
  }

  /**
   * Looks at a property or an item during a walk, if that costs little; makes the necessary edits.
   * @returns true if it matches; false if only a walk can decide
   */
  settles(container: Container, key: string | number, { isTrial }: Mode, walk: Walk): boolean {
    const data = container[key]
    const isScalar = !isObject(data)
    if (this.height > (isScalar ? MAX_LISTS : 1)) return false
    // A branch gets no defaults, and may only note what it would remove.
    const mayEdit = isScalar || (!isTrial && walk.removal.treatment === 'remove')
    const look = walk.look.begin(mayEdit ? EDIT : UNION)
    return look.end(this.look(data, look, container, key) === YES)
  }

  /** Applies the schema; returns true if the value matches. */
  apply(value: Value, mode: Mode, frame: Frame): boolean {
    if (!this.#isScoped) return this.#apply(value, mode, frame)
    const { walk } = frame
    const { scope } = walk
    const { location, entersResource } = this.#node
    if (entersResource) walk.scope = (scope ?? new DynamicScope()).enter(location)
    const fits = this.#collects
      ? collect(value, () => this.#apply(value, mode, frame))
      : this.#apply(value, mode, frame)
    walk.scope = scope
    return fits
  }

  /**
   * The order of everything here is that of Ajv's generated code: a wrong type ends a trial only after the keywords for
   * any value.
   */
  #apply(value: Value, mode: Mode, frame: Frame): boolean {
    const { general, groups } = this
    const { descent } = frame.walk
    if (this.referenced !== undefined) return general[0]?.apply(value.data, value, mode, frame) !== FAILED
    descent.open += 1
    const type = this.#early
    let fits = type === undefined || type.apply(value, mode, frame) !== FAILED
    const isOver = !fits && mode.endsAtOnce
    for (let at = 0; at < general.length && !isOver; at++) {
      const outcome = general[at]?.apply(value.data, value, mode, frame) ?? PASSED
      if (outcome === FAILED) fits = false
      if (outcome !== PASSED && !mode.isThorough) break
    }
    for (let at = 0; at < groups.length && (fits || mode.isThorough); at++) {
      if (groups[at]?.apply(value, mode, frame) === false) fits = false
    }
    descent.open -= 1
    return fits
  }
}
