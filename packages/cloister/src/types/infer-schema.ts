import type { FormFile, FormFiles } from './forms.ts'
import type { Found, Resolve } from './refs.ts'
import type { StandardInput, StandardLike, StandardOutput } from './standard-schema.ts'

// JSON Schema to types. `after` is the type that a handler reads: validated, coerced, with defaults. `before` is the
// type that a handler may send: the serializer fills in defaults and writes dates.

/**
 * Whether a type describes a value after validation (`after`), before serialization (`before`), or a form after
 * validation (`form`).
 */
export type Side = 'after' | 'before' | 'form'

/** The environment of a schema: the schemas that it may refer to, the schema that `#` refers to, and the side. */
export interface Scope<Schemas, Root, S extends Side> {
  readonly schemas: Schemas
  readonly root: Root
  readonly side: S
}

type AnyScope = Scope<unknown, unknown, Side>

/** The type of a value that a schema accepted. */
export type Infer<Schema, Schemas = {}> = InferIn<Schema, Scope<Schemas, Schema, 'after'>>

/** The type of a value that a serializer with this response schema can write. */
export type InferReply<Schema, Schemas = {}> = InferIn<Schema, Scope<Schemas, Schema, 'before'>>

// Most schemas have none of these keywords. One check of the keys keeps type checking of large apps fast.
type SpecialKey =
  | '~standard'
  | 'static'
  | 'nullable'
  | '$ref'
  | 'const'
  | 'enum'
  | 'anyOf'
  | 'oneOf'
  | 'allOf'

/** The type of a schema within a scope. */
export type InferIn<T, E extends AnyScope> = [keyof T & SpecialKey] extends [never]
  ? InferTyped<T, E>
  : T extends StandardLike
    ? E['side'] extends 'before'
      ? StandardInput<T>
      : StandardOutput<T>
    : T extends { readonly static: infer Static }
      ? Static
      : T extends { readonly nullable: true }
        ? InferSpecial<T, E> | null
        : InferSpecial<T, E>

type InferSpecial<T, E extends AnyScope> = T extends { readonly $ref: infer Ref extends string }
  ? InferFound<Resolve<Ref, E['root'], E['schemas']>, E>
  : T extends { readonly const: infer Value }
    ? T extends { readonly format: 'int64' }
      ? InferLiteral<Value, E>
      : Mutable<Value>
    : T extends { readonly enum: readonly (infer Value)[] }
      ? T extends { readonly format: 'int64' }
        ? InferLiteral<Value, E>
        : Value
      : T extends
            | { readonly anyOf: readonly (infer Choice)[] }
            | { readonly oneOf: readonly (infer Choice)[] }
        ? InferUnion<T, Choice, E>
        : T extends { readonly allOf: infer Members extends readonly unknown[] }
          ? Readable<InferAll<Members, E> & InferBase<Omit<T, 'allOf'>, E>>
          : InferTyped<T, E>

type InferFound<F, E extends AnyScope> = [F] extends [never]
  ? unknown
  : F extends Found<infer Schema, infer Root>
    ? InferIn<Schema, Scope<E['schemas'], Root, E['side']>>
    : unknown

// A union in addition to properties means both: the common properties, and one of the branches.
type InferUnion<T, Choice, E extends AnyScope> = T extends { readonly properties: object }
  ? Readable<InferTyped<T, E> & InferIn<Choice, E>>
  : Choice extends unknown
    ? InferIn<Choice, E>
    : never

type InferAll<Members extends readonly unknown[], E extends AnyScope> = Members extends readonly [
  infer Head,
  ...infer Tail,
]
  ? InferIn<Head, E> & InferAll<Tail, E>
  : unknown
type InferBase<T, E extends AnyScope> = T extends
  | { readonly type: unknown }
  | { readonly properties: unknown }
  ? InferTyped<T, E>
  : unknown

