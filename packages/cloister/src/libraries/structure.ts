import { changeBelow, holdsSchemas, someSchema } from './subschemas.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/*
 * The part of a library's JSON Schema that the schema engine compiles. The library itself checks values; the engine
 * coerces text and writes output, for which it needs types. Assertions count where a union chooses by them. Everything
 * else may be what the engine refuses: formats of the library, expressions in its own dialect, metadata.
 */

const TYPES: ReadonlySet<string> = new Set(['$schema', '$ref', 'type', 'nullable', 'required'])

/** Assertions by which a union chooses. */
const CHOICES: ReadonlySet<string> = new Set(
  (
    'const enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems ' +
    'minProperties maxProperties'
  ).split(' '),
)

/** Formats of JSON Schema itself; others belong to a library. */
const FORMATS: ReadonlySet<unknown> = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uri uri-reference uuid'.split(' '),
)
/** These decide how a date is written. */
const WRITTEN_FORMATS: ReadonlySet<unknown> = new Set(['date-time', 'date', 'time'])

/** Keywords whose schemas apply to some values only, or are reached from somewhere else. */
const BRANCHES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'definitions', '$defs'])

/** What a structure is for. */
export interface Purpose {
  /** Serializers fill in defaults; and to them an object that declares nothing is empty. */
  readonly isWritten: boolean
  /** Whether unions choose by expressions. */
  readonly patterns: boolean
}

/** Returns a schema with its types, and with the assertions by which unions choose. */
export function structureOf(schema: JsonSchema, purpose: Purpose, isBranch = false): Record<string, unknown> {
  // A file is no text.
  if (!purpose.isWritten && schema['format'] === 'binary') return {}
  const structure: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const isKept =
      TYPES.has(keyword) ||
      (keyword === 'default' && purpose.isWritten) ||
      (keyword === 'format' && (isBranch ? FORMATS : WRITTEN_FORMATS).has(value)) ||
      (isBranch && (CHOICES.has(keyword) || (keyword === 'pattern' && purpose.patterns && isUnicode(value))))
    if (isKept) structure[keyword] = value
    if (!holdsSchemas(keyword) || (!isBranch && (keyword === 'not' || keyword === 'propertyNames'))) continue
    const isBelow = isBranch || BRANCHES.has(keyword)
    structure[keyword] = changeBelow(keyword, value, (one) => structureOf(one, purpose, isBelow))
  }
  if (purpose.isWritten && schema['type'] === 'object' && !DECLARING.some((keyword) => keyword in schema)) {
    structure['additionalProperties'] = true
  }
  return structure
}

/** Keywords by which an object declares properties. */
const DECLARING = 'properties patternProperties additionalProperties $ref allOf anyOf oneOf'.split(' ')

/** Whether an expression compiles as JSON Schema wants it. */
function isUnicode(pattern: unknown): boolean {
  try {
    new RegExp(String(pattern), 'u')
    return true
  } catch {
    return false
  }
}

const ANNOTATIONS: ReadonlySet<string> = new Set(
  'title description examples deprecated readOnly writeOnly $comment id $id'.split(' '),
)

/** Whether serializers enforce all that a schema says: it has types and annotations alone. */
export function hasTypesAlone(schema: JsonSchema): boolean {
  return !someSchema(schema, (one) =>
    Object.entries(one).some(
      ([keyword, value]) =>
        value === false ||
        !(TYPES.has(keyword) || ANNOTATIONS.has(keyword) || (holdsSchemas(keyword) && keyword !== 'not')),
    ),
  )
}

/** Whether text may become something else by the types of a schema. */
export function coerces(schema: JsonSchema): boolean {
  return someSchema(schema, ({ type }) =>
    [type].flat().some((one) => typeof one === 'string' && one !== 'string' && one !== 'object'),
  )
}
