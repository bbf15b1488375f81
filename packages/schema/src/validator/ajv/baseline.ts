import type { Options } from 'ajv'
import { namesOf } from '../../document/vocabulary.ts'

/** The default options of every validator; `ajv.customOptions` is merged over them. */
export const baselineAjvOptions: Readonly<Options> = Object.freeze({
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  // False, because with true a single request can make the server collect errors without limit.
  allErrors: false,
})

/** Annotations from OpenAPI and the JSON Schema vocabularies that Ajv gets as keywords. */
export const ADDED_KEYWORDS: readonly string[] = Object.freeze(namesOf(({ isAdded }) => isAdded === true))
