import { isStandardSchema, type StandardSchema } from '@cloister/schema'

import { isFunction, isRecord, isThenable } from '../guards.ts'

/** What a library has made of a value: `undefined` too takes the place of the value, which may have been refused. */
export class LibraryOutput {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** What a library says of a value: the value that it made, or what is wrong. */
export type LibraryResult = LibraryOutput | { readonly error: readonly LibraryIssue[] }

/** An issue of a library in the shape of the default validator's errors. */
export interface LibraryIssue {
  readonly keyword: 'standardSchema'
  readonly instancePath: string
  readonly schemaPath: '#/standardSchema'
  readonly params: Readonly<Record<string, never>>
  readonly message: string
}

/** A validator of one schema; the result of an invalid value has its issues. */
export type LibraryValidator = (data: unknown) => LibraryResult | false | PromiseLike<LibraryResult | false>

/** Validates with any library that has Standard Schema (Zod, Valibot, ArkType, …). */
export function validatorOf(schema: StandardSchema): LibraryValidator {
  const { validate } = schema['~standard']
  return (data) => {
    const result: unknown = validate(data)
    return isThenable(result) ? Promise.resolve(result).then(toResult) : toResult(result)
  }
}

function toResult(result: unknown): LibraryResult | false {
  // The result of some libraries is itself the list of issues, with an `issues` that names it.
  if (typeof result !== 'object' || result === null) return false
  const issues: unknown = Reflect.get(result, 'issues')
  if (Array.isArray(issues)) return { error: Array.from(issues, toIssue) }
  return new LibraryOutput(Reflect.get(result, 'value'))
}

function toIssue(issue: unknown): LibraryIssue {
  const { message, path } = isRecord(issue) ? issue : {}
  // A list of one's own class (ArkType) would make another one of its kind.
  const steps: unknown[] = Array.isArray(path) ? Array.from(path) : []
  const keys = steps.map((step) => (isRecord(step) ? step['key'] : step))
  return {
    keyword: 'standardSchema',
    instancePath: keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    schemaPath: '#/standardSchema',
    params: {},
    message: typeof message === 'string' ? message : 'is not valid',
  }
}

/**
 * Returns a schema of a library; `null` for any other schema.
 *
 * @throws TypeError where the library describes its schema without a way to validate
 */
export function libraryOf(schema: unknown): StandardSchema | null {
  if (isStandardSchema(schema)) return schema
  if ((isRecord(schema) || isFunction(schema)) && '~standard' in schema) {
    throw new TypeError(
      "its '~standard' has no function `validate`; Effect adds it by Schema.toStandardSchemaV1(schema), before Schema.toStandardJSONSchemaV1",
    )
  }
  return null
}

/** Whether a value is a schema: JSON Schema, or that of a library, which may be a function. */
export function isSchema(value: unknown): value is object {
  return isRecord(value) || isStandardSchema(value)
}
