import { ANNOTATION_KEYWORDS } from '../validator/ajv/baseline.ts'

/** Keywords of the baseline: Ajv's draft-7 vocabulary, the formats' limits, and the annotations we allow. */
const KNOWN: ReadonlySet<string> = new Set([
  ...ANNOTATION_KEYWORDS,
  '$schema',
  '$id',
  '$defs',
  '$vocabulary',
  '$comment',
  '$ref',
  '$async',
  'definitions',
  'type',
  'nullable',
  'const',
  'enum',
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'pattern',
  'maxProperties',
  'minProperties',
  'required',
  'maxItems',
  'minItems',
  'uniqueItems',
  'not',
  'anyOf',
  'oneOf',
  'allOf',
  'if',
  'then',
  'else',
  'propertyNames',
  'additionalProperties',
  'dependencies',
  'properties',
  'patternProperties',
  'additionalItems',
  'items',
  'contains',
  'format',
  'formatMaximum',
  'formatMinimum',
  'formatExclusiveMaximum',
  'formatExclusiveMinimum',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
  'contentMediaType',
  'contentEncoding',
  'contentSchema',
])

/** True for a keyword of the baseline. */
export function isKnownKeyword(keyword: string): boolean {
  return KNOWN.has(keyword)
}

/** All keywords of the baseline. */
export function knownKeywords(): Iterable<string> {
  return KNOWN
}

/** The formats of `ajv-formats`, listed so that nothing need be loaded to check a schema. */
const FORMATS: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'iso-time',
  'iso-date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
  'byte',
  'int32',
  'int64',
  'float',
  'double',
  'password',
  'binary',
])

/** True for a format of the baseline. */
export function isKnownFormat(format: string): boolean {
  return FORMATS.has(format)
}

/** All formats of the baseline. */
export function knownFormats(): Iterable<string> {
  return FORMATS
}
