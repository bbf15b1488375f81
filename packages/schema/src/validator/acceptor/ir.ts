/**
 * The intermediate representation of an acceptor. `read/` makes every decision and writes it into these nodes; `emit/`
 * makes code of them and `interpret/` closures. Neither reads a schema.
 *
 * An acceptor either accepts a value and makes the edits that Ajv would make, or refuses it and has changed nothing. So
 * edits are only noted while it checks, and made at the end. Where two sub-schemas see the same value (unions, allOf,
 * patterns, …) it notes none: if Ajv would change something there, the acceptor defers to Ajv.
 *
 * Inside a union there are two ways out: a test rejects (the branch does not match, and Ajv would have changed nothing
 * up to here) or defers (only Ajv can decide). Tests are in the order of Ajv, because the first that does not pass
 * decides which of the two it is.
 */
import type { RuntimeCall } from '../../codegen/reference.ts'
import type { JsonType } from '../../document/json-types.ts'
import type { Expression } from '../../regexp/compile.ts'
import type { Coercer } from '../../runtime/coerce.ts'

/**
 * What a check may do with its value: note edits (`edit`), only look at it (`observe`), or only look at it and tell a
 * rejection from a deferral (`union`).
 */
export type Use = 'edit' | 'observe' | 'union'

/** A value that `const` or `enum` may hold. */
export type Scalar = string | number | boolean | null

/** Everything that one schema asks of a value: its type first, then the tests until one does not pass. */
export interface CheckNode {
  readonly type: TypeNode | undefined
  readonly tests: readonly TestNode[]
}

/** The types of a value, and what becomes of a value of another type. */
export interface TypeNode {
  readonly types: readonly JsonType[]
  /** For a value of another type that nothing is made of. */
  readonly otherwise: 'reject' | 'defer'
  readonly coercion: Coercion | undefined
}

/** A coercer, as generated code refers to it. */
export interface CoercerCall extends RuntimeCall {
  readonly value: Coercer
}

/** What Ajv makes of a value of another type. */
export interface Coercion {
  readonly coercer: CoercerCall
  /** `replace`: the value becomes what the coercer returns. `defer`: Ajv decides about a value that it would coerce. */
  readonly effect: 'replace' | 'defer'
  /** Ajv goes on with the only item of an array once it has looked at it for a coercion. */
  readonly unwraps: boolean
}

/** A schema that is reached by `$ref`; its node is set when it has been read to the end. */
export interface Definition {
  node: CheckNode
  readonly use: Use
  /** Keys of the schema, counted up to a limit: what is larger becomes a function of its own. */
  readonly size: number
  /** One function serves every acceptor of the engine; such a definition has no references. */
  readonly isShared: boolean
}

/** Limits of numbers. */
export interface NumberTest {
  readonly kind: 'number'
  /** Defer for infinities: what Ajv does with them depends on its options. */
  readonly defersInfinity: boolean
  readonly maximum: number | undefined
  readonly minimum: number | undefined
  readonly exclusiveMaximum: number | undefined
  readonly exclusiveMinimum: number | undefined
  readonly multipleOf: number | undefined
}

/** Limits of strings, in code points. */
export interface StringTest {
  readonly kind: 'string'
  readonly maxLength: number | undefined
  readonly minLength: number | undefined
  readonly pattern: Expression | undefined
}

/** A format; the call makes the regular expression or the function that tests it. */
export interface FormatTest {
  readonly kind: 'format'
  readonly checker: RuntimeCall
}

/** A property that an object schema declares. */
export interface PropertyNode {
  readonly name: string
  readonly node: CheckNode
  /**
   * `optional`: checked when it is there. `required`: rejected when it is missing. `filled`: gets the fallback when it is
   * missing. `given`: a test before has made sure that it is there.
   */
  readonly presence: 'optional' | 'required' | 'filled' | 'given'
  /** The default of a `filled` property, a JSON value. */
  readonly fallback: unknown
}

/** Which keys no declaration covers, and what becomes of their properties. */
export interface UndeclaredNode {
  readonly declared: readonly string[]
  readonly patterns: readonly Expression[]
  readonly effect: 'remove' | 'reject' | 'defer'
}

/** Declared properties. */
export interface PropertiesTest {
  readonly kind: 'properties'
  /** In a union the first property that does not fit decides between a rejection and a deferral. */
  readonly isOrdered: boolean
  readonly properties: readonly PropertyNode[]
  /** Keys are counted, and looked at one by one only when there are others than those just read. */
  readonly closed: UndeclaredNode | undefined
}

/** Undeclared properties, in a loop over the keys: an effect, or a schema for their values. */
export type OthersTest =
  | { readonly kind: 'others'; readonly others: UndeclaredNode }
  | {
      readonly kind: 'additional'
      readonly declared: readonly string[]
      readonly patterns: readonly Expression[]
      readonly node: CheckNode
    }

/** Tests of arrays. */
export type ArrayTest =
  | { readonly kind: 'items'; readonly start: number; readonly node: CheckNode }
  | { readonly kind: 'item'; readonly index: number; readonly node: CheckNode }
  | {
      readonly kind: 'contains'
      readonly node: CheckNode
      /** How many items must match. */
      readonly minimum: number
      readonly maximum: number | undefined
    }
  | { readonly kind: 'unique'; readonly ofScalars: boolean }
  | { readonly kind: 'length'; readonly minimum: number | undefined; readonly maximum: number | undefined }

/** Tests of objects. */
export type ObjectTest =
  | PropertiesTest
  | OthersTest
  /** Defers when one of the properties is missing: Ajv fills in defaults before it looks at anything else. */
  | { readonly kind: 'given'; readonly names: readonly string[] }
  | { readonly kind: 'size'; readonly minimum: number | undefined; readonly maximum: number | undefined }
  | { readonly kind: 'required'; readonly names: readonly string[] }
  | { readonly kind: 'names'; readonly node: CheckNode }
  | { readonly kind: 'needs'; readonly name: string; readonly needed: readonly string[] }
  | { readonly kind: 'dependent'; readonly name: string; readonly node: CheckNode }
  | { readonly kind: 'pattern'; readonly pattern: Expression; readonly node: CheckNode }

/** Tests that apply schemas to the same value. */
export type InPlaceTest =
  | { readonly kind: 'reference'; readonly target: Definition }
  | { readonly kind: 'also'; readonly node: CheckNode }
  | { readonly kind: 'not'; readonly node: CheckNode }
  | { readonly kind: 'anyOf' | 'oneOf'; readonly branches: readonly CheckNode[] }
  | {
      readonly kind: 'condition'
      readonly test: CheckNode
      readonly then: CheckNode | undefined
      readonly otherwise: CheckNode | undefined
    }

/** The kinds of values that keywords are about. */
export type Group = 'number' | 'string' | 'array' | 'object'

/** All tests. */
export type TestNode =
  | { readonly kind: 'never' }
  | { readonly kind: 'literals'; readonly values: readonly Scalar[] }
  /** Tests for values of one kind; others pass. */
  | { readonly kind: 'when'; readonly group: Group; readonly tests: readonly TestNode[] }
  | NumberTest
  | StringTest
  | FormatTest
  | ArrayTest
  | ObjectTest
  | InPlaceTest

/** The node of a schema that accepts everything. */
export const ANYTHING: CheckNode = { type: undefined, tests: [] }

/** The node of a schema that accepts nothing. */
export const NOTHING: CheckNode = { type: undefined, tests: [{ kind: 'never' }] }
