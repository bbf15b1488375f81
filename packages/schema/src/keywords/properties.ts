import { code, jsonLiteral, type Code } from '../codegen/code.ts'
import { isObject, listOf } from '../guards.ts'
import { createGroupFinder, MANY_PROPERTIES, MAX_GROUPS } from '../runtime/key-groups.ts'
import { cloneSchema } from '../store/clone.ts'
import { Child } from '../walk/child.ts'
import { defaultsOf, type Defaults } from '../walk/defaults.ts'
import { recordEdit, slotOf, writeBack, type Block, type Target } from '../walk/code.ts'
import { FAILED, PASSED, type Frame, type Mode, type Outcome } from '../walk/walk.ts'
import { defaultIn } from '../walk/declared.ts'
import { ANY, fitsLeaf, TEST } from '../walk/leaf.ts'
import { ASK, EDIT, NO, UNION, YES, type Look, type Verdict } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ObjectData, Part, Tag } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { ClosedPart } from './additional-properties.ts'
import { KeySequences } from './key-sequences.ts'
import { emitMissing } from './required.ts'

/** A declared property. */
export class Property extends Child {
  readonly name: string
  readonly isRequired: boolean
  /** The default; undefined where there is none. */
  readonly fallback: unknown

  constructor(owner: SchemaNode, name: string, isRequired: boolean) {
    super(owner, 'properties', name)
    this.name = name
    this.isRequired = isRequired
    // Copies the default: the application may change its object.
    this.fallback = owner.context.settings.defaults ? cloneSchema(defaultIn(owner.schema, name)) : undefined
  }

  /** Whether it is required and has no default. */
  get isDemanded(): boolean {
    return this.isRequired && this.fallback === undefined
  }

  /** Whether its absence has an effect. */
  get isNeeded(): boolean {
    return this.isRequired || this.fallback !== undefined
  }

  /** The verdict of a look for an object without it. */
  absent(object: ObjectData, look: Look): Verdict {
    if (this.fallback === undefined) return this.isRequired ? (this.name === '' ? ASK : NO) : YES
    if (look.use !== EDIT) return ASK
    // Requests must not share an object.
    const made = isObject(this.fallback) ? cloneSchema(this.fallback) : this.fallback
    look.log.push(object, this.name, made)
    return fitsLeaf(this.leaf.kind, this.leaf, made) ? YES : this.look(made, look, object, this.name)
  }

  /** Writes its checks, after its default or the test whether it is present. */
  emitIn(object: Code, block: Block, present: Code | undefined): void {
    const { writer, reject, defer, use } = block
    const value = writer.unique('v')
    const target = { value, slot: slotOf(object, this.name) }
    writer.line(code`var ${value} = ${target.slot.access}`)
    if (present !== undefined) writer.line(code`if (${value} !== undefined) ${present}++`)
    const isFilled = this.fallback !== undefined && use === EDIT
    if (isFilled) {
      const change = recordEdit(block, target)
      writer.line(code`if (${value} === undefined) { ${value} = ${jsonLiteral(this.fallback)}; ${change} }`)
    } else if (this.isDemanded && use !== UNION) {
      writer.line(code`if (${value} === undefined) ${this.name === '' ? defer : reject}`)
    }
    if (!this.isNeeded) writer.line(code`if (${value} !== undefined) {`)
    const reassigned = (this.leaf !== ANY && this.node.emit(target, block)) || isFilled
    if (!this.isNeeded) writer.line(code`}`)
    if (reassigned) writeBack(block, target)
  }
}

/**
 * The keyword `properties`, with the defaults below it. Its look also does the work of `required` and a closed
 * `additionalProperties`, so that one iteration over the keys is enough.
 */
export class PropertiesPart implements Part<ObjectData> {
  readonly #properties: readonly Property[]
  readonly defaults: Defaults | undefined
  /** If an object lacks a name that all objects inherit, its keys don't contain it. */
  readonly #hasInherited: boolean
  /** Whether it may be worth it to find the properties that an object has. */
  readonly #hasMany: boolean
  /** Whether undeclared properties are checked. */
  readonly #closed: ClosedPart | undefined
  #sequences: KeySequences | undefined = undefined
  #needed: readonly Property[] | undefined = undefined
  #indices: ReadonlyMap<string, number> | undefined = undefined

  constructor(properties: readonly Property[], closed: ClosedPart | undefined) {
    this.#properties = properties
    this.#closed = closed
    this.defaults = defaultsOf(properties.map(({ name, fallback }) => [name, fallback]))
    this.#hasInherited = properties.some(({ name }) => name in Object.prototype)
    this.#hasMany = properties.length >= MANY_PROPERTIES && !this.#hasInherited
  }

  get below(): readonly SchemaNode[] {
    return this.#properties.filter(({ leaf }) => !leaf.isWhole).map(({ node }) => node)
  }

  get tag(): Tag | undefined {
    const [first] = this.#properties
    if (first?.leaf.kind !== TEST.literals || this.defaults !== undefined) return undefined
    const { type } = first.node.schema
    return type === undefined || type === 'string'
      ? { name: first.name, values: first.leaf.values }
      : undefined
  }

