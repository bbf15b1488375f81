/**
 * The intermediate representation of a serializer. `read/` makes every decision about the text of a value; the back
 * ends turn nodes into code and read no schema. Unions and conditions refer to predicates (`predicate-node.ts`).
 *
 * `strict` is the strict reading: a value of another type is an error. Without it the value is
 * converted as the 4.x line does.
 */
import type { PredicateNode } from './predicate-node.ts'

/** A primitive that a `const` or `enum` may hold. */
export type Primitive = string | number | boolean | null

/** How a fraction becomes an integer in the compat reading. */
export type Rounding = 'trunc' | 'floor' | 'ceil' | 'round'

/** What a date is written as in a string field. */
export type StringFormat = 'plain' | 'date-time' | 'date' | 'time'

/**
 * The disjoint kinds of values that a schema can tell apart. `text-object` is an object with a
 * `toString` of its own (no date, no array): the compat reading may take it for a string.
 */
export type ValueKind =
  | 'null'
  | 'boolean'
  | 'integer'
  | 'fraction'
  | 'string'
  | 'array'
  | 'object'
  | 'text-object'

/** A property that an object schema declares. */
export interface PropertyNode {
  readonly name: string
  readonly node: Node
  readonly isRequired: boolean
  /** JSON text of the default value, when there is one. */
  readonly defaultText: string | undefined
}

/** A family of properties, by pattern. */
export interface PatternNode {
  readonly pattern: RegExp
  /** `undefined`: properties of this family are left out. */
  readonly node: Node | undefined
}

/** An object: declared properties (required ones first), then patterns, then the others. */
export interface ObjectNode {
  readonly kind: 'object'
  readonly strict: boolean
  readonly properties: readonly PropertyNode[]
  /** Names that must be there though no schema declares them. */
  readonly requiredOnly: readonly string[]
  readonly patterns: readonly PatternNode[]
  /** How undeclared properties are written; `undefined` leaves them out. */
  readonly additional: Node | undefined
}

/** An array: a fixed beginning, then any number of `rest`. */
export interface ArrayNode {
  readonly kind: 'array'
  readonly strict: boolean
  readonly prefix: readonly Node[]
  /** `undefined`: nothing may follow the prefix. */
  readonly rest: Node | undefined
  /** From this length on the array is written natively, unfiltered. */
  readonly nativeFrom: number | undefined
}

/** A value that may be `null`, and what `null` is written as. */
export interface NullableNode {
  readonly kind: 'nullable'
  readonly inner: Node
  /** `{}` is what the 4.x line writes for an object that may not be `null`. */
  readonly text: 'null' | '{}'
}

/** One arm of a {@link ChooseNode}. */
export interface ChooseCase {
  readonly kinds: readonly ValueKind[]
  readonly node: Node
}

/** A chain of type tests. */
export interface ChooseNode {
  readonly kind: 'choose'
  readonly cases: readonly ChooseCase[]
  /** For a value that no case takes; `undefined` is an error. */
  readonly otherwise: Node | undefined
  readonly expected: string
}

/** A switch over the discriminating property of a union. */
export interface SwitchNode {
  readonly kind: 'switch'
  readonly property: string
  readonly cases: readonly { readonly values: readonly Primitive[]; readonly node: Node }[]
  readonly otherwise: Node | undefined
}

/** One branch of a {@link MatchNode}. */
export interface Candidate {
  readonly test: PredicateNode
  readonly node: Node
}

/** Branches tried by predicate; of those that accept, the one that leaves out least is taken. */
export interface MatchNode {
  readonly kind: 'match'
  readonly candidates: readonly Candidate[]
  readonly expected: string
}

/** `if` / `then` / `else`. */
export interface ConditionNode {
  readonly kind: 'condition'
  readonly test: PredicateNode
  readonly then: Node
  readonly otherwise: Node
}

/** A schema that is reached by reference; its node is set when it has been read to the end. */
export interface Definition {
  node: Node
  isRecursive: boolean
}

/** Called with a value and the JSON pointer at which it stands; text or projection, by the back end. */
export type SharedFunction = (value: unknown, at: string) => unknown

/** A shared schema without references of its own: it is read and compiled once for all that refer to it. */
export interface SharedDefinition {
  readonly node: Node
}

/** The shared definitions that the serializers of one mode have met, by schema. */
export type SharedDefinitions = WeakMap<object, SharedDefinition>

/** All nodes. */
export type Node =
  | { readonly kind: 'any' }
  | { readonly kind: 'never'; readonly reason: string }
  | { readonly kind: 'null'; readonly strict: boolean }
  | { readonly kind: 'boolean'; readonly strict: boolean }
  | { readonly kind: 'number'; readonly strict: boolean }
  | { readonly kind: 'integer'; readonly strict: boolean; readonly rounding: Rounding }
  | { readonly kind: 'string'; readonly strict: boolean; readonly format: StringFormat }
  | { readonly kind: 'const'; readonly strict: boolean; readonly value: unknown }
  | { readonly kind: 'enum'; readonly values: readonly unknown[]; readonly inner: Node }
  | NullableNode
  | { readonly kind: 'ref'; readonly target: Definition }
  | { readonly kind: 'shared'; readonly definition: SharedDefinition }
  | ObjectNode
  | ArrayNode
  | ChooseNode
  | SwitchNode
  | MatchNode
  | ConditionNode

/** The node of a value that is written as `JSON.stringify` writes it. */
export const ANY: Node = { kind: 'any' }
