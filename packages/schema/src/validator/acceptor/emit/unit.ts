import { code, type Code } from '../../../codegen/code.ts'
import { compile } from '../../../codegen/compile.ts'
import type { CompilationUnit, CompiledUnit } from '../../../codegen/reference.ts'
import { CodeWriter } from '../../../codegen/writer.ts'
import type { Accept } from '../../accept.ts'
import type { CheckNode, Definition } from '../ir.ts'
import { recordEdit, type Block, type Emission, type PendingEdits, type Target } from './block.ts'
import { emitCheck } from './check.ts'

/** Returns 1 for a valid value, 0 for an invalid one, -1 when only Ajv can decide. */
export type Check = (value: unknown, log?: unknown[], holder?: { value: unknown }) => number

/** A function that checks one definition wherever it is referred to. */
export interface SharedCheck {
  readonly compiled: CompiledUnit<Check>
  /** It notes edits in the list. */
  readonly logsEdits: boolean
  /** It may put another value into the holder. */
  readonly replaces: boolean
}

/** The functions of shared definitions, each compiled once. */
export type SharedChecks = WeakMap<Definition, SharedCheck>

const EXIT = code`return false`
/** The results of a {@link Check} other than 1. */
const REJECTED = code`return 0`
const UNDECIDED = code`return -1`

/** Definitions with more keys than this become functions. */
const MAX_INLINE_SIZE = 60
/** A unit of this size inlines nothing more. */
const MAX_UNIT_SIZE = 2000

/** The assumptions about a function that may call itself. */
const RECURSIVE = { logsEdits: true, replaces: true }

/** Writes one unit: an entry function, and a function for each large or recursive definition. */
class AcceptorUnit implements Emission {
  readonly log: Code
  logged: boolean = false
  readonly #shared: SharedChecks
  readonly #unit: CodeWriter = new CodeWriter()
  readonly #functions: Map<Definition, Code> = new Map()
  /** What functions that edit nothing have decided; undefined while there are none. */
  #decisions: Code | undefined
  #inlining: Set<Definition> = new Set()
  #size: number = 0

  constructor(shared: SharedChecks) {
    this.#shared = shared
    this.log = this.#unit.unique('log')
  }

  write(root: Definition): CompilationUnit {
    this.#inlining.add(root)
    const unit = this.#unit
    const writer = unit.nested()
    const data = unit.unique('data')
    const holder = unit.unique('holder')
    const changed = unit.unique('changed')
    const edits: PendingEdits = { changed, mark: code`${changed} = true`, statements: [] }
    const reassigned = this.check(root.node, { value: data }, { writer, reject: EXIT, defer: EXIT, edits })
    unit.block(code`return function accept(${data}, ${holder})`, () => {
      if (this.#decisions !== undefined) unit.line(code`${this.#decisions}.begin()`)
      unit.line(code`var ${changed} = false`)
      if (this.logged) unit.line(code`var ${this.log} = []`)
      unit.line(writer.toCode())
      if (edits.statements.length > 0) {
        unit.block(code`if (${changed})`, () => edits.statements.forEach((statement) => unit.line(statement)))
      }
      if (this.logged) unit.line(code`if (${this.log}.length > 0) ${unit.use('replay')}(${this.log})`)
      if (reassigned)
        unit.line(code`if (${holder} !== undefined && ${holder}.value !== ${data}) ${holder}.value = ${data}`)
      unit.line(code`return true`)
    })
    return unit.toUnit()
  }

  check(node: CheckNode, target: Target, block: Block): boolean {
    this.#size += 1
    return emitCheck(this, node, target, block)
  }

  reference(definition: Definition, target: Target, block: Block): boolean {
    if (definition.isShared) return this.#callShared(definition, target, block)
    const { node, size, use } = definition
    const inlined = !this.#inlining.has(definition) && this.#size < MAX_UNIT_SIZE && size <= MAX_INLINE_SIZE
    if (!inlined) {
      this.logged ||= use === 'edit'
      return this.#call(this.#functionFor(definition), definition, RECURSIVE, target, block)
    }
    this.#inlining.add(definition)
    const reassigned = this.check(node, target, block)
    this.#inlining.delete(definition)
    return reassigned
  }

  /** Writes the unit of a shared definition. */
  writeShared(definition: Definition): SharedCheck {
    const unit = this.#unit
    this.#inlining.add(definition)
    const replaces = this.#emitFunction(definition, (head, body) =>
      unit.block(code`return function check${head}`, body),
    )
    return { compiled: compile<Check>(unit.toUnit()), logsEdits: this.logged, replaces }
  }

