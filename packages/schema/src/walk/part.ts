import type { JsonType } from '../document/json-types.ts'
import type { Frame, Rule } from './frame.ts'
import type { Narrow } from './leaf.ts'
import type { Look, Use } from './look.ts'
import type { Mode } from './mode.ts'
import type { SchemaNode } from './node.ts'
import type { Container, Value } from './value.ts'
import { NO, PASSED, YES, type FAILED, type Outcome, type Verdict } from './verdict.ts'

/** A keyword as one schema has it. Values of other kinds than its group's never come to it. */
export interface Part<Data = unknown> {
  /**
   * Looks at a value: no errors, and edits are noted.
   * @param parent - the object that holds the value under `key`
   */
  fits(data: Data, look: Look, parent: unknown, key: string | number): Verdict
  /** Applies the keyword as Ajv does: edits, and errors. */
  apply(data: Data, value: Value, mode: Mode, frame: Frame): Outcome
  /** Fills in defaults, before any keyword of the group is applied. */
  fill?(data: Data): void
  /** Whether defaults are to be filled in; a look that may not do so leaves the value to a walk. */
  lacks?(data: Data): boolean
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
  readonly below?: readonly (SchemaNode | undefined)[]
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
  /** Reads it once; undefined where it accepts everything. */
  read(node: SchemaNode): Part<Data> | undefined
  readonly narrow?: Narrow
}

/** An object of the data. */
export type ObjectData = Container

/** An array of the data. */
export type ListData = readonly unknown[]

/** A keyword that only tests a value: its test and its error are all there is. */
export abstract class TestPart<Data, Params extends object> implements Part<Data>, Rule<Params> {
  abstract readonly keyword: string
  readonly node: SchemaNode
  /** Edits beside it make no difference to it. */
  readonly seesEdits: boolean = false

  constructor(node: SchemaNode) {
    this.node = node
  }

  get onlyRefuses(): boolean {
    return !this.seesEdits
  }

  /** Whether a value fits. */
  abstract test(data: Data): boolean
  /** The parameters of the error. */
  abstract params(): Params
  abstract message(params: Params): string

  fits(data: Data): Verdict {
    return this.test(data) ? YES : NO
  }

  apply(data: Data, value: Value, mode: Mode, frame: Frame): Outcome {
    return this.test(data) ? PASSED : frame.fail(this, this.params(), value, mode)
  }
}

/** The types of a schema. */
export interface TypePart {
  /** The type, where there is one. */
  readonly only: JsonType | undefined
  readonly types: readonly JsonType[]
  /** Whether a value has one of them. */
  holds(data: unknown): boolean
  /** What a value of another type becomes; REFUSED where it becomes nothing. Infinities are for a walk. */
  coerced(data: unknown): unknown
  /** What a look says of a value of another type, which it may not edit. */
  mismatch(data: unknown, use: Use): Verdict
  /** Checks the type of a value, and coerces it where it has another. */
  apply(value: Value, mode: Mode, frame: Frame): Outcome
  /** Reports a value of a wrong type. */
  report(value: Value, mode: Mode, frame: Frame): typeof FAILED
}
