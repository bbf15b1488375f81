import { code, type Code } from '../codegen/code.ts'
import { compileUnit } from '../codegen/compile.ts'
import { CodeWriter } from '../codegen/writer.ts'
import { refOf } from '../store/closure.ts'
import { isObject } from '../guards.ts'
import type { SchemaPlace, SchemaScope } from '../resolve-ref.ts'
import {
  loopFrame,
  noteChange,
  REMOVED,
  Unsupported,
  type AcceptorPolicy,
  type Emission,
  type Frame,
  type Notes,
  type Target,
} from './accept-frame.ts'
import { emitSchema } from './accept-schema.ts'

/** Where a value stands that coercion may replace as a whole. */
export interface ValueHolder {
  value: unknown
}

/** Accepts a value, changed as Ajv would change it, or returns false and has changed nothing. */
export type Accept = (data: unknown, holder?: ValueHolder) => boolean

/** Schemas with more keywords than this become functions where they are referred to. */
const MAX_INLINE_SIZE = 60
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

  build(root: SchemaPlace): Accept {
    const unit = this.#unit
    const writer = unit.nested()
    const data = unit.unique('data')
    const holder = unit.unique('holder')
    const notes: Notes = { changed: unit.unique('changed'), statements: [] }
    const exit = code`return false`
    this.#inlining.add(root.schema)
    const target = { value: data }
    const frame = { writer, fail: exit, giveUp: exit, mutable: true, composite: false, notes }
    const reassigned = this.schema(root, target, frame)
    unit.block(code`return function accept(${data}, ${holder})`, () => {
      unit.line(code`var ${notes.changed} = false`)
      if (this.logged) unit.line(code`var ${this.log} = []`)
      unit.line(writer.toCode())
      if (notes.statements.length > 0) {
        unit.block(code`if (${notes.changed})`, () =>
          notes.statements.forEach((statement) => unit.line(statement)),
        )
      }
      if (this.logged)
        unit.line(code`if (${this.log}.length > 0) ${unit.bind(replay, 'replay')}(${this.log})`)
      if (reassigned)
        unit.line(code`if (${holder} !== undefined && ${holder}.value !== ${data}) ${holder}.value = ${data}`)
      unit.line(code`return true`)
    })
    return compileUnit<Accept>(unit)
  }

  schema(place: SchemaPlace, target: Target, frame: Frame): boolean {
    this.#size += 1
    return emitSchema(
      this,
      (site, value, inside) => this.#reference(site, value, inside),
      place,
      target,
      frame,
    )
  }

  #reference(site: SchemaPlace, target: Target, frame: Frame): boolean {
    const place = this.scope.resolve(site, refOf(site) ?? '')
    if (place === undefined) throw new Unsupported('$ref')
    if (!isObject(place.schema)) return this.schema(place, target, frame)
    const { schema } = place
    const inline =
      !this.#inlining.has(schema) &&
      this.#size < MAX_UNIT_SIZE &&
      size(schema, MAX_INLINE_SIZE) <= MAX_INLINE_SIZE
    if (!inline) return this.#call(place, target, frame)
    this.#inlining.add(schema)
    const reassigned = this.schema(place, target, frame)
    this.#inlining.delete(schema)
    return reassigned
  }

  #call(place: SchemaPlace, target: Target, frame: Frame): boolean {
    const { value } = target
    const { writer, mutable } = frame
    const name = this.#functionFor(place, mutable)
    const status = writer.unique('status')
    if (mutable) {
      // The function may put another value in the place of this one: it returns it in a box.
      this.logged = true
      const box = writer.unique('box')
      writer.line(code`var ${box} = { value: ${value} }, ${status} = ${name}(${value}, ${this.log}, ${box})`)
      writer.line(code`if (${status} !== 1) { ${frame.fail} }`)
      writer.line(
        code`if (${value} !== ${box}.value) { ${value} = ${box}.value; ${noteChange(this, frame, target)} }`,
      )
      return true
    }
    writer.line(code`var ${status} = ${name}(${value})`)
    writer.line(
      code`if (${status} !== 1) { if (${status} === 0) { ${frame.fail} } else { ${frame.giveUp} } }`,
    )
    return false
  }

  #functionFor(place: SchemaPlace, mutable: boolean): Code {
    const variants = this.#functions.get(place.schema) ?? new Map<boolean, Code>()
    this.#functions.set(place.schema, variants)
    const known = variants.get(mutable)
    if (known !== undefined) return known
    const name = this.#unit.unique('check')
    variants.set(mutable, name)
    const writer = this.#unit.nested()
    const value = writer.unique('v')
    const box = writer.unique('box')
    const frame: Frame = loopFrame({
      writer,
      fail: code`return 0`,
      giveUp: code`return -1`,
      mutable,
      composite: !mutable,
      notes: undefined,
    })
    const inlining = [...this.#inlining]
    this.#inlining.clear()
    this.#inlining.add(place.schema)
    const reassigned = this.schema(place, { value }, frame)
    this.#inlining.clear()
    for (const schema of inlining) this.#inlining.add(schema)
    this.#unit.block(code`function ${name}(${value}, ${this.log}, ${box})`, () => {
      this.#unit.line(writer.toCode())
      if (mutable && reassigned) this.#unit.line(code`${box}.value = ${value}`)
      this.#unit.line(code`return 1`)
    })
    return name
  }
}

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

/** Makes the noted changes. */
function replay(log: readonly unknown[]): void {
  for (let i = 0; i < log.length; i += 3) {
    const object = log[i]
    const key = log[i + 1]
    if (!isObject(object) || (typeof key !== 'string' && typeof key !== 'number')) continue
    if (log[i + 2] === REMOVED) delete object[key]
    else object[key] = log[i + 2]
  }
}

/** The acceptor of a schema; undefined when the schema has something that only Ajv knows. */
export function compileAcceptor(
  root: SchemaPlace,
  scope: SchemaScope,
  policy: AcceptorPolicy,
): Accept | undefined {
  try {
    return new AcceptorBuilder(scope, policy).build(root)
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}
