import { SchemaError } from '../errors.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { isJsonType, JSON_TYPES } from '../document/json-types.ts'
import { pointerOf } from '../document/pointer.ts'
import type { Path } from '../document/subschemas.ts'
import type { Dialect } from '../document/dialect.ts'
import { formOf, keywordsOf, type ValueForm } from '../document/vocabulary.ts'
import { allDistinct } from '../runtime/unique.ts'

/*
 * The meta-schemas as functions, which check the form of each keyword's value. They accept the same schemas, add the
 * pointer and a readable reason, and need no generated code.
 */

/** Returns the problem with a keyword's value; undefined if there is none. */
type Shape = (value: unknown) => string | undefined

const string: Shape = (value) => (typeof value === 'string' ? undefined : 'must be a string')
const boolean: Shape = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')
const number: Shape = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a number'
const count: Shape = (value) =>
  Number.isInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number, 0 or more'
const positive: Shape = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? undefined : 'must be a number above 0'
const array: Shape = (value) => (Array.isArray(value) ? undefined : 'must be an array')
const schema: Shape = (value) =>
  typeof value === 'boolean' || isSchemaObject(value) ? undefined : 'must be a schema: an object or a boolean'
const anchor: Shape = (value) =>
  typeof value === 'string' && /^[a-z_][-a-z0-9._]*$/i.test(value) ? undefined : 'must be a plain name'

const resource: Shape = (value) =>
  typeof value === 'string' && /^[^#]*#?$/.test(value)
    ? undefined
    : 'must be a URI without a fragment; a name within a schema is an "$anchor"'

const pattern: Shape = (value) => {
  if (typeof value !== 'string') return 'must be a string'
  try {
    new RegExp(value, 'u')
    return undefined
  } catch (error) {
    return `is no regular expression: ${error instanceof Error ? error.message : String(error)}`
  }
}

const names: Shape = (value) => {
  if (typeof value === 'boolean')
    return 'must be an array of names, in the schema of the object that has them'
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string'))
    return 'must be an array of names'
  return new Set(value).size === value.length ? undefined : 'must not name anything twice'
}

const values: Shape = (value) => {
  if (!Array.isArray(value) || value.length === 0) return 'must be an array with at least one value'
  return allDistinct(value) ? undefined : 'must not list a value twice'
}

/** Types of other languages. */
const TYPES_ELSEWHERE: Readonly<Record<string, string>> = {
  int: '"integer"',
  float: '"number"',
  double: '"number"',
  bool: '"boolean"',
  date: '{ "type": "string", "format": "date" }',
  datetime: '{ "type": "string", "format": "date-time" }',
  any: 'no "type" for any value',
}

const types: Shape = (value) => {
  const named: unknown[] = Array.isArray(value) ? value : [value]
  if (named.length === 0) return 'must name at least one type'
  const wrong = named.find((entry) => !isJsonType(entry))
  if (wrong !== undefined) {
    const given = typeof wrong === 'function' ? `the function ${wrong.name}` : JSON.stringify(wrong)
    const name = String(wrong)
    const hint = Object.hasOwn(TYPES_ELSEWHERE, name) ? `; write ${TYPES_ELSEWHERE[name]}` : ''
    return `must be one of ${JSON_TYPES.join(', ')}, or an array of them, not ${given}${hint}`
  }
  return new Set(named).size === named.length ? undefined : 'must not name a type twice'
}

const schemas: Shape = (value) => {
  if (!Array.isArray(value) || value.length === 0) return 'must be an array with at least one schema'
  return value.every((entry) => schema(entry) === undefined) ? undefined : 'must be an array of schemas'
}

const items: Shape = (value) => (Array.isArray(value) ? schemas(value) : schema(value))

const oneSchema: Shape = (value) =>
  Array.isArray(value)
    ? 'must be one schema in 2020-12; write the list in "prefixItems", and "items" for what comes behind it'
    : schema(value)

/** An object whose values all have a shape: what they are, and what a key with another value must have. */
function mapOf(shape: Shape, values: string, value: string): Shape {
  return (map) => {
    if (!isSchemaObject(map)) return `must be an object whose values are ${values}`
    const wrong = Object.keys(map).find((key) => shape(map[key]) !== undefined)
    return wrong === undefined ? undefined : `must have ${value} for ${JSON.stringify(wrong)}`
  }
}

const schemaMap = mapOf(schema, 'schemas', 'a schema (an object or a boolean)')
const schemaOrNames: Shape = (value) => (Array.isArray(value) ? names(value) : schema(value))
const dependencies = mapOf(schemaOrNames, 'schemas or arrays of names', 'a schema or an array of names')
const namesMap = mapOf(names, 'arrays of names', 'an array of names, each once,')

const patternMap: Shape = (value) => {
  const problem = schemaMap(value)
  if (problem !== undefined || !isObject(value)) return problem
  for (const key of Object.keys(value)) {
    const reason = pattern(key)
    if (reason !== undefined) return `has the key ${JSON.stringify(key)}, which ${reason}`
  }
  return undefined
}

const BY_FORM: Readonly<Record<ValueForm, Shape>> = {
  string,
  boolean,
  number,
  positive,
  count,
  array,
  values,
  names,
  types,
  pattern,
  anchor,
  resource,
  'one-schema': oneSchema,
  'names-map': namesMap,
  schema,
  list: schemas,
  map: schemaMap,
  'schema-or-list': items,
  'map-or-names': dependencies,
  'pattern-map': patternMap,
}

const SHAPES: Readonly<Record<Dialect, ReadonlyMap<string, Shape>>> = {
  'draft-07': shapesOf('draft-07'),
  '2020-12': shapesOf('2020-12'),
}

function shapesOf(dialect: Dialect): Map<string, Shape> {
  const shapes = new Map<string, Shape>()
  for (const keyword of keywordsOf(dialect)) {
    const form = formOf(keyword, dialect)
    if (form !== undefined) shapes.set(keyword.name, BY_FORM[form])
  }
  return shapes
}

/**
 * Checks the keyword values of one schema, without those of its subschemas.
 * @throws {@link SchemaError} `SCHEMA_INVALID`
 */
export function checkShapes(
  value: unknown,
  path: Path,
  schemaId: string | undefined,
  dialect: Dialect,
): void {
  const problem = schema(value)
  if (problem !== undefined) throw invalid(`the schema ${problem}`, pointerOf(path), schemaId)
  if (!isSchemaObject(value)) return
  for (const keyword of Object.keys(value)) {
    const entry = value[keyword]
    if (entry === undefined) continue
    const reason = SHAPES[dialect].get(keyword)?.(entry)
    if (reason !== undefined) throw invalid(`"${keyword}" ${reason}`, pointerOf([...path, keyword]), schemaId)
  }
}

function invalid(reason: string, pointer: string, schemaId: string | undefined): SchemaError {
  return new SchemaError({ code: 'SCHEMA_INVALID', reason, pointer, schemaId })
}
