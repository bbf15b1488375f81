import { code, type Code } from '../codegen/code.ts'
import { compile } from '../codegen/compile.ts'
import type { CompilationUnit, CompiledUnit } from '../codegen/reference.ts'
import { CodeWriter } from '../codegen/writer.ts'
import { hasReference } from '../document/references.ts'
import { isObject } from '../guards.ts'
import { remember } from '../remember.ts'
import { recordEdit, type Block, type Emission, type PendingEdits, type Target } from './code.ts'
import { EDIT, UNION, type Use } from './look.ts'
import type { SchemaNode } from './node.ts'

/** Returns 1 for a valid value, 0 for an invalid one, -1 when only a walk can decide. */
type Check = (value: unknown, log?: unknown[], holder?: { value: unknown }) => number

/** A function that checks one shared schema for all references. */
interface SharedCheck {
  readonly compiled: CompiledUnit<Check>
  /** It notes edits in the list. */
  readonly isLogged: boolean
  /** It may put another value into the holder. */
  readonly replaces: boolean
}

/** The functions of shared schemas, by the schema and by what they may do with a value; each is compiled once. */
export type SharedChecks = WeakMap<object, Map<Use, SharedCheck>>

const EXIT = code`return false`
/** The results of a {@link Check} other than 1. */
const REJECTED = code`return 0`
const UNDECIDED = code`return -1`

/** Schemas with more keys than this become functions. */
const MAX_INLINE_SIZE = 60
/** Schemas with no more keys than this are never shared. */
const MAX_TINY_SIZE = 6
/** The maximum number of inlined references in a unit. */
const MAX_INLINED = 60

/** The assumptions about a function that may call itself. */
const RECURSIVE = { isLogged: true, replaces: true }

/** Writes one unit: an entry function, and one function for each large or recursive schema per use. */
export class CodeUnit implements Emission {
  readonly log: Code
  isLogged: boolean = false
  readonly #shared: SharedChecks
  readonly #unit: CodeWriter = new CodeWriter()
  readonly #functions: Map<Use, Map<unknown, Code>> = new Map()
  /** The results of functions that edit nothing; undefined while there are none. */
  #decisions: Code | undefined = undefined
  #open: Set<unknown> = new Set()
  #inlined: number = 0

  constructor(shared: SharedChecks) {
    this.#shared = shared
    this.log = this.#unit.unique('log')
  }

