import { isSchemaObject } from '../guards.ts'
import { ANNOTATION_KEYWORDS, isExtensionKeyword } from './baseline.ts'

/** Keywords that the acceptor checks, by the kind of value they speak about, in Ajv's order. */
export const NUMBER_KEYWORDS = [
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'multipleOf',
  'format',
] as const
export const STRING_KEYWORDS = ['maxLength', 'minLength', 'pattern', 'format'] as const
export const ARRAY_KEYWORDS = [
  'maxItems',
  'minItems',
  'additionalItems',
  'items',
  'contains',
  'uniqueItems',
] as const
export const OBJECT_KEYWORDS = [
  'maxProperties',
  'minProperties',
  'required',
  'propertyNames',
  'additionalProperties',
  'dependencies',
  'properties',
  'patternProperties',
] as const
/** Keywords that apply sub-schemas to the same value. */
export const IN_PLACE_KEYWORDS = ['not', 'anyOf', 'oneOf', 'allOf', 'if'] as const

/** Keywords that can refuse a value, as Ajv counts them: a schema without any accepts everything. */
const RULES: ReadonlySet<string> = new Set<string>([
  ...NUMBER_KEYWORDS,
  ...STRING_KEYWORDS,
  ...ARRAY_KEYWORDS,
  ...OBJECT_KEYWORDS,
  ...IN_PLACE_KEYWORDS,
  '$ref',
  '$comment',
  'type',
  'nullable',
  'const',
  'enum',
  'then',
  'else',
])

const SILENT: ReadonlySet<string> = new Set([
  ...ANNOTATION_KEYWORDS,
  '$schema',
  '$id',
  '$defs',
  'definitions',
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

/** True for a keyword that the acceptor checks or may ignore. */
export function isAcceptorKeyword(keyword: string): boolean {
  return RULES.has(keyword) || SILENT.has(keyword) || isExtensionKeyword(keyword)
}

/** Rules that only Ajv checks. */
const AJV_RULES: ReadonlySet<string> = new Set([
  'id',
  'formatMaximum',
  'formatMinimum',
  'formatExclusiveMaximum',
  'formatExclusiveMinimum',
])

/** True for a keyword that Ajv counts as a rule. */
export function isRule(keyword: string): boolean {
  return RULES.has(keyword) || AJV_RULES.has(keyword)
}

/** True when every value is valid against the schema, at a glance. */
export function acceptsAnything(schema: unknown): boolean {
  return schema === true || (isSchemaObject(schema) && !Object.keys(schema).some(isRule))
}

/** True when the schema has one of the keywords. */
export function hasAny(schema: Record<string, unknown>, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => schema[keyword] !== undefined)
}
