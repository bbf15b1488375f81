import type { Options } from 'ajv'

/** The options every validator starts from; `ajv.customOptions` is merged over them. */
export const baselineAjvOptions: Readonly<Options> = Object.freeze({
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  // False on purpose: with true, one request can make the server collect errors without end.
  allErrors: false,
})

/**
 * Keywords that describe and never decide, from OpenAPI and the JSON Schema vocabularies. They are
 * allowed beside those that Ajv knows; so is every keyword that starts with `x-`.
 */
export const ANNOTATION_KEYWORDS: readonly string[] = Object.freeze([
  'example',
  'discriminator',
  'xml',
  'externalDocs',
  'summary',
  '$anchor',
])

/** True for a keyword of an extension (`x-internal`, `x-order`). */
export function isExtensionKeyword(keyword: string): boolean {
  return keyword.startsWith('x-')
}
