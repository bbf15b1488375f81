import { code, type Code } from '../../codegen/code.ts'
import { compile } from '../../codegen/compile.ts'
import type { CompilationUnit, CompiledUnit } from '../../codegen/reference.ts'
import { CodeWriter } from '../../codegen/writer.ts'
import { hasReference, refOf } from '../../document/references.ts'
import { isObject } from '../../guards.ts'
import type { SchemaLocation, SchemaScope } from '../../document/location.ts'
import {
  recordEdit,
  Unsupported,
  type AcceptorPolicy,
  type Check,
  type Emission,
  type Block,
  type SharedCheck,
  type PendingEdits,
  type Target,
} from './context.ts'
import { emitSchema } from './schema.ts'

/** Holds a root value that coercion may replace. */
export interface ValueHolder {
  value: unknown
}

/** Accepts a value and changes it as Ajv would, or returns false and changes nothing. */
export type Accept = (data: unknown, holder?: ValueHolder) => boolean

const EXIT = code`return false`
/** The results of a {@link Check} other than 1. */
const REJECTED = code`return 0`
const UNDECIDED = code`return -1`

/** The target of a reference with more keywords than this becomes a function. */
const MAX_INLINE_SIZE = 60
/** Schemas with no more keywords than this are always inlined. */
const MAX_TINY_SIZE = 6
/** A unit of this size inlines nothing more. */
const MAX_UNIT_SIZE = 2000

/** Writes acceptors: one unit with one entry function and a function per large or recursive `$ref` target. */
class AcceptorBuilder implements Emission {
  readonly policy: AcceptorPolicy
  readonly scope: SchemaScope
  readonly log: Code
  logged: boolean = false
  readonly #unit: CodeWriter = new CodeWriter()
  readonly #functions: Map<unknown, Map<boolean, Code>> = new Map()
  readonly #inlining: Set<unknown> = new Set()
  #size: number = 0

  constructor(scope: SchemaScope, policy: AcceptorPolicy) {
    this.scope = scope
    this.policy = policy
    this.log = this.#unit.unique('log')
  }

  build(root: SchemaLocation): CompilationUnit {
    const unit = this.#unit
    const writer = unit.nested()
    const data = unit.unique('data')
    const holder = unit.unique('holder')
    const changed = unit.unique('changed')
    const edits: PendingEdits = { changed, mark: code`${changed} = true`, statements: [] }
    this.#inlining.add(root.schema)
    const target = { value: data }
    const block = { writer, reject: EXIT, defer: EXIT, mutable: true, inUnion: false, edits }
    const reassigned = this.schema(root, target, block)
    unit.block(code`return function accept(${data}, ${holder})`, () => {
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

  schema(location: SchemaLocation, target: Target, block: Block): boolean {
    this.#size += 1
    return emitSchema(this, location, target, block)
  }

  /** Compiles a function for a schema without references, which all units of an engine share. */
  buildShared(location: SchemaLocation, mutable: boolean): SharedCheck {
    const unit = this.#unit
    this.#inlining.add(location.schema)
    const replaces = this.#emitFunction(location, mutable, (head, body) =>
      unit.block(code`return function check${head}`, body),
    )
    return { compiled: compile<Check>(unit.toUnit()), logsEdits: this.logged, replaces }
  }

  reference(from: SchemaLocation, target: Target, block: Block): boolean {
    const location = this.scope.resolve(from, refOf(from) ?? '')
    if (location === undefined) throw new Unsupported('$ref')
    if (!isObject(location.schema)) return this.schema(location, target, block)
    const { schema } = location
    const known = this.policy.shared.get(schema)?.get(block.mutable)
    if (known !== undefined) return this.#callShared(known, target, block)
    const keys = size(schema, MAX_INLINE_SIZE)
    if (keys > MAX_TINY_SIZE && location.document.sharedId !== undefined && !hasReference(schema)) {
      return this.#callShared(this.#buildSharedCheck(schema, location, block.mutable), target, block)
    }
    const inline = !this.#inlining.has(schema) && this.#size < MAX_UNIT_SIZE && keys <= MAX_INLINE_SIZE
    if (!inline) {
      this.logged ||= block.mutable
      return this.#call(this.#functionFor(location, block.mutable), RECURSIVE, target, block)
    }
    this.#inlining.add(schema)
    const reassigned = this.schema(location, target, block)
    this.#inlining.delete(schema)
    return reassigned
  }

  #callShared(check: SharedCheck, target: Target, block: Block): boolean {
    if (check.logsEdits) this.logged = true
    return this.#call(
      this.#unit.bind({ kind: 'unit', compiled: check.compiled }, 'check'),
      check,
      target,
      block,
    )
  }

