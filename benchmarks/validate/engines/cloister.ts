import { createSchemaEngine } from '@cloister/schema'
import type { Engine } from '../engine.ts'

/** Cloister's own engine with the baseline options, as generated code or as closures. */
export function engine(codeGeneration: 'always' | 'never'): Engine {
  return (schema, part) => {
    const schemas = createSchemaEngine({ codeGeneration })
    const validate = schemas.compileValidator({ schema, httpPart: part, store: schemas.createStore() })
    return (value) => validate(value) === true
  }
}
