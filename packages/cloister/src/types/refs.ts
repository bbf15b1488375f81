// References between schemas, in the five forms:
//   #name            a subschema of the current schema whose `$id` is `#name`
//   #/path/to        a location in the current schema; `#` is the schema itself
//   id#  (or `id`)   a whole shared schema
//   id#/path/to      a location in a shared schema
//   id#name          a subschema of a shared schema whose `$id` is `#name`

import type { HasKeywordsOnly, Misspelt, MisspeltHere, RequiredFlag, WrongWord } from './keywords.ts'
import type { Problem } from './problem.ts'
import type { HttpMethod } from './raw.ts'
import type { StandardLike } from './standard-schema.ts'
import type { ContextOf, OpenSchemas, WithSchemas } from './context.ts'
import type { Cloister } from './instance.ts'

/**
 * Shared schemas for code in statements, where no chain of calls carries their types. Merge your declarations into it.
 */
export interface SharedSchemas {}

/** A subschema, with the schema that `#` refers to in it. */
export interface Found<Schema, Root> {
  readonly schema: Schema
  readonly root: Root
}

/** The target of a reference: a `Found`, or `never` if no visible schema matches. */
export type Resolve<Ref extends string, Root, Schemas> = Ref extends `${infer Id}#${infer Fragment}`
  ? Id extends ''
    ? Locate<Fragment, Root>
    : Locate<Fragment, Shared<Id, Root, Schemas>>
  : Locate<'', Shared<Ref, Root, Schemas>>

/** The shared schema with an id, which may end with `#` or be relative to the id of the root. */
type Shared<Id extends string, Root, Schemas> = Id extends keyof Schemas
  ? Schemas[Id]
  : `${Id}#` extends keyof Schemas
    ? Schemas[`${Id}#`]
    : Id extends keyof SharedSchemas
      ? SharedSchemas[Id]
      : Root extends { readonly $id: infer Base extends string }
        ? Schemas[AbsoluteId<Id, Base> & keyof Schemas]
        : never

/** A relative reference resolved to a URI (RFC 3986, section 5.2). Other ids don't change. */
type AbsoluteId<Id extends string, Base extends string> = Base extends `${infer Scheme}://${infer Path}`
  ? Id extends `${string}://${string}`
    ? Id
    : Id extends `/${string}`
      ? `${Scheme}://${Path extends `${infer Host}/${string}` ? Host : Path}${Id}`
      : `${Scheme}://${UnderFolder<Id, Folder<Path>>}`
  : Id
type UnderFolder<Id extends string, Under extends string> = Id extends `./${infer Rest}`
  ? UnderFolder<Rest, Under>
  : Id extends `../${infer Rest}`
    ? UnderFolder<Rest, Folder<Under extends `${infer Path}/` ? Path : Under>>
    : `${Under}${Id}`
/** A path up to its last `/`. */
type Folder<Path extends string> = Path extends `${infer Head}/${infer Rest}` ? `${Head}/${Folder<Rest>}` : ''

type Locate<Fragment extends string, Root> = [Root] extends [never]
  ? never
  : unknown extends Root
    ? Found<unknown, unknown>
    : Fragment extends ''
      ? Found<Root, Root>
      : Fragment extends `/${infer Path}`
        ? Walk<Path, Root, Root>
        : ByLocalId<`#${Fragment}`, Root, Root>

type Walk<Path extends string, At, Root> = Path extends `${infer Key}/${infer Rest}`
  ? Walk<Rest, Step<At, Key>, Root>
  : Step<At, Path> extends infer S
    ? [S] extends [never]
      ? never
      : Found<S, Root>
    : never
type Step<At, Key extends string> = Key extends keyof At
  ? At[Key]
  : Key extends `${infer N extends number}`
    ? N extends keyof At
      ? At[N]
      : never
    : never

// Searches a local `$id` among the named subschemas, where authors put them, and in one level of properties.
type ByLocalId<Id extends string, At, Root> =
  | Named<Id, At, 'definitions', Root>
  | Named<Id, At, '$defs', Root>
  | Named<Id, At, 'properties', Root>
type Named<Id extends string, At, Key extends string, Root> = At extends { readonly [K in Key]: infer Group }
  ? { [K in keyof Group]: Group[K] extends { readonly $id: Id } ? Found<Group[K], Root> : never }[keyof Group]
  : never

/**
 * The parts of a schema or a map of schemas to check: every `$ref`, every unknown `type`, and every word that is
 * similar to a keyword. Validators of other libraries are skipped.
 */
export type Findings<T> = T extends string | number | boolean | null | undefined | ReadyMade
  ? never
  : T extends PlainSchema
    ? Misspelt<T>
    : FindingsWithin<T>
