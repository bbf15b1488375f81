import type { ErrorObject } from 'ajv'
import { Decisions } from '../runtime/decisions.ts'
import { Descent } from '../runtime/descent.ts'
import type { DynamicScope } from './dynamic-scope.ts'
import { Look } from './look.ts'
import type { SchemaNode } from './node.ts'
import { Removal } from './removal.ts'
import type { WalkSettings } from './settings.ts'
import type { Value } from './value.ts'

/*
 * How a schema is applied. In a union Ajv continues after an error, sets no defaults and keeps what the branches
 * refuse; in "not" and "if" it makes no errors at all.
 */

/** The result of a keyword. */
export type Outcome = typeof FAILED | typeof PASSED | typeof SKIPPED

/** The value doesn't match. */
export const FAILED = 0
/** The value matches. */
export const PASSED = 1
/** The value matches, and Ajv skips the later keywords of the same group. */
export const SKIPPED = 2

/** How a schema is applied. */
export class Mode {
  /** Whether errors don't end the function, because another branch may accept the value. */
  readonly isTrial: boolean
  /** Whether all errors are wanted, not only the first. A walk ends when it has found enough. */
  isThorough: boolean
  /** Whether no errors are wanted. */
  readonly isSilent: boolean
  /** Whether the first error ends the function. */
  readonly endsAtOnce: boolean
  /** The name of the property that is checked; errors carry it. */
  readonly propertyName: string | undefined
  /** Whether the number of errors is limited, so that the branches of a union stop at their first one. */
  readonly isLimited: boolean
  #trial: Mode | undefined

  constructor(
    isTrial: boolean,
    isThorough: boolean,
    isSilent: boolean,
    propertyName?: string,
    isLimited: boolean = false,
  ) {
    this.isTrial = isTrial
    this.isThorough = isThorough
    this.isSilent = isSilent
    this.endsAtOnce = !isTrial && !isThorough
    this.propertyName = propertyName
    this.isLimited = isLimited
  }

  /** The mode in which a branch of a union is tried. */
  get trial(): Mode {
    if (this.isTrial) return this
    const isThorough = this.isThorough && !this.isLimited
    return (this.#trial ??= new Mode(true, isThorough, this.isSilent, this.propertyName))
  }

  /** The mode in which the name of a property is checked. */
  forName(name: string): Mode {
    return new Mode(true, this.isThorough && !this.isLimited, this.isSilent, name)
  }
}

/** The mode of "not" and "if". */
export const SILENT: Mode = new Mode(true, false, true)

/**
 * Errors in order. A nested list has those of a referenced schema or, if they must be distinguishable, those of the
 * branches of a union, followed by the error of the union.
 */
export type ErrorList = (ErrorObject | ErrorList)[]

/** A keyword of a schema, as errors name it. */
export interface Rule<Params extends object> {
  readonly keyword: string
  readonly node: SchemaNode
  /** Returns the message of an error. */
  message(params: Params): string
}

/** One run of a function as Ajv would compile it: a root schema, or a referenced one. */
export class Frame {
  readonly walk: Walk
  readonly errors: ErrorList = []
  /** Set by an error that ends the function at once. */
  hasEnded: boolean = false
  #verdicts: Map<object, boolean> | undefined = undefined
  #inner: Frame | undefined = undefined

  constructor(walk: Walk) {
    this.walk = walk
  }

