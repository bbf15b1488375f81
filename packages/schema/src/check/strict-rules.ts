import { SchemaError } from '../errors.ts'
import { isSchemaObject } from '../guards.ts'
import { nearestNames } from '../suggest.ts'
import { isJsonType } from '../document/json-types.ts'
import { pointerToken } from '../document/pointer.ts'
import type { Dialect } from '../document/dialect.ts'
import { tupleOf } from '../document/arrays.ts'
import { acceptsAnything, isKnownFormat, KNOWN_FORMATS, KNOWN_KEYWORDS } from '../document/known-keywords.ts'
import { isExtensionKeyword } from '../document/vocabulary.ts'
import { isIgnoredFormat, isIgnoredKeyword, type SchemaRules } from '../document/schema-rules.ts'
import { complaint, pointerAt, type Position } from './complaint.ts'
import { foreignKeyword } from './dialect.ts'

/* The checks of Ajv's strict mode for one schema; `strict.ts` visits all schemas that a value can reach. */

/** How a schema is reached, which some checks depend on. */
export interface Reach {
  /** Whether it is inside anyOf, oneOf, not, if, contains or propertyNames, where defaults would be ignored. */
  readonly composite: boolean
  /** Whether it is the root of a separate function, where its own default would be ignored. */
  readonly root: boolean
}

const HABITS: Readonly<Record<string, string>> = {
  optional: 'leave the property out of "required", ',
  min: 'write "minimum", "minLength" or "minItems", ',
  max: 'write "maximum", "maxLength" or "maxItems", ',
}

/** What is meant by an unknown keyword: a property is often written beside "type". */
function habitOf(keyword: string, value: unknown): string {
  if (Object.hasOwn(HABITS, keyword)) return HABITS[keyword] ?? ''
  const isSchema = isSchemaObject(value) ? 'type' in value || '$ref' in value : isJsonType(value)
  return isSchema ? 'write a property below "properties", ' : ''
}

/** Throws for unknown keywords and formats. */
export function checkVocabulary(
  schema: Record<string, unknown>,
  position: Position,
  rules: SchemaRules,
): void {
  const { dialect } = position.entry.document
  for (const keyword of Object.keys(schema)) {
    if (KNOWN_KEYWORDS[dialect].has(keyword) || isExtensionKeyword(keyword)) continue
    if (isIgnoredKeyword(keyword, rules)) continue
    if (keyword === 'id') throw complaint(position, keyword, 'is the draft-4 name; write "$id"')
    const foreign = foreignKeyword(keyword, dialect)
    if (foreign !== undefined) throw complaint(position, keyword, foreign)
    const nearest = nearestNames(keyword, KNOWN_KEYWORDS[dialect])
    const habit = nearest.length > 0 ? '' : habitOf(keyword, schema[keyword])
    throw complaint(
      position,
      keyword,
      `is no keyword; ${habit}correct it, prefix it with "x-", or define it with an Ajv plugin`,
      nearest,
    )
  }
  const { format } = schema
  if (typeof format === 'string' && !isKnownFormat(format) && !isIgnoredFormat(format, rules)) {
    throw complaint(
      position,
      'format',
      `names an unknown format "${format}"; correct it, or define it with ajv.customOptions.formats`,
      nearestNames(format, KNOWN_FORMATS),
    )
  }
}

/**
 * Whether Ajv skips a keyword: a union that accepts everything, or a condition without consequence. In 2020-12 such
 * a union still determines what is evaluated.
 */
export function isSkipped(schema: Record<string, unknown>, keyword: string, dialect: Dialect): boolean {
  const value = schema[keyword]
  if (keyword === 'anyOf') {
    return dialect === 'draft-07' && Array.isArray(value) && value.some(acceptsAnything)
  }
  if (keyword !== 'if') return false
  return ['then', 'else'].every((clause) => schema[clause] === undefined || acceptsAnything(schema[clause]))
}

