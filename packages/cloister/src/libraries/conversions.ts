import { isRecord, recordOf, type Dictionary } from '../guards.ts'
import type { JsonSchema } from './subschemas.ts'

/*
 * Options for the JSON Schema conversion of libraries (`libraryOptions` of Standard JSON Schema). Without options, a
 * library throws for the whole schema if one value has no JSON Schema, and silently omits checks.
 */

/**
 * The side of a schema: the input of its library, or the output. `text` is the input as text is coerced by it: where a
 * function of the library comes first, it has no keywords. `exact` is the input as numbers in JSON are held against it.
 */
export type Side = 'input' | 'output' | 'text' | 'exact'

export interface Conversion {
  readonly options: Dictionary
  /**
   * Whether the converted schema consists of types only: no checks, changes or defaults. Absent if the library does not
   * show it: in a pipe of Valibot, the conversion ignores the actions before the last schema.
   */
  readonly hasTypesAlone?: () => boolean
  /** The library doesn't mark changed values; comparing input and output shows them. */
  readonly hidesChanges?: boolean
  /** Corrects one schema of the result. */
  readonly correct?: (schema: JsonSchema) => JsonSchema
}

/** The keyword that marks a value that its library makes of text by itself, in the side `text`. */
export const READS_TEXT = 'x-reads-text'

/** The keyword that marks a value without JSON Schema. Its value is the reason. */
export const GAP = 'x-unrepresentable'

const DATE: JsonSchema = { type: 'string', format: 'date-time' }
/**
 * Serializers write a bigint as an integer, but parsing JSON never returns a bigint. A library that makes one of a number
 * can't know which integer was sent, if it is beyond 2^53 - 1.
 */
function bigintOf(side: Side, format: string = 'int64'): JsonSchema {
  if (side === 'output') return { type: 'integer', format }
  return side === 'exact' ? { type: 'integer' } : { [GAP]: 'a bigint' }
}

/** The conversions by vendor (`~standard.vendor`). Other libraries get no options. */
export const CONVERSIONS: ReadonlyMap<string, (side: Side) => Conversion> = new Map([
  ['zod', zod],
  ['valibot', valibot],
  ['arktype', arktype],
  ['effect', effect],
])

const ZOD_TYPES: ReadonlySet<unknown> = new Set(
  (
    'object string number boolean null undefined void any unknown array tuple record union intersection ' +
    'optional nullable readonly lazy'
  ).split(' '),
)

const ZOD_GAPS: Readonly<Record<string, string>> = {
  transform: 'a transform',
  custom: 'a custom type',
  map: 'a Map',
  set: 'a Set',
  symbol: 'a symbol',
  nan: 'NaN',
  function: 'a function',
}

function zod(side: Side): Conversion {
  let hasTypesAlone = true
  const override = (given: unknown): void => {
    const { zodSchema, jsonSchema } = recordOf(given)
    const internals = recordOf(recordOf(zodSchema)['_zod'])
    const { def, toJSONSchema } = internals
    if (!isRecord(jsonSchema) || !isRecord(def)) return
    // The schema comes from its author, and Zod does not visit the schemas below it.
    if (toJSONSchema !== undefined) hasTypesAlone = false
    const type = String(def['type'])
    const checks: unknown = def['checks']
    if (!ZOD_TYPES.has(type) || 'check' in def || def['coerce'] === true) hasTypesAlone = false
    if (Array.isArray(checks) && checks.length > 0) hasTypesAlone = false
    if (type === 'date') addMissing(jsonSchema, DATE)
    if (type === 'bigint')
      addMissing(jsonSchema, bigintOf(side, def['format'] === 'uint64' ? 'uint64' : 'int64'))
    if (type === 'literal') correctLiterals(jsonSchema, def['values'], side)
    if (Object.hasOwn(ZOD_GAPS, type)) addMissing(jsonSchema, { [GAP]: ZOD_GAPS[type] })
    // Zod removes undeclared properties, and so do serializers. Without the keyword, input and output have the same
    // form.
    if (type === 'object' && def['catchall'] === undefined) delete jsonSchema['additionalProperties']
    // `z.coerce.boolean()` reads text by itself, as any value: each text but the empty one is true.
    const isFunction = beginsWithFunction(def) || (type === 'boolean' && def['coerce'] === true)
    if (side === 'text' && def['coerce'] === true) jsonSchema[READS_TEXT] = true
    if (side === 'text' && isFunction) for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
  }
  return { options: { unrepresentable: 'any', override }, hasTypesAlone: () => hasTypesAlone }
}

