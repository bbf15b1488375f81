import type { StandardSchema } from '@cloister/schema'

import { isFunction, isLate, isRecord, isThenable } from '../../functions.ts'
import type { PartValidateFunction } from '../../request/route-plan.ts'

/**
 * Validates with any library that speaks Standard Schema (Zod, Valibot, ArkType, …): the part is replaced by the
 * validated value, and the library's issues become errors of our shape, with the path as `instancePath`.
 */
export function validateWithStandardSchema(schema: StandardSchema): PartValidateFunction {
  const { validate } = schema['~standard']
  return (data) => {
    const result: unknown = validate(data)
    return isThenable(result) ? Promise.resolve(result).then(toResult) : toResult(result)
  }
}

function toResult(result: unknown): { value: unknown } | { error: unknown } | false {
  // The result of some libraries is itself the list of issues, with an `issues` that names it.
  if (typeof result !== 'object' || result === null) return false
  const issues: unknown = Reflect.get(result, 'issues')
  if (Array.isArray(issues)) return { error: Array.from(issues, toError) }
  return { value: Reflect.get(result, 'value') }
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

/**
 * The JSON Schema of another library's schema, where the library offers it (Standard JSON Schema): for what comes in
 * or for what goes out. `null` when it does not, or cannot say it in draft-7.
 */
export function jsonSchemaOf(schema: StandardSchema, side: 'input' | 'output'): object | null {
  const offered: unknown = Reflect.get(schema['~standard'], 'jsonSchema')
  const convert = isRecord(offered) ? offered[side] : undefined
  if (!isFunction(convert)) return null
  try {
    const converted = convert.call(offered, { target: 'draft-07' })
    if (!isRecord(converted)) return null
    // Some libraries mark their result as a schema of theirs.
    const { '~standard': _, ...plain } = converted
    return plain
  } catch {
    // The library has no JSON Schema for this one (a transform, say): it validates as before, and documents nothing.
    return null
  }
}

/**
 * Serializes with a library that offers no JSON Schema: the payload is validated, and what comes out of that is
 * written as JSON.
 */
export function serializeWithStandardSchema(schema: StandardSchema): (payload: unknown) => string {
  const validate = validateWithStandardSchema(schema)
  return (payload) => {
    const result = validate(payload)
    if (isLate(result)) throw new TypeError('a response schema must validate synchronously')
    if (isRecord(result) && 'value' in result) return JSON.stringify(result['value'])
    const issues = isRecord(result) && Array.isArray(result['error']) ? result['error'] : []
    const texts = issues.map((issue: unknown) =>
      isRecord(issue) ? `${String(issue['instancePath'])} ${String(issue['message'])}` : '',
    )
    throw new TypeError(`the payload does not fit its schema: ${texts.join(', ')}`)
  }
}