type FindingsWithin<T> = T extends readonly (infer Item)[]
  ? Findings<Item>
  : T extends { readonly $ref: infer Ref extends string }
    ? Ref
    :
        | (T extends WellTyped ? never : UnknownType<T>)
        | MisspeltHere<T>
        | (unknown extends T
            ? never
            : { [K in keyof T]-?: K extends AnnotationKey ? never : Findings<T[K]> }[keyof T])

/**
 * A schema of known types without references, as most schemas are. The compiler compares them with this interface
 * without instantiating types, which keeps type checking of large apps fast.
 */
interface PlainSchema
  extends
    May<'not' | 'if' | 'then' | 'else' | 'contains' | 'propertyNames', PlainSchema>,
    May<'allOf' | 'anyOf' | 'oneOf' | 'prefixItems', readonly PlainSchema[]>,
    May<'properties' | 'patternProperties' | 'definitions' | '$defs', PlainSchemas>,
    May<'additionalProperties' | 'additionalItems', boolean | PlainSchema>,
    May<'unevaluatedItems' | 'unevaluatedProperties', boolean>,
    May<'$ref' | 'dependencies' | 'dependentSchemas', undefined> {
  readonly type: TypeName | readonly TypeName[]
  readonly items?: boolean | PlainSchema | readonly PlainSchema[]
  readonly required?: readonly string[]
}
interface PlainSchemas {
  readonly [name: string]: PlainSchema
}
interface PlainRoute extends May<Exclude<PartKey, 'response'>, PlainSchema> {
  readonly response?: PlainSchemas
}
/** A route whose schemas a library creates, which lets no wrong keyword pass. */
interface LibraryRoute extends May<Exclude<PartKey, 'response'>, LibrarySchema> {
  readonly response?: { readonly [status: string]: LibrarySchema }
}
type May<Keys extends string, T> = { readonly [K in Keys]?: T }

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'
/** Matches most schemas with one comparison. */
interface WellTyped {
  readonly type?: TypeName | object
  readonly [keyword: string]: unknown
}
// TypeBox has its own types in addition to those of JSON Schema, and marks its schemas.
type UnknownType<T> = T extends { readonly '~kind': unknown }
  ? never
  : T extends { readonly type: infer Type extends string }
    ? string extends Type
      ? never
      : Type extends TypeName
        ? never
        : WrongType<Type>
    : never
interface WrongType<Name extends string> {
  readonly wrongType: Name
}

/** Keywords with values instead of schemas. */
type AnnotationKey =
  | '$ref'
  | '$id'
  | 'type'
  | 'enum'
  | 'const'
  | 'default'
  | 'example'
  | 'examples'
  | 'required'
  | 'description'
  | 'errorMessage'
  | `x-${string}`

/** Schemas that carry their own type, created by functions of a library. */
interface Opaque {
  readonly static: unknown
}
type ReadyMade = StandardLike | Opaque

/** The problems in `T`: references that no visible schema matches, and unknown types. */
type Faults<T, Schemas> = FaultsOf<Findings<T>, T, Schemas>
type FaultsOf<Finding, Root, Schemas> = Finding extends string
  ? [Resolve<Finding, Root, Schemas>] extends [never]
    ? Finding
    : never
  : Finding

/**
 * `unknown`, or a type that describes a definite error in a shared schema. References to other schemas are allowed,
 * because those may be added later.
 */
export type CheckShared<S, Id, Schemas> = FaultProblem<SharedFaults<Findings<S>, S, Id, Schemas>>
type SharedFaults<Finding, Root, Id, Schemas> = Finding extends string
  ? Finding extends `${infer Target}#${string}`
    ? Target extends '' | Id | keyof Schemas
      ? FaultsOf<Finding, Root, Schemas & { readonly [K in Id & string]: Root }>
      : never
    : never
  : Finding

/** `unknown`, or a type that describes an error in the schema of a route with this method. */
export type CheckRoute<S, Schemas, Method = 'POST'> = [Method] extends ['POST']
  ? CheckSchemas<S, Schemas>
  : [S] extends [WithBody]
    ? CheckMethod<Method> & CheckSchemas<S, Schemas>
    : CheckSchemas<S, Schemas>
interface WithBody {
  readonly body: object
}
type CheckMethod<Method> = [HttpMethod] extends [Method]
  ? unknown
  : [Extract<Method, 'GET' | 'HEAD' | 'get' | 'head'>] extends [never]
    ? unknown
    : HasNoBody
interface HasNoBody {
  readonly body: Problem<'GET and HEAD have no body: use schema.querystring, or the method POST'>
}

/** `unknown`, or options that describe the error of a body schema on GET or HEAD. */
export type CheckNoBody<S> = [S] extends [WithBody] ? { readonly schema?: HasNoBody } : unknown

type CheckSchemas<S, Schemas> = [S] extends [PlainRoute]
  ? [S] extends [LibraryRoute]
    ? unknown
    : HasKeywordsOnly<PartsOf<S>> extends true
      ? unknown
      : CheckParts<S, Schemas>
  : [Findings<S[keyof S & PartKey]>] extends [never]
    ? unknown
    : CheckParts<S, Schemas>
