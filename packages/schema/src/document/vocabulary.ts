import type { Dialect } from './dialect.ts'

/*
 * The keywords of a schema: draft-07 and 2020-12 as Ajv implements them, the additions of its formats, and the
 * annotations that are allowed beside them. Each keyword is one row, and every list of keywords comes from here.
 */

/** How a keyword's value contains subschemas. */
export type SubschemaShape = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-or-names'

/** The form of a keyword's value, as in the meta-schemas. */
export type ValueForm =
  | SubschemaShape
  | 'string'
  | 'boolean'
  | 'number'
  /** A number above 0. */
  | 'positive'
  /** A whole number, 0 or more. */
  | 'count'
  | 'array'
  /** A list of at least one value, without duplicates. */
  | 'values'
  /** A list of names, without duplicates. */
  | 'names'
  /** The name of a type, or a list of names. */
  | 'types'
  /** The source of a regular expression. */
  | 'pattern'
  /** A map from regular expressions to schemas. */
  | 'pattern-map'
  | 'anchor'
  /** A URI reference without a fragment. */
  | 'resource'
  /** A schema, never a list of schemas. */
  | 'one-schema'
  /** A map from names to lists of names. */
  | 'names-map'

/** The kinds of values with their own keywords. */
export type ValueGroup = 'number' | 'string' | 'array' | 'object'

/**
 * The role of a keyword. `rule`: it can reject a value, or Ajv counts it as a rule. `ajv-rule`: the same, but only
 * Ajv checks it. `core`: it organizes schemas. `annotation`: it describes.
 */
export type KeywordRole = 'rule' | 'ajv-rule' | 'core' | 'annotation'

/** A row of the vocabulary. */
export interface Keyword {
  readonly name: string
  readonly role: KeywordRole
  /** The values that it applies to; a rule without groups applies to any value. */
  readonly groups?: readonly ValueGroup[]
  /** Whether it applies its subschemas to the value itself. */
  readonly inPlace?: true
  readonly subschemas?: SubschemaShape
  /** By default that of its subschemas; a keyword without any allows every value. */
  readonly form?: ValueForm
  /** The form in 2020-12, if it differs. */
  readonly laterForm?: ValueForm
  /** The only dialect with the keyword; by default both have it. */
  readonly dialect?: Dialect
  /** Most schemas only have common keywords, and are checked in one walk. */
  readonly isCommon?: true
  /** Ajv does not look into its value when it counts keywords for the option `inlineRefs`. */
  readonly isCountedOnce?: true
  /** Its value is data: an `$id` or `$ref` in it has no meaning. */
  readonly isData?: true
  /** Ajv does not have it; the pool adds it to every instance. */
  readonly isAdded?: true
  /** Fastify 4.x infers the group as the type of a schema with this keyword and without `type`. */
  readonly infersType?: true
}

const inferring = (group: ValueGroup, name: string, more: Partial<Keyword>): Keyword => ({
  name,
  role: 'rule',
  groups: [group],
  infersType: true,
  ...more,
})
const inPlace = (name: string, subschemas: SubschemaShape): Keyword => ({
  name,
  role: 'rule',
  inPlace: true,
  subschemas,
})
const annotation = (name: string, form?: ValueForm): Keyword => ({
  name,
  role: 'annotation',
  ...(form === undefined ? {} : { form }),
})
const common = (keyword: Keyword): Keyword => ({ ...keyword, isCommon: true })
const counted = (keyword: Keyword): Keyword => ({ ...keyword, isCountedOnce: true })
const added = (name: string): Keyword => ({ name, role: 'annotation', isAdded: true })
const later = (keyword: Omit<Keyword, 'dialect'>): Keyword => ({ ...keyword, dialect: '2020-12' })
const limitOfFormat = (name: string): Keyword => ({ name, role: 'ajv-rule', groups: ['string'] })

