import { SchemaError } from '../errors.ts'
import type { AjvPool as Replaced } from '../validator/ajv/pool.ts'

/** Ajv generates code from strings, which workers forbid: a schema that needs Ajv fails the boot. */
export class AjvPool implements Pick<Replaced, 'compile' | 'isAvailable'> {
  readonly isAvailable: boolean = false

  /** @throws {@link SchemaError} `AJV_UNAVAILABLE` always */
  compile(): never {
    throw new SchemaError({
      code: 'AJV_UNAVAILABLE',
      reason:
        'only Ajv can validate by this schema, and the build for workers has no Ajv; leave out "$async", keywords and formats of your own and the options of ajv that add them, or give the route a validatorCompiler',
    })
  }
}
