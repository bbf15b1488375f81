import { code, type Code } from '../codegen/code.ts'
import type { CodeWriter } from '../codegen/writer.ts'
import type { Block, Target } from './code.ts'
import { FAILED, PASSED, type Frame, type Mode, type Outcome, type Rule } from './walk.ts'
import type { Defaults } from './defaults.ts'
import type { Narrow } from './leaf.ts'
import { ASK, JUDGE, NO, YES, type Look, type Verdict } from './look.ts'
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
export interface Assertion<Data, Limit, Params extends object> extends Omit<
  Definition<Data, Limit, Params>,
  'names' | 'fits' | 'apply' | 'emit'
> {
  readonly name: string
  test(data: Data, limit: Limit): boolean
  /** The parameters of the error. */
  params(limit: Limit): Params
  /** An expression that is true for a value that fits. */
  code(value: Code, limit: Limit, writer: CodeWriter): Code
  /** An expression that is true for values that code does not test. */
  leaves?(value: Code, limit: Limit): Code | undefined
}

/** The keyword of an assertion. What the test compares a value with is read of the schema. */
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
  /** These are as in {@link Part}. */
  readonly asksAlways?: boolean
  readonly keepsVerdict?: boolean
  defaults?(read: Read): Part['defaults']
  seesEdits?(node: SchemaNode, read: Read): boolean
  isFused?(read: Read): boolean
  onlyRefuses?(read: Read): boolean
  admitsOne?(read: Read): boolean
}

/** All that is to say of such a keyword. */
export interface Definition<Data, Read, Params extends object> extends Behaviour<Data, Read, Params> {
  /** What a schema says; undefined where it accepts everything. */
  read(node: SchemaNode): Read | undefined
  readonly narrow?: Narrow
}

/** Makes a keyword of its definition. */
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

/** A keyword as one schema has it. */
export class KeywordPart<Data, Read, Params extends object> implements Part<Data>, Rule<Params> {
  readonly node: SchemaNode
  /** What has been read of the schema. */
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

/** The keys of an object, those that it inherits included. */
export function keysOf(data: ObjectData): string[] {
  const keys: string[] = []
  for (const key in data) keys.push(key)
  return keys
}
