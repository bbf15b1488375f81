import type { ErrorObject, ValidateFunction as AjvFunction } from 'ajv'
import { isNestingError, isStackOverflow, NestingError } from '../nesting.ts'
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

/** The parts of a validator; each is created once, when it is first needed. */
export interface ValidatorParts {
  /** Creates the acceptor, and calls back when another one replaces it; undefined if the schema has none. */
  readonly acceptor: (replace: (next: Accept) => void) => Accept | undefined
  readonly decider: () => Decider
  /** Maps the errors of the decider; undefined does not change them. */
  readonly mapErrors?: ((errors: ErrorObject[], data: unknown, decider: Decider) => ErrorObject[]) | undefined
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

  constructor(parts: ValidatorParts) {
    this.#parts = parts
    this.validate = (data, holder) => {
      if (!this.#isPrepared) this.prepare()
      const accept = this.#accept
      try {
        if (accept === undefined || !accept(data, holder)) return this.#decide(data, holder)
      } catch (error) {
        // An acceptor that overflows the stack has not changed anything yet.
        if (!isNestingError(error, data) && !isStackOverflow(error)) throw error
        return this.#decide(data, holder)
      }
      if (this.validate.errors !== null) this.validate.errors = null
      return true
    }
  }

  prepare(): void {
    if (this.#isPrepared) return
    this.#accept = this.#parts.acceptor((next) => {
      this.#accept = next
    })
    if (this.#accept === undefined) this.prepareRefusal()
    this.#isPrepared = true
  }

  prepareRefusal(): Decider {
    return (this.#decider ??= this.#parts.decider())
  }

  #decide(data: unknown, holder?: ValueHolder): boolean {
    const decider = this.prepareRefusal()
    const { mapErrors } = this.#parts
    try {
      const errors = decider.errorsOf(data, holder)
      this.validate.errors =
        errors === null || mapErrors === undefined ? errors : mapErrors(errors, data, decider)
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
      ? `at most ${error.levels} levels are validated`
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