  /** Writes the function that accepts a value, or leaves it unchanged. */
  write(root: SchemaNode): CompilationUnit {
    this.#open.add(root.location.schema)
    const unit = this.#unit
    const writer = unit.nested()
    const [data, holder, changed] = [unit.unique('data'), unit.unique('holder'), unit.unique('changed')]
    const edits: PendingEdits = { changed, statements: [] }
    const block: Block = { writer, reject: EXIT, defer: EXIT, use: EDIT, edits, unit: this }
    const reassigned = root.plan.emit({ value: data }, block)
    unit.block(code`return function accept(${data}, ${holder})`, () => {
      if (this.#decisions !== undefined) unit.line(code`${this.#decisions}.begin()`)
      unit.line(code`var ${changed} = false`)
      if (this.isLogged) unit.line(code`var ${this.log} = []`)
      unit.line(writer.toCode())
      if (edits.statements.length > 0) {
        unit.block(code`if (${changed})`, () => edits.statements.forEach((statement) => unit.line(statement)))
      }
      if (this.isLogged) unit.line(code`if (${this.log}.length > 0) ${unit.use('replay')}(${this.log})`)
      if (reassigned)
        unit.line(code`if (${holder} !== undefined && ${holder}.value !== ${data}) ${holder}.value = ${data}`)
      unit.line(code`return true`)
    })
    return unit.toUnit()
  }

  reference(node: SchemaNode, target: Target, block: Block): boolean {
    const { schema, document } = node.location
    const size = sizeOf(schema, MAX_INLINE_SIZE)
    const isShared = document.sharedId !== undefined && size > MAX_TINY_SIZE && !hasReference(schema)
    if (isShared && isObject(schema)) return this.#callShared(node, schema, target, block)
    if (this.#open.has(schema) || this.#inlined >= MAX_INLINED || size > MAX_INLINE_SIZE) {
      this.isLogged ||= block.use === EDIT
      return this.#call(this.#functionFor(node, block.use), RECURSIVE, target, block)
    }
    this.#open.add(schema)
    this.#inlined += 1
    const reassigned = node.plan.emit(target, block)
    this.#open.delete(schema)
    return reassigned
  }

  #callShared(node: SchemaNode, schema: object, target: Target, block: Block): boolean {
    const { use } = block
    const byUse = remember(this.#shared, schema, () => new Map<Use, SharedCheck>())
    const check = remember(byUse, use, () => new CodeUnit(this.#shared).#writeShared(node, use))
    if (check.isLogged) this.isLogged = true
    const name = this.#unit.bind({ kind: 'unit', compiled: check.compiled }, 'check')
    return this.#call(name, check, target, block)
  }

  /** Writes the unit of a shared schema. */
  #writeShared(node: SchemaNode, use: Use): SharedCheck {
    const unit = this.#unit
    this.#open.add(node.location.schema)
    const replaces = this.#emitFunction(code`return function check`, node, use)
    return { compiled: compile<Check>(unit.toUnit()), isLogged: this.isLogged, replaces }
  }

  /** Writes a call; returns true when it may replace the value. */
  #call(
    name: Code,
    { isLogged, replaces }: Omit<SharedCheck, 'compiled'>,
    target: Target,
    block: Block,
  ): boolean {
    const { value } = target
    const { writer, use, reject, defer } = block
    if (use === EDIT && replaces) {
      const holder = writer.unique('holder')
      writer.line(code`var ${holder} = { value: ${value} }`)
      writer.line(code`if (${name}(${value}, ${this.log}, ${holder}) !== 1) ${reject}`)
      writer.line(
        code`if (${value} !== ${holder}.value) { ${value} = ${holder}.value; ${recordEdit(block, target)} }`,
      )
      // A recursive function gets the list before it is known whether it needs it.
      this.isLogged = true
      return true
    }
    const call = use === EDIT && isLogged ? code`${name}(${value}, ${this.log})` : code`${name}(${value})`
    if (use !== UNION) {
      writer.line(code`if (${call} !== 1) ${defer}`)
      return false
    }
    const status = writer.unique('status')
    writer.line(code`var ${status} = ${call}`)
    writer.line(code`if (${status} === 0) ${reject}; else if (${status} !== 1) ${defer}`)
    return false
  }

  #functionFor(node: SchemaNode, use: Use): Code {
    const { schema } = node.location
    const functions = remember(this.#functions, use, () => new Map<unknown, Code>())
    const known = functions.get(schema)
    if (known !== undefined) return known
    const name = this.#unit.unique('check')
    functions.set(schema, name)
    const open = this.#open
    this.#open = new Set([schema])
    const written = use === EDIT ? name : this.#decidedOnce(name)
    this.#emitFunction(code`function ${written}`, node, use)
    this.#open = open
    return name
  }

  /** Writes a function that calls another one once per value; returns the name of the other one. */
  #decidedOnce(name: Code): Code {
    const unit = this.#unit
    if (this.#decisions === undefined) {
      this.#decisions = unit.unique('decisions')
      unit.line(code`var ${this.#decisions} = ${unit.use('createDecisions')}()`)
    }
    const decisions = this.#decisions
    const [written, value] = [unit.unique('checkEach'), unit.unique('v')]
    const once = code`${unit.use('decideOnce')}(${decisions}, ${written}, ${value})`
    unit.block(code`function ${name}(${value})`, () =>
      unit.line(code`return ${decisions}.isFree() ? ${written}(${value}) : ${once}`),
    )
    return written
  }

  /** Writes a function that returns 1, 0 or -1, see {@link Check}; true when it may replace the value. */
  #emitFunction(head: Code, node: SchemaNode, use: Use): boolean {
    const unit = this.#unit
    const writer = unit.nested()
    const [value, holder] = [writer.unique('v'), writer.unique('holder')]
    const block: Block = { writer, reject: REJECTED, defer: UNDECIDED, use, edits: undefined, unit: this }
    const replaces = node.plan.emit({ value }, block) && use === EDIT
    unit.block(code`${head}(${value}, ${this.log}, ${holder})`, () => {
      unit.line(writer.toCode())
      if (replaces) unit.line(code`${holder}.value = ${value}`)
      unit.line(code`return 1`)
    })
    return replaces
  }
}

/** Counts the keys in a schema, up to a limit. */
function sizeOf(value: unknown, limit: number): number {
  if (!isObject(value)) return 0
  let count = 0
  for (const entry of Object.values(value)) {
    count += 1 + sizeOf(entry, limit)
    if (count > limit) return count
  }
  return count
}
