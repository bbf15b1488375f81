/** One unit of generated code: its writer, the functions of its nodes, and the snippets that they have in common. */
import { code, name, property, type Code } from '../../codegen/code.ts'
import { compile } from '../../codegen/compile.ts'
import type { CompilationUnit, CompiledUnit } from '../../codegen/reference.ts'
import { CodeWriter } from '../../codegen/writer.ts'
import { remember } from '../../remember.ts'
import { createDateWriter } from '../../runtime/dates.ts'
import { MAX_DEPTH, TOO_DEEP } from '../nodes/definitions.ts'
import type { Node } from '../nodes/node.ts'
import { isOwnRead } from '../nodes/reads.ts'
import { RefNode, type Definition } from '../nodes/reference.ts'
import { PredicateEmitter } from './predicates.ts'

/** A function of more nodes than this is split. */
const MAX_FUNCTION_WEIGHT = 150
/** Targets of references up to this size are inlined. */
const MAX_INLINE_WEIGHT = 24
/** Nodes up to this size never become functions. */
const MAX_TRIVIAL_WEIGHT = 2

/** The generated function that is being written. */
export interface FunctionScope {
  readonly writer: CodeWriter
  /** Depth of the recursion, as an expression. */
  readonly depth: Code
  /** Number of nodes that may still be written into the function. */
  readonly budget: { left: number }
}

/** Where the code of a value is written. */
export interface CodeContext {
  readonly unit: Unit
  readonly scope: FunctionScope
  /** JSON pointer of the value, relative to the generated function that prefixes its errors. */
  readonly pointer: string
  /** The value is an object (no array, no date) whose `toJSON` has been called. */
  readonly isRecord: boolean
}

/** Takes a value and its JSON pointer; returns text or a copy. */
export type SharedFunction = (value: unknown, at: string) => unknown

/** The compiled functions of shared definitions, by the form of their units. */
export type SharedFunctions = WeakMap<Definition, Map<string, CompiledUnit<SharedFunction>>>

/** The kinds of units: those that write text, and those that make copies. */
export interface UnitForm {
  /** The key for the functions of shared definitions. */
  readonly name: string
  /** Reads own properties only, with a test for each; needed when `Object.prototype` is polluted. */
  readonly ownReads: boolean
  /** Creates lists with their final length, which is faster on V8 12 and later. */
  readonly preallocates: boolean
  /** Writes the body of the serializer. */
  readonly emitRoot: EmitBody
  /** Writes the body of a function from a value to text or a copy. */
  readonly emitBody: EmitBody
}

type EmitBody = (unit: Unit, node: Node, scope: FunctionScope, value: Code) => void

/** Writes the code of one serializer, or of one shared definition. */
export class Unit {
  readonly writer: CodeWriter = new CodeWriter()
  readonly predicates: PredicateEmitter = new PredicateEmitter(this.writer)
  readonly form: UnitForm
  readonly #shared: SharedFunctions
  readonly #dates = { kind: 'call', name: 'createDateWriter', args: [], value: createDateWriter() } as const
  readonly #dateTexts = new Map<string, Code>()
  readonly #functions = new Map<Definition | Node, Code>()

  constructor(shared: SharedFunctions, form: UnitForm) {
    this.#shared = shared
    this.form = form
  }

  /** Returns the unit of a function from payload to text. */
  serialize(root: Node): CompilationUnit {
    const payload = name('payload')
    this.#function(code`return function serialize(${payload})`, code`0`, (scope) =>
      this.form.emitRoot(this, root, scope, payload),
    )
    return this.writer.toUnit()
  }

  /** Calls the function of a shared definition. The first serializer that needs it compiles it. */
  sharedCall(definition: Definition, value: Code, pointer: string): Code {
    const byForm = remember(this.#shared, definition, () => new Map<string, CompiledUnit<SharedFunction>>())
    const compiled = remember(byForm, this.form.name, () =>
      new Unit(this.#shared, this.form).#compileShared(definition.node),
    )
    return code`${this.writer.bind({ kind: 'unit', compiled }, 'shared')}(${value}, ${pointer})`
  }

  #compileShared(node: Node): CompiledUnit<SharedFunction> {
    const [value, at] = [name('value'), name('at')]
    this.#function(code`return function shared(${value}, ${at})`, code`0`, (scope) => {
      scope.writer.line(code`try {`)
      this.form.emitBody(this, node, scope, value)
      scope.writer.line(code`} ${this.catchAt(at)}`)
    })
    return compile<SharedFunction>(this.writer.toUnit())
  }

  /** Calls the function of a node, which is written on first use. */
  callOf(node: Node, value: Code, { depth }: FunctionScope): Code {
    const [key, body] = node instanceof RefNode ? [node.target, node.target.node] : [node, node]
    return code`${this.#functions.get(key) ?? this.#functionOf(key, body)}(${value}, ${depth} + 1)`
  }

  #functionOf(key: Definition | Node, body: Node): Code {
    const own = this.writer.unique('f')
    this.#functions.set(key, own)
    const [value, depth] = [name('input'), name('depth')]
    this.#function(code`function ${own}(${value}, ${depth})`, depth, (scope) => {
      scope.writer.line(code`if (${depth} > ${MAX_DEPTH}) ${this.refuse(TOO_DEEP, '')}`)
      this.form.emitBody(this, body, scope, value)
    })
    return own
  }

  #function(head: Code, depth: Code, body: (scope: FunctionScope) => void): void {
    const writer = this.writer.nested()
    writer.block(head, () => body({ writer, depth, budget: { left: MAX_FUNCTION_WEIGHT } }))
    this.writer.line(writer.toCode())
  }

  /** Whether a node is to be called as a function rather than written in place. */
  isOutlined(node: Node, { budget }: FunctionScope): boolean {
    const { weight } = node
    if (node instanceof RefNode && (node.target.isRecursive || weight > MAX_INLINE_WEIGHT)) return true
    if (weight > MAX_TRIVIAL_WEIGHT && weight > budget.left) return true
    budget.left -= 1
    return false
  }

  /**
   * Returns the name of the function that writes dates in a format. The functions of a unit share one cache.
   */
  dateText(format: string): Code {
    return remember(this.#dateTexts, format, () => {
      const own = this.writer.unique('dateText')
      this.writer.line(code`const ${own} = ${this.writer.bind(this.#dates, 'dates')}[${format}]`)
      return own
    })
  }

  /** Text of any value as an expression that may be `undefined`. */
  anyText(value: Code, pointer: string): Code {
    return code`${this.writer.use('anyText')}(${value}, ${pointer})`
  }

  /** Reads an own property; without a test where a guard has excluded inherited ones. */
  read(object: Code, key: string): Code {
    return isOwnRead(key, this.form.ownReads) ? this.readOwn(object, key) : property(object, key)
  }

  /** Reads an own property of any object. */
  readOwn(object: Code, key: string): Code {
    return code`(${this.writer.use('hasOwn')}(${object}, ${key}) ? ${property(object, key)} : undefined)`
  }

  /** Throws the error of a missing required property. */
  missing(pointer: string): Code {
    return code`${this.writer.use('missing')}(${pointer})`
  }

  /** Throws for a reason known at build time. */
  refuse(reason: string, pointer: string): Code {
    return code`${this.writer.use('refuse')}(${reason}, ${pointer})`
  }

  /** `catch` clause that adds a prefix to the pointer of an error. */
  catchAt(pointer: string | Code, key?: Code): Code {
    const more = key === undefined ? code`` : code`, ${key}`
    return code`catch (e) { throw ${this.writer.use('prefixPointer')}(e, ${pointer}${more}) }`
  }
}
