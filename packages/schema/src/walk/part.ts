import { code, type Code } from '../codegen/code.ts'
import type { CodeWriter } from '../codegen/writer.ts'
import type { JsonType } from '../document/json-types.ts'
import type { Coercer } from '../runtime/coerce.ts'
import type { Block, Target } from './code.ts'
import { FAILED, PASSED, type Frame, type Mode, type Outcome, type Rule } from './walk.ts'
import type { Defaults } from './defaults.ts'
import type { Narrow } from './leaf.ts'
import { ASK, JUDGE, NO, YES, type Look, type Use, type Verdict } from './look.ts'
import type { SchemaNode } from './node.ts'
import type { Container, Value } from './value.ts'

/** A keyword as one schema has it. Values of other kinds than its group's never come to it. */
export interface Part<Data = unknown> {
  /**
   * Looks at a value: no errors, and edits are noted.
   * @param parent - the object that holds the value under `key`
   */
  fits(data: Data, look: Look, parent: unknown, key: string | number): Verdict
  /** Applies the keyword as Ajv does: edits, and errors. */
  apply(data: Data, value: Value, mode: Mode, frame: Frame): Outcome
  /** Writes code that rejects the value, defers, or goes on with edits noted. */
  emit(target: Target, block: Block): void
  /** What is filled in before any keyword of the group is applied. */
  readonly defaults?: Defaults | undefined
  /** Only a walk can tell about values. */
  readonly asksAlways?: boolean
  /** Another part looks in its place. */
  readonly isFused?: boolean
  /** It refuses a value, or does nothing: looks never leave a value to a walk for it. */
  readonly onlyRefuses?: boolean
  /** The property by whose text a branch of a union says which values are its own. */
  readonly tag?: Tag | undefined
  /** A list of one item surely fits. */
  readonly admitsOne?: boolean
  /** The schema of every item, where there is one. */
  readonly eachItem?: SchemaNode | undefined
  /** It sees what edits make of the value: looks note none beside it. */
  readonly seesEdits?: boolean
  /** Ajv goes by the verdict on the value before, so that no value may be passed over. */
  readonly keepsVerdict?: boolean
  /** The schemas that it applies, but for those that a loop tests without a call. */
  readonly below?: readonly (SchemaNode | undefined)[] | undefined
}

/** A property, and the texts that it may have. */
export interface Tag {
  readonly name: string
  readonly values: readonly unknown[]
}

/** A keyword: all that is known of it. The table of keywords has them in Ajv's order. */
export interface Keyword<Data = unknown> {
  /** The names that it reads; the first one brings it. */
  readonly names: readonly string[]
  /** Reads it once, as one part or several; undefined where it accepts everything. */
  read(node: SchemaNode): Part<Data> | readonly Part<Data>[] | undefined
  readonly narrow?: Narrow
}

/** An object of the data. */
export type ObjectData = Container

/** An array of the data. */
export type ListData = readonly unknown[]

/** A keyword that only tests a value: its parameters, its test, its error and its expression are all there is. */
export interface Assertion<Data, Limit, Params extends object> {
  readonly name: string
  /** What the test compares a value with; undefined where the schema asks for nothing. */
  limitIn(node: SchemaNode): Limit | undefined
  test(data: Data, limit: Limit): boolean
  /** The parameters of the error. */
  params(limit: Limit): Params
  message(params: Params): string
  /** An expression that is true for a value that fits. */
  code(value: Code, limit: Limit, writer: CodeWriter): Code
  readonly narrow?: Narrow
  /** Whether it sees what edits make of a value. */
  seesEdits?(node: SchemaNode): boolean
  /** As {@link Part.admitsOne}. */
  admitsOne?(limit: Limit): boolean
  /** An expression that is true for values that code does not test. */
  leaves?(value: Code, limit: Limit): Code | undefined
}

/** The keyword of an assertion. */
export function assertion<Data, Limit, Params extends object>(
  definition: Assertion<Data, Limit, Params>,
): Keyword<Data> {
  const { name, narrow } = definition
  return {
    names: [name],
    read(node) {
      const limit = definition.limitIn(node)
      return limit === undefined ? undefined : new AssertionPart(definition, node, limit)
    },
    ...(narrow === undefined ? {} : { narrow }),
  }
}

/** An assertion as one schema has it. */
export class AssertionPart<Data, Limit, Params extends object> implements Part<Data>, Rule<Params> {
  readonly node: SchemaNode
  readonly seesEdits: boolean
  readonly #definition: Assertion<Data, Limit, Params>
  readonly #limit: Limit

  constructor(definition: Assertion<Data, Limit, Params>, node: SchemaNode, limit: Limit) {
    this.node = node
    this.seesEdits = definition.seesEdits?.(node) === true
    this.#definition = definition
    this.#limit = limit
  }

  get keyword(): string {
    return this.#definition.name
  }

  get onlyRefuses(): boolean {
    return !this.seesEdits
  }

  get admitsOne(): boolean {
    return this.#definition.admitsOne?.(this.#limit) === true
  }

  message(params: Params): string {
    return this.#definition.message(params)
  }

  fits(data: Data): Verdict {
    return this.#definition.test(data, this.#limit) ? YES : this.seesEdits ? ASK : NO
  }