/** Whether a schema of Zod is a pipe whose first part is a function, as `z.preprocess` makes. */
function beginsWithFunction({ type, in: first }: Record<string, unknown>): boolean {
  if (type !== 'pipe' || !isRecord(first) || !isRecord(first['_zod'])) return false
  const { def } = first['_zod']
  return isRecord(def) && def['type'] === 'transform'
}

/** Zod writes bigints among literals as the nearest numbers. */
function correctLiterals(jsonSchema: Record<string, unknown>, values: unknown, side: Side): void {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'bigint')) return
  const isKept = side === 'output' && values.every((value) => BigInt(Number(value)) === value)
  if (!isKept) for (const key of ['type', 'const', 'enum']) delete jsonSchema[key]
  Object.assign(jsonSchema, bigintOf(side))
}

/** Adds keywords unless the author has described the value in metadata. */
function addMissing(jsonSchema: Record<string, unknown>, keywords: JsonSchema): void {
  if (!isDescribed(jsonSchema)) Object.assign(jsonSchema, keywords)
}

/** Returns whether a schema describes its value. */
export function isDescribed(jsonSchema: JsonSchema): boolean {
  return ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'const', 'enum'].some((key) => key in jsonSchema)
}

/** Valibot actions that change the type of a value, with the new type if it is known. */
const VALIBOT_CHANGES: Readonly<Record<string, JsonSchema>> = {
  to_date: DATE,
  to_number: { type: 'number' },
  to_boolean: { type: 'boolean' },
  to_string: { type: 'string' },
  stringify_json: { type: 'string' },
  to_bigint: bigintOf('output'),
  parse_json: { [GAP]: 'parsed JSON' },
  transform: { [GAP]: 'a transform' },
  raw_transform: { [GAP]: 'a transform' },
  find_item: { [GAP]: 'an item of a list' },
  reduce_items: { [GAP]: 'a reduced list' },
}

function valibot(side: Side): Conversion {
  const overrideSchema = (given: unknown): JsonSchema | undefined => {
    const { valibotSchema, jsonSchema, errors } = recordOf(given)
    if (!isRecord(jsonSchema) || !isRecord(valibotSchema) || errors === undefined) return undefined
    const type = String(valibotSchema['type'])
    if (type === 'date') return { ...jsonSchema, ...DATE }
    if (type === 'bigint') return { ...jsonSchema, ...bigintOf(side) }
    if (type === 'undefined' || type === 'void' || isDescribed(jsonSchema)) return undefined
    return { ...jsonSchema, [GAP]: `${type} of Valibot` }
  }
  const overrideAction = (given: unknown): JsonSchema | undefined => {
    const { valibotAction, errors } = recordOf(given)
    if (!isRecord(valibotAction) || errors === undefined) return undefined
    const type = String(valibotAction['type'])
    return Object.hasOwn(VALIBOT_CHANGES, type) ? VALIBOT_CHANGES[type] : undefined
  }
  return { options: { errorMode: 'ignore', overrideSchema, overrideAction } }
}

function arktype(side: Side): Conversion {
  const withBase =
    (keywords: (given: Record<string, unknown>) => JsonSchema) =>
    (given: unknown): JsonSchema => {
      const fallback = recordOf(given)
      return { ...recordOf(fallback['base']), ...keywords(fallback) }
    }
  const fallback = {
    date: withBase(() => DATE),
    domain: withBase(({ domain }) =>
      domain === 'bigint' ? bigintOf(side) : { [GAP]: `a ${String(domain)}` },
    ),
    proto: withBase(({ proto }) => ({
      [GAP]: typeof proto === 'function' ? `a ${proto.name}` : 'an object',
    })),
    unit: withBase(({ unit }) => {
      if (unit === undefined) return {}
      return typeof unit === 'bigint' ? bigintOf(side) : { [GAP]: `a ${typeof unit}` }
    }),
  }
  return { options: { fallback }, hidesChanges: true }
}

function effect(): Conversion {
  // Effect removes undeclared properties, unless a rest is declared; a rest is converted to `allOf`.
  const correct = (schema: JsonSchema): JsonSchema => {
    if (schema['additionalProperties'] !== true || schema['properties'] === undefined) return schema
    const { additionalProperties: _, ...closed } = schema
    return closed
  }
  return { options: {}, correct }
}
