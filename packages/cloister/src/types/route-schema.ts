import type { Context, JoinPath, PrefixOf } from './context.ts'
import type { InferForm, InferPart, Readable } from './infer-schema.ts'
import type { ParamsOf, PresentParams } from './params.ts'
import type { AnyReplies, PayloadOf, StatusKey } from './replies.ts'
import type { RequestParts } from './request.ts'
import type { StandardLike, StandardOutput } from './standard-schema.ts'

/**
 * The schemas of a route. Each part is JSON Schema in full or shorthand form, or a validator of a library with Standard
 * Schema.
 */
export interface RouteSchema {
  /** The body; or `{ content }` with a schema for each media type, and `required: false` if the body is optional. */
  body?: unknown
  /** The query string. */
  querystring?: unknown
  /**
   * The query string, like `querystring`.
   *
   * @throws `CLO_ERR_SCH_DUPLICATE` if both are given
   */
  query?: unknown
  /** The path parameters. */
  params?: unknown
  /** The headers. Names are case-insensitive. */
  headers?: unknown
  /**
   * The cookies that the route reads (RFC 6265bis section 5.7); the handler gets them as `request.cookies`. Only names
   * in `properties` are read, and of a name that is sent twice the first value.
   */
  cookies?: unknown
  /**
   * The payloads of responses by status (`200`), class (`'2xx'`) or `default`. Each can have `content` with a schema
   * for each media type.
   */
  response?: unknown
  /** Groups of the route, for documentation. */
  tags?: readonly string[]
  /** A short description, for documentation. */
  summary?: string
  /** A full description, for documentation. */
  description?: string
  /** A unique name, for documentation and generated clients. */
  operationId?: string
  /** Marks the route as deprecated in documentation; `@cloister/web` sends dates and the link in its responses. */
  deprecated?: boolean | Deprecation
  /** Omits the route from documentation. */
  hide?: boolean
}

/** Since when a route is deprecated, and until when it responds. */
export interface Deprecation {
  /** When it was deprecated, or will be (RFC 9745). */
  since: Date | string
  /** When it stops to respond (RFC 8594). */
  until?: Date | string
  /** The page that says what to use instead. */
  link?: string
}

/**
 * The types of a route, passed as a type argument instead of schemas: `app.get<{ Body: User }>(…)`. They are not
 * checked at run time.
 */
export interface RouteGeneric {
  /** The type of the body. */
  Body?: unknown
  /** The type of the query string. */
  Querystring?: unknown
  /** The type of the path parameters. */
  Params?: unknown
  /** The type of the headers. */
  Headers?: unknown
  /** The type of the payload, or payloads by status. */
  Reply?: unknown
}

/** The type of a part from its type argument. */
export type Given<G, K extends keyof RouteGeneric> = G extends { readonly [X in K]: infer V } ? V : unknown

/** Media types of bodies that are read line by line. */
type LineType = 'application/x-ndjson' | 'application/jsonl'

type InferredBody<T, C extends Context> = T extends { readonly content: infer Types }
  ?
      | {
          [K in keyof Types]: InferredContent<
            K,
            Types[K] extends { readonly schema: infer S } ? S : unknown,
            C
          >
        }[keyof Types]
      | (T extends { readonly required: false } ? undefined : never)
  : Inferred<T, C>

type InferredContent<Type, S, C extends Context> = Type extends LineType
  ? AsyncIterable<Inferred<S, C>>
  : Type extends 'multipart/form-data'
    ? InferForm<S, C['schemas']>
    : Inferred<S, C>

type Inferred<T, C extends Context> = T extends unknown ? InferPart<T, C['schemas']> : never

/** The headers of a type argument, with names in lower case. */
export type GivenHeaders<G> = LowerKeys<Given<G, 'Headers'>>
type LowerKeys<H> = unknown extends H ? H : { [K in keyof H as K extends string ? Lowercase<K> : K]: H[K] }

