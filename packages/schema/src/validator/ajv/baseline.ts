import type { Options } from 'ajv'
import { namesOf } from '../../document/vocabulary.ts'

/** The options every validator starts from; `ajv.customOptions` is merged over them. */
export const baselineAjvOptions: Readonly<Options> = Object.freeze({
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  // False on purpose: with true, one request can make the server collect errors without end.
  allErrors: false,
})

/** Annotations from OpenAPI and the JSON Schema vocabularies that Ajv gets as keywords. */
export const ADDED_KEYWORDS: readonly string[] = Object.freeze(namesOf(({ isAdded }) => isAdded === true))
