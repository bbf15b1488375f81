/** Snippets of code that both back ends use: tests of kinds, reads of properties, guards of containers. */
import { code, join, nothing, property, type Code } from '../../codegen/code.ts'
import type { RuntimeName } from '../../codegen/reference.ts'
import type { CodeWriter } from '../../codegen/writer.ts'
import type { ArrayNode, Node, ObjectNode, ValueKind } from '../ir.ts'
import { tooLong } from '../nodes.ts'
import type { ValueContext } from './containers.ts'

const OBJECT_NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))
/** Up to this number of names a `switch` beats a set. */
const MAX_SWITCH_NAMES = 12

/** How the code of one unit is written. */
export interface SnippetOptions {
  /** Reads own properties only, with a test for each; needed when `Object.prototype` is polluted. */
  readonly ownReads: boolean
}

/** Makes snippets of code for one unit. */
export class Snippets {
  readonly #writer: CodeWriter
  readonly #options: SnippetOptions

  constructor(writer: CodeWriter, options: SnippetOptions) {
    this.#writer = writer
    this.#options = options
  }

  /** Reads an own property; without a test where a guard has excluded inherited ones. */
  read(object: Code, name: string): Code {
    const isGuarded = this.#options.ownReads || OBJECT_NAMES.has(name)
    return isGuarded ? this.readOwn(object, name) : property(object, name)
  }

  /** Reads an own property of any object. */
  readOwn(object: Code, name: string): Code {
    return code`(${this.#writer.use('hasOwn')}(${object}, ${name}) ? ${property(object, name)} : undefined)`
  }

