import { SchemaError } from '../errors.ts'
import { defineOwn, isPlainObject, listOf } from '../guards.ts'
import { pointerToken, targetWithin } from '../document/pointer.ts'
import { DATA_KEYWORDS, SUBSCHEMAS } from '../document/vocabulary.ts'
import { findCircles } from '../store/clone.ts'

/** Keywords whose subschemas apply to the same headers. */
const IN_PLACE_LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf']
const DEFINITIONS: readonly string[] = ['definitions', '$defs']
const DEPENDENCIES: readonly string[] = ['dependencies', 'dependentRequired', 'dependentSchemas']
const IN_PLACE: readonly string[] = ['not', 'if', 'then', 'else']

/**
 * Lowers all header names in a schema, as transports lower those of requests: in `properties`, `required`,
 * `dependencies` (`dependentRequired`, `dependentSchemas`), `propertyNames`, and in the subschemas for the same
 * headers. References with these names keep their targets.
 */
export function lowerHeaderNames(schema: unknown): unknown {
  findCircles(schema)
  return lowerReferences(lowerNames(schema, '', schema))
}

/** @param root - the whole schema, for references */
function lowerNames(schema: unknown, pointer: string, root: unknown): unknown {
  if (!isPlainObject(schema)) return schema
  const lowered: Record<string, unknown> = { ...schema }
  if (isPlainObject(schema['properties'])) {
    lowered['properties'] = lowerKeys(schema['properties'], `${pointer}/properties`, (value) => value)
  }
  if (Array.isArray(schema['required'])) lowered['required'] = schema['required'].map(lowerName)
  for (const keyword of DEPENDENCIES) {
    const map = schema[keyword]
    if (!isPlainObject(map)) continue
    lowered[keyword] = lowerKeys(map, `${pointer}/${keyword}`, (value, at) =>
      Array.isArray(value) ? value.map(lowerName) : lowerNames(value, at, root),
    )
  }
  if ('propertyNames' in schema) lowered['propertyNames'] = lowerNameTest(schema['propertyNames'], root, [])
  // References to these definitions apply to the headers, because no header value is an object.
  for (const keyword of DEFINITIONS) {
    const map = schema[keyword]
    if (!isPlainObject(map)) continue
    lowered[keyword] = Object.fromEntries(
      Object.entries(map).map(([name, value]) => [
        name,
        lowerNames(value, `${pointer}/${keyword}/${pointerToken(name)}`, root),
      ]),
    )
  }
  lowerInPlace(schema, lowered, (below, at) => lowerNames(below, `${pointer}/${at}`, root))
  return lowered
}

/** Lowers the subschemas for the same headers. @param lower - gets each of them, and its path */
function lowerInPlace(
  schema: Record<string, unknown>,
  lowered: Record<string, unknown>,
  lower: (below: unknown, at: string) => unknown,
): void {
  for (const keyword of IN_PLACE_LISTS) {
    const list = schema[keyword]
    if (Array.isArray(list)) lowered[keyword] = list.map((entry, at) => lower(entry, `${keyword}/${at}`))
  }
  for (const keyword of IN_PLACE) if (keyword in schema) lowered[keyword] = lower(schema[keyword], keyword)
}

/**
 * Lowers the names in a schema of `propertyNames`, which applies to the header name itself. Replaces a reference
 * within the schema by its target: elsewhere the same texts may be values.
 *
 * @param followed - the references followed so far
 */
function lowerNameTest(schema: unknown, root: unknown, followed: readonly string[]): unknown {
  if (!isPlainObject(schema)) return schema
  const { $ref: reference, ...lowered } = schema
  if ('const' in schema) lowered['const'] = lowerName(schema['const'])
  if (Array.isArray(schema['enum'])) lowered['enum'] = [...new Set(schema['enum'].map(lowerName))]
  lowerInPlace(schema, lowered, (below) => lowerNameTest(below, root, followed))
  if (typeof reference !== 'string') return lowered
  const target = followed.includes(reference) ? undefined : targetWithin(root, reference)
  if (target === undefined) return { ...lowered, $ref: reference }
  const inPlace = lowerNameTest(target, root, [...followed, reference])
  return { ...lowered, allOf: [...listOf(lowered['allOf']), inPlace] }
}

