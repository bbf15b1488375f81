import { code, type Code } from '../codegen/code.ts'
import type { CodeWriter } from '../codegen/writer.ts'
import type { Block, Target } from './code.ts'
import { FAILED, PASSED, type Frame, type Mode, type Outcome, type Rule } from './walk.ts'
import type { Defaults } from './defaults.ts'
import type { Narrow } from './leaf.ts'
import { ASK, JUDGE, NO, YES, type Look, type Verdict } from './look.ts'
import type { SchemaNode } from './node.ts'
import type { Container, Value } from './value.ts'

/** A keyword in one schema. It only gets values of its group's kind. */
export interface Part<Data = unknown> {
  /**
   * Looks at a value: makes no errors, and notes edits.
   * @param parent - the object that holds the value under `key`
   */
  fits(data: Data, look: Look, parent: unknown, key: string | number): Verdict
  /** Applies the keyword as Ajv does, with edits and errors. */
  apply(data: Data, value: Value, mode: Mode, frame: Frame): Outcome
  /** Writes code that rejects the value, defers, or continues with noted edits. */
  emit(target: Target, block: Block): void
  /** The defaults to set before any keyword of the group is applied. */
  readonly defaults?: Defaults | undefined
  /** Whether only a walk can decide about values. */
  readonly asksAlways?: boolean
  /** Whether another part does its look. */
  readonly isFused?: boolean
  /** Whether it only refuses values, so that looks never leave a value to a walk because of it. */
  readonly onlyRefuses?: boolean
  /** The property whose text says that a value belongs to this branch of a union. */
  readonly tag?: Tag | undefined
  /** Whether a list of one item surely matches. */
  readonly admitsOne?: boolean
  /** The schema of every item, if there is one. */
  readonly eachItem?: SchemaNode | undefined
  /** Whether it depends on edits of the value, so that looks note none beside it. */
  readonly seesEdits?: boolean
  /** Whether Ajv uses its verdict on the previous value, so that no value may be skipped. */
  readonly keepsVerdict?: boolean
  /** The schemas that it applies, except those that a loop tests without a call. */
  readonly below?: readonly (SchemaNode | undefined)[] | undefined
}

/** A property and its possible texts. */
export interface Tag {
  readonly name: string
  readonly values: readonly unknown[]
}

/** The definition of a keyword. The table of keywords has them in Ajv's order. */
export interface Keyword<Data = unknown> {
  /** The names that it reads; the first one brings it. */
  readonly names: readonly string[]
  /** Reads it once, as one or several parts; undefined if it accepts everything. */
  read(node: SchemaNode): Part<Data> | readonly Part<Data>[] | undefined
  readonly narrow?: Narrow
}

/** A keyword that only takes notes of what is evaluated, in validators with a schema of 2020-12. */
export function noting<Data>(
  names: readonly string[],
  read: (node: SchemaNode) => ReturnType<Keyword<Data>['read']>,
): Keyword<Data> {
  return { names, read: (node) => (node.context.isCollecting ? read(node) : undefined) }
}

/** An object of the data. */
export type ObjectData = Container

/** An array of the data. */
export type ListData = readonly unknown[]

/** A keyword that only tests a value: its parameters, test, error and expression define it. */
export interface Assertion<Data, Limit, Params extends object> extends Omit<
  Definition<Data, Limit, Params>,
  'names' | 'fits' | 'apply' | 'emit'
> {
  readonly name: string
  test(data: Data, limit: Limit): boolean
  /** The parameters of the error. */
  params(limit: Limit): Params
  /** An expression that is true for a valid value. */
  code(value: Code, limit: Limit, writer: CodeWriter): Code
  /** An expression that is true for values that code does not test. */
  leaves?(value: Code, limit: Limit): Code | undefined
}