  apply(data: Data, value: Value, mode: Mode, frame: Frame): Outcome {
    const { test, params } = this.#definition
    return test(data, this.#limit) ? PASSED : frame.fail(this, params(this.#limit), value, mode)
  }

  emit({ value }: Target, { writer, reject, defer, use }: Block): void {
    const left = this.#definition.leaves?.(value, this.#limit)
    if (left !== undefined && use !== JUDGE) writer.line(code`if (${left}) ${defer}`)
    const holds = this.#definition.code(value, this.#limit, writer)
    writer.line(code`if (!(${holds})) ${this.seesEdits ? defer : reject}`)
  }
}

/** What a keyword does that does more than test a value: its look, its walk and its code. */
export interface Behaviour<Data, Read, Params extends object> {
  /** The names that it reads; the first one brings it. */
  readonly names: readonly [string, ...string[]]
  /**
   * The name that errors have.
   * @default the first name
   */
  readonly reported?: string
  /** The schemas that it applies, see {@link Part.below}. */
  below?(read: Read): Part['below']
  message?(params: Params): string
  fits(part: KeywordPart<Data, Read, Params>, data: Data, look: Look): Verdict
  apply(part: KeywordPart<Data, Read, Params>, data: Data, value: Value, mode: Mode, frame: Frame): Outcome
  emit(part: KeywordPart<Data, Read, Params>, target: Target, block: Block): void
  readonly asksAlways?: boolean
  readonly seesEdits?: boolean
  readonly keepsVerdict?: boolean
}

/** All that is to say of such a keyword. */
export interface Definition<Data, Read, Params extends object> extends Behaviour<Data, Read, Params> {
  /** What a schema says; undefined where it accepts everything. */
  read(node: SchemaNode): Read | undefined
}

/** Makes a keyword of its definition. */
export function keyword<Data, Read, Params extends object = object>(
  definition: Definition<Data, Read, Params>,
): Keyword<Data> {
  return {
    names: definition.names,
    read(node) {
      const read = definition.read(node)
      return read === undefined ? undefined : new KeywordPart(definition, node, read)
    },
  }
}

/** A keyword as one schema has it. */
export class KeywordPart<Data, Read, Params extends object> implements Part<Data>, Rule<Params> {
  readonly node: SchemaNode
  /** What has been read of the schema. */
  readonly read: Read
  readonly below: Part['below']
  readonly #behaviour: Behaviour<Data, Read, Params>

  constructor(behaviour: Behaviour<Data, Read, Params>, node: SchemaNode, read: Read) {
    this.node = node
    this.read = read
    this.below = behaviour.below?.(read)
    this.#behaviour = behaviour
  }

  get keyword(): string {
    return this.#behaviour.reported ?? this.#behaviour.names[0]
  }

  get asksAlways(): boolean {
    return this.#behaviour.asksAlways === true
  }

  get seesEdits(): boolean {
    return this.#behaviour.seesEdits === true
  }

  get keepsVerdict(): boolean {
    return this.#behaviour.keepsVerdict === true
  }

  message(params: Params): string {
    return this.#behaviour.message?.(params) ?? ''
  }

  fits(data: Data, look: Look): Verdict {
    return this.#behaviour.fits(this, data, look)
  }

  apply(data: Data, value: Value, mode: Mode, frame: Frame): Outcome {
    return this.#behaviour.apply(this, data, value, mode, frame)
  }

  emit(target: Target, block: Block): void {
    this.#behaviour.emit(this, target, block)
  }
}

/** Applies several things, of which the first that fails is enough unless all errors are wanted. */
export function applyAll<Item>(
  items: Iterable<Item>,
  mode: Mode,
  applies: (item: Item) => boolean,
): typeof PASSED | typeof FAILED {
  let outcome: typeof PASSED | typeof FAILED = PASSED
  for (const item of items) {
    if (applies(item)) continue
    outcome = FAILED
    if (!mode.isThorough) break
  }
  return outcome
}

/** Looks at several things, up to the first verdict other than YES. */
export function lookAtAll<Item>(items: Iterable<Item>, look: (item: Item) => Verdict): Verdict {
  for (const item of items) {
    const verdict = look(item)
    if (verdict !== YES) return verdict
  }
  return YES
}

/** The keys of an object, those that it inherits included. */
export function keysOf(data: ObjectData): string[] {
  const keys: string[] = []
  for (const key in data) keys.push(key)
  return keys
}

/** The types of a schema. */
export interface TypePart {
  /** The type, where there is one. */
  readonly only: JsonType | undefined
  readonly types: readonly JsonType[]
  /** Whether a value has one of them. */
  holds(data: unknown): boolean
  /** What a look makes of values of other types; infinities are for a walk. Undefined where nothing can be made of them. */
  readonly coerce: Coercer | undefined
  /** Writes the test of the type; true when it may replace the value. */
  emit(target: Target, block: Block): boolean
  /** What a look says of a value of another type, which it may not edit. */
  mismatch(data: unknown, use: Use): Verdict
  /** Checks the type of a value, and coerces it where it has another. */
  apply(value: Value, mode: Mode, frame: Frame): Outcome
  /** Reports a value of a wrong type. */
  report(value: Value, mode: Mode, frame: Frame): typeof FAILED
}
