/** Builder of one unit of generated code: its writers, its snippets, and the functions of its nodes. */
import { code, name, type Code } from '../../codegen/code.ts'
import type { CompiledUnit, RuntimeCall } from '../../codegen/reference.ts'
import { CodeWriter } from '../../codegen/writer.ts'
import type { Definition, Node, SharedDefinition, SharedFunction } from '../ir.ts'
import { Snippets, type SnippetOptions } from './snippets.ts'
import { PredicateEmitter } from './predicates.ts'
import { createDateWriter } from '../../runtime/dates.ts'
import { childrenOf, isScalar, MAX_DEPTH, TOO_DEEP } from '../nodes.ts'
import { remember } from '../../remember.ts'

/** A function of more nodes than this is split. */
const MAX_FUNCTION_WEIGHT = 150
/** The target of a reference that weighs at most this is inlined. */
const MAX_INLINE_WEIGHT = 24

/** Whether a node is a scalar or untyped, as most nodes are. */
function isLight({ kind }: Node): boolean {
  return kind === 'string' || kind === 'integer' || kind === 'number' || kind === 'boolean' || kind === 'any'
}

/** A node that weighs no more than this never becomes a function. */
const MAX_TRIVIAL_WEIGHT = 2

/** The generated function that is being written. */
export interface FunctionScope {
  readonly writer: CodeWriter
  /** Depth of the recursion, as an expression. */
  readonly depth: Code
  /** Number of nodes that may still be written into the function. */
  readonly budget: { left: number }
}

/** Returns the function of a shared definition, compiled by the back end of the unit. */
export type CompileShared = (definition: SharedDefinition) => CompiledUnit<SharedFunction>

/** The state that the emitters of one unit share. */
export class UnitBuilder {
  readonly writer: CodeWriter = new CodeWriter()
  readonly snippets: Snippets
  readonly predicates: PredicateEmitter
  readonly #dates: RuntimeCall = {
    kind: 'call',
    name: 'createDateWriter',
    args: [],
    value: createDateWriter(),
  }
  readonly #dateTexts = new Map<string, Code>()
  readonly #shared: CompileShared
  readonly #functions = new Map<Definition | Node, Code>()
  readonly #weights = new Map<Node, number>()

  constructor(options: SnippetOptions, shared: CompileShared) {
    this.#shared = shared
    this.snippets = new Snippets(this.writer, options)
    this.predicates = new PredicateEmitter(this.writer)
  }

  /** Creates the scope of a function's body. */
  functionScope(writer: CodeWriter, depth: Code): FunctionScope {
    return { writer, depth, budget: { left: MAX_FUNCTION_WEIGHT } }
  }

  /** Whether a node is to be called as a function rather than written in place. */
  isOutlined(node: Node, scope: FunctionScope): boolean {
    if (node.kind === 'ref' && (node.target.isRecursive || this.#weightOf(node) > MAX_INLINE_WEIGHT))
      return true
    if (isLight(node)) {
      scope.budget.left -= 1
      return false
    }
    const weight = this.#weightOf(node)
    if (weight > MAX_TRIVIAL_WEIGHT && weight > scope.budget.left) return true
    scope.budget.left -= 1
    return false
  }

  /** Estimates the code size of a node, which decides what becomes a function of its own. */
  #weightOf(node: Node): number {
    return remember(this.#weights, node, () => {
      if (node.kind === 'ref') return node.target.isRecursive ? 2 : this.#weightOf(node.target.node)
      let weight = 1
      for (const child of childrenOf(node)) weight += isScalar(child) ? 1 : this.#weightOf(child)
      return weight
    })
  }

  /** Emits `return function shared(value, at) {…}`; `at` is the JSON pointer for errors. */
  emitShared(write: (scope: FunctionScope, value: Code) => void): void {
    const main = this.writer.nested()
    const value = name('value')
    const at = name('at')
    main.block(code`return function shared(${value}, ${at})`, () => {
      main.line(code`try {`)
      write(this.functionScope(main, code`0`), value)
      main.line(code`} ${this.snippets.catchAt(at)}`)
    })
    this.writer.line(main.toCode())
  }

  /** Calls the function of a shared definition. */
  sharedCall(definition: SharedDefinition, value: Code, pointer: string): Code {
    return code`${this.writer.bind({ kind: 'unit', compiled: this.#shared(definition) }, 'shared')}(${value}, ${pointer})`
  }

  /**
   * Returns the name of the function that writes dates in a format. The functions of a unit share one cache.
   */
  dateText(format: string): Code {
    const known = this.#dateTexts.get(format)
    if (known !== undefined) return known
    const own = this.writer.unique('dateText')
    this.#dateTexts.set(format, own)
    this.writer.line(code`const ${own} = ${this.writer.bind(this.#dates, 'dates')}[${format}]`)
    return own
  }

  /** Returns the name of the function of a node; `write` writes its body on first use. */
  functionOf(node: Node, write: (body: Node, scope: FunctionScope, value: Code) => void): Code {
    const key = node.kind === 'ref' ? node.target : node
    const known = this.#functions.get(key)
    if (known !== undefined) return known
    const own = this.writer.unique('f')
    this.#functions.set(key, own)
    const body = this.writer.nested()
    const value = name('input')
    const depth = name('depth')
    body.block(code`function ${own}(${value}, ${depth})`, () => {
      body.line(code`if (${depth} > ${MAX_DEPTH}) ${this.snippets.refuse(TOO_DEEP, '')}`)
      write(node.kind === 'ref' ? node.target.node : node, this.functionScope(body, depth), value)
    })
    this.writer.line(body.toCode())
    return own
  }
}

/** Writes the units of one back end. */
export abstract class Emitter {
  readonly unit: UnitBuilder

  constructor(unit: UnitBuilder) {
    this.unit = unit
  }

  /** Writes the unit: `return` of a function from payload to text. */
  abstract emitRoot(root: Node): void

  /** Writes the body of a function from value to what the back end makes of it. */
  protected abstract emitBody(node: Node, scope: FunctionScope, value: Code): void

  /** Writes the unit of a shared definition: `return` of a function from value and pointer. */
  emitShared(root: Node): void {
    this.unit.emitShared((scope, value) => this.emitBody(root, scope, value))
  }

  /** Calls the function of a node. */
  protected callOf(node: Node, value: Code, { depth }: FunctionScope): Code {
    const callee = this.unit.functionOf(node, (body, inner, input) => this.emitBody(body, inner, input))
    return code`${callee}(${value}, ${depth} + 1)`
  }
}