  /** Reads an own property of an object that is plain most of the time. */
  readTag(object: Code, name: string): Code {
    if (this.#options.ownReads || OBJECT_NAMES.has(name)) return this.readOwn(object, name)
    const isPlain = code`${this.#writer.use('prototypeOf')}(${object}) === ${this.#writer.use('plainPrototype')}`
    return code`(${isPlain} ? ${property(object, name)} : ${this.readOwn(object, name)})`
  }

  /** Throws the error of a missing required property. */
  missing(pointer: string): Code {
    return code`${this.#writer.use('missing')}(${pointer})`
  }

  /** Throws for a reason known at build time. */
  refuse(reason: string, pointer: string): Code {
    return code`${this.#writer.use('refuse')}(${reason}, ${pointer})`
  }

  /** Throws for another value than those that a node names. */
  refuseOthers(node: Extract<Node, { kind: 'const' | 'enum' }>, value: Code, pointer: string): Code {
    const [test, expected, words] =
      node.kind === 'const'
        ? (['isConstant', node.value, 'the constant of the schema'] as const)
        : (['isOneOf', node.values, 'one of the values of the enum'] as const)
    const literal = this.#writer.bind({ kind: 'literal', value: expected }, 'literal')
    const refusal = this.refuse(`the value is not ${words}`, pointer)
    return code`if (!${this.#writer.use(test)}(${value}, ${literal})) ${refusal}`
  }

  /** `catch` clause that adds a prefix to the pointer of an error. */
  catchAt(pointer: string | Code, key?: Code): Code {
    return code`catch (e) { throw ${this.#writer.use('prefixPointer')}(e, ${pointer}${key === undefined ? code`` : code`, ${key}`}) }`
  }

  /** The object that a node reads; any value that is not a plain object is converted first. */
  object(
    node: ObjectNode,
    value: Code,
    { pointer, isRecord }: Pick<ValueContext, 'pointer' | 'isRecord'>,
  ): Code {
    const names = namesOf(node)
    const isOpen = node.additional !== undefined || node.patterns.length > 0
    const own = this.#writer.bind({ kind: 'literal', value: { names, isOpen } }, 'own')
    const convert = this.#writer.use(objectConverter(node.strict, isRecord))
    const prototypeOf = this.#writer.use('prototypeOf')
    const plain = this.#writer.use('plainPrototype')
    if (isRecord) {
      return code`(${prototypeOf}(${value}) !== ${plain} ? ${convert}(${value}, ${own}, ${pointer}) : ${value})`
    }
    return code`(typeof ${value} !== 'object' || ${value} === null || ${value}.toJSON !== undefined || ${prototypeOf}(${value}) !== ${plain} ? ${convert}(${value}, ${own}, ${pointer}) : ${value})`
  }

  /** The array that a node reads. */
  array(node: ArrayNode, value: Code, pointer: string): Code {
    const convert = this.#writer.use(node.strict ? 'strictArray' : 'compatArray')
    return code`(${this.#writer.use('isArray')}(${value}) && ${value}.toJSON === undefined ? ${value} : ${convert}(${value}, ${pointer}))`
  }

  /** Replaces an object by its JSON form, before its kind is tested. */
  unwrapped(value: Code, keepsText: boolean): Code {
    const convert = keepsText ? this.#writer.use('unwrapText') : this.#writer.use('unwrap')
    return code`(typeof ${value} === 'object' && ${value} !== null && !${this.#writer.use('isArray')}(${value}) && ${value}.toJSON !== undefined ? ${convert}(${value}) : ${value})`
  }

  /** Whether a value is of one of the kinds. */
  isOfKind(value: Code, kinds: readonly ValueKind[]): Code {
    const has = (kind: ValueKind): boolean => kinds.includes(kind)
    const tests: Code[] = []
    if (has('null')) tests.push(code`${value} === null`)
    if (has('boolean')) tests.push(code`typeof ${value} === 'boolean'`)
    if (has('integer') && has('fraction')) tests.push(code`typeof ${value} === 'number'`)
    else if (has('integer')) tests.push(code`Number.isInteger(${value})`)
    else if (has('fraction')) tests.push(code`(typeof ${value} === 'number' && !Number.isInteger(${value}))`)
    if (has('integer')) tests.push(code`typeof ${value} === 'bigint'`)
    if (has('string')) tests.push(code`typeof ${value} === 'string' || ${value} instanceof Date`)
    if (has('array')) tests.push(code`${this.#writer.use('isArray')}(${value})`)
    if (has('object') || has('text-object')) tests.push(this.#isObject(value, kinds))
    return code`(${join(tests, code` || `)})`
  }

  /** Whether a value is (deeply) equal to a JSON value of the schema. */
  isLiteral(value: Code, literal: unknown): Code {
    switch (typeof literal) {
      case 'string':
      case 'number':
      case 'boolean':
        return code`${value} === ${literal}`
      default:
        return literal === null
          ? code`${value} === null`
          : code`${this.#writer.use('isSameJson')}(${value}, ${this.#writer.bind({ kind: 'literal', value: literal }, 'literal')})`
    }
  }

  /** The statement that skips a declared key. */
  skipDeclared(key: Code, node: ObjectNode): Code {
    const names = node.properties.map((entry) => entry.name)
    if (names.length === 0) return nothing
    if (names.length > MAX_SWITCH_NAMES) {
      const set = this.#writer.bind({ kind: 'set', items: names }, 'declared')
      return code`if (${set}.has(${key})) continue`
    }
    const labels = join(
      names.map((name) => code`case ${name}:`),
      code` `,
    )
    return code`switch (${key}) { ${labels} continue }`
  }

  /** The statement that skips a key whose value has no JSON text. */
  skipAbsent(value: Code): Code {
    return code`if (${value} === undefined || typeof ${value} === 'function' || typeof ${value} === 'symbol') continue`
  }

  /** Throws when an array has more items than allowed. */
  checkLength(items: Code, length: number, pointer: string): Code {
    return code`if (${items}.length > ${length}) ${this.refuse(tooLong(length), `${pointer}/${length}`)}`
  }

  #isObject(value: Code, kinds: readonly ValueKind[]): Code {
    const isObject = code`(typeof ${value} === 'object' && ${value} !== null && !${this.#writer.use('isArray')}(${value}) && !(${value} instanceof Date))`
    const isText = code`${this.#writer.use('isTextObject')}(${value})`
    if (!kinds.includes('object')) return isText
    return kinds.includes('text-object') ? isObject : code`(${isObject} && !${isText})`
  }
}

/** The names of all properties that a node reads. */
function namesOf({ properties, requiredOnly }: ObjectNode): string[] {
  const names: string[] = []
  for (const { name } of properties) names.push(name)
  for (const name of requiredOnly) names.push(name)
  return names
}

function objectConverter(strict: boolean, isRecord: boolean): RuntimeName {
  if (isRecord) return strict ? 'strictOwnObject' : 'ownObject'
  return strict ? 'strictObject' : 'compatObject'
}