type InferTyped<T, E extends AnyScope> = T extends { readonly type: infer Type }
  ? Type extends keyof ReadTypes
    ? E['side'] extends 'form'
      ? InferPlainOfForm<T, Type, E>
      : T extends { readonly format: 'int64' }
        ? InferNumeric<Type, E>
        : PlainTypes[E['side']][Type]
    : Type extends readonly (infer Name)[]
      ? InferType<T, Name, E>
      : InferType<T, Type, E>
  : T extends { readonly properties: object } | { readonly patternProperties: object }
    ? InferObject<T, E>
    : T extends { readonly items: unknown }
      ? InferArray<T, E>
      : T extends false
        ? never
        : unknown

interface ReadTypes {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}
interface WrittenTypes {
  string: string | WrittenAs<string>
  number: number | bigint
  integer: number | bigint
  boolean: boolean
  null: null
}
interface PlainTypes {
  after: ReadTypes
  before: WrittenTypes
  form: ReadTypes
}
type InferPlainOfForm<T, Type extends keyof ReadTypes, E extends AnyScope> = T extends {
  readonly format: 'binary'
}
  ? FormFile
  : T extends { readonly format: 'int64' }
    ? InferNumeric<Type, E>
    : ReadTypes[Type]

declare const int64: unique symbol

/** Marks the shared schemas of an app with `integers: 'bigint'`. The property exists only in types. */
export interface Int64AsBigint {
  readonly [int64]: bigint
}

/** A plain type with `format: 'int64'`. */
type InferNumeric<Type extends keyof ReadTypes, E extends AnyScope> = Type extends 'integer'
  ? ReadsBigint<E> extends true
    ? bigint
    : PlainTypes[E['side']][Type]
  : PlainTypes[E['side']][Type]
type ReadsBigint<E extends AnyScope> = E['side'] extends 'before'
  ? false
  : E['schemas'] extends Int64AsBigint
    ? true
    : false
/** The values of `const` or `enum`, with `format: 'int64'`. */
type InferLiteral<Value, E extends AnyScope> =
  ReadsBigint<E> extends true
    ? Value extends number
      ? `${Value}` extends `${infer Exact extends bigint}`
        ? Exact
        : bigint
      : Value
    : Value

/** A value with its own JSON form, such as a `Date`. */
export interface WrittenAs<T> {
  /** Returns the JSON form. */
  toJSON(): T
}

/** What a handler sends for a schema: a value, or an object that JSON writes as one. Editors show it by this name. */
export type Sendable<T> = T | WrittenAs<T>

type InferType<T, Name, E extends AnyScope> = Name extends keyof ReadTypes
  ? T extends { readonly format: 'int64' }
    ? InferNumeric<Name, E>
    : PlainTypes[E['side']][Name]
  : Name extends 'object'
    ? InferObject<T, E>
    : Name extends 'array'
      ? InferArray<T, E>
      : string extends Name
        ? InferWide<E>
        : unknown

/**
 * What a handler reads by a schema whose `type` is any string, because the schema is in a variable without `as const`.
 * The compiler's message about a use of it says so. Casts work as for `unknown`.
 */
export interface WideSchema<_Message extends string> {}

type InferWide<E extends AnyScope> = E['side'] extends 'before'
  ? unknown
  : WideSchema<'its schema is in a variable without `as const`: write that behind the schema'>

// A handler may send a readonly list. A list in a request is a new object, so it is mutable.
type InferArray<T, E extends AnyScope> = E['side'] extends 'before'
  ? Readonly<InferList<T, E>>
  : E['side'] extends 'form'
    ? InferListOfForm<InferList<T, E>>
    : InferList<T, E>
type InferListOfForm<List> = List extends readonly FormFile[] ? FormFiles : List

type InferList<T, E extends AnyScope> = T extends {
  readonly prefixItems: infer Items extends readonly unknown[]
}
  ? InferTuple<Items, T, 'items', E>
  : T extends { readonly items: infer Items }
    ? Items extends readonly unknown[]
      ? InferTuple<Items, T, 'additionalItems', E>
      : InferIn<Items, E>[]
    : unknown[]

// Without `minItems` a tuple may be shorter than its list. `false` for further items closes it.
type InferTuple<Items extends readonly unknown[], T, Rest extends string, E extends AnyScope> = T extends {
  readonly minItems: Items['length']
}
  ? [...Each<Items, E>, ...RestOf<T, Rest, E>]
  : [...Partial<Each<Items, E>>, ...RestOf<T, Rest, E>]
