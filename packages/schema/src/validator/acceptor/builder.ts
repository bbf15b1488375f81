import { code, type Code } from '../../codegen/code.ts'
import { compile } from '../../codegen/compile.ts'
import type { CompilationUnit, CompiledUnit } from '../../codegen/reference.ts'
import { CodeWriter } from '../../codegen/writer.ts'
import { hasReference, refOf } from '../../document/references.ts'
import { isObject } from '../../guards.ts'
import type { SchemaLocation, SchemaScope } from '../../document/location.ts'
import {
  noteChange,
  Unsupported,
  type AcceptorPolicy,
  type Check,
  type Emission,
  type Frame,
  type SharedCheck,
  type Notes,
  type Target,
} from './context.ts'
import { emitSchema } from './schema.ts'

/** Where a value stands that coercion may replace as a whole. */
export interface ValueHolder {
  value: unknown
}

/** Accepts a value, changed as Ajv would change it, or returns false and has changed nothing. */
export type Accept = (data: unknown, holder?: ValueHolder) => boolean

const EXIT = code`return false`
/** What the functions of {@link SharedCheck} return when they do not return 1. */
const FITS_NOT = code`return 0`
const UNDECIDED = code`return -1`

/** Schemas with more keywords than this become functions where they are referred to. */
const MAX_INLINE_SIZE = 60
/** Schemas with no more keywords than this are always written in place. */
const MAX_TINY_SIZE = 6
/** A unit that has grown this large inlines nothing any more. */
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
    const notes: Notes = { changed, mark: code`${changed} = true`, statements: [] }
    this.#inlining.add(root.schema)
    const target = { value: data }
    const frame = { writer, fail: EXIT, giveUp: EXIT, mutable: true, composite: false, notes }
    const reassigned = this.schema(root, target, frame)
    unit.block(code`return function accept(${data}, ${holder})`, () => {
      unit.line(code`var ${changed} = false`)
      if (this.logged) unit.line(code`var ${this.log} = []`)
      unit.line(writer.toCode())
      if (notes.statements.length > 0) {
        unit.block(code`if (${changed})`, () => notes.statements.forEach((statement) => unit.line(statement)))
      }
      if (this.logged) unit.line(code`if (${this.log}.length > 0) ${unit.use('replay')}(${this.log})`)
      if (reassigned)
        unit.line(code`if (${holder} !== undefined && ${holder}.value !== ${data}) ${holder}.value = ${data}`)
      unit.line(code`return true`)
    })
    return unit.toUnit()
  }

  schema(place: SchemaLocation, target: Target, frame: Frame): boolean {
    this.#size += 1
    return emitSchema(this, place, target, frame)
  }

  /** A function for a schema without references, to be shared by all units of an engine. */
  buildLeaf(place: SchemaLocation, mutable: boolean): SharedCheck {
    const unit = this.#unit
    this.#inlining.add(place.schema)
    const replaces = this.#emitFunction(place, mutable, (head, body) =>
      unit.block(code`return function check${head}`, body),
    )
    return { compiled: compile<Check>(unit.toUnit()), logs: this.logged, replaces }
  }

  reference(site: SchemaLocation, target: Target, frame: Frame): boolean {
    const place = this.scope.resolve(site, refOf(site) ?? '')
    if (place === undefined) throw new Unsupported('$ref')
    if (!isObject(place.schema)) return this.schema(place, target, frame)
    const { schema } = place
    const known = this.policy.leaves.get(schema)?.get(frame.mutable)
    if (known !== undefined) return this.#callLeaf(known, target, frame)
    const keys = size(schema, MAX_INLINE_SIZE)
    if (keys > MAX_TINY_SIZE && place.document.sharedId !== undefined && !hasReference(schema)) {
      return this.#callLeaf(this.#makeLeaf(schema, place, frame.mutable), target, frame)
    }
    const inline = !this.#inlining.has(schema) && this.#size < MAX_UNIT_SIZE && keys <= MAX_INLINE_SIZE
    if (!inline) {
      this.logged ||= frame.mutable
      return this.#call(this.#functionFor(place, frame.mutable), RECURSIVE, target, frame)
    }
    this.#inlining.add(schema)
    const reassigned = this.schema(place, target, frame)
    this.#inlining.delete(schema)
    return reassigned
  }

  #callLeaf(leaf: SharedCheck, target: Target, frame: Frame): boolean {
    if (leaf.logs) this.logged = true
    return this.#call(
      this.#unit.bind({ kind: 'unit', compiled: leaf.compiled }, 'check'),
      leaf,
      target,
      frame,
    )
  }

  #makeLeaf(schema: object, place: SchemaLocation, mutable: boolean): SharedCheck {
    const { leaves } = this.policy
    const variants = leaves.get(schema) ?? new Map<boolean, SharedCheck>()
    leaves.set(schema, variants)
    const leaf = new AcceptorBuilder(this.scope, this.policy).buildLeaf(place, mutable)
    variants.set(mutable, leaf)
    return leaf
  }

  /** Calls a function; true when it may replace the value. */
  #call(
    name: Code,
    { logs, replaces }: Omit<SharedCheck, 'compiled'>,
    target: Target,
    frame: Frame,
  ): boolean {
    const { value } = target
    const { writer, mutable, composite } = frame
    if (mutable && replaces) {
      const box = writer.unique('box')
      writer.line(code`var ${box} = { value: ${value} }`)
      writer.line(code`if (${name}(${value}, ${this.log}, ${box}) !== 1) ${frame.fail}`)
      writer.line(
        code`if (${value} !== ${box}.value) { ${value} = ${box}.value; ${noteChange(this, frame, target)} }`,
      )
      // The list is passed on even by functions that turn out not to need it.
      this.logged = true
      return true
    }
    const call = mutable && logs ? code`${name}(${value}, ${this.log})` : code`${name}(${value})`
    if (!composite) {
      writer.line(code`if (${call} !== 1) ${frame.giveUp}`)
      return false
    }
    const status = writer.unique('status')
    writer.line(code`var ${status} = ${call}`)
    writer.line(code`if (${status} === 0) ${frame.fail}; else if (${status} !== 1) ${frame.giveUp}`)
    return false
  }

  #functionFor(place: SchemaLocation, mutable: boolean): Code {
    const variants = this.#functions.get(place.schema) ?? new Map<boolean, Code>()
    this.#functions.set(place.schema, variants)
    const known = variants.get(mutable)
    if (known !== undefined) return known
    const name = this.#unit.unique('check')
    variants.set(mutable, name)
    const inlining = [...this.#inlining]
    this.#inlining.clear()
    this.#inlining.add(place.schema)
    this.#emitFunction(place, mutable, (head, body) => this.#unit.block(code`function ${name}${head}`, body))
    this.#inlining.clear()
    for (const schema of inlining) this.#inlining.add(schema)
    return name
  }

  /** Writes a function that returns 1, 0 or -1, see {@link SharedCheck}; true when it may replace the value. */
  #emitFunction(
    place: SchemaLocation,
    mutable: boolean,
    write: (head: Code, body: () => void) => void,
  ): boolean {
    const writer = this.#unit.nested()
    const value = writer.unique('v')
    const box = writer.unique('box')
    const frame: Frame = {
      writer,
      fail: FITS_NOT,
      giveUp: UNDECIDED,
      mutable,
      composite: !mutable,
      notes: undefined,
    }
    const replaces = this.schema(place, { value }, frame) && mutable
    write(code`(${value}, ${this.log}, ${box})`, () => {
      this.#unit.line(writer.toCode())
      if (replaces) this.#unit.line(code`${box}.value = ${value}`)
      this.#unit.line(code`return 1`)
    })
    return replaces
  }
}

/** What is known beforehand about a function that may call itself. */
const RECURSIVE = { logs: true, replaces: true }

/** Number of keys in a schema, counted up to a limit. */
function size(value: unknown, limit: number): number {
  if (!isObject(value)) return 0
  let count = 0
  for (const entry of Object.values(value)) {
    count += 1 + size(entry, limit)
    if (count > limit) return count
  }
  return count
}

/** The acceptor of a schema; undefined when the schema has something that only Ajv knows. */
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
