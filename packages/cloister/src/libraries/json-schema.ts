import type { StandardSchema } from '@cloister/schema'

import { messageOf } from '../read-error.ts'
import { isFunction, isRecord } from '../guards.ts'
import { CONVERSIONS, GAP, isDescribed, type Conversion, type Side } from './conversions.ts'
import { hasTypesAlone } from './structure.ts'
import { changeBelow, schemasIn } from './subschemas.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** The JSON Schema of a library's schema. */
export interface LibraryJsonSchema {
  /** A value that has no JSON Schema is `{}`, with a note. */
  readonly schema: JsonSchema
  /** Whether a serializer of it enforces all that the library would check. */
  readonly hasTypesAlone: boolean
}

/** draft-07 first: it is the dialect that most tools read. */
const TARGETS = ['draft-07', 'draft-2020-12'] as const

/**
 * Returns the JSON Schema that a library offers for its schema (Standard JSON Schema), of what comes in or of what goes
 * out; `null` where it offers none.
 */
export function readJsonSchema(library: StandardSchema, side: Side): LibraryJsonSchema | null {
  const conversion = CONVERSIONS.get(library['~standard'].vendor)?.(side) ?? null
  const schema = convert(library, side, conversion)
  if (schema === null) return null
  const other =
    conversion?.hidesChanges === true && side === 'output' ? readJsonSchema(library, 'input') : null
  return {
    schema: withNotes(schema, other?.schema ?? {}, conversion?.correct),
    hasTypesAlone: conversion?.hasTypesAlone() === true && hasTypesAlone(schema),
  }
}

function convert(library: StandardSchema, side: Side, conversion: Conversion | null): JsonSchema | null {
  const offered: unknown = Reflect.get(library['~standard'], 'jsonSchema')
  const converter = isRecord(offered) ? offered[side] : undefined
  if (!isFunction(converter)) return null
  let reason = ''
  for (const target of TARGETS) {
    try {
      const converted = converter.call(offered, { target, libraryOptions: conversion?.options })
      if (!isRecord(converted)) return null
      // Some libraries mark their result as a schema of theirs.
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
 * @param other - the other side of the schema; what it describes and this one does not was changed
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
  /** The JSON pointer of its schema, as in `/properties/from`. */
  readonly pointer: string
  /** What has no JSON Schema, as in `a transform`. */
  readonly reason: string
}

/** Finds the notes that the conversion of a library's schema has left. */
export function gapsIn(schema: Readonly<Record<string, unknown>>, pointer = ''): Gap[] {
  const { [GAP]: reason } = schema
  const below = Object.entries(schema).flatMap(([keyword, value]) =>
    schemasIn(keyword, value).flatMap(([key, one]) =>
      gapsIn(one, `${pointer}/${keyword}${key === null ? '' : `/${token(key)}`}`),
    ),
  )
  return typeof reason === 'string' ? [{ pointer, reason }, ...below] : below
}

/** A key in a JSON pointer (RFC 6901 section 3). */
function token(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
