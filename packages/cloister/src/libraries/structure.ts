import { changeBelow, holdsSchemas, someSchema } from './subschemas.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/*
 * Extracts the part of a library's JSON Schema that the schema engine compiles. The library itself checks values; the
 * engine coerces text and writes output, for which it needs types. Assertions are kept only where a union is decided by
 * them. The engine might reject everything else: formats of the library, patterns in its own dialect, metadata.
 */

const TYPES: ReadonlySet<string> = new Set(['$schema', '$ref', 'type', 'nullable', 'required'])

/** Assertions that decide a union. */
const CHOICES: ReadonlySet<string> = new Set(
  (
    'const enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems ' +
    'minProperties maxProperties'
  ).split(' '),
)

/** Formats of JSON Schema; others belong to a library. */
const FORMATS: ReadonlySet<unknown> = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uri uri-reference uuid'.split(' '),
)
/** Formats that decide how a date is written. */
const WRITTEN_FORMATS: ReadonlySet<unknown> = new Set(['date-time', 'date', 'time'])

/** Keywords whose schemas apply to some values only, or are referenced from elsewhere. */
const BRANCHES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'definitions', '$defs'])

export interface Purpose {
  /** Serializers fill in defaults, and write an object without declared properties as empty. */
  readonly isWritten: boolean
  /** Whether patterns decide unions. */
  readonly patterns: boolean
}

/** Returns a schema reduced to its types and the assertions that decide unions. */
export function structureOf(schema: JsonSchema, purpose: Purpose, isBranch = false): Record<string, unknown> {
  // A file isn't text.
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

const DECLARING = 'properties patternProperties additionalProperties $ref allOf anyOf oneOf'.split(' ')

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

/** Returns whether a serializer enforces the whole schema, because it consists of types and annotations only. */
export function hasTypesAlone(schema: JsonSchema): boolean {
  return !someSchema(schema, (one) =>
    Object.entries(one).some(
      ([keyword, value]) =>
        value === false ||
        !(TYPES.has(keyword) || ANNOTATIONS.has(keyword) || (holdsSchemas(keyword) && keyword !== 'not')),
    ),
  )
}

/** Returns whether the types of a schema can coerce text to another type. */
export function coerces(schema: JsonSchema): boolean {
  return someSchema(schema, ({ type }) =>
    [type].flat().some((one) => typeof one === 'string' && one !== 'string' && one !== 'object'),
  )
}
