import type { ErrorObject } from 'ajv'
import { MESSAGES, type ErrorKeyword, type ErrorParams } from './messages.ts'
import type { Mode } from './mode.ts'
import type { SchemaNode } from './node.ts'
import type { Value } from './value.ts'
import type { Walk } from './walk.ts'

/** Errors in order; a list within the list has those of a referenced schema. */
export type ErrorList = (ErrorObject | ErrorList)[]

/** What became of a keyword. */
export const FAILED = 0
/** The value fits. */
export const PASSED = 1
/** The value fits, and Ajv passes over the keywords behind it in the same group. */
export const SKIPPED = 2

/** See {@link FAILED}, {@link PASSED}, {@link SKIPPED}. */
export type Outcome = typeof FAILED | typeof PASSED | typeof SKIPPED

/** Applies one keyword of a schema to a value. */
export type Check = (value: Value, mode: Mode, frame: Frame) => Outcome

/** A keyword of a schema, as errors name it. */
export interface Rule<Keyword extends ErrorKeyword> {
  readonly keyword: Keyword
  readonly node: SchemaNode
}

/** One run of what Ajv would compile into one function: a root schema, or a referenced one. */
export class Frame {
  readonly walk: Walk
  readonly errors: ErrorList = []
  /** Set by an error that ends the function at once. */
  hasEnded: boolean = false
  #verdicts: Map<object, boolean> | undefined

  constructor(walk: Walk) {
    this.walk = walk
  }

  /** Reports an error. Where it ends the function it is the only one. */
  fail<Keyword extends ErrorKeyword>(
    rule: Rule<Keyword>,
    params: ErrorParams[Keyword],
    value: Value,
    mode: Mode,
  ): typeof FAILED {
    if (mode.isSilent || !this.walk.admits(mode)) return FAILED
    if (mode.endsAtOnce) {
      this.errors.length = 0
      this.hasEnded = true
    }
    this.errors.push(this.#error(rule, params, value, mode))
    return FAILED
  }

  /** Reports an error behind those that belong to it. */
  failBehind<Keyword extends ErrorKeyword>(
    rule: Rule<Keyword>,
    params: ErrorParams[Keyword],
    value: Value,
    mode: Mode,
  ): typeof FAILED {
    if (mode.isSilent || !this.walk.admits(mode)) return FAILED
    if (mode.endsAtOnce) this.hasEnded = true
    this.errors.push(this.#error(rule, params, value, mode))
    return FAILED
  }

  /**
   * The last verdict of a keyword in this run. Ajv keeps it in a variable that is not reset: where there is nothing to
   * look at, the verdict of the time before counts.
   */
  lastVerdict(keyword: object): boolean {
    return this.#verdicts?.get(keyword) ?? false
  }

  /** Keeps the last verdict of a keyword. */
  keepVerdict(keyword: object, verdict: boolean): void {
    this.#verdicts ??= new Map()
    this.#verdicts.set(keyword, verdict)
  }

  #error<Keyword extends ErrorKeyword>(
    { keyword, node }: Rule<Keyword>,
    params: ErrorParams[Keyword],
    value: Value,
    { propertyName }: Mode,
  ): ErrorObject {
    const { messages, verbose } = this.walk.settings
    const error: ErrorObject = {
      instancePath: value.pointer,
      schemaPath: `${node.schemaPath}/${keyword}`,
      keyword,
      params,
    }
    if (messages) error.message = MESSAGES[keyword](params)
    if (verbose) {
      const parentSchema = node.location.schema
      Object.assign(error, { schema: node.shown(keyword), parentSchema, data: value.data })
    }
    if (propertyName !== undefined) error.propertyName = propertyName
    return error
  }
}
