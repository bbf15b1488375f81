import type { SchemaDocument } from '@cloister/schema'

/*
 * How keywords are written in 2020-12, the dialect of OpenAPI 3.1 (OpenAPI Specification 3.1.1, section 4.8.24). A
 * row is a keyword and its treatment; keywords without a row are copied as data. The older dialects differ from
 * 2020-12 only in the rows of `OLDER`.
 */

/** How a keyword is written. */
export type Treatment =
  /** copied unchanged */
  | 'data'
  /** omitted: it only organizes schemas, or another keyword has its meaning */
  | 'drop'
  | 'schema'
  | 'list'
  /** an object whose values are schemas */
  | 'map'
  /** a reference, which is rewritten to point to a component */
  | 'reference'
  /** a value that may come from another property (`$data`), which OpenAPI cannot express */
  | 'limit'
  | 'refuse'
  /** handled together with related keywords */
  | 'items'
  | 'dependencies'
  | 'nullable'
  | 'type'
  | 'example'
  | 'exclusive'
  | 'file'
  | 'uncheckedFormat'
  | 'discriminator'

/** The keyword for a format that nothing checks, in schemas of documents that an app implements. */
export const UNCHECKED_FORMAT = 'x-unchecked-format'

const row = (treatment: Treatment, ...names: readonly string[]): (readonly [string, Treatment])[] =>
  names.map((name) => [name, treatment])

const COMMON: ReadonlyMap<string, Treatment> = new Map([
  ...row('drop', '$id', 'id', '$schema', '$defs', 'definitions', '$anchor', '$async', '$vocabulary'),
  ...row('schema', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties'),
  ...row('schema', 'unevaluatedProperties', 'unevaluatedItems', 'contentSchema'),
  ...row('list', 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...row('map', 'properties', 'patternProperties', 'dependentSchemas'),
  ...row('reference', '$ref'),
  ...row('refuse', '$dynamicRef', '$recursiveRef'),
  ...row('drop', '$dynamicAnchor', '$recursiveAnchor'),
  ...row('limit', 'maximum', 'minimum', 'multipleOf', 'maxLength', 'minLength', 'pattern', 'format'),
  ...row('limit', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties', 'minProperties', 'required'),
  ...row('type', 'type'),
  ...row('nullable', 'nullable'),
  ...row('example', 'example'),
  ...row('file', 'isFile'),
  ...row('uncheckedFormat', UNCHECKED_FORMAT),
  ...row('discriminator', 'discriminator'),
  ...row('schema', 'items'),
  ...row('limit', 'exclusiveMaximum', 'exclusiveMinimum'),
])

const OLDER: ReadonlyMap<string, Treatment> = new Map([
  ...COMMON,
  ...row('items', 'items'),
  ...row('drop', 'additionalItems'),
  ...row('dependencies', 'dependencies'),
  ...row('exclusive', 'exclusiveMaximum', 'exclusiveMinimum'),
])

/** Returns the table for the dialect of a schema document. */
export function tableOf({ dialect }: SchemaDocument): ReadonlyMap<string, Treatment> {
  return dialect === '2020-12' ? COMMON : OLDER
}
