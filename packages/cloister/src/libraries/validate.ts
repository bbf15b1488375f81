import { isStandardSchema, type StandardSchema } from '@cloister/schema'
import { pointerOf } from '@cloister/schema/internal'

import { isFunction, isRecord, isThenable, recordOf } from '../guards.ts'

/** The output of a library. A wrapper, because an output of `undefined` also replaces the value. */
export class LibraryOutput {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** The result of a library: the output, or the issues. */
export type LibraryResult = LibraryOutput | { readonly error: readonly LibraryIssue[] }

/** An issue of a library in the form of the default validator's errors. */
export interface LibraryIssue {
  readonly keyword: 'standardSchema'
  readonly instancePath: string
  readonly schemaPath: '#/standardSchema'
  readonly params: Readonly<Record<string, never>>
  readonly message: string
}

/** A validator of one schema. The result for an invalid value contains its issues. */
export type LibraryValidator = (data: unknown) => LibraryResult | false | PromiseLike<LibraryResult | false>

export function validatorOf(schema: StandardSchema): LibraryValidator {
  const { validate } = schema['~standard']
  return (data) => {
    const result: unknown = validate(data)
    return isThenable(result) ? Promise.resolve(result).then(toResult) : toResult(result)
  }
}

function toResult(result: unknown): LibraryResult | false {
  // The result of some libraries is the list of issues itself, with a property `issues`.
  if (typeof result !== 'object' || result === null) return false
  const issues: unknown = Reflect.get(result, 'issues')
  if (Array.isArray(issues)) return { error: Array.from(issues, toIssue) }
  return new LibraryOutput(Reflect.get(result, 'value'))
}

function toIssue(issue: unknown): LibraryIssue {
  const { message, path } = recordOf(issue)
  // A copy as a plain array: the `map` of a library's own array class (ArkType) would return that class.
  const steps: unknown[] = Array.isArray(path) ? Array.from(path) : []
  const keys = steps.map((step) => String(isRecord(step) ? step['key'] : step))
  return issueOf(pointerOf(keys), typeof message === 'string' ? message : 'is not valid')
}

export function issueOf(instancePath: string, message: string): LibraryIssue {
  return { keyword: 'standardSchema', instancePath, schemaPath: '#/standardSchema', params: {}, message }
}

/**
 * Returns a value as the schema of a library; `null` for any other schema.
 *
 * @throws TypeError if the value has `~standard` without a way to validate
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

/** Returns whether a value is a schema: JSON Schema, or a library's schema, which may be a function. */
export function isSchema(value: unknown): value is object {
  return isRecord(value) || isStandardSchema(value)
}
