import { code, join, literalKey, nothing, type Code } from '../../codegen/code.ts'
import { isObject } from '../../guards.ts'
import type { Expression } from '../../regexp/compile.ts'
import {
  compatObject,
  ownObject,
  strictObject,
  strictOwnObject,
  type OwnNames,
} from '../../runtime/containers.ts'
import type { ShapeEntry } from '../../runtime/pick.ts'
import type { TextContext } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import { ANY } from './any.ts'
import type { Closures, Writer } from './closures.ts'
import { literalOf } from './literals.ts'
import { FormedNode, type Node } from './node.ts'
import { objectCopy, objectText } from './object-closures.ts'
import { ObjectText } from './object-text.ts'
import { PLAIN, step } from './reads.ts'

/** Up to this number of names a `switch` beats a set. */
const MAX_SWITCH_NAMES = 12

const CONVERSIONS = { compatObject, ownObject, strictObject, strictOwnObject } as const

/** A property that an object schema declares. */
export interface PropertyNode {
  readonly name: string
  readonly node: Node
  readonly isRequired: boolean
  /** JSON text of the default value, when there is one. */
  readonly defaultText: string | undefined
}

/** A family of properties, by pattern. */
export interface PatternNode {
  readonly pattern: Expression
  /** `undefined`: properties of this family are left out. */
  readonly node: Node | undefined
}

/** What there is of an object: declared properties (required ones first), then patterns, then the others. */
export interface ObjectParts {
  readonly strict: boolean
  readonly properties: readonly PropertyNode[]
  /** Required names that no schema declares. */
  readonly requiredOnly: readonly string[]
  readonly patterns: readonly PatternNode[]
  /** How undeclared properties are written; `undefined` leaves them out. */
  readonly additional: Node | undefined
}

/** An object. */
export class ObjectNode extends FormedNode {
  override readonly isLeaf: boolean = false
  readonly parts: ObjectParts

  constructor(parts: ObjectParts) {
    super()
    this.parts = parts
  }

  override get children(): readonly Node[] {
    const { properties, patterns, additional } = this.parts
    const nodes = properties.map(({ node }) => node)
    for (const { node } of patterns) if (node !== undefined) nodes.push(node)
    return additional === undefined ? nodes : [...nodes, additional]
  }

  override shape(indexOf: (node: Node) => number): ShapeEntry {
    const { properties, patterns, additional } = this.parts
    const orNull = (node: Node | undefined): number | null => (node === undefined ? null : indexOf(node))
    return {
      kind: 'object',
      properties: properties.map(({ name, node }) => [name, indexOf(node)]),
      patterns: patterns.map(({ pattern, node }) => [pattern.source, pattern.flags, orNull(node)]),
      additional: orNull(additional),
    }
  }

  /** Whether there are properties that it does not declare. */
  get isOpen(): boolean {
    return this.parts.patterns.length > 0 || this.parts.additional !== undefined
  }

