import type { ErrorObject } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { boundedErrors, type Decider, type ValueHolder } from '../decider.ts'
import type { CompiledSchema } from './pool.ts'

/** Ajv as a {@link Decider}. */
export class AjvDecider implements Decider {
  readonly #compiled: CompiledSchema

  constructor(compiled: CompiledSchema) {
    this.#compiled = compiled
  }

  errorsOf(data: unknown, holder?: ValueHolder): ErrorObject[] | null {
    const { validate } = this.#compiled
    const isValid = holder === undefined ? validate(data) : validate(data, dataContext(holder))
    return isValid ? null : boundedErrors(validate.errors ?? [])
  }

  errorsOfPart(schemaPath: string, data: unknown): ErrorObject[] | null {
    const validate = this.#compiled.part(schemaPath)
    if (validate === undefined || validate(data)) return null
    return validate.errors ? boundedErrors(validate.errors) : null
  }
}

/** Returns the argument that gives Ajv the position of the value. */
function dataContext(holder: ValueHolder): DataValidationCxt {
  return {
    instancePath: '',
    parentData: holder,
    parentDataProperty: 'value',
    rootData: holder,
    dynamicAnchors: {},
  }
}