type Each<Items extends readonly unknown[], E extends AnyScope> = {
  -readonly [K in keyof Items]: InferIn<Items[K], E>
}
type RestOf<T, Rest extends string, E extends AnyScope> = T extends { readonly [K in Rest]: infer More }
  ? More extends false
    ? []
    : InferIn<More, E>[]
  : unknown[]

type InferObject<T, E extends AnyScope> = T extends { readonly properties: infer P extends object }
  ? OrWritten<WithMore<InferProperties<P, PresentKeys<T, P, E>, E>, T, E>, E>
  : T extends { readonly patternProperties: infer Patterns }
    ? { [key: string]: InferIn<Patterns[keyof Patterns], E> }
    : T extends { readonly additionalProperties: infer More }
      ? More extends true
        ? OpenMap[E['side']]
        : { [key: string]: InferIn<More, E> }
      : OpenMap[E['side']]

// A handler may send an object with a matching JSON form, at any depth.
type OrWritten<O, E extends AnyScope> = E['side'] extends 'before' ? Sendable<O> : O

/** An object with any properties. A handler may send an interface, which has no index signature, but not a list. */
interface OpenMap {
  after: { [key: string]: unknown }
  before: AnyProperties & { readonly [Symbol.iterator]?: never }
  form: { [key: string]: unknown }
}
interface AnyProperties {
  // oxlint-disable-next-line typescript/no-explicit-any -- interfaces have no index signature and fit no other
  [key: string]: any
}

/** The properties that are always present: required ones and, after validation, those with a default. */
type PresentKeys<T, P, E extends AnyScope> =
  | (T extends { readonly required: readonly (infer Key)[] } ? Key : never)
  | (E['side'] extends 'before' ? never : DefaultedKeys<P>)
type DefaultedKeys<P> = { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P]

// An optional property may also be sent as `undefined`: the serializer omits it.
type InferProperties<P, Present, E extends AnyScope> = keyof P extends Present
  ? { -readonly [K in keyof P]: InferIn<P[K], E> }
  : [keyof P & Present] extends [never]
    ? { -readonly [K in keyof P]?: InferIn<P[K], E> | Absent[E['side']] }
    : Readable<
        { -readonly [K in keyof P as K extends Present ? K : never]: InferIn<P[K], E> } & {
          -readonly [K in keyof P as K extends Present ? never : K]?: InferIn<P[K], E> | Absent[E['side']]
        }
      >

interface Absent {
  after: never
  before: undefined
  form: never
}

type WithMore<O, T, E extends AnyScope> = T extends { readonly additionalProperties: infer More }
  ? More extends false
    ? O
    : O & (More extends true ? MoreProperties[E['side']] : { [key: string]: InferIn<More, E> | O[keyof O] })
  : O

interface MoreProperties {
  after: { [key: string]: unknown }
  before: AnyProperties
  form: { [key: string]: unknown }
}

/** Expands a type, so that hovers show its members. */
export type Readable<T> = T extends object ? { [K in keyof T]: T[K] } : T

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T

/** The keywords of a full schema. An object without any of them is the shorthand: a list of properties. */
interface FullSchemaMarks {
  readonly type?: unknown
  readonly properties?: unknown
  readonly $ref?: unknown
  readonly oneOf?: unknown
  readonly anyOf?: unknown
  readonly allOf?: unknown
  readonly $merge?: unknown
  readonly $patch?: unknown
}

/** The full schema of a request part that may be in shorthand. */
export type FullSchema<T> = [keyof T & keyof FullSchemaMarks] extends [never]
  ? T extends boolean | StandardLike | { readonly static: unknown }
    ? T
    : keyof T extends never
      ? T
      : { readonly type: 'object'; readonly properties: T }
  : T

/** The type of a request part, in full or shorthand form. */
export type InferPart<T, Schemas> =
  FullSchema<T> extends infer S ? InferIn<S, Scope<Schemas, S, 'after'>> : never

/** The type of a form (`multipart/form-data`), whose properties can be files. */
export type InferForm<T, Schemas> =
  FullSchema<T> extends infer S ? InferIn<S, Scope<Schemas, S, 'form'>> : never
