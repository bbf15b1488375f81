/*
 * The keywords of a schema: draft-7 as Ajv knows it, what its formats add, and the annotations that are admitted beside
 * them. One row for each; every list of keywords comes from here.
 */

/** How a keyword's value holds sub-schemas. */
export type SubschemaShape = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-or-names'

/** The kinds of values that have keywords of their own. */
export type ValueGroup = 'number' | 'string' | 'array' | 'object'

/**
 * What a keyword does. `rule`: it can refuse a value, or Ajv counts it as such. `ajv-rule`: the same, and only Ajv
 * checks it. `core`: it organises schemas. `annotation`: it describes.
 */
export type KeywordRole = 'rule' | 'ajv-rule' | 'core' | 'annotation'

/** A row of the vocabulary. */
export interface Keyword {
  readonly name: string
  readonly role: KeywordRole
  /** The values that it is about; for a rule without groups, any value. */
  readonly groups?: readonly ValueGroup[]
  /** It applies its sub-schemas to the value itself. */
  readonly inPlace?: true
  readonly subschemas?: SubschemaShape
  /** Its value is data: an `$id` or `$ref` inside is not one. */
  readonly isData?: true
  /** Ajv does not know it; every instance is told to admit it. */
  readonly isAdded?: true
  /** The 4.x line takes a schema with it and without `type` for one of its group. */
  readonly infersType?: true
}

const inferring = (group: ValueGroup, name: string, subschemas?: SubschemaShape): Keyword => ({
  name,
  role: 'rule',
  groups: [group],
  infersType: true,
  ...(subschemas === undefined ? {} : { subschemas }),
})
const inPlace = (name: string, subschemas: SubschemaShape): Keyword => ({
  name,
  role: 'rule',
  inPlace: true,
  subschemas,
})
const annotation = (name: string): Keyword => ({ name, role: 'annotation' })
const added = (name: string): Keyword => ({ name, role: 'annotation', isAdded: true })
const limitOfFormat = (name: string): Keyword => ({ name, role: 'ajv-rule', groups: ['string'] })

/** All keywords. Rules stand in the order in which Ajv checks them within their group. */
export const VOCABULARY: readonly Keyword[] = [
  { name: '$schema', role: 'core' },
  { name: '$id', role: 'core' },
  { name: '$defs', role: 'core', subschemas: 'map' },
  { name: 'definitions', role: 'core', subschemas: 'map' },
  { name: '$ref', role: 'rule' },
  { name: '$comment', role: 'rule' },
  { name: 'type', role: 'rule', isData: true },
  { name: 'nullable', role: 'rule' },
  { name: 'const', role: 'rule', isData: true },
  { name: 'enum', role: 'rule', isData: true },
  inPlace('not', 'schema'),
  inPlace('anyOf', 'list'),
  inPlace('oneOf', 'list'),
  inPlace('allOf', 'list'),
  inPlace('if', 'schema'),
  { name: 'then', role: 'rule', subschemas: 'schema' },
  { name: 'else', role: 'rule', subschemas: 'schema' },
  inferring('number', 'maximum'),
  inferring('number', 'minimum'),
  inferring('number', 'exclusiveMaximum'),
  inferring('number', 'exclusiveMinimum'),
  inferring('number', 'multipleOf'),
  inferring('string', 'maxLength'),
  inferring('string', 'minLength'),
  inferring('string', 'pattern'),
  { name: 'format', role: 'rule', groups: ['number', 'string'] },
  limitOfFormat('formatMaximum'),
  limitOfFormat('formatMinimum'),
  limitOfFormat('formatExclusiveMaximum'),
  limitOfFormat('formatExclusiveMinimum'),
  inferring('array', 'maxItems'),
  inferring('array', 'minItems'),
  inferring('array', 'additionalItems', 'schema'),
  inferring('array', 'items', 'schema-or-list'),
  inferring('array', 'contains', 'schema'),
  inferring('array', 'uniqueItems'),
  inferring('object', 'maxProperties'),
  inferring('object', 'minProperties'),
  { ...inferring('object', 'required'), isData: true },
  { name: 'propertyNames', role: 'rule', groups: ['object'], subschemas: 'schema' },
  inferring('object', 'additionalProperties', 'schema'),
  inferring('object', 'dependencies', 'map-or-names'),
  inferring('object', 'properties', 'map'),
  inferring('object', 'patternProperties', 'map'),
  { name: 'default', role: 'annotation', isData: true },
  { name: 'examples', role: 'annotation', isData: true },
  { ...added('example'), isData: true },
  annotation('title'),
  annotation('description'),
  annotation('deprecated'),
  annotation('readOnly'),
  annotation('writeOnly'),
  annotation('contentMediaType'),
  annotation('contentEncoding'),
  annotation('contentSchema'),
  added('discriminator'),
  added('xml'),
  added('externalDocs'),
  added('summary'),
  added('$anchor'),
]

/** Keyword → how its value holds sub-schemas. */
export const SUBSCHEMAS: ReadonlyMap<string, SubschemaShape> = new Map(
  VOCABULARY.flatMap(({ name, subschemas }) => (subschemas === undefined ? [] : [[name, subschemas]])),
)

/** Keywords whose value is data. */
export const DATA_KEYWORDS: ReadonlySet<string> = new Set(namesOf(({ isData }) => isData === true))

/** The names of the keywords for which a test holds. */
export function namesOf(test: (keyword: Keyword) => boolean): readonly string[] {
  return VOCABULARY.filter(test).map(({ name }) => name)
}

/** The rules about one group of values, in Ajv's order. */
export function rulesOf(group: ValueGroup): readonly string[] {
  return namesOf(({ role, groups }) => role === 'rule' && groups?.includes(group) === true)
}

/** True for a keyword of an extension (`x-internal`, `x-order`), which is admitted everywhere. */
export function isExtensionKeyword(keyword: string): boolean {
  return keyword.startsWith('x-')
}