/** The parts of a validated request: from the schema, otherwise from the type argument, otherwise the general types. */
export interface CheckedParts<C extends Context, Path extends string, S, G> extends RequestParts {
  params: S extends { readonly params: infer P }
    ? P extends StandardLike
      ? StandardOutput<P>
      : WithPresent<Inferred<P, C>, C, Path>
    : PathParams<C, Path, G>
  query: S extends { readonly querystring: infer Q }
    ? Inferred<Q, C>
    : S extends { readonly query: infer Q }
      ? Inferred<Q, C>
      : Given<G, 'Querystring'>
  headers: S extends { readonly headers: infer H } ? LowerKeys<Inferred<H, C>> : GivenHeaders<G>
  body: S extends { readonly body: infer B } ? InferredBody<B, C> : Given<G, 'Body'>
}

/** The cookies of a request, if the schema of its route describes them. */
export type CookiesOf<C extends Context, S> = S extends { readonly cookies: infer K }
  ? {
      /** The cookies that `schema.cookies` declares, validated and coerced. */
      readonly cookies: Inferred<K, C>
    }
  : unknown

/**
 * The parts of a validated request in a handler whose annotation states them: what it states of a part, if no schema
 * of the route contradicts it, otherwise the part's own type.
 */
export interface StatedParts<Own extends RequestParts, S, Stated> extends RequestParts {
  params: S extends { readonly params: unknown }
    ? Agreed<Own['params'], Stated, 'params'>
    : StatedPart<Own['params'], Stated, 'params'>
  query: Agreed<Own['query'], Stated, 'query'>
  headers: Agreed<Own['headers'], Stated, 'headers'>
  body: Agreed<Own['body'], Stated, 'body'>
}

type StatedPart<Own, Stated, Part extends keyof RequestParts> = Stated extends {
  readonly [P in Part]: infer Type
}
  ? Type
  : Own

// A statement may say more than a schema, such as that a property is always there. It may not say the opposite.
type Agreed<Own, Stated, Part extends keyof RequestParts> = [StatedPart<Own, Stated, Part>] extends [Own]
  ? StatedPart<Own, Stated, Part>
  : [StatedPart<Own, Stated, Part>] extends [Loose<Own>]
    ? StatedPart<Own, Stated, Part>
    : Own
// A property without a type (of a wide schema) may be stated as null, too.
type Loose<T> = { [K in keyof T]: [keyof NonNullable<T[K]>] extends [never] ? unknown : T[K] }

/** The parts of a request before validation. */
export interface RawParts<C extends Context, Path extends string, G> extends RequestParts {
  params: PathParams<C, Path, G>
  query: Given<G, 'Querystring'>
  headers: GivenHeaders<G>
  body: Given<G, 'Body'>
}

type PathParams<C extends Context, Path extends string, G> = G extends { readonly Params: infer P }
  ? P
  : {} extends G
    ? ParamsOf<FullPath<C, Path>>
    : unknown

type FullPath<C extends Context, Path extends string> =
  string extends PrefixOf<C> ? Path : JoinPath<PrefixOf<C>, Path>

// The route matches only with the parameters of its path, even if the schema doesn't require them.
type WithPresent<T, C extends Context, Path extends string> = unknown extends T
  ? T
  : T extends Required<T>
    ? T
    : WithNames<T, PresentParams<FullPath<C, Path>>>
type WithNames<T, Names extends PropertyKey> = Readable<
  { [K in keyof T as K extends Names ? K : never]-?: T[K] } & {
    [K in keyof T as K extends Names ? never : K]: T[K]
  }
>

/**
 * The payloads of a route by status: from the schema, otherwise from the type argument. They have no name, so that
 * editors show them.
 */
export type RouteReplies<C extends Context, S, G> = S extends { readonly response: infer R }
  ? { readonly [Key in keyof R as StatusKey<Key>]: PayloadOf<R[Key], C['schemas']> }
  : GivenReplies<G>

/** The payloads that a type argument describes: a map by status, or one payload for all. */
export type GivenReplies<G> = G extends { readonly Reply: infer R }
  ? IsStatusMap<R> extends true
    ? R & object
    : { readonly default: R }
  : AnyReplies

type IsStatusMap<R> = R extends readonly unknown[] | ((...args: never[]) => unknown)
  ? false
  : [keyof R] extends [never]
    ? false
    : [keyof R] extends [number | `${number}xx` | 'default']
      ? true
      : false
