/** Schemas as the serializer reads them. */
import type { SchemaLocation } from '../../document/location.ts'

/** A schema object, before its keywords have been looked at. */
export type SchemaObject = Readonly<Record<string, unknown>>

/** Where references lead; the serializer knows no store. */
export interface RefScope {
  /** What a `$ref` written at `from` points to; `undefined` when there is nothing. */
  resolve(from: SchemaLocation, ref: string): SchemaLocation | undefined
}

/** The keyword's value when it is an array, else nothing. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The strings of a keyword that holds a list of names. */
export function namesOf(value: unknown): readonly string[] {
  return listOf(value).filter((entry) => typeof entry === 'string')
}
