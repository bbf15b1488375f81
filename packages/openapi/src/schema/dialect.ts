import type { SchemaDocument } from '@cloister/schema'

/*
 * How keywords are written in the dialect 2020-12, which OpenAPI 3.1 uses (OpenAPI Specification 3.1.1, section 4.8.24).
 * A row is a keyword and its treatment; keywords without a row are copied as data. The older dialects differ from 2020-12
 * in the rows of `OLDER` alone.
 */

/** What becomes of a keyword. */
export type Treatment =
  /** copied as it is */
  | 'data'
  /** left out: it only organises schemas, or another keyword has taken its meaning */
  | 'drop'
  /** one schema */
  | 'schema'
  /** a list of schemas */
  | 'list'
  /** an object whose values are schemas */
  | 'map'
  /** a reference, which leads to a component afterwards */
  | 'reference'
  /** a value of a property that another property may give (`$data`); OpenAPI has no such thing */
  | 'limit'
  /** cannot be written */
  | 'refuse'
  /** handled with the keywords that it belongs to */
  | 'items'
  | 'dependencies'
  | 'nullable'
  | 'type'
  | 'example'
  | 'exclusive'
  | 'file'
  | 'uncheckedFormat'
  | 'discriminator'

/** The keyword of a format that nothing tests, in schemas of documents that an app implements. */
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

/** The table of the dialect that a document is written in. */
export function tableOf({ dialect }: SchemaDocument): ReadonlyMap<string, Treatment> {
  return dialect === '2020-12' ? COMMON : OLDER
}