  #callShared(definition: Definition, target: Target, block: Block): boolean {
    const known = this.#shared.get(definition)
    const check = known ?? new AcceptorUnit(this.#shared).writeShared(definition)
    if (known === undefined) this.#shared.set(definition, check)
    if (check.logsEdits) this.logged = true
    const name = this.#unit.bind({ kind: 'unit', compiled: check.compiled }, 'check')
    return this.#call(name, definition, check, target, block)
  }

  /** Writes a call; returns true when it may replace the value. */
  #call(
    name: Code,
    { use }: Definition,
    { logsEdits, replaces }: Omit<SharedCheck, 'compiled'>,
    target: Target,
    block: Block,
  ): boolean {
    const { value } = target
    const { writer } = block
    if (use === 'edit' && replaces) {
      const holder = writer.unique('holder')
      writer.line(code`var ${holder} = { value: ${value} }`)
      writer.line(code`if (${name}(${value}, ${this.log}, ${holder}) !== 1) ${block.reject}`)
      writer.line(
        code`if (${value} !== ${holder}.value) { ${value} = ${holder}.value; ${recordEdit(this, block, target)} }`,
      )
      // A recursive function gets the list before its need for it is known.
      this.logged = true
      return true
    }
    const call = use === 'edit' && logsEdits ? code`${name}(${value}, ${this.log})` : code`${name}(${value})`
    if (use !== 'union') {
      writer.line(code`if (${call} !== 1) ${block.defer}`)
      return false
    }
    const status = writer.unique('status')
    writer.line(code`var ${status} = ${call}`)
    writer.line(code`if (${status} === 0) ${block.reject}; else if (${status} !== 1) ${block.defer}`)
    return false
  }

  #functionFor(definition: Definition): Code {
    const known = this.#functions.get(definition)
    if (known !== undefined) return known
    const name = this.#unit.unique('check')
    this.#functions.set(definition, name)
    const inlining = this.#inlining
    this.#inlining = new Set([definition])
    const written = definition.use === 'edit' ? name : this.#decidedOnce(name)
    this.#emitFunction(definition, (head, body) => this.#unit.block(code`function ${written}${head}`, body))
    this.#inlining = inlining
    return name
  }

  /** Writes a function that calls another one for each value once; returns the name of the other one. */
  #decidedOnce(name: Code): Code {
    const unit = this.#unit
    const decisions = (this.#decisions ??= this.#emitDecisions())
    const written = unit.unique('checkEach')
    const value = unit.unique('v')
    const once = code`${unit.use('decideOnce')}(${decisions}, ${written}, ${value})`
    unit.block(code`function ${name}(${value})`, () =>
      unit.line(code`return ${decisions}.isFree() ? ${written}(${value}) : ${once}`),
    )
    return written
  }

  #emitDecisions(): Code {
    const decisions = this.#unit.unique('decisions')
    this.#unit.line(code`var ${decisions} = ${this.#unit.use('createDecisions')}()`)
    return decisions
  }

  /** Writes a function that returns 1, 0 or -1, see {@link Check}; true when it may replace the value. */
  #emitFunction({ node, use }: Definition, write: (head: Code, body: () => void) => void): boolean {
    const writer = this.#unit.nested()
    const value = writer.unique('v')
    const holder = writer.unique('holder')
    const block: Block = { writer, reject: REJECTED, defer: UNDECIDED, edits: undefined }
    const replaces = this.check(node, { value }, block) && use === 'edit'
    write(code`(${value}, ${this.log}, ${holder})`, () => {
      this.#unit.line(writer.toCode())
      if (replaces) this.#unit.line(code`${holder}.value = ${value}`)
      this.#unit.line(code`return 1`)
    })
    return replaces
  }
}

/** An acceptor as generated code. */
export function compileAcceptor(root: Definition, shared: SharedChecks): CompiledUnit<Accept> {
  return compile<Accept>(new AcceptorUnit(shared).write(root))
}
