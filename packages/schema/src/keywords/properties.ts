import { code, jsonLiteral } from '../codegen/code.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { cloneSchema } from '../store/clone.ts'
import { recordEdit, slotOf, writeBack, type Block, type Target } from '../walk/code.ts'
import type { Frame } from '../walk/frame.ts'
import { ANY, fitsLeaf, TEST, type Leaf } from '../walk/leaf.ts'
import { EDIT, UNION, type Look } from '../walk/look.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ObjectData, Part, Tag } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { ASK, FAILED, NO, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import { ClosedPart, emitIfCountDiffers, lookAtUndeclared } from './additional-properties.ts'
import { Defaults } from './defaults.ts'
import { KeySequences } from './key-sequences.ts'
import { emitMissing } from './required.ts'

/** A declared property. */
export class Property {
  readonly name: string
  readonly leaf: Leaf
  readonly isRequired: boolean
  /** The default; undefined where there is none. */
  readonly fallback: unknown
  readonly #owner: SchemaNode
  #node: SchemaNode | undefined = undefined
  #looked: SchemaNode | undefined = undefined

  constructor(owner: SchemaNode, name: string, schema: unknown, isRequired: boolean) {
    const { context, declared } = owner
    this.name = name
    this.leaf = context.leafOf(schema)
    this.isRequired = isRequired
    this.fallback = context.settings.defaults ? declared.defaultOf(name) : undefined
    this.#owner = owner
  }

