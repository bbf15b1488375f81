import { code, join, literalKey, type Code } from '../../codegen/code.ts'
import { isObject } from '../../guards.ts'
import type { Expression } from '../../regexp/compile.ts'
import {
  compatObject,
  ownObject,
  plainPrototype,
  strictObject,
  strictOwnObject,
  type OwnNames,
} from '../../runtime/containers.ts'
import type { ShapeEntry } from '../../runtime/pick.ts'
import { around, type Literal, type TextContext } from '../emit/out.ts'
import type { CodeContext } from '../emit/unit.ts'
import { Undeclared } from '../../walk/declared.ts'
import { ANY } from './any.ts'
import type { Closures, Writer } from './closures.ts'
import { literalOf } from './literals.ts'
import { FormedNode, type Node, type ShapeIndexes } from './node.ts'
import { objectCopy, objectText } from './object-closures.ts'
import { step } from './reads.ts'

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

/** The properties of an object: declared ones (required ones first), then patterns, then the others. */
export interface ObjectParts {
  readonly strict: boolean
  readonly properties: readonly PropertyNode[]
  /** Required names that no schema declares. */
  readonly requiredOnly: readonly string[]
  readonly patterns: readonly PatternNode[]
  /** How undeclared properties are written; `undefined` leaves them out. */
  readonly additional: Node | undefined
  /** Whether another branch of a union may be about the properties that are written by `additional`. */
  readonly isAdditionalUnevaluated: boolean
}

/** An object. */
export class ObjectNode extends FormedNode {
  override readonly isLeaf: boolean = false
  readonly parts: ObjectParts

  constructor(parts: ObjectParts) {
    const nodes = parts.properties.map(({ node }) => node)
    for (const { node } of parts.patterns) if (node !== undefined) nodes.push(node)
    super(parts.additional === undefined ? nodes : [...nodes, parts.additional])
    this.parts = parts
  }

  override shape(indexes: ShapeIndexes): ShapeEntry {
    const { properties, patterns, additional, isAdditionalUnevaluated } = this.parts
    const orNull = (node: Node | undefined): number | null => (node === undefined ? null : indexes.of(node))
    return {
      kind: 'object',
      properties: properties.map(({ name, node }) => [name, indexes.of(node)]),
      patterns: patterns.map(({ pattern, node }) => [pattern.source, pattern.flags, orNull(node)]),
      additional: orNull(additional),
      ...(isAdditionalUnevaluated ? { isUnevaluated: true } : {}),
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
      const isJson = isObject(value) && (isRecord || value['toJSON'] === undefined)
      if (isJson && Object.getPrototypeOf(value) === plainPrototype) return value
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
    const declared = this.parts.properties.map(({ name }) => name)
    writer.line(code`let ${key} = ''`)
    writer.line(code`try {`)
    writer.block(code`for (${key} of Object.keys(${object}))`, () => {
      if (declared.length > 0) {
        const isUndeclared = new Undeclared(declared, []).code(key, unit.writer)
        writer.line(code`if (!(${isUndeclared})) continue`)
      }
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
}

type PutOther = (node: Node, key: Code, value: Code) => void

/** Copies an untyped value; `undefined` if it has no JSON text. */
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

/**
 * The code of the text of one object, and what is written before its next key: required properties are in one expression,
 * optional ones after a test each.
 */
class ObjectText {
  readonly #context: TextContext
  /** Whether a property has surely been written. */
  #isStarted: boolean = false
  /** Variable that is true when a property has been written. */
  #flag: Code | undefined = undefined
  /** The text before the opening brace, which is written together with it. */
  #start: Literal = ''

  constructor(context: TextContext) {
    this.#context = context
  }

  emit(node: ObjectNode, object: Code): void {
    const { out } = this.#context
    for (const property of node.parts.properties) this.#emitProperty(property, object)
    if (node.isOpen) this.#emitOthers(node, object)
    if (this.#isStarted) out.text('}')
    else if (this.#flag === undefined) out.text('{}')
    else out.pair(this.#flag, '}', around('', this.#start, '{}'))
  }

  #emitProperty({ name, node, isRequired, defaultText }: PropertyNode, object: Code): void {
    const { unit, scope, out, pointer: outer } = this.#context
    const { writer } = scope
    const pointer = outer + step(name)
    const context: TextContext = { ...this.#context, pointer, isRecord: false }
    const value = unit.writer.unique('v')
    const read = unit.read(object, name)
    writer.line(code`const ${value} = ${node === ANY ? unit.anyText(read, pointer) : read}`)
    const isAbsent = code`${value} === undefined`
    const key = `${JSON.stringify(name)}:`
    if (!isRequired && defaultText === undefined) {
      this.#needFlag()
      out.flush()
      writer.block(code`if (${value} !== undefined)`, () => {
        this.#open(key)
        appendValue(node, value, context)
        this.#end()
      })
      return
    }
    if (defaultText === undefined) writer.line(code`if (${isAbsent}) ${unit.missing(pointer)}`)
    this.#open(key)
    this.#isStarted = true
    if (defaultText === undefined) appendValue(node, value, context)
    else if (node === ANY) out.either(isAbsent, defaultText, { before: '', value, after: '' })
    else node.appendUnless(isAbsent, defaultText, value, context)
  }

  /** Patterned and additional properties. */
  #emitOthers(node: ObjectNode, object: Code): void {
    const { unit, out, scope } = this.#context
    this.#needFlag()
    out.flush()
    node.eachOther(object, this.#context, (other, key, given) => {
      const text = unit.writer.unique('t')
      if (other === ANY) {
        scope.writer.line(code`const ${text} = ${unit.anyText(given, '')}`)
        scope.writer.line(code`if (${text} === undefined) continue`)
      }
      this.#open('"')
      out.value(code`${unit.writer.use('escapeText')}(${key})`).text('":')
      appendValue(other, other === ANY ? text : given, { ...this.#context, pointer: '', isRecord: false })
      this.#end()
    })
  }

  /** Declares the flag before the first optional property. */
  #needFlag(): void {
    const { unit, out, scope } = this.#context
    if (this.#isStarted || this.#flag !== undefined) return
    this.#start = out.hold()
    this.#flag = unit.writer.unique('n')
    scope.writer.line(code`let ${this.#flag} = false`)
  }

  /** Ends an optional property. */
  #end(): void {
    const { out, scope } = this.#context
    out.flush()
    if (!this.#isStarted && this.#flag !== undefined) scope.writer.line(code`${this.#flag} = true`)
  }

  /** Appends the beginning of a key, with the comma or brace before it. */
  #open(text: string): void {
    const { out } = this.#context
    if (this.#isStarted) out.text(`,${text}`)
    else if (this.#flag === undefined) out.text(`{${text}`)
    else out.pair(this.#flag, `,${text}`, around('', this.#start, `{${text}`))
  }
}

/** Appends the value of a property; the text of an untyped one is in a variable already. */
function appendValue(node: Node, value: Code, context: TextContext): void {
  if (node === ANY) context.out.value(value)
  else node.append(value, context)
}
