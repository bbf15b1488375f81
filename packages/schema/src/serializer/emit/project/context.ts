/** The types that the emitters of projections share. */
import type { Code } from '../../../codegen/code.ts'
import type { Node } from '../../ir.ts'
import type { FunctionScope, UnitBuilder } from '../unit.ts'

/** The function in which a projection is written. */
export interface ProjectionContext {
  readonly scope: FunctionScope
  /** JSON pointer of the value, relative to the generated function that prefixes its errors. */
  readonly pointer: string
  /** The value is an object (no array, no date) whose `toJSON` has been called. */
  readonly isRecord: boolean
}

/** Writes the projection of nodes. */
export interface ProjectionEmitter {
  readonly unit: UnitBuilder
  /** Lists are created with their final length. */
  readonly preallocates: boolean
  /** An expression for the projected value. */
  project(node: Node, value: Code, context: ProjectionContext): Code
  /** The projected value, or `fallback` when the test holds. */
  projectUnless(test: Code, fallback: Code, node: Node, value: Code, context: ProjectionContext): Code
  /** An untyped value, `undefined` when it has no JSON text. */
  anyValue(value: Code): Code
  /** A JSON value of the schema. */
  literal(value: unknown): Code
}
