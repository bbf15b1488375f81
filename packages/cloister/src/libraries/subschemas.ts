import { isRecord, type Dictionary } from '../guards.ts'

export type JsonSchema = Dictionary

/** Keywords with one schema or a list of schemas. */
const PLAIN: ReadonlySet<string> = new Set(
  'items additionalItems additionalProperties propertyNames not allOf anyOf oneOf prefixItems'.split(' '),
)
/** Keywords with schemas by name. */
const NAMED: ReadonlySet<string> = new Set('properties patternProperties definitions $defs'.split(' '))

/** Returns whether a keyword contains schemas. */
export function holdsSchemas(keyword: string): boolean {
  return PLAIN.has(keyword) || NAMED.has(keyword)
}

/** Returns the schemas directly below a keyword, each with its key. Boolean schemas are omitted. */
export function schemasIn(keyword: string, value: unknown): (readonly [key: string | null, JsonSchema])[] {
  if (!holdsSchemas(keyword)) return []
  if (typeof value !== 'object' || value === null) return []
  const isOne = PLAIN.has(keyword) && !Array.isArray(value)
  const entries: [string | null, unknown][] = isOne ? [[null, value]] : Object.entries(value)
  return entries.flatMap(([key, one]) => (isRecord(one) ? [[key, one] as const] : []))
}

/** Returns the value of a keyword with a function applied to each schema directly below it. */
export function changeBelow(
  keyword: string,
  value: unknown,
  change: (schema: JsonSchema, key: string | null) => unknown,
): unknown {
  const changed = new Map(schemasIn(keyword, value).map(([key, one]) => [key, change(one, key)]))
  if (changed.has(null)) return changed.get(null)
  const keep = ([key, one]: [string, unknown]): [string, unknown] => [key, changed.get(key) ?? one]
  if (Array.isArray(value)) return Object.entries(value).map((entry) => keep(entry)[1])
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(keep)) : value
}

/** Returns whether this schema or one below it passes a test. */
export function someSchema(schema: JsonSchema, test: (schema: JsonSchema) => boolean): boolean {
  if (test(schema)) return true
  return Object.entries(schema).some(([keyword, value]) =>
    schemasIn(keyword, value).some(([, one]) => someSchema(one, test)),
  )
}

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

/**
 * Returns a schema whose unions begin with the branches that take text as it is, so that it stays text. A branch with an
 * expression or format that the structure omits keeps its place.
 *
 * @param patterns - whether the structure has patterns
 */
export function textFirst(schema: JsonSchema, patterns: boolean, root: JsonSchema = schema): JsonSchema {
  const ordered: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const changed = changeBelow(keyword, value, (one) => textFirst(one, patterns, root))
    const isUnion = (keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(changed)
    // Of `oneOf`, a branch that does not apply may have coerced the value.
    const name = isUnion && !('anyOf' in schema) ? 'anyOf' : keyword
    const takes = (branch: unknown): boolean => takesText(branch, { patterns, root, hops: MAX_HOPS })
    ordered[name] = isUnion ? changed.toSorted((a, b) => Number(takes(b)) - Number(takes(a))) : changed
  }
  return ordered
}

/** References and unions below each other; more of them are a circle. */
const MAX_HOPS = 32

interface Within {
  readonly patterns: boolean
  readonly root: JsonSchema
  readonly hops: number
}

function takesText(branch: unknown, { patterns, root, hops }: Within): boolean {
  if (!isRecord(branch)) return branch === true
  if (hops === 0) return false
  const takes = (one: unknown): boolean => takesText(one, { patterns, root, hops: hops - 1 })
  const { type, $ref, enum: list, pattern, format } = branch
  if (pattern !== undefined && !(patterns && isUnicode(pattern))) return false
  if (format !== undefined && !FORMATS.has(format)) return false
  if (typeof $ref === 'string') return takes(targetOf($ref, root))
  if ('const' in branch) return typeof branch['const'] === 'string'
  if (Array.isArray(list)) return list.some((one) => typeof one === 'string')
  if (type !== undefined) return [type].flat().includes('string')
  const union = branch['anyOf'] ?? branch['oneOf']
  if (Array.isArray(union)) return union.some(takes)
  const all: unknown = branch['allOf']
  return !Array.isArray(all) || all.every(takes)
}

/** Returns the schema that a reference within a document names. */
export function targetOf(ref: string, root: JsonSchema): unknown {
  let target: unknown = root
  for (const token of ref.split('/').slice(1)) {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
    target = isRecord(target) || Array.isArray(target) ? Reflect.get(target, name) : undefined
  }
  return target
}

/**
 * Returns a schema whose constants have a type each. Text is coerced by types, and a library may write none beside
 * `const` and `enum`, or a list of types, of which a text has one already.
 */
export function withTypesOfValues(given: JsonSchema): JsonSchema {
  const schema: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(given)) {
    schema[keyword] = changeBelow(keyword, value, withTypesOfValues)
  }
  const { const: one, enum: list, type, ...rest } = schema
  const values: unknown[] = Array.isArray(list) ? list : 'const' in schema ? [one] : []
  const types = [...new Set(values.map(typeOfValue))]
  if (types.length === 0 || types.includes(null) || typeof type === 'string' || 'anyOf' in rest) return schema
  if (types.length === 1) return { ...schema, type: types[0] }
  const valuesOf = (name: string | null): unknown[] => values.filter((value) => typeOfValue(value) === name)
  return { ...rest, anyOf: types.map((name) => ({ type: name, enum: valuesOf(name) })) }
}

/** The type of a constant in JSON Schema; `null` for those that no text can become. */
function typeOfValue(value: unknown): string | null {
  if (value === null) return 'null'
  return ['string', 'number', 'boolean'].find((name) => name === typeof value) ?? null
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
