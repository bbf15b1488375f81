import type { ValidateFunction as AjvFunction } from 'ajv'
import type { SealedSerializer } from '../ahead/built.ts'
import type { SchemaEngineOptions } from '../options.ts'
import type { Accept } from '../validator/decider.ts'
import type { Reader } from './reader.ts'

/** A validator as code. */
export interface SealedValidator {
  /** Makes its acceptor; `null` if there is none. */
  readonly accept: (() => Accept) | null
  /** Makes the function of Ajv that writes its errors; `null` if the reader does. */
  readonly refuse: (() => AjvFunction) | null
}

/** What the schemas of an app became, by the keys of `ahead/key.ts`. */
export interface SealedTable {
  readonly validators: Readonly<Record<string, SealedValidator>>
  readonly serializers: Readonly<Record<string, SealedSerializer>>
  /** Whether schemas allow `null`, where their own type does not say it. */
  readonly nullable: Readonly<Record<string, boolean>>
  /** By the key of a schema alone: lists of the shared schemas that it refers to. */
  readonly shared: Readonly<Record<string, readonly (readonly string[])[]>>
  /** By method and URL: the file and line of routes before the build. */
  readonly routes: Readonly<Record<string, string>>
  /** Reads schemas for what is not code; `null` if all of it is. */
  readonly createReader: ((options: SchemaEngineOptions) => Reader) | null
}

/** The schemas of a sealed build: none. `cloister build` replaces this module by one with a table. */
export const SEALED: SealedTable = {
  validators: {},
  serializers: {},
  nullable: {},
  shared: {},
  routes: {},
  createReader: null,
}
