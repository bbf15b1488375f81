import { createSchemaEngine } from '@cloister/schema'
import type { Engine } from '../engine.ts'

/** Cloister's own engine with the baseline options. */
export const engine: Engine = (schema, part) => {
  const schemas = createSchemaEngine({})
  const validate = schemas.compileValidator({ schema, httpPart: part, store: schemas.createStore() })
  return (value) => validate(value) === true
}
