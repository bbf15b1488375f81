/**
 * The intermediate representation of a serializer. `read/` makes every decision about the text of a value; the back
 * ends turn nodes into code and read no schema. The tests of unions and conditions are read by `read/predicate.ts`.
 *
 * `strict` is the mode: a value of another type is an error. Without it the value is converted as Fastify 4.x does.
 */
import type { Expression } from '../regexp/compile.ts'
import type { SchemaNode } from '../walk/node.ts'

/** A primitive that a `const` or `enum` may hold. */
export type Primitive = string | number | boolean | null

/** How a fraction becomes an integer in compat mode. */
export type Rounding = 'trunc' | 'floor' | 'ceil' | 'round'

/** The form of a date in a string field. */
export type StringFormat = 'plain' | 'date-time' | 'date' | 'time'

/**
 * The disjoint kinds of values that a schema can distinguish. `text-object` is an object with its own `toString` (no
 * date, no array), which compat mode may convert to a string.
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
  readonly pattern: Expression
  /** `undefined`: properties of this family are left out. */
  readonly node: Node | undefined
}

/** An object: declared properties (required ones first), then patterns, then the others. */
export interface ObjectNode {
  readonly kind: 'object'
  readonly strict: boolean
  readonly properties: readonly PropertyNode[]
  /** Required names that no schema declares. */
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

/** A value that may be `null`, and the text of `null`. */
export interface NullableNode {
  readonly kind: 'nullable'
  readonly inner: Node
  /** Fastify 4.x writes `{}` for `null` where the object is not nullable. */
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
  readonly test: SchemaNode
  readonly node: Node
}

/** Branches chosen by predicate; of those that accept, the one that leaves out least. */
export interface MatchNode {
  readonly kind: 'match'
  readonly candidates: readonly Candidate[]
  readonly expected: string
}

/** `if` / `then` / `else`. */
export interface ConditionNode {
  readonly kind: 'condition'
  readonly test: SchemaNode
  readonly then: Node
  readonly otherwise: Node
}

/** The target of a reference; its node is set after its schema has been read. */
export interface Definition {
  node: Node
  isRecursive: boolean
}

/** Takes a value and its JSON pointer; returns text or a projection, by back end. */
export type SharedFunction = (value: unknown, at: string) => unknown

/** A shared schema without references, which is read and compiled once for all schemas that refer to it. */
export interface SharedDefinition {
  readonly node: Node
}

/** The shared definitions of the serializers of one mode, by schema. */
export type SharedDefinitions = WeakMap<object, SharedDefinition>

/** Nodes that choose one of several others. */
export type BranchNode = ChooseNode | SwitchNode | MatchNode | ConditionNode

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
  | BranchNode

/** Nodes whose value is one scalar. */
export type ScalarNode = Extract<Node, { kind: 'null' | 'boolean' | 'number' | 'integer' | 'string' }>

/** A string field. */
export type StringNode = Extract<ScalarNode, { kind: 'string' }>

/** The node of a value that is written as `JSON.stringify` writes it. */
export const ANY: Node = { kind: 'any' }
