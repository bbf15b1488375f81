/**
 * The predicates of a serializer's intermediate representation: whether a value matches a schema, for unions and
 * conditions. A predicate sees the value as JSON shows it: own properties, `toJSON` applied, dates as strings, no
 * properties that are `undefined`.
 */
import type { JsonType } from '../document/json-types.ts'
import type { Expression } from '../regexp/compile.ts'

/** Whether a value matches one schema. It may contain itself. */
export interface PredicateNode {
  /** Tests that must all pass; set when the schema has been read to the end. */
  tests: readonly TestNode[]
  /** Whether `null` passes without any test. */
  allowsNull: boolean
}

/** A keyword that compares a number with a limit. */
export type Comparison = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum'

/** Rules of numbers; other values pass. */
export interface NumberTest {
  readonly kind: 'number'
  readonly limits: readonly (readonly [comparison: Comparison, limit: number])[]
  readonly multipleOf: number | undefined
}

/** Rules of strings; other values, dates too, pass. Lengths are in code points. */
export interface StringTest {
  readonly kind: 'string'
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly pattern: Expression | undefined
  /** The name of a format that the runtime has for strings. */
  readonly format: string | undefined
}

/** Rules of arrays; other values pass. */
export interface ArrayTest {
  readonly kind: 'array'
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
  /** The items at the beginning, each with a schema of its own. */
  readonly prefix: readonly PredicateNode[]
  /** The items after the prefix. */
  readonly rest: PredicateNode | undefined
  readonly contains: PredicateNode | undefined
  /** How many items must match it. */
  readonly minContains: number
  readonly maxContains: number | undefined
  readonly isUnique: boolean
}

/** The condition on an object that has a property: more properties, or a schema. */
export interface DependencyTest {
  readonly name: string
  readonly needs: readonly string[] | PredicateNode
}

/** Rules of objects; other values pass. */
export interface ObjectTest {
  readonly kind: 'object'
  readonly required: readonly string[]
  readonly minProperties: number | undefined
  readonly maxProperties: number | undefined
  readonly properties: readonly { readonly name: string; readonly value: PredicateNode }[]
  readonly patterns: readonly { readonly pattern: Expression; readonly value: PredicateNode }[]
  /** The properties that are neither declared nor in a pattern. */
  readonly additional: PredicateNode | undefined
  readonly names: PredicateNode | undefined
  readonly dependencies: readonly DependencyTest[]
}

/** All tests. */
export type TestNode =
  | { readonly kind: 'never' }
  | { readonly kind: 'type'; readonly types: readonly JsonType[] }
  | { readonly kind: 'literals'; readonly values: readonly unknown[] }
  | NumberTest
  | StringTest
  | ArrayTest
  | ObjectTest
  | { readonly kind: 'matches' | 'fails'; readonly predicate: PredicateNode }
  | { readonly kind: 'any' | 'one'; readonly predicates: readonly PredicateNode[] }
  | {
      readonly kind: 'condition'
      readonly test: PredicateNode
      readonly then: PredicateNode | undefined
      readonly otherwise: PredicateNode | undefined
    }