  fits(data: ObjectData, look: Look): Verdict {
    const prototype: unknown = Object.getPrototypeOf(data)
    // Another prototype may have more properties, which are not enumerable.
    const isPlain = prototype === Object.prototype || prototype === null
    if (!isPlain || look.use === UNION || this.#hasInherited) return this.#inOrder(data, look)
    const sequences = (this.#sequences ??= new KeySequences(this.#properties, this.#closed !== undefined))
    const edits = look.log.size
    let last = sequences.start
    for (const name in data) {
      let key = last.next
      while (key !== undefined && key.name !== name) key = key.other
      key ??= sequences.add(last, name)
      if (key === undefined) return this.#again(data, look, edits)
      const value = data[name]
      if (!fitsLeaf(key.kind, key.leaf, value)) {
        if (value === undefined) return this.#again(data, look, edits)
        const { property } = key
        const verdict =
          property === undefined
            ? (this.#closed?.lookAt(data, name, look) ?? YES)
            : property.look(value, look, data, name)
        if (verdict !== YES) return verdict
      }
      last = key
    }
    const missing = last.missing ?? sequences.missingAt(last)
    for (const property of missing) {
      const verdict = property.absent(data, look)
      if (verdict !== YES) return verdict
    }
    return YES
  }

  /** Starts again, without the noted edits. */
  #again(data: ObjectData, look: Look, edits: number): Verdict {
    look.log.size = edits
    return this.#inOrder(data, look)
  }

  /** In Ajv's order, which matters within a union: the first verdict other than YES counts. */
  #inOrder(data: ObjectData, look: Look): Verdict {
    if (look.use !== EDIT && this.defaults?.lackIn(data) === true) return ASK
    this.#needed ??= this.#properties.filter(({ isNeeded }) => isNeeded)
    for (const property of this.#needed) {
      if (data[property.name] !== undefined) continue
      const verdict = property.absent(data, look)
      if (verdict !== YES) return verdict
    }
    const verdict = this.#closed?.fits(data, look) ?? YES
    if (verdict !== YES) return verdict
    for (const property of this.#hasMany ? this.#givenIn(data) : this.#properties) {
      const { name, leaf } = property
      const value = data[name]
      if (value === undefined || fitsLeaf(leaf.kind, leaf, value)) continue
      const verdict = property.look(value, look, data, name)
      if (verdict !== YES) return verdict
    }
    return YES
  }

  /** Returns the properties of many to check: only those of the object, if it has few. */
  #givenIn(data: ObjectData): readonly Property[] {
    const properties = this.#properties
    if (Object.getPrototypeOf(data) !== Object.prototype) return properties
    const keys = Object.keys(data)
    if (keys.length >= properties.length / 2) return properties
    const indices = (this.#indices ??= new Map(properties.map(({ name }, index) => [name, index])))
    const given = keys.flatMap((key) => indices.get(key) ?? []).sort((one, other) => one - other)
    return given.flatMap((index) => properties[index] ?? [])
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    const given = this.#hasMany ? this.#givenIn(data) : this.#properties
    let outcome: Outcome = PASSED
    for (let at = 0; at < given.length; at++) {
      const property = given[at]
      if (property === undefined || data[property.name] === undefined) continue
      if (property.applies(data, property.name, value, mode, frame)) continue
      outcome = FAILED
      if (!mode.isThorough) break
    }
    return outcome
  }

  emit(target: Target, block: Block): void {
    const { writer, use } = block
    const { value } = target
    // In a union the first failing test decides, so the order is that of Ajv. Inherited names would be counted.
    const isCounted = this.#closed !== undefined && use !== UNION && !this.#hasInherited
    const present = isCounted ? writer.unique('present') : undefined
    if (use === UNION) {
      const names = this.#properties.flatMap(({ name, isDemanded }) => (isDemanded ? name : []))
      emitMissing(value, names, block)
    }
    if (!isCounted) this.#closed?.emit(target, block)
    if (present !== undefined) writer.line(code`var ${present} = 0`)
    const tested = this.#properties.filter(
      (property) => property.leaf !== ANY || property.isNeeded || isCounted,
    )
    this.#emitTests(tested, value, block, present)
    if (present !== undefined) this.#closed?.emitIfCountDiffers(value, present, block)
  }

  /** If there are many properties, groups of which an object has none are skipped. */
  #emitTests(tested: readonly Property[], object: Code, block: Block, present: Code | undefined): void {
    const { writer } = block
    const emitAll = (some: readonly Property[]): void =>
      some.forEach((property) => property.emitIn(object, block, present))
    if (tested.length < MANY_PROPERTIES || this.#hasInherited) return emitAll(tested)
    const size = Math.ceil(tested.length / MAX_GROUPS)
    const groups = Array.from({ length: Math.ceil(tested.length / size) }, (_, index) =>
      tested.slice(index * size, (index + 1) * size),
    )
    const names = groups.map((group) => group.map(({ name }) => name))
    const value = createGroupFinder(names)
    const find = writer.bind({ kind: 'call', name: 'createGroupFinder', args: [names], value }, 'groupsIn')
    const found = writer.unique('found')
    writer.line(code`var ${found} = ${find}(${object})`)
    for (const [index, group] of groups.entries()) {
      if (group.some(({ isNeeded }) => isNeeded)) emitAll(group)
      else writer.block(code`if (${found} & ${1 << index})`, () => emitAll(group))
    }
  }
}

/** The keyword `properties`. */
export const properties: Keyword<ObjectData> = {
  names: ['properties'],
  read(node) {
    const { names, others, patterns } = node.declared
    const { required } = node.schema
    const needed: ReadonlySet<unknown> = new Set(listOf(required))
    const closed = others !== undefined && patterns.size === 0 ? new ClosedPart(node) : undefined
    const all = names.map((name) => new Property(node, name, needed.has(name)))
    // To find undeclared properties, the declared ones must be known.
    const isTelling = ({ leaf, isNeeded }: Property): boolean => leaf !== ANY || isNeeded
    const telling = closed !== undefined || all.every(isTelling) ? all : all.filter(isTelling).slice()
    return telling.length === 0 ? undefined : new PropertiesPart(telling, closed)
  },
}