/** All keywords. The rules of a group are in the order in which Ajv checks them. */
export const VOCABULARY: readonly Keyword[] = [
  { name: '$schema', role: 'core', form: 'string' },
  { name: '$id', role: 'core', form: 'string', laterForm: 'resource' },
  { name: '$defs', role: 'core', subschemas: 'map' },
  { name: 'definitions', role: 'core', subschemas: 'map' },
  later({ name: '$dynamicAnchor', role: 'core', form: 'anchor' }),
  later({ name: '$dynamicRef', role: 'rule', form: 'string' }),
  common({ name: '$ref', role: 'rule', form: 'string' }),
  common({ name: '$comment', role: 'rule', form: 'string' }),
  counted(common({ name: 'type', role: 'rule', isData: true, form: 'types' })),
  common({ name: 'nullable', role: 'rule', form: 'boolean' }),
  counted(common({ name: 'const', role: 'rule', isData: true })),
  counted(common({ name: 'enum', role: 'rule', isData: true, form: 'values' })),
  inPlace('not', 'schema'),
  inPlace('anyOf', 'list'),
  inPlace('oneOf', 'list'),
  inPlace('allOf', 'list'),
  inPlace('if', 'schema'),
  inPlace('then', 'schema'),
  inPlace('else', 'schema'),
  counted(common(inferring('number', 'maximum', { form: 'number' }))),
  counted(common(inferring('number', 'minimum', { form: 'number' }))),
  common(inferring('number', 'exclusiveMaximum', { form: 'number' })),
  common(inferring('number', 'exclusiveMinimum', { form: 'number' })),
  counted(inferring('number', 'multipleOf', { form: 'positive' })),
  counted(common(inferring('string', 'maxLength', { form: 'count' }))),
  counted(common(inferring('string', 'minLength', { form: 'count' }))),
  counted(common(inferring('string', 'pattern', { form: 'pattern' }))),
  counted(common({ name: 'format', role: 'rule', groups: ['number', 'string'], form: 'string' })),
  limitOfFormat('formatMaximum'),
  limitOfFormat('formatMinimum'),
  limitOfFormat('formatExclusiveMaximum'),
  limitOfFormat('formatExclusiveMinimum'),
  counted(common(inferring('array', 'maxItems', { form: 'count' }))),
  counted(common(inferring('array', 'minItems', { form: 'count' }))),
  inferring('array', 'additionalItems', { subschemas: 'schema', dialect: 'draft-07' }),
  later(inferring('array', 'prefixItems', { subschemas: 'list' })),
  common(inferring('array', 'items', { subschemas: 'schema-or-list', laterForm: 'one-schema' })),
  inferring('array', 'contains', { subschemas: 'schema' }),
  counted(common(inferring('array', 'uniqueItems', { form: 'boolean' }))),
  later({ name: 'maxContains', role: 'rule', groups: ['array'], form: 'count' }),
  later({ name: 'minContains', role: 'rule', groups: ['array'], form: 'count' }),
  later({ name: 'unevaluatedItems', role: 'rule', groups: ['array'], subschemas: 'schema' }),
  counted(inferring('object', 'maxProperties', { form: 'count' })),
  counted(inferring('object', 'minProperties', { form: 'count' })),
  counted(common(inferring('object', 'required', { isData: true, form: 'names' }))),
  { name: 'propertyNames', role: 'rule', groups: ['object'], subschemas: 'schema' },
  common(inferring('object', 'additionalProperties', { subschemas: 'schema' })),
  inferring('object', 'dependencies', { inPlace: true, subschemas: 'map-or-names' }),
  common(inferring('object', 'properties', { subschemas: 'map' })),
  inferring('object', 'patternProperties', { subschemas: 'map', form: 'pattern-map' }),
  later({ name: 'dependentRequired', role: 'rule', groups: ['object'], isData: true, form: 'names-map' }),
  later({ name: 'dependentSchemas', role: 'rule', groups: ['object'], inPlace: true, subschemas: 'map' }),
  later({ name: 'unevaluatedProperties', role: 'rule', groups: ['object'], subschemas: 'schema' }),
  common({ name: 'default', role: 'annotation', isData: true }),
  common({ ...annotation('examples', 'array'), isData: true }),
  common({ ...added('example'), isData: true }),
  common(annotation('title', 'string')),
  common(annotation('description', 'string')),
  common(annotation('deprecated')),
  common(annotation('readOnly', 'boolean')),
  common(annotation('writeOnly')),
  annotation('contentMediaType', 'string'),
  annotation('contentEncoding', 'string'),
  annotation('contentSchema'),
  added('discriminator'),
  added('xml'),
  added('externalDocs'),
  added('summary'),
  { ...added('$anchor'), form: 'anchor' },
]

/** Returns the form of a keyword's value; undefined if the keyword allows every value. */
export function formOf(
  { form, laterForm, subschemas }: Keyword,
  dialect: Dialect = 'draft-07',
): ValueForm | undefined {
  return (dialect === '2020-12' ? laterForm : undefined) ?? form ?? subschemas
}

/** The keywords of a dialect. */
export function keywordsOf(dialect: Dialect): readonly Keyword[] {
  return VOCABULARY.filter((keyword) => (keyword.dialect ?? dialect) === dialect)
}

/** Keyword → how its value contains subschemas. */
export const SUBSCHEMAS: ReadonlyMap<string, SubschemaShape> = new Map(
  VOCABULARY.flatMap(({ name, subschemas }) => (subschemas === undefined ? [] : [[name, subschemas]])),
)

/** Keywords whose value is data. */
export const DATA_KEYWORDS: ReadonlySet<string> = new Set(namesOf(({ isData }) => isData === true))

/** Returns the names of the keywords that pass a test, in any dialect. */
export function namesOf(test: (keyword: Keyword) => boolean): readonly string[] {
  return VOCABULARY.filter(test).map(({ name }) => name)
}

/** Returns the types that the rules in a schema without `type` are about. A `format` is taken for one of texts. */
export function typesOfRules(schema: object): readonly string[] {
  const groups = Object.keys(schema).flatMap((name): readonly string[] => {
    if (name === 'format') return ['string']
    return VOCABULARY.find((one) => one.name === name && one.infersType === true)?.groups ?? []
  })
  return [...new Set(groups)]
}

/** Whether a keyword is an extension (`x-internal`, `x-order`), which is allowed everywhere. */
export function isExtensionKeyword(keyword: string): boolean {
  return keyword.startsWith('x-')
}
