import { refOf } from '../closure.ts'
import { SchemaError } from '../errors.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { SUBSCHEMAS } from '../keywords.ts'
import { nearestNames } from '../nearest.ts'
import { pointerToken } from '../pointer.ts'
import { childPlace, type SchemaPlace, type SchemaScope } from '../resolve-ref.ts'
import { acceptsAnything } from '../validator/accept-keywords.ts'
import { formatNames } from '../validator/formats.ts'
import { isExtensionKeyword } from '../validator/baseline.ts'
import { isKnownKeyword, knownKeywords } from './known-keywords.ts'

/*
 * What Ajv's strict mode complains about, found without Ajv. Only schemas that a value can reach are
 * looked at: an unused definition may hold anything of the right shape.
 */

/** How a schema is reached; some complaints depend on it. */
interface Reach {
  /** Inside anyOf, oneOf, not, if, contains or propertyNames: defaults would be ignored. */
  readonly composite: boolean
  /** Root of a function of its own: its own default would be ignored. */
  readonly root: boolean
}

const COMPOSITE = new Set(['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames'])
const NOT_APPLIED = new Set(['definitions', '$defs'])

/** Checks everything that a value can reach from a schema. */
export class StrictCheck {
  readonly #scope: SchemaScope
  readonly #isAsync: boolean
  readonly #seen: Map<unknown, Set<string>> = new Map()

  constructor(scope: SchemaScope, root: SchemaPlace) {
    this.#scope = scope
    this.#isAsync = isSchemaObject(root.schema) && root.schema['$async'] === true
  }

  /** @throws {@link SchemaError} `SCHEMA_INVALID` */
  check(place: SchemaPlace, reach: Reach = { composite: false, root: true }): void {
    const { schema } = place
    if (!isSchemaObject(schema) || this.#wasSeen(schema, reach)) return
    this.#checkKeywords(place, schema)
    if (acceptsAnything(schema)) return
    checkCombinations(place, schema, reach)
    if (schema['$async'] === true && !this.#isAsync) {
      throw complaint(place, '$async', 'only works when the schema it is part of is asynchronous too')
    }
    const ref = refOf(place)
    const target = ref === undefined ? undefined : this.#scope.resolve(place, ref)
    if (target !== undefined) {
      const called = hasReference(target.schema)
      this.check(target, { composite: !called && reach.composite, root: called })
    }
    for (const [keyword, child] of appliedPlaces(place, schema)) {
      this.check(child, { composite: reach.composite || COMPOSITE.has(keyword), root: false })
    }
  }

  #wasSeen(schema: unknown, { composite, root }: Reach): boolean {
    const key = `${composite}${root}`
    const seen = this.#seen.get(schema)
    if (seen === undefined) this.#seen.set(schema, new Set([key]))
    else if (seen.has(key)) return true
    else seen.add(key)
    return false
  }

  #checkKeywords(place: SchemaPlace, schema: Record<string, unknown>): void {
    for (const keyword of Object.keys(schema)) {
      if (keyword === 'id') throw complaint(place, keyword, 'is the draft-4 name; write "$id"')
      if (isKnownKeyword(keyword) || isExtensionKeyword(keyword)) continue
      throw complaint(
        place,
        keyword,
        'is no keyword; correct it, prefix it with "x-", or define it with an Ajv plugin',
        nearestNames(keyword, knownKeywords()),
      )
    }
    const { format } = schema
    if (typeof format === 'string' && !formatNames().includes(format)) {
      throw complaint(
        place,
        'format',
        `names an unknown format "${format}"; correct it, or define it with ajv.customOptions.formats`,
        nearestNames(format, formatNames()),
      )
    }
  }
}

function* appliedPlaces(
  place: SchemaPlace,
  schema: Record<string, unknown>,
): Generator<[string, SchemaPlace]> {
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = SUBSCHEMAS.get(keyword)
    if (shape === undefined || !isObject(value) || NOT_APPLIED.has(keyword) || isSkipped(schema, keyword))
      continue
    if (shape === 'schema' || (shape === 'schema-or-list' && !Array.isArray(value))) {
      yield [keyword, childPlace(place, [keyword])]
      continue
    }
    for (const [key, entry] of Object.entries(value)) {
      if (!Array.isArray(entry)) yield [keyword, childPlace(place, [keyword, key])]
    }
  }
}

