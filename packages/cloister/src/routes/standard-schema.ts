import type { StandardSchema } from '@cloister/schema'

import { isRecord, isThenable } from '../functions.ts'
import type { PartValidateFunction } from '../request/route-plan.ts'

/**
 * Validates with any library that speaks Standard Schema (Zod, Valibot, ArkType, …): the part is replaced by the
 * validated value, and the library's issues become errors of our shape, with the path as `instancePath`.
 */
export function validateWithStandardSchema(schema: StandardSchema): PartValidateFunction {
  const { validate } = schema['~standard']
  return (data) => {
    const result: unknown = validate(data)
    return isThenable(result) ? result.then(toResult) : toResult(result)
  }
}

function toResult(result: unknown): { value: unknown } | { error: unknown } | false {
  if (!isRecord(result)) return false
  const { issues, value } = result
  return Array.isArray(issues) ? { error: issues.map(toError) } : { value }
}

/** An issue in the shape of the default validator's errors. */
function toError(issue: unknown): Record<string, unknown> {
  const { message, path } = isRecord(issue) ? issue : {}
  const keys = Array.isArray(path) ? path.map((step: unknown) => (isRecord(step) ? step['key'] : step)) : []
  return {
    keyword: 'standardSchema',
    instancePath: keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    schemaPath: '#/standardSchema',
    params: {},
    message: typeof message === 'string' ? message : 'is not valid',
  }
}