  /** The properties that it reads. */
  get #own(): OwnNames {
    const names = this.parts.properties.map(({ name }) => name)
    return { names: names.concat(this.parts.requiredOnly), isOpen: this.isOpen }
  }

  #conversion(isRecord: boolean): keyof typeof CONVERSIONS {
    if (isRecord) return this.parts.strict ? 'strictOwnObject' : 'ownObject'
    return this.parts.strict ? 'strictObject' : 'compatObject'
  }

  /** The function that returns the object to read; anything but a plain object takes the slow way. */
  reader(isRecord: boolean): (value: unknown) => Readonly<Record<string, unknown>> {
    const own = this.#own
    const convert = CONVERSIONS[this.#conversion(isRecord)]
    return (value) => {
      if (
        isObject(value) &&
        (isRecord || value['toJSON'] === undefined) &&
        Object.getPrototypeOf(value) === PLAIN
      )
        return value
      const object = convert(value, own, '')
      return isObject(object) ? object : {}
    }
  }

  textWriter(closures: Closures<string>, isRecord: boolean): Writer<string> {
    return objectText(closures, this, isRecord)
  }

  copyWriter(closures: Closures<unknown>, isRecord: boolean): Writer<unknown> {
    return objectCopy(closures, this, isRecord)
  }

  override appendInline(value: Code, context: TextContext): void {
    new ObjectText(context).emit(this, this.#readCode(value, context))
  }

  /**
   * Copies to one object literal with all declared properties; `JSON.stringify` skips those that are `undefined`.
   */
  copyInline(value: Code, context: CodeContext): Code {
    const { unit, scope } = context
    const object = this.#readCode(value, context)
    const entries = this.parts.properties.map(
      (property) => code`${literalKey(property.name)}: ${copyProperty(property, object, context)}`,
    )
    const literal = code`{ ${join(entries, code`, `)} }`
    if (!this.isOpen) return literal
    const result = unit.writer.unique('r')
    scope.writer.line(code`const ${result} = ${literal}`)
    const inner: CodeContext = { ...context, pointer: '', isRecord: false }
    this.eachOther(object, context, (node, key, entry) => {
      const copy = node === ANY ? anyCode(entry, context) : node.copy(entry, inner)
      scope.writer.line(code`${unit.writer.use('putProperty')}(${result}, ${key}, ${copy})`)
    })
    return result
  }

  /** Reads the object; returns its variable. Any value that is not a plain object is converted first. */
  #readCode(value: Code, { unit, scope, pointer, isRecord }: CodeContext): Code {
    const { writer } = unit
    const object = writer.unique('o')
    const own = writer.bind({ kind: 'literal', value: this.#own }, 'own')
    const convert = writer.use(this.#conversion(isRecord))
    const isOther = code`${writer.use('prototypeOf')}(${value}) !== ${writer.use('plainPrototype')}`
    const test = isRecord
      ? isOther
      : code`typeof ${value} !== 'object' || ${value} === null || ${value}.toJSON !== undefined || ${isOther}`
    scope.writer.line(code`const ${object} = (${test} ? ${convert}(${value}, ${own}, ${pointer}) : ${value})`)
    for (const name of this.parts.requiredOnly) {
      const isMissing = code`${unit.read(object, name)} === undefined`
      scope.writer.line(code`if (${isMissing}) ${unit.missing(pointer + step(name))}`)
    }
    return object
  }

  /**
   * Writes the loop over patterned and additional properties, in the order of the object.
   * @param put - writes one of them; its pointer is that of the object
   */
  eachOther(object: Code, { unit, scope, pointer }: CodeContext, put: PutOther): void {
    const { writer } = scope
    const [key, value] = [unit.writer.unique('k'), unit.writer.unique('v')]
    writer.line(code`let ${key} = ''`)
    writer.line(code`try {`)
    writer.block(code`for (${key} of Object.keys(${object}))`, () => {
      writer.line(this.#skipDeclared(key, unit))
      writer.line(code`const ${value} = ${object}[${key}]`)
      writer.line(
        code`if (${value} === undefined || typeof ${value} === 'function' || typeof ${value} === 'symbol') continue`,
      )
      for (const { pattern, node } of this.parts.patterns) {
        writer.block(code`if (${unit.writer.matches(pattern, key)})`, () => {
          if (node !== undefined) put(node, key, value)
          writer.line(code`continue`)
        })
      }
      if (this.parts.additional !== undefined) put(this.parts.additional, key, value)
    })
    writer.line(code`} ${unit.catchAt(pointer, key)}`)
  }

  #skipDeclared(key: Code, { writer }: CodeContext['unit']): Code {
    const names = this.parts.properties.map(({ name }) => name)
    if (names.length === 0) return nothing
    if (names.length > MAX_SWITCH_NAMES) {
      const set = writer.bind({ kind: 'set', items: names }, 'declared')
      return code`if (${set}.has(${key})) continue`
    }
    const labels = names.map((name) => code`case ${name}:`)
    return code`switch (${key}) { ${join(labels, code` `)} continue }`
  }
}

type PutOther = (node: Node, key: Code, value: Code) => void

/** An untyped value as a copy, `undefined` when it has no JSON text. */
function anyCode(value: Code, { unit }: CodeContext): Code {
  return code`${unit.writer.use('anyValue')}(${value})`
}

function copyProperty(
  { name, node, isRequired, defaultText }: PropertyNode,
  object: Code,
  outer: CodeContext,
): Code {
  const { unit, scope } = outer
  const pointer = outer.pointer + step(name)
  const context: CodeContext = { ...outer, pointer, isRecord: false }
  const value = unit.writer.unique('v')
  const read = unit.read(object, name)
  const isAny = node === ANY
  scope.writer.line(code`const ${value} = ${isAny ? anyCode(read, outer) : read}`)
  const isAbsent = code`${value} === undefined`
  if (defaultText !== undefined) {
    const fallback = literalOf(unit, JSON.parse(defaultText))
    if (isAny) return code`(${isAbsent} ? ${fallback} : ${value})`
    return node.copyUnless(isAbsent, fallback, value, context)
  }
  if (isRequired) scope.writer.line(code`if (${isAbsent}) ${unit.missing(pointer)}`)
  if (isAny) return value
  return isRequired ? node.copy(value, context) : node.copyUnless(isAbsent, code`undefined`, value, context)
}
