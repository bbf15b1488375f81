import type { ErrorObject, ValidateFunction as AjvFunction } from 'ajv'
import { isNestingError, NestingError } from '../nesting.ts'
import type { Accept, ValueHolder } from './acceptor/accept.ts'
import type { Decider } from './decider.ts'

/** A compiled validator. */
export interface ValidateFunction {
  /**
   * Validates in place (coercions, defaults and removals change `data`). Returns true or false; with `async`, a
   * promise of the data, which rejects with an error that has `errors`.
   *
   * @param holder - holds `data` itself; a coercion of the root value (`"10"` to 10) replaces it there
   */
  (data: unknown, holder?: ValueHolder): unknown
  /** The errors of the last call; null when the data was valid. */
  errors?: ErrorObject[] | null
  /** Set for a schema with `$async: true`. */
  readonly async?: boolean
}

/** The parts of a validator; each is created once, when it is first needed. */
export interface ValidatorParts {
  /**
   * Makes the acceptor, and calls back when another one takes its place. Without a function to call it makes one that
   * needs no more of the stack for values that are nested more deeply. Undefined when the schema has none.
   */
  readonly acceptor: ((replace: ((next: Accept) => void) | undefined) => Accept | undefined) | undefined
  readonly decider: () => Decider
  /** Maps the errors of the decider; undefined leaves them unchanged. */
  readonly mapErrors?: ((errors: ErrorObject[], data: unknown, decider: Decider) => ErrorObject[]) | undefined
}

/** A validator that is compiled on its first call, or before it in idle time. */
export interface LazyValidator {
  readonly validate: ValidateFunction
  /** Creates what a valid request needs: the acceptor, or the decider when there is none. */
  prepare(): void
  /** Creates what an invalid request needs. */
  prepareRefusal(): void
}

/** Creates a validator that runs the acceptor first; a value that it refuses goes, unchanged, to the decider. */
export function createValidator({ acceptor, decider, mapErrors }: ValidatorParts): LazyValidator {
  let accept: Accept | undefined
  let created: Decider | undefined
  let prepared = false

  const prepareRefusal = (): Decider => (created ??= decider())
  const prepare = (): void => {
    if (prepared) return
    accept = acceptor?.((next) => {
      accept = next
    })
    if (accept === undefined) prepareRefusal()
    prepared = true
  }
  const decide = (data: unknown, holder?: ValueHolder): boolean => {
    const own = prepareRefusal()
    const errors = own.errorsOf(data, holder)
    validate.errors = errors === null || mapErrors === undefined ? errors : mapErrors(errors, data, own)
    return errors === null
  }
  /** Generated code has filled the stack, or Ajv: an acceptor has changed nothing by then. */
  const runDeeply = (error: unknown, data: unknown, holder?: ValueHolder): boolean => {
    try {
      if (!isNestingError(error, data) || accept === undefined) throw error
      const accepts = acceptor?.(undefined)
      if (accepts === undefined || !accepts(data, holder)) return decide(data, holder)
    } catch (problem) {
      validate.errors = refuseNesting(problem, data)
      return false
    }
    validate.errors = null
    return true
  }
  const validate: ValidateFunction = (data, holder) => {
    if (!prepared) prepare()
    try {
      if (accept === undefined || !accept(data, holder)) return decide(data, holder)
    } catch (error) {
      return runDeeply(error, data, holder)
    }
    if (validate.errors !== null) validate.errors = null
    return true
  }
  return { validate, prepare, prepareRefusal }
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

/** Validates with `$async`: resolves to the data, or rejects with an error that has `errors`. */
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

/** Returns the validation error of data that is nested too deeply; rethrows any other error. */
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
