/** Schemas as the serializer reads them. */
import type { SchemaLocation } from '../../document/location.ts'

/** A schema object, before its keywords have been read. */
export type SchemaObject = Readonly<Record<string, unknown>>

/** Resolves references, without access to the store. */
export interface RefScope {
  /** What a `$ref` written at `from` points to; `undefined` when there is nothing. */
  resolve(from: SchemaLocation, ref: string): SchemaLocation | undefined
}

/** Returns the keyword's value when it is an array, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the strings of a keyword that holds a list of names. */
export function namesOf(value: unknown): readonly string[] {
  return listOf(value).filter((entry) => typeof entry === 'string')
}
