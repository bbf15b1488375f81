/** The interface between the parts of the parser: its options, and how a part reads inner schemas. */
import type { SchemaLocation } from '../../document/location.ts'
import type { Conjunction, Flattener } from './conjunction.ts'
import type { SerializationMode } from '../../options.ts'
import type { Node, Rounding, SharedDefinitions } from '../ir.ts'
import type { SchemaNode } from '../../walk/node.ts'

/** The options of a reader. */
export interface ReadOptions {
  readonly mode: SerializationMode
  readonly rounding: Rounding
  /** Arrays of at least this length are written natively; `undefined`: none. */
  readonly nativeArrayFrom: number | undefined
  /** The definitions that serializers share; `undefined` when this one shares none. */
  readonly shared: SharedDefinitions | undefined
}

/** Reads schemas into nodes. */
export interface SchemaReader {
  readonly options: ReadOptions
  readonly flattener: Flattener
  /** Whether lossy conversions are errors. */
  readonly isStrict: boolean
  /** Returns the node of a value that all the given schemas describe. */
  read(schemas: readonly SchemaLocation[]): Node
  /** Returns the node of a schema that is a plain scalar; undefined for any other. */
  readScalar(schema: unknown): Node | undefined
  /**
   * Returns the node of a single reference to a shared object schema, which is compiled separately; else undefined.
   */
  readShared(locations: readonly SchemaLocation[]): Node | undefined
  /** Returns the node of a conjunction; an equal conjunction is read once. */
  readConjunction(conjunction: Conjunction): Node
  /** Returns the predicate of a schema. */
  readPredicate(location: SchemaLocation): SchemaNode
}
