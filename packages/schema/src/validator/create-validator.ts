import type { ErrorObject, ValidateFunction as AjvFunction } from 'ajv'
import { isNestingError, isStackOverflow, MAX_LEVELS, NestingError } from '../nesting.ts'
import type { Tiers } from '../tiers.ts'
import type { Accept, ValueHolder, Decider } from './decider.ts'

/** A compiled validator. */
export interface ValidateFunction {
  /**
   * Validates in place (coercions, defaults and removals change `data`). Returns true or false; with `async`, a
   * promise of the data, which rejects with an error that has `errors`.
   *
   * @param holder - holds `data` itself; a coercion of the root value (`"10"` to 10) replaces it there
   */
  (data: unknown, holder?: ValueHolder): unknown
  /** The errors of the last call; null if the data was valid. */
  errors?: ErrorObject[] | null
  /** Set for a schema with `$async: true`. */
  readonly async?: boolean
}

/** The closures of a schema, or what was made ahead. */
export interface Acceptors {
  /** Whether an acceptor is useful: not if only a decider can decide about any value. */
  readonly mayAccept: boolean
  /** Creates the function that accepts a value, or returns false and changes nothing. */
  acceptor(): Accept
}

/** The parts of a validator; each is created once, when it is first needed. */
export interface ValidatorParts {
  /** Decides when code replaces the closures; `null` if it never does. */
  readonly tiers: Tiers | null
  /** Reads the schema; undefined if only a decider can decide about any value. */
  acceptors(): Acceptors | undefined
  /** Generates the code that replaces an acceptor. */
  generate(): Accept
  decider(): Decider
  /** Maps the errors of the decider. */
  mapErrors(errors: ErrorObject[], data: unknown, decider: Decider): ErrorObject[]
}

/** A validator that is compiled on its first call, or earlier in idle time. */
export interface LazyValidator {
  readonly validate: ValidateFunction
  /** Creates what a valid request needs: the acceptor, or the decider if there is none. */
  prepare(): void
  prepareRefusal(): void
}

/** Creates a validator that runs the acceptor first; values it does not accept go, unchanged, to the decider. */
export function createValidator(parts: ValidatorParts): LazyValidator {
  return new SyncValidator(parts)
}

/** An app has thousands of these, most of them never called: so each has one function, and methods for the rest. */
class SyncValidator implements LazyValidator {
  readonly validate: ValidateFunction
  readonly #parts: ValidatorParts
  #accept: Accept | undefined = undefined
  #decider: Decider | undefined = undefined
  #isPrepared: boolean = false
  /** How many calls the closures still get before their code is generated; not above 0 if nothing replaces them. */
  #callsLeft: number = 0

  constructor(parts: ValidatorParts) {
    this.#parts = parts
    this.validate = (data, holder) => {
      if (!this.#isPrepared) this.prepare()
      if (--this.#callsLeft === 0) this.#generateLater()
      const accept = this.#accept
      try {
        if (accept === undefined || !accept(data, holder)) return this.#decide(data, holder)
      } catch (error) {
        // An acceptor that overflows the stack has not changed anything yet.
        if (!isStackOverflow(error)) throw error
        return this.#decide(data, holder)
      }
      if (this.validate.errors !== null) this.validate.errors = null
      return true
    }
  }

  prepare(): void {
    if (this.#isPrepared) return
    const { tiers } = this.#parts
    const acceptors = this.#parts.acceptors()
    if (acceptors?.mayAccept !== true) this.prepareRefusal()
    else if (tiers?.mode === 'always') this.#accept = this.#parts.generate()
    else {
      this.#accept = acceptors.acceptor()
      this.#callsLeft = tiers?.patience ?? 0
    }
    this.#isPrepared = true
  }

  prepareRefusal(): Decider {
    return (this.#decider ??= this.#parts.decider())
  }

  #generateLater(): void {
    this.#parts.tiers?.later(() => {
      this.#accept = this.#parts.generate()
    })
  }

  #decide(data: unknown, holder?: ValueHolder): boolean {
    const decider = this.prepareRefusal()
    try {
      const errors = decider.errorsOf(data, holder)
      this.validate.errors = errors === null ? null : this.#parts.mapErrors(errors, data, decider)
    } catch (error) {
      this.validate.errors = refuseNesting(error, data)
    }
    return this.validate.errors === null
  }
}

/** Creates the validator of a schema with `$async`, which only Ajv supports. */
export function createAsyncValidator(ajv: () => AjvFunction): LazyValidator {
  let compiled: AjvFunction | undefined
  const prepare = (): AjvFunction => (compiled ??= ajv())
  const validate: ValidateFunction = Object.assign((data: unknown) => settle(prepare(), data), {
    async: true,
  })
  return { validate, prepare, prepareRefusal: prepare }
}

/** Validates with `$async`: resolves with the data, or rejects with an error that has `errors`. */
async function settle(decide: AjvFunction, data: unknown): Promise<unknown> {
  try {
    const pending: unknown = decide(data)
    return await pending
  } catch (error) {
    const errors = refuseNesting(error, data)
    // The shape of Ajv's own rejections.
    throw Object.assign(new Error('validation failed'), { errors, ajv: true, validation: true })
  }
}

/** Returns the validation error for data that is nested too deeply; rethrows any other error. */
function refuseNesting(error: unknown, data: unknown): ErrorObject[] {
  if (!isNestingError(error, data)) throw error
  const reason =
    error instanceof NestingError
      ? `at most ${MAX_LEVELS} levels are validated`
      : 'there is no room on the stack to validate it'
  return [
    {
      instancePath: '',
      schemaPath: '#',
      keyword: 'nesting',
      params: {},
      message: `must be nested less deeply: ${reason}`,
    },
  ]
}