/** Lowers the pointers of all references, since the names in their targets are lowered in the same way. */
function lowerReferences(schema: unknown): unknown {
  if (!isPlainObject(schema)) return schema
  const lowered: Record<string, unknown> = { ...schema }
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = SUBSCHEMAS.get(keyword)
    if (keyword === '$ref' && typeof value === 'string') lowered[keyword] = lowerPointer(value)
    else if (shape === undefined) continue
    else if (Array.isArray(value)) lowered[keyword] = value.map(lowerReferences)
    else if (shape.startsWith('map') && isPlainObject(value)) {
      const entries = Object.entries(value).map(([name, entry]) => [name, lowerReferences(entry)])
      lowered[keyword] = Object.fromEntries(entries)
    } else lowered[keyword] = lowerReferences(value)
  }
  return lowered
}

/** Lowers the names in a reference's pointer that {@link lowerNames} lowers in the schema. */
function lowerPointer(reference: string): string {
  const tokens = reference.split('/')
  if (!tokens[0]?.endsWith('#')) return reference
  for (let at = 1; at < tokens.length; at++) {
    const keyword = tokens[at] ?? ''
    if (IN_PLACE.includes(keyword)) continue
    at++
    if (IN_PLACE_LISTS.includes(keyword) || DEFINITIONS.includes(keyword)) continue
    const isMapOfNames = keyword === 'properties' || DEPENDENCIES.includes(keyword)
    if (isMapOfNames && at < tokens.length) tokens[at] = tokens[at]?.toLowerCase() ?? ''
    // Below the schema of a header, names are not header names.
    if (!DEPENDENCIES.includes(keyword)) break
  }
  return tokens.join('/')
}

function lowerName(name: unknown): unknown {
  return typeof name === 'string' ? name.toLowerCase() : name
}

function lowerKeys(
  map: Record<string, unknown>,
  pointer: string,
  convert: (value: unknown, pointer: string) => unknown,
): Record<string, unknown> {
  const lowered: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(map)) {
    const name = key.toLowerCase()
    const at = `${pointer}/${pointerToken(key)}`
    if (Object.hasOwn(lowered, name)) {
      throw new SchemaError({
        code: 'SHAPE_INVALID',
        part: 'headers',
        pointer: at,
        reason: `header names ignore case, and "${name}" is described twice; keep one of them`,
      })
    }
    defineOwn(lowered, name, convert(value, at))
  }
  return lowered
}

/** Escapes, group names and classes: capital letters in them are not text, or have lower-case letters beside them. */
const NO_TEXT =
  /\\(?:[pu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|.)|\(\?<(?![=!])[^>]*>|\[(?:\\.|[^\]\\])*\]/gi

/**
 * Finds the expressions for header names that contain capital letters. Header names are compared in lower case, and
 * an expression cannot be lowered, so these match no name.
 *
 * @returns the JSON pointer of each
 */
export function findCapitalPatterns(schema: unknown): string[] {
  const found: string[] = []
  visit(schema, '', false, found)
  return found
}

/** @param isName - whether the schema is in `propertyNames` */
function visit(schema: unknown, pointer: string, isName: boolean, found: string[]): void {
  if (!Array.isArray(schema) && !isPlainObject(schema)) return
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${pointer}/${pointerToken(keyword)}`
    if (DATA_KEYWORDS.has(keyword) || keyword === 'properties') continue
    if (isName && keyword === 'pattern' && hasCapital(value)) found.push(at)
    if (keyword !== 'patternProperties') visit(value, at, isName || keyword === 'propertyNames', found)
    else if (isPlainObject(value)) {
      const capital = Object.keys(value).filter(hasCapital)
      found.push(...capital.map((pattern) => `${at}/${pointerToken(pattern)}`))
    }
  }
}

function hasCapital(pattern: unknown): boolean {
  return typeof pattern === 'string' && /[A-Z]/.test(pattern.replaceAll(NO_TEXT, ''))
}
