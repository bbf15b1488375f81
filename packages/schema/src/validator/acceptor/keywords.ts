import { isSchemaObject } from '../../guards.ts'
import { ANNOTATION_KEYWORDS, isExtensionKeyword } from '../ajv/baseline.ts'

/** Keywords that the acceptor checks, by the kind of value they speak about, in Ajv's order. */
const NUMBER_KEYWORDS = [
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'multipleOf',
  'format',
] as const
const STRING_KEYWORDS = ['maxLength', 'minLength', 'pattern', 'format'] as const
const ARRAY_KEYWORDS = [
  'maxItems',
  'minItems',
  'additionalItems',
  'items',
  'contains',
  'uniqueItems',
] as const
const OBJECT_KEYWORDS = [
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
const IN_PLACE_KEYWORDS = ['not', 'anyOf', 'oneOf', 'allOf', 'if'] as const

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

/** Rules that only Ajv checks. */
const AJV_RULES: ReadonlySet<string> = new Set([
  'id',
  'formatMaximum',
  'formatMinimum',
  'formatExclusiveMaximum',
  'formatExclusiveMinimum',
])

/** True for a keyword that Ajv counts as a rule. */
function isRule(keyword: string): boolean {
  return RULES.has(keyword) || AJV_RULES.has(keyword)
}

/** True when every value is valid against the schema, at a glance. */
export function acceptsAnything(schema: unknown): boolean {
  if (schema === true) return true
  if (!isSchemaObject(schema)) return false
  for (const keyword of Object.keys(schema)) if (isRule(keyword)) return false
  return true
}

/** Bits that say which keywords a schema has. */
export const HAS = {
  /** A rule other than `$ref`. */
  rule: 1,
  number: 2,
  string: 4,
  array: 8,
  object: 16,
  inPlace: 32,
  /** `const` or `enum`. */
  constant: 128,
  /** A keyword that the acceptor does not know. */
  stranger: 64,
} as const

const GROUP_BITS: ReadonlyMap<string, number> = groupBits()
/** Bits that a keyword sets even when its value is undefined. */
const NAME_BITS = HAS.rule | HAS.stranger

/** Which keywords a schema has, as a sum of {@link HAS}. */
export function surveyKeywords(schema: Record<string, unknown>): number {
  let bits = 0
  for (const keyword of Object.keys(schema)) {
    const known = GROUP_BITS.get(keyword) ?? (isExtensionKeyword(keyword) ? 0 : strangerBits(keyword))
    bits = bits | (schema[keyword] === undefined ? known & NAME_BITS : known)
  }
  return bits
}

function strangerBits(keyword: string): number {
  return HAS.stranger | (isRule(keyword) ? HAS.rule : 0)
}

function groupBits(): Map<string, number> {
  const bits = new Map<string, number>()
  const add = (keywords: Iterable<string>, bit: number): void => {
    for (const keyword of keywords) bits.set(keyword, (bits.get(keyword) ?? 0) | bit)
  }
  add(SILENT, 0)
  add(RULES, HAS.rule)
  bits.set('$ref', 0)
  add(NUMBER_KEYWORDS, HAS.number)
  add(STRING_KEYWORDS, HAS.string)
  add(ARRAY_KEYWORDS, HAS.array)
  add(OBJECT_KEYWORDS, HAS.object)
  add(IN_PLACE_KEYWORDS, HAS.inPlace)
  add(['const', 'enum'], HAS.constant)
  return bits
}

/** True when the schema has one of the keywords. */
export function hasAny(schema: Record<string, unknown>, keywords: readonly string[]): boolean {
  for (const keyword of keywords) if (schema[keyword] !== undefined) return true
  return false
}