  /** Runs a function that this one calls; null if the value matches. Its frame is reused until it has errors. */
  call(target: SchemaNode, value: Value, mode: Mode): ErrorList | null {
    const { walk } = this
    const inner = (this.#inner ??= new Frame(walk))
    inner.hasEnded = false
    inner.#verdicts = undefined
    walk.descent.level += 1
    const fits = target.apply(value.copy(), mode.isTrial ? walk.trialMode : walk.mode, inner)
    walk.descent.level -= 1
    if (fits && inner.errors.length === 0) return null
    this.#inner = undefined
    return fits ? null : inner.errors
  }

  /** Reports an error. If it ends the function, it is the only one. */
  fail<Params extends object>(rule: Rule<Params>, params: Params, value: Value, mode: Mode): typeof FAILED {
    if (mode.endsAtOnce && !mode.isSilent) this.errors.length = 0
    return this.failBehind(rule, params, value, mode)
  }

  /** Reports an error after those that belong to it. */
  failBehind<Params extends object>(
    rule: Rule<Params>,
    params: Params,
    value: Value,
    mode: Mode,
  ): typeof FAILED {
    if (mode.isSilent || !this.walk.admits(mode)) return FAILED
    if (mode.endsAtOnce) this.hasEnded = true
    this.errors.push(this.#error(rule, params, value, mode))
    return FAILED
  }

  /**
   * The last verdict of a keyword in this run. Ajv keeps it in a variable that is not reset: if nothing is checked, the
   * previous verdict counts.
   */
  lastVerdict(keyword: object): boolean {
    return this.#verdicts?.get(keyword) ?? false
  }

  /** Stores the last verdict of a keyword. */
  keepVerdict(keyword: object, verdict: boolean): void {
    this.#verdicts ??= new Map()
    this.#verdicts.set(keyword, verdict)
  }

  /** Stores the last verdict; an earlier failure ends the group. */
  outcomeOf(keyword: object, fits: boolean, verdict: boolean, mode: Mode): Outcome {
    this.keepVerdict(keyword, verdict)
    if (!fits) return FAILED
    return verdict || mode.isThorough ? PASSED : SKIPPED
  }

  #error<Params extends object>(rule: Rule<Params>, params: Params, value: Value, mode: Mode): ErrorObject {
    const { keyword, node } = rule
    const { messages, verbose } = this.walk.settings
    const { propertyName } = mode
    const error: ErrorObject = {
      instancePath: value.pointer,
      schemaPath: `${node.schemaPath}/${keyword}`,
      keyword,
      params,
    }
    if (messages) error.message = rule.message(params)
    if (verbose) {
      const parentSchema = node.location.schema
      Object.assign(error, { schema: node.shown(keyword), parentSchema, data: value.data })
    }
    if (propertyName !== undefined) error.propertyName = propertyName
    return error
  }
}

/** The result of a referenced schema for a value. */
export interface Decided {
  /** Null for a valid value. */
  readonly errors: ErrorList | null
  /** Notes the removals again. */
  readonly repeat: () => void
}

/** One walk over a value: the common state of its frames. */
export class Walk {
  readonly settings: WalkSettings
  /** The initial mode of a function. */
  readonly mode: Mode
  /** The initial mode of a function in a branch of a union. */
  readonly trialMode: Mode
  /** The treatment of undeclared properties. */
  readonly removal: Removal = new Removal()
  /** The resources around the applied schema; undefined if no schema has a `$dynamicRef`. */
  scope: DynamicScope | undefined = undefined
  #errors: number = 0
  /**
   * The results of referenced schemas: the errors, or null. While there are few checks, everything happens as in Ajv,
   * where a second look may find data that the first has changed.
   */
  readonly decisions: Decisions<Decided> = new Decisions()
  /** Looks at small values. */
  readonly look: Look = new Look()
  /** The number of open schemas. */
  readonly descent: Descent = new Descent()

  constructor(settings: WalkSettings) {
    this.settings = settings
    const isLimited = settings.errorLimit !== undefined && settings.errorLimit > 1
    this.mode = new Mode(false, settings.allErrors || isLimited, false, undefined, isLimited)
    this.trialMode = isLimited ? new Mode(false, false, false) : this.mode
  }

  /** Begins the walk, or a part of it with its own result. */
  begin(): void {
    this.#errors = 0
    this.removal.hasRefused = false
    if (this.mode.isLimited) this.mode.isThorough = true
  }

  /** Counts an error outside of unions; returns false if enough are reported. The last one ends the walk. */
  admits(mode: Mode): boolean {
    const { errorLimit } = this.settings
    if (errorLimit === undefined || mode !== this.mode || !mode.isLimited) return true
    this.#errors += 1
    if (this.#errors >= errorLimit) mode.isThorough = false
    return this.#errors <= errorLimit
  }
}