type PartsOf<S> =
  | S[keyof S & Exclude<PartKey, 'response'>]
  | (S extends { readonly response: infer Replies } ? Replies[keyof Replies] : never)
type CheckParts<S, Schemas> = {
  readonly [K in keyof S as K extends PartKey ? K : never]: K extends 'response'
    ? { readonly [Status in keyof S[K]]: CheckEntry<S[K][Status], Schemas> }
    : CheckEntry<S[K], Schemas>
}

type PartKey =
  | 'body'
  | 'querystring'
  | 'query'
  | 'params'
  | 'headers'
  | 'cookies'
  | 'response'
  | 'incoming'
  | 'outgoing'

// If a part is a type parameter, the compiler requires a value that matches both results of a condition. Therefore
// these conditions infer no types, and all of them accept the schemas of libraries.
type CheckEntry<T, Schemas> = [T] extends [WithContent]
  ? ReadyMade | { readonly content: CheckTypes<T['content'], Schemas> }
  : CheckSchema<T, Schemas>
interface WithContent {
  readonly content: object
}
type CheckTypes<Types, Schemas> = { readonly [Type in keyof Types]: CheckContent<Types[Type], Schemas> }
type CheckContent<T, Schemas> = T extends { readonly schema: infer S }
  ? { readonly schema: CheckSchema<S, Schemas> }
  : unknown

type CheckSchema<T, Schemas> = FaultProblem<Faults<T, Schemas>>

// The compiler names one of the three, the last one in long messages.
type FaultProblem<Fault> = [Fault] extends [never]
  ? unknown
  : Problem<Message<Fault>> | StandardProblem<Message<Fault>> | OpaqueProblem<Message<Fault>>
interface StandardProblem<_Message extends string> extends StandardLike {}
interface OpaqueProblem<_Message extends string> extends Opaque {}
type Message<Fault> = Fault extends string
  ? `'${Fault}' refers to no schema that this context sees: add it with addSchema() in the chain, or name it in what the plugin needs, as in https://github.com/cloisterjs/cloister/blob/main/docs/typescript.md#routes-in-files`
  : Fault extends WrongType<infer Name>
    ? `'${Name}' is no type of JSON Schema: write one of string, number, integer, boolean, null, object, array`
    : Fault extends WrongWord<infer Name, infer Meant>
      ? `'${Name}' is no keyword of JSON Schema; did you mean '${Meant}'?`
      : Fault extends RequiredFlag
        ? `'required' lists the names of properties, on the object that has them: required: ['name']`
        : never

// The types of some libraries hide the `$id` of a schema. With such a schema, any reference may be valid.
type SchemaEntry<S> = S extends { readonly $id: infer Id extends string }
  ? { readonly [K in Id]: S }
  : OpenSchemas
type CheckAdded<S, Schemas> = S extends { readonly $id: infer Id }
  ? Id extends keyof Schemas
    ? string extends keyof Schemas
      ? unknown
      : Problem<`a schema with the $id '${Id & string}' is already shared in this context`>
    : CheckShared<S, Id, Schemas>
  : S extends { readonly $id?: unknown } | LibrarySchema
    ? unknown
    : Problem<'a shared schema needs an $id'>

/** The common part of TypeBox 1 schemas. Their options are not part of their type. */
interface LibrarySchema {
  readonly '~kind': unknown
}

/** The methods of an instance for shared schemas. */
export interface SchemaMembers {
  /**
   * Adds a shared schema to this context and its children. Other schemas refer to it as `{ $ref: 'id#' }`.
   *
   * @throws `CLO_ERR_SCH_MISSING_ID` if it has no `$id`, `CLO_ERR_SCH_ALREADY_PRESENT` if this context has
   * another schema with the `$id`
   * @example
   * ```ts
   * app
   *   .addSchema({ $id: 'user', type: 'object', required: ['name'], properties: { name: { type: 'string' } } })
   *   .post('/users', { schema: { body: { $ref: 'user#' } } }, (request) => request.body.name)
   * ```
   */
  addSchema<T, const S extends object>(
    this: T,
    schema: S & CheckAdded<S, ContextOf<T>['schemas']>,
  ): Cloister<WithSchemas<ContextOf<T>, SchemaEntry<S>>>
  /** Returns the shared schema with this `$id`, or `undefined` if this context has none. */
  getSchema<T, const Id extends string>(
    this: T,
    id: Id,
  ): Id extends keyof ContextOf<T>['schemas'] ? ContextOf<T>['schemas'][Id] : unknown
  /** Returns the shared schemas that this context can refer to, by `$id`. */
  getSchemas<T>(this: T): ContextOf<T>['schemas'] & { readonly [id: string]: unknown }
}
