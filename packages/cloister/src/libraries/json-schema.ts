import type { StandardSchema } from '@cloister/schema'
import { pointerToken } from '@cloister/schema/internal'

import { messageOf } from '../read-error.ts'
import { isFunction, isRecord } from '../guards.ts'
import { CONVERSIONS, GAP, isDescribed, type Conversion, type Side } from './conversions.ts'
import { changeBelow, hasTypesAlone, schemasIn, withTypesOfValues, type JsonSchema } from './subschemas.ts'

export interface LibraryJsonSchema {
  /** A value that has no JSON Schema is `{}` with a note. */
  readonly schema: JsonSchema
  /** Whether a serializer for the schema enforces all checks of the library. */
  readonly hasTypesAlone: boolean
}

/** draft-07 comes first, because most tools read it. */
const TARGETS = ['draft-07', 'draft-2020-12'] as const

/**
 * Returns the JSON Schema that a library offers for the input or output of its schema (Standard JSON Schema); `null` if
 * it offers none.
 */
export function readJsonSchema(library: StandardSchema, side: Side): LibraryJsonSchema | null {
  const conversion = CONVERSIONS.get(library['~standard'].vendor)?.(side) ?? null
  const schema = convert(library, side, conversion)
  if (schema === null) return null
  const other =
    conversion?.hidesChanges === true && side === 'output' ? readJsonSchema(library, 'input') : null
  const noted = withNotes(schema, other?.schema ?? {}, conversion?.correct)
  return {
    schema: side === 'text' ? withTypesOfValues(noted) : noted,
    hasTypesAlone: conversion?.hasTypesAlone?.() === true && hasTypesAlone(schema),
  }
}

function convert(library: StandardSchema, side: Side, conversion: Conversion | null): JsonSchema | null {
  const offered: unknown = Reflect.get(library['~standard'], 'jsonSchema')
  const converter = isRecord(offered) ? offered[side === 'output' ? side : 'input'] : undefined
  if (!isFunction(converter)) return null
  let reason = ''
  for (const target of TARGETS) {
    try {
      const converted = converter.call(offered, { target, libraryOptions: conversion?.options })
      if (!isRecord(converted)) return null
      // Some libraries mark their result with `~standard` too.
      const { '~standard': _, ...plain } = converted
      return plain
    } catch (error) {
      reason ||= messageOf(error)
    }
  }
  return { [GAP]: reason }
}

/**
 * Adds a note to each value that has no JSON Schema.
 *
 * @param other - the other side of the schema; a value that is described only there was changed
 */
function withNotes(given: JsonSchema, other: JsonSchema, correct: Conversion['correct']): JsonSchema {
  const schema = correct === undefined ? given : correct(given)
  const noted: Record<string, unknown> = { ...schema }
  for (const [keyword, value] of Object.entries(schema)) {
    const others = new Map(schemasIn(keyword, other[keyword]))
    noted[keyword] = changeBelow(keyword, value, (one, key) => withNotes(one, others.get(key) ?? {}, correct))
  }
  if (isDescribed(schema)) {
    delete noted[GAP]
    return noted
  }
  if (isDescribed(other)) noted[GAP] ??= 'a change'
  const { [GAP]: gap } = noted
  if (typeof gap === 'string') noted['description'] ??= `No JSON Schema describes this value: ${gap}.`
  return noted
}

/** A value in a library's schema that has no JSON Schema. */
export interface Gap {
  /** The JSON pointer of its schema, such as `/properties/from`. */
  readonly pointer: string
  /** The kind of value, such as `a transform`. */
  readonly reason: string
}

/** Returns the notes that `readJsonSchema` added to a schema. */
export function gapsIn(schema: JsonSchema, pointer = ''): Gap[] {
  const { [GAP]: reason } = schema
  const below = Object.entries(schema).flatMap(([keyword, value]) =>
    schemasIn(keyword, value).flatMap(([key, one]) =>
      gapsIn(one, `${pointer}/${keyword}${key === null ? '' : `/${pointerToken(key)}`}`),
    ),
  )
  return typeof reason === 'string' ? [{ pointer, reason }, ...below] : below
}
