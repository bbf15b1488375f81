// References between schemas, in the five forms:
//   #name            a subschema of the current schema whose `$id` is `#name`
//   #/path/to        a place in the current schema; `#` is the schema itself
//   id#  (or `id`)   a whole shared schema
//   id#/path/to      a place in a shared schema
//   id#name          a subschema of a shared schema whose `$id` is `#name`

import type { Problem } from './problem.ts'
import type { StandardLike } from './standard-schema.ts'

/** Shared schemas for code in the style of statements, where a chain cannot carry them; merge into it. */
export interface SharedSchemas {}

/** A subschema, and the schema whose `#` it stands under. */
export interface Found<Schema, Root> {
  readonly schema: Schema
  readonly root: Root
}

/** What a reference means: a `Found`, or `never` when nothing visible answers to it. */
export type Resolve<Ref extends string, Root, Schemas> = Ref extends `${infer Id}#${infer Fragment}`
  ? Id extends ''
    ? Locate<Fragment, Root>
    : Locate<Fragment, Shared<Id, Root, Schemas>>
  : Locate<'', Shared<Ref, Root, Schemas>>

/** The shared schema of an id; ids may be written with a trailing `#`, or in relation to that of the root. */
type Shared<Id extends string, Root, Schemas> = Id extends keyof Schemas
  ? Schemas[Id]
  : `${Id}#` extends keyof Schemas
    ? Schemas[`${Id}#`]
    : Id extends keyof SharedSchemas
      ? SharedSchemas[Id]
      : Root extends { readonly $id: infer Base extends string }
        ? Schemas[AbsoluteId<Id, Base> & keyof Schemas]
        : never

/** A relative reference as the URI that it means (RFC 3986, section 5.2); other ids are left alone. */
type AbsoluteId<Id extends string, Base extends string> = Base extends `${infer Scheme}://${infer Place}`
  ? Id extends `${string}://${string}`
    ? Id
    : Id extends `/${string}`
      ? `${Scheme}://${Place extends `${infer Host}/${string}` ? Host : Place}${Id}`
      : `${Scheme}://${UnderFolder<Id, Folder<Place>>}`
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

// A local `$id` is looked for among the named subschemas, where authors put them, and one level of properties.
type ByLocalId<Id extends string, At, Root> =
  | Named<Id, At, 'definitions', Root>
  | Named<Id, At, '$defs', Root>
  | Named<Id, At, 'properties', Root>
type Named<Id extends string, At, Key extends string, Root> = At extends { readonly [K in Key]: infer Group }
  ? { [K in keyof Group]: Group[K] extends { readonly $id: Id } ? Found<Group[K], Root> : never }[keyof Group]
  : never

/** Every `$ref` in a schema or a map of schemas. Validators of other libraries are not looked into. */
export type RefsIn<T> = T extends string | number | boolean | null | undefined | StandardLike | Opaque
  ? never
  : T extends readonly (infer Item)[]
    ? RefsIn<Item>
    :
        | (T extends { readonly $ref: infer Ref extends string } ? Ref : never)
        | { [K in keyof T]-?: K extends AnnotationKey ? never : RefsIn<T[K]> }[keyof T]

/** Keywords that hold values and not schemas. */
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

/** Schemas that carry their type and are made by functions of a library. */
interface Opaque {
  readonly static: unknown
}

/** Those of the references in `T` that nothing visible answers to. */
export type UnknownRefs<T, Schemas, Root = T> =
  RefsIn<T> extends infer Ref extends string
    ? Ref extends string
      ? [Resolve<Ref, Root, Schemas>] extends [never]
        ? Ref
        : never
      : never
    : never

/**
 * `unknown` when no reference of a shared schema is surely wrong, and else a type that says which. What it refers to
 * elsewhere may be shared later.
 */
export type CheckSharedRefs<S, Id, Schemas> = RefProblem<WrongRefs<RefsIn<S>, S, Id, Schemas>>
type WrongRefs<Ref, Root, Id, Schemas> = Ref extends `${infer Target}#${string}`
  ? Target extends '' | Id | keyof Schemas
    ? [Resolve<Ref, Root, Schemas & { readonly [K in Id & string]: Root }>] extends [never]
      ? Ref
      : never
    : never
  : never

/** `unknown` when every reference of a route's schema is known, and else a type that says which is not. */
export type CheckRefs<S, Schemas> = [RefsIn<S[keyof S & PartKey]>] extends [never]
  ? unknown
  : {
      readonly [K in keyof S as K extends PartKey ? K : never]: K extends 'response'
        ? { readonly [Status in keyof S[K]]: CheckEntry<S[K][Status], Schemas> }
        : CheckEntry<S[K], Schemas>
    }

type PartKey = 'body' | 'querystring' | 'query' | 'params' | 'headers' | 'response'

type CheckEntry<T, Schemas> = T extends { readonly content: infer Types }
  ? { readonly content: { readonly [Type in keyof Types]: CheckContent<Types[Type], Schemas> } }
  : CheckSchema<T, Schemas>
type CheckContent<T, Schemas> = T extends { readonly schema: infer S }
  ? { readonly schema: CheckSchema<S, Schemas> }
  : unknown

/** `unknown` when every reference of a schema is known, and else a type that says which is not. */
export type CheckSchema<T, Schemas> = RefProblem<UnknownRefs<T, Schemas>>

// `Ref` is a text; a constraint that says so would be looked for in everything that a reference may mean.
type RefProblem<Ref> = [Ref] extends [never] ? unknown : Problem<UnknownRef<Ref & string>>
type UnknownRef<Ref extends string> =
  `'${Ref}' refers to no schema that this context sees: add it with addSchema() in the chain, or name it in what the plugin needs`
