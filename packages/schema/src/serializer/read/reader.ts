/** What the parts of the parser share: the options, and the way back to it for the schemas inside. */
import type { SchemaLocation } from '../../document/location.ts'
import type { Conjunction, Flattener } from './conjunction.ts'
import type { Node, Rounding, SharedDefinitions } from '../ir.ts'
import type { PredicateNode } from '../predicate-node.ts'

/** The two readings of a schema. */
export type SerializationMode = 'compat' | 'strict'

/** What the reader needs to know besides the schema. */
export interface ReadOptions {
  readonly mode: SerializationMode
  readonly rounding: Rounding
  /** Arrays of at least this length are written natively; `undefined` never. */
  readonly nativeArrayFrom: number | undefined
  /** What serializers have in common; `undefined` when this one stands alone. */
  readonly shared: SharedDefinitions | undefined
}

/** Reads schemas into nodes. */
export interface SchemaReader {
  readonly options: ReadOptions
  readonly flattener: Flattener
  /** Whether lossy conversions are errors (the strict reading). */
  readonly isStrict: boolean
  /** The node of a value that all the given schemas describe. */
  read(schemas: readonly SchemaLocation[]): Node
  /** The node of a schema that is a plain scalar; nothing for any other. */
  readScalar(schema: unknown): Node | undefined
  /** The node of a value that one reference to a shared object schema describes, compiled apart; else nothing. */
  readShared(locations: readonly SchemaLocation[]): Node | undefined
  /** The node of a conjunction; the same conjunction is read once. */
  readConjunction(conjunction: Conjunction): Node
  /** Whether a value matches a schema. */
  readPredicate(location: SchemaLocation): PredicateNode
}
