import type { ErrorObject, ValidateFunction as AjvFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { isNestingError } from '../nesting.ts'
import type { Accept, ValueHolder } from './acceptor/accept.ts'

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
  /** Undefined when the schema has no acceptor. */
  readonly acceptor: (() => Accept | undefined) | undefined
  readonly ajv: () => AjvFunction
  /** Maps Ajv's errors; undefined leaves them unchanged. */
  readonly mapErrors?: ((errors: ErrorObject[], data: unknown) => ErrorObject[]) | undefined
}

/** A validator that is compiled on its first call, or before it in idle time. */
export interface LazyValidator {
  readonly validate: ValidateFunction
  /** Compiles what a valid request needs: the acceptor, or the Ajv function when there is none. */
  prepare(): void
  /** Compiles what an invalid request needs; returns false when that exists. */
  prepareRefusal(): boolean
}

/** Creates a validator that runs the acceptor first; a value that it refuses goes, unchanged, to Ajv. */
export function createValidator(parts: ValidatorParts, isAsync: boolean): LazyValidator {
  const { acceptor } = parts
  let accept: Accept | undefined
  let refuse: AjvFunction | undefined
  let prepared = false

  const ajv = (): AjvFunction => (refuse ??= parts.ajv())
  const prepare = (): void => {
    if (prepared) return
    accept = acceptor?.()
    if (accept === undefined) ajv()
    prepared = true
  }
  const decide = (data: unknown, holder?: ValueHolder): unknown => {
    const decider = ajv()
    const valid = holder === undefined ? decider(data) : decider(data, dataContext(holder))
    const errors = decider.errors ?? null
    validate.errors =
      errors === null || parts.mapErrors === undefined ? errors : parts.mapErrors(errors, data)
    return valid
  }
  const validate: ValidateFunction = isAsync
    ? Object.assign((data: unknown) => settle(ajv(), data), { async: true })
    : (data, holder) => {
        if (!prepared) prepare()
        try {
          if (accept === undefined || !accept(data, holder)) return decide(data, holder)
        } catch (error) {
          validate.errors = refuseNesting(error, data)
          return false
        }
        if (validate.errors !== null) validate.errors = null
        return true
      }
  const prepareRefusal = (): boolean => {
    if (refuse !== undefined) return false
    ajv()
    return true
  }
  return { validate, prepare, prepareRefusal }
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

/** Returns the validation error of data that overflowed the stack; rethrows any other error. */
function refuseNesting(error: unknown, data: unknown): ErrorObject[] {
  if (!isNestingError(error, data)) throw error
  return [
    {
      instancePath: '',
      schemaPath: '#',
      keyword: 'nesting',
      params: {},
      message: 'must be nested less deeply: there is no room on the stack to validate it',
    },
  ]
}

/** The data context of Ajv, in which the holder is the parent of the value. */
function dataContext(holder: ValueHolder): DataValidationCxt {
  return {
    instancePath: '',
    parentData: holder,
    parentDataProperty: 'value',
    rootData: holder,
    dynamicAnchors: {},
  }
}