  /** Its schema, made when a value is not seen to fit without a call. */
  get node(): SchemaNode {
    return (this.#node ??= this.#owner.child('properties', this.name))
  }

  /** The schema that looks at it. */
  get looked(): SchemaNode {
    return (this.#looked ??= this.node.looked)
  }

  /** Whether it matters that it is missing. */
  get isNeeded(): boolean {
    return this.isRequired || this.fallback !== undefined
  }

  /** What a look says of an object without it. */
  absent(object: ObjectData, look: Look): Verdict {
    if (this.fallback === undefined) return this.isRequired ? (this.name === '' ? ASK : NO) : YES
    if (look.use !== EDIT) return ASK
    // Requests share no object.
    const made = isObject(this.fallback) ? cloneSchema(this.fallback) : this.fallback
    look.log.push(object, this.name, made)
    return fitsLeaf(this.leaf.kind, this.leaf, made) ? YES : this.looked.look(made, look, object, this.name)
  }
}

/** From this number of properties on, an object with fewer keys is read by its keys. */
const MANY_PROPERTIES = 64

/**
 * The keyword `properties`, with the defaults below it. To look at an object it takes over `required` and a closed
 * `additionalProperties`, so that one walk over the keys is enough.
 */
export class PropertiesPart implements Part<ObjectData> {
  readonly #node: SchemaNode
  readonly #properties: readonly Property[]
  readonly #defaults: Defaults
  /** A name that objects inherit is never among the keys of one that does not have it. */
  readonly #hasInherited: boolean
  readonly #isClosed: boolean
  #sequences: KeySequences | undefined = undefined
  #indices: ReadonlyMap<string, number> | undefined = undefined

  constructor(node: SchemaNode, properties: readonly Property[], isClosed: boolean) {
    this.#node = node
    this.#properties = properties
    this.#defaults = new Defaults(
      properties.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [[name, fallback] as const])),
    )
    this.#hasInherited = properties.some(({ name }) => name in Object.prototype)
    this.#isClosed = isClosed
  }

  get below(): readonly SchemaNode[] {
    return this.#properties.filter(({ leaf }) => !leaf.isWhole).map(({ node }) => node)
  }

  get tag(): Tag | undefined {
    const [first] = this.#properties
    if (first?.leaf.kind !== TEST.literals || !this.#defaults.isEmpty) return undefined
    const { type } = first.node.schema
    return type === undefined || type === 'string'
      ? { name: first.name, values: first.leaf.values }
      : undefined
  }

  fill(data: ObjectData): void {
    this.#defaults.fill(data)
  }

  lacks(data: ObjectData): boolean {
    return this.#defaults.lackIn(data)
  }

  fits(data: ObjectData, look: Look): Verdict {
    if (look.use === UNION || this.#hasInherited) return this.#inOrder(data, look)
    const sequences = (this.#sequences ??= new KeySequences(this.#properties, this.#isClosed))
    const edits = look.log.length
    let last = sequences.start
    for (const name in data) {
      let key = last.next
      while (key !== undefined && key.name !== name) key = key.other
      key ??= sequences.add(last, name)
      if (key === undefined) return this.#again(data, look, edits)
      const value = data[name]
      if (value === undefined) return this.#again(data, look, edits)
      if (!fitsLeaf(key.kind, key.leaf, value)) {
        const { property } = key
        const verdict =
          property === undefined
            ? lookAtUndeclared(this.#node, data, name, look)
            : property.looked.look(value, look, data, name)
        if (verdict !== YES) return verdict
      }
      last = key
    }
    const missing = last.missing ?? sequences.missingAt(last)
    if (missing.length === 0) return YES
    // Another prototype may have them.
    if (Object.getPrototypeOf(data) !== Object.prototype) return this.#again(data, look, edits)
    for (const property of missing) {
      const verdict = property.absent(data, look)
      if (verdict !== YES) return verdict
    }
    return YES
  }

  /** Begins again, without the edits that were noted. */
  #again(data: ObjectData, look: Look, edits: number): Verdict {
    look.log.length = edits
    return this.#inOrder(data, look)
  }

  /** In Ajv's order, which matters within a union: the first verdict other than YES counts. */
  #inOrder(data: ObjectData, look: Look): Verdict {
    if (look.use !== EDIT && this.lacks(data)) return ASK
    for (const property of this.#properties) {
      if (!property.isNeeded || data[property.name] !== undefined) continue
      const verdict = property.absent(data, look)
      if (verdict !== YES) return verdict
    }
    if (this.#isClosed) {
      const { declared } = this.#node
      for (const key in data) {
        const verdict = declared.isUndeclared(key) ? lookAtUndeclared(this.#node, data, key, look) : YES
        if (verdict !== YES) return verdict
      }
    }
    for (const property of this.#givenIn(data)) {
      const { name, leaf } = property
      const value = data[name]
      if (value === undefined || fitsLeaf(leaf.kind, leaf, value)) continue
      const verdict = property.looked.look(value, look, data, name)
      if (verdict !== YES) return verdict
    }
    return YES
  }

  /** The properties that an object may have, in order: of many and few keys those of the keys. */
  #givenIn(data: ObjectData): readonly Property[] {
    const properties = this.#properties
    if (properties.length < MANY_PROPERTIES || Object.getPrototypeOf(data) !== Object.prototype)
      return properties
    const keys = Object.keys(data)
    if (this.#hasInherited || keys.length >= properties.length / 2) return properties
    const indices = (this.#indices ??= new Map(properties.map(({ name }, index) => [name, index])))
    const given = keys.flatMap((key) => indices.get(key) ?? []).sort((one, other) => one - other)
    return given.flatMap((index) => properties[index] ?? [])
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    let fits = true
    for (const property of this.#givenIn(data)) {
      const { name, leaf } = property
      if (data[name] === undefined || fitsLeaf(leaf.kind, leaf, data[name])) continue
      if (property.node.settles(data, name, mode, frame.walk)) continue
      if (property.node.apply(value.entry(name), mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }

  emitLacks({ value }: Target, { writer, defer }: Block): void {
    for (const key of this.#defaults.keys) writer.line(code`if (${value}[${key}] === undefined) ${defer}`)
  }

  emit({ value }: Target, block: Block): void {
    const { writer } = block
    // Within a union the first test that fails decides, so the order is that of Ajv. Inherited names would be counted.
    const isCounted = this.#isClosed && block.use !== UNION && !this.#hasInherited
    if (block.use === UNION) {
      const names = this.#properties.flatMap(({ name, isRequired, fallback }) =>
        isRequired && fallback === undefined ? name : [],
      )
      emitMissing(value, names, block)
    }
    if (this.#isClosed && !isCounted) new ClosedPart(this.#node).emit({ value }, block)
    const present = writer.unique('present')
    if (isCounted) writer.line(code`var ${present} = 0`)
    for (const property of this.#properties) {
      if (property.leaf === ANY && !property.isNeeded && !isCounted) continue
      const entry = { value: writer.unique('v'), slot: slotOf(value, property.name) }
      writer.line(code`var ${entry.value} = ${entry.slot.access}`)
      if (isCounted) writer.line(code`if (${entry.value} !== undefined) ${present}++`)
      emitProperty(property, entry, block)
    }
    if (isCounted) emitIfCountDiffers(this.#node, value, present, block)
  }
}

/** Writes the checks of a property, after its default or the test that it is there. */
function emitProperty(property: Property, entry: Target, block: Block): void {
  const { name, leaf, isRequired, fallback } = property
  const { writer, reject, defer, use } = block
  const { value } = entry
  const isOptional = fallback === undefined && !isRequired
  const isFilled = fallback !== undefined && use === EDIT
  if (isFilled) {
    const change = recordEdit(block, entry)
    writer.line(code`if (${value} === undefined) { ${value} = ${jsonLiteral(fallback)}; ${change} }`)
  } else if (!isOptional && fallback === undefined && use !== UNION) {
    writer.line(code`if (${value} === undefined) ${name === '' ? defer : reject}`)
  }
  if (isOptional) writer.line(code`if (${value} !== undefined) {`)
  const reassigned = (leaf !== ANY && property.node.emit(entry, block)) || isFilled
  if (isOptional) writer.line(code`}`)
  if (reassigned) writeBack(block, entry)
}

function propertiesIn({ schema: { properties } }: SchemaNode): Readonly<Record<string, unknown>> {
  return isSchemaObject(properties) ? properties : {}
}

/** The keyword `properties`. */
export const properties: Keyword<ObjectData> = {
  names: ['properties'],
  read(node) {
    const { names, others, patterns, required } = node.declared
    const isClosed = others !== undefined && patterns.length === 0
    const schemas = propertiesIn(node)
    const all = names.map((name) => new Property(node, name, schemas[name], required.has(name)))
    // Where undeclared properties are looked for, the others must be known.
    const telling = isClosed ? all : all.filter(({ leaf, isNeeded }) => leaf !== ANY || isNeeded)
    return telling.length === 0 ? undefined : new PropertiesPart(node, telling, isClosed)
  },
}
