import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { Engine } from '../engine.ts'

/** Ajv 8 as the peers use it: the baseline options, all formats. */
export const engine: Engine = (schema) => {
  const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true, allErrors: false })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  return (value) => validate(value)
}