/** Creates the keyword of an assertion. The test compares values with what `read` returns for the schema. */
export function assertion<Data, Limit, Params extends object>(
  definition: Assertion<Data, Limit, Params>,
): Keyword<Data> {
  const { name, test, params } = definition
  return keyword({
    ...definition,
    names: [name],
    onlyRefuses: () => true,
    fits: ({ read, seesEdits }, data) => (test(data, read) ? YES : seesEdits ? ASK : NO),
    apply: (part, data, value, mode, frame) =>
      test(data, part.read) ? PASSED : frame.fail(part, params(part.read), value, mode),
    emit({ read, seesEdits }, { value }, { writer, reject, defer, use }) {
      const left = definition.leaves?.(value, read)
      if (left !== undefined && use !== JUDGE) writer.line(code`if (${left}) ${defer}`)
      writer.line(code`if (!(${definition.code(value, read, writer)})) ${seesEdits ? defer : reject}`)
    },
  })
}

/** The behaviour of a keyword that does more than test a value: its look, its walk and its code. */
export interface Behaviour<Data, Read, Params extends object> {
  /** The names that it reads; the first one brings it. */
  readonly names: readonly [string, ...string[]]
  /**
   * The name in errors.
   * @default the first name
   */
  readonly reported?: string
  /** The schemas that it applies, see {@link Part.below}. */
  below?(read: Read): Part['below']
  message?(params: Params): string
  fits(part: KeywordPart<Data, Read, Params>, data: Data, look: Look): Verdict
  apply(part: KeywordPart<Data, Read, Params>, data: Data, value: Value, mode: Mode, frame: Frame): Outcome
  emit(part: KeywordPart<Data, Read, Params>, target: Target, block: Block): void
  /** These are as in {@link Part}. */
  readonly asksAlways?: boolean
  readonly keepsVerdict?: boolean
  defaults?(read: Read): Part['defaults']
  seesEdits?(node: SchemaNode, read: Read): boolean
  isFused?(read: Read): boolean
  onlyRefuses?(read: Read): boolean
  admitsOne?(read: Read): boolean
}

/** The definition of such a keyword. */
export interface Definition<Data, Read, Params extends object> extends Behaviour<Data, Read, Params> {
  /** Reads the schema; undefined if it accepts everything. */
  read(node: SchemaNode): Read | undefined
  readonly narrow?: Narrow
}

/** Creates a keyword from its definition. */
export function keyword<Data, Read, Params extends object = object>(
  definition: Definition<Data, Read, Params>,
): Keyword<Data> {
  const { names, narrow } = definition
  return {
    names,
    ...(narrow && { narrow }),
    read(node) {
      const read = definition.read(node)
      return read === undefined ? undefined : new KeywordPart(definition, node, read)
    },
  }
}

/** A keyword in one schema. */
export class KeywordPart<Data, Read, Params extends object> implements Part<Data>, Rule<Params> {
  readonly node: SchemaNode
  /** The result of `read` for the schema. */
  readonly read: Read
  readonly below: Part['below']
  readonly defaults: Part['defaults']
  readonly seesEdits: boolean
  readonly #behaviour: Behaviour<Data, Read, Params>

  constructor(behaviour: Behaviour<Data, Read, Params>, node: SchemaNode, read: Read) {
    this.node = node
    this.read = read
    this.below = behaviour.below?.(read)
    this.defaults = behaviour.defaults?.(read)
    this.seesEdits = behaviour.seesEdits?.(node, read) === true
    this.#behaviour = behaviour
  }

  get keyword(): string {
    return this.#behaviour.reported ?? this.#behaviour.names[0]
  }

  get asksAlways(): boolean {
    return this.#behaviour.asksAlways === true
  }

  get onlyRefuses(): boolean {
    return this.#behaviour.onlyRefuses?.(this.read) === true && !this.seesEdits
  }

  get isFused(): boolean {
    return this.#behaviour.isFused?.(this.read) === true
  }

  get admitsOne(): boolean {
    return this.#behaviour.admitsOne?.(this.read) === true
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

/** Applies several items. Stops at the first failure, unless all errors are wanted. */
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

/** The keys of an object, including inherited ones. */
export function keysOf(data: ObjectData): string[] {
  const keys: string[] = []
  for (const key in data) keys.push(key)
  return keys
}