  #buildSharedCheck(schema: object, location: SchemaLocation, mutable: boolean): SharedCheck {
    const { shared } = this.policy
    const variants = shared.get(schema) ?? new Map<boolean, SharedCheck>()
    shared.set(schema, variants)
    const check = new AcceptorBuilder(this.scope, this.policy).buildShared(location, mutable)
    variants.set(mutable, check)
    return check
  }

  /** Writes a call; returns true when it may replace the value. */
  #call(
    name: Code,
    { logsEdits, replaces }: Omit<SharedCheck, 'compiled'>,
    target: Target,
    block: Block,
  ): boolean {
    const { value } = target
    const { writer, mutable, inUnion } = block
    if (mutable && replaces) {
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
    const call = mutable && logsEdits ? code`${name}(${value}, ${this.log})` : code`${name}(${value})`
    if (!inUnion) {
      writer.line(code`if (${call} !== 1) ${block.defer}`)
      return false
    }
    const status = writer.unique('status')
    writer.line(code`var ${status} = ${call}`)
    writer.line(code`if (${status} === 0) ${block.reject}; else if (${status} !== 1) ${block.defer}`)
    return false
  }

  #functionFor(location: SchemaLocation, mutable: boolean): Code {
    const variants = this.#functions.get(location.schema) ?? new Map<boolean, Code>()
    this.#functions.set(location.schema, variants)
    const known = variants.get(mutable)
    if (known !== undefined) return known
    const name = this.#unit.unique('check')
    variants.set(mutable, name)
    const inlining = [...this.#inlining]
    this.#inlining.clear()
    this.#inlining.add(location.schema)
    this.#emitFunction(location, mutable, (head, body) =>
      this.#unit.block(code`function ${name}${head}`, body),
    )
    this.#inlining.clear()
    for (const schema of inlining) this.#inlining.add(schema)
    return name
  }

  /** Writes a function that is a {@link Check}; returns true when it may replace the value. */
  #emitFunction(
    location: SchemaLocation,
    mutable: boolean,
    write: (head: Code, body: () => void) => void,
  ): boolean {
    const writer = this.#unit.nested()
    const value = writer.unique('v')
    const holder = writer.unique('holder')
    const block: Block = {
      writer,
      reject: REJECTED,
      defer: UNDECIDED,
      mutable,
      inUnion: !mutable,
      edits: undefined,
    }
    const replaces = this.schema(location, { value }, block) && mutable
    write(code`(${value}, ${this.log}, ${holder})`, () => {
      this.#unit.line(writer.toCode())
      if (replaces) this.#unit.line(code`${holder}.value = ${value}`)
      this.#unit.line(code`return 1`)
    })
    return replaces
  }
}

/** The assumptions about a function that may call itself. */
const RECURSIVE = { logsEdits: true, replaces: true }

/** Counts the keys in a schema, up to a limit. */
function size(value: unknown, limit: number): number {
  if (!isObject(value)) return 0
  let count = 0
  for (const entry of Object.values(value)) {
    count += 1 + size(entry, limit)
    if (count > limit) return count
  }
  return count
}

/** Compiles the acceptor of a schema; returns undefined when a keyword needs Ajv. */
export function compileAcceptor(
  root: SchemaLocation,
  scope: SchemaScope,
  policy: AcceptorPolicy,
): CompiledUnit<Accept> | undefined {
  try {
    return compile<Accept>(new AcceptorBuilder(scope, policy).build(root))
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}