/** Ajv does not look into a union that accepts anything, nor into a condition without consequence. */
function isSkipped(schema: Record<string, unknown>, keyword: string): boolean {
  const value = schema[keyword]
  if (keyword === 'anyOf') return Array.isArray(value) && value.some(acceptsAnything)
  if (keyword !== 'if') return false
  return ['then', 'else'].every((clause) => schema[clause] === undefined || acceptsAnything(schema[clause]))
}

function checkCombinations(
  place: SchemaPlace,
  schema: Record<string, unknown>,
  { composite, root }: Reach,
): void {
  const { type, nullable, items, properties, patternProperties } = schema
  if (root && schema['default'] !== undefined) {
    throw complaint(
      place,
      'default',
      'is ignored at the root of a schema; put it where the schema is a property, or remove it',
    )
  }
  if (nullable !== undefined && type === undefined)
    throw complaint(place, 'nullable', 'needs "type" beside it')
  if (nullable === false && (type === 'null' || (Array.isArray(type) && type.includes('null')))) {
    throw complaint(place, 'nullable', 'is false, but "type" admits null; keep one of them')
  }
  if (schema['additionalItems'] !== undefined && !Array.isArray(items)) {
    throw complaint(place, 'additionalItems', 'is ignored unless "items" is an array of schemas')
  }
  if (schema['if'] !== undefined && schema['then'] === undefined && schema['else'] === undefined) {
    throw complaint(place, 'if', 'is ignored without "then" and "else"')
  }
  for (const clause of ['then', 'else']) {
    if (schema[clause] !== undefined && schema['if'] === undefined)
      throw complaint(place, clause, 'is ignored without "if"')
  }
  if (composite) checkIgnoredDefaults(place, properties, items)
  if (isSchemaObject(patternProperties) && isSchemaObject(properties))
    checkOverlap(place, properties, patternProperties)
}

function checkIgnoredDefaults(place: SchemaPlace, properties: unknown, items: unknown): void {
  const entries: [string, unknown][] = []
  if (isSchemaObject(properties)) {
    for (const [key, entry] of Object.entries(properties))
      entries.push([`properties/${pointerToken(key)}/default`, entry])
  }
  if (Array.isArray(items)) items.forEach((entry, index) => entries.push([`items/${index}/default`, entry]))
  for (const [path, entry] of entries) {
    if (!isSchemaObject(entry) || entry['default'] === undefined) continue
    throw new SchemaError({
      code: 'SCHEMA_INVALID',
      reason:
        '"default" is ignored inside anyOf, oneOf, not, if, contains and propertyNames; move it out or remove it',
      pointer: `${place.pointer}/${path}`,
      schemaId: place.document.sharedId,
    })
  }
}

function checkOverlap(
  place: SchemaPlace,
  properties: Record<string, unknown>,
  patternProperties: Record<string, unknown>,
): void {
  const patterns = Object.keys(patternProperties)
  if (patterns.every((pattern) => acceptsAnything(patternProperties[pattern]))) return
  for (const pattern of patterns) {
    const matched = Object.keys(properties).find((name) => new RegExp(pattern).test(name))
    if (matched === undefined) continue
    throw complaint(
      place,
      'patternProperties',
      `has the pattern ${JSON.stringify(pattern)}, which also matches the property "${matched}"; narrow it, or set ajv.customOptions.allowMatchingProperties`,
    )
  }
}

function complaint(
  place: SchemaPlace,
  keyword: string,
  reason: string,
  nearest: readonly string[] = [],
): SchemaError {
  return new SchemaError({
    code: 'SCHEMA_INVALID',
    reason: `"${keyword}" ${reason}`,
    pointer: `${place.pointer}/${pointerToken(keyword)}`,
    schemaId: place.document.sharedId,
    nearest,
  })
}

/** Ajv pastes a referenced schema in place unless it has references itself. */
function hasReference(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, entry]) => key === '$ref' || hasReference(entry))
}