/** Throws for keywords that would do nothing or contradict each other. */
export function checkCombinations(
  schema: Record<string, unknown>,
  position: Position,
  { composite, root }: Reach,
  { allowsOverlap, fillsDefaults }: SchemaRules,
): void {
  const { type, nullable, items, properties, patternProperties } = schema
  if (fillsDefaults && root && schema['default'] !== undefined) {
    throw complaint(
      position,
      'default',
      'is ignored at the root of a schema; put it where the schema is a property, or remove it',
    )
  }
  if (nullable !== undefined && type === undefined)
    throw complaint(position, 'nullable', 'needs "type" beside it')
  if (nullable === false && (type === 'null' || (Array.isArray(type) && type.includes('null')))) {
    throw complaint(position, 'nullable', 'is false, but "type" allows null; keep one of them')
  }
  if (schema['additionalItems'] !== undefined && !Array.isArray(items)) {
    throw complaint(position, 'additionalItems', 'is ignored unless "items" is an array of schemas')
  }
  checkContains(schema, position)
  if (schema['if'] !== undefined && schema['then'] === undefined && schema['else'] === undefined) {
    throw complaint(position, 'if', 'is ignored without "then" and "else"')
  }
  for (const clause of ['then', 'else']) {
    if (schema[clause] !== undefined && schema['if'] === undefined)
      throw complaint(position, clause, 'is ignored without "if"')
  }
  if (fillsDefaults && composite) checkIgnoredDefaults(position, properties, schema)
  if (!allowsOverlap && isSchemaObject(patternProperties) && isSchemaObject(properties))
    checkOverlap(position, properties, patternProperties)
}

/** Checks the limits of `contains`, which draft-07 does not have. */
function checkContains(schema: Record<string, unknown>, position: Position): void {
  const { contains, minContains, maxContains } = schema
  for (const keyword of ['minContains', 'maxContains']) {
    if (contains === undefined && schema[keyword] !== undefined)
      throw complaint(position, keyword, 'is ignored without "contains"')
  }
  const asksNothing = minContains === 0 && maxContains === undefined
  if (asksNothing && schema['unevaluatedItems'] === undefined) {
    throw complaint(position, 'minContains', 'is 0, so that "contains" asks for nothing; remove both')
  }
  if (Number(minContains ?? 1) > Number(maxContains ?? Infinity)) {
    throw complaint(position, 'maxContains', 'is less than "minContains", so that no array is valid')
  }
}

function checkIgnoredDefaults(
  position: Position,
  properties: unknown,
  schema: Record<string, unknown>,
): void {
  const entries: [string, unknown][] = []
  if (isSchemaObject(properties)) {
    for (const [key, entry] of Object.entries(properties))
      entries.push([`properties/${pointerToken(key)}/default`, entry])
  }
  const { keyword, schemas } = tupleOf(schema, position.entry.document.dialect)
  schemas.forEach((entry, index) => entries.push([`${keyword}/${index}/default`, entry]))
  for (const [path, entry] of entries) {
    if (!isSchemaObject(entry) || entry['default'] === undefined) continue
    throw new SchemaError({
      code: 'SCHEMA_INVALID',
      reason:
        '"default" is ignored inside anyOf, oneOf, not, if, contains and propertyNames; move it out or remove it',
      pointer: `${pointerAt(position)}/${path}`,
      schemaId: position.entry.document.sharedId,
    })
  }
}

function checkOverlap(
  position: Position,
  properties: Record<string, unknown>,
  patternProperties: Record<string, unknown>,
): void {
  const patterns = Object.keys(patternProperties)
  if (patterns.every((pattern) => acceptsAnything(patternProperties[pattern]))) return
  for (const pattern of patterns) {
    const matched = Object.keys(properties).find((name) => new RegExp(pattern).test(name))
    if (matched === undefined) continue
    throw complaint(
      position,
      'patternProperties',
      `has the pattern ${JSON.stringify(pattern)}, which also matches the property "${matched}"; narrow it, or set ajv.customOptions.allowMatchingProperties`,
    )
  }
}
