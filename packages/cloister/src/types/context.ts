// The contents of an encapsulation context as types. A context is one interface, because the compiler compares and
// prints interfaces cheaply, unlike intersections that grow with every call.

/** One encapsulation context. A child has all fields of its parent, or more. */
export interface Context {
  /** Decorations of the instance. */
  readonly app: object
  /** Decorations of requests. */
  readonly request: object
  /** Decorations of replies. */
  readonly reply: object
  /** Shared schemas by `$id`. */
  readonly schemas: object
}

/**
 * A context made of its parts. `Ctx` without arguments is a fresh app without decorations and shared schemas.
 *
 * The prefix is a type parameter without a property, so that the compiler ignores it when it compares contexts: code
 * for a context works under any prefix. `PrefixOf` reads it. The names that a context inherits and may hide (`app.db`)
 * are a parameter for the same reason; `InheritedOf` reads them.
 */
export interface Ctx<
  App extends object = {},
  Request extends object = {},
  Reply extends object = {},
  Schemas extends object = {},
  _Prefix extends string = '',
  _Inherited extends string = never,
> extends Context {
  readonly app: App
  readonly request: Request
  readonly reply: Reply
  readonly schemas: Schemas
}

/** The path prefix of a context; `string` if it is unknown. */
export type PrefixOf<C extends Context> =
  C extends Ctx<object, object, object, object, infer Prefix> ? Prefix : string

/** The decorations that a context inherits, such as `app.db`. It may decorate these names again. */
export type InheritedOf<C extends Context> =
  C extends Ctx<object, object, object, object, string, infer Inherited> ? Inherited : never

/** The target of a decoration. */
export type Side = 'app' | 'request' | 'reply'

/** The names of all decorations of a context. A member of an interface has no alias, so hovers show the names. */
interface Decorations<C extends Context> {
  readonly names: { [S in Side]: `${S}.${keyof C[S] & string}` }[Side]
}

/** The shared schemas of code that declares none. It may use any reference; its type is `unknown`. */
export interface OpenSchemas {
  readonly [id: string]: unknown
}

/** The context of code that declares none, such as a plugin for `FastifyInstance`. */
export interface OpenContext extends Ctx<{}, {}, {}, OpenSchemas, string> {}

declare const contextKey: unique symbol

/** Carries a context. The property exists only in types. */
export interface Within<C extends Context> {
  readonly [contextKey]: C
}

/** The context of an instance type, or the open context if the type declares none. */
export type ContextOf<Instance> = Instance extends Within<infer C> ? C : OpenContext

/** The parts of a context that code needs or adds. All fields are optional. */
export interface ContextParts extends Partial<Context> {}

/** One field of `ContextParts`; empty if it is absent. */
export type Part<P, K extends keyof ContextParts> = P extends { readonly [X in K]: infer V extends object }
  ? V
  : {}

/** The context with exactly the parts `P`, under any prefix. */
export type ContextFrom<P extends ContextParts> = [
  Part<P, 'app'>,
  Part<P, 'request'>,
  Part<P, 'reply'>,
  Part<P, 'schemas'>,
] extends [infer A extends object, infer Q extends object, infer R extends object, infer S extends object]
  ? Ctx<A, Q, R, S, string>
  : never

/** `A` with the members of `B` that `A` lacks. Hovers show the result. */
export type Merge<A extends object, B extends object> = keyof A extends never
  ? B
  : keyof B extends never
    ? A
    : { [K in keyof A | keyof B]: K extends keyof A ? A[K] : K extends keyof B ? B[K] : never }

/** A path under a prefix, as the router joins them. */
export type JoinPath<Prefix extends string, Path extends string> = string extends Prefix | Path
  ? string
  : Path extends '' | '/'
    ? Prefix extends ''
      ? Path
      : Prefix
    : Prefix extends `${infer Head}/`
      ? Path extends `/${string}`
        ? `${Head}${Path}`
        : `${Prefix}${Path}`
      : `${Prefix}${Path}`

// `extends infer` below evaluates each part once, so that hovers show the result instead of its computation.

/** The context of an encapsulated plugin: that of its parent, with a longer prefix. */
export type Child<C extends Context, Prefix extends string = ''> =
  JoinPath<PrefixOf<C>, Prefix> extends infer X extends string
    ? Ctx<C['app'], C['request'], C['reply'], C['schemas'], X, Decorations<C>['names']>
    : never

/** `C` with another decoration of one side. It hides a decoration of the parent with the same name. */
export type WithDecoration<C extends Context, S extends Side, D extends object> = [
  Decorated<C, 'app', S, D>,
  Decorated<C, 'request', S, D>,
  Decorated<C, 'reply', S, D>,
] extends [infer A extends object, infer Q extends object, infer R extends object]
  ? Ctx<A, Q, R, C['schemas'], PrefixOf<C>, Exclude<InheritedOf<C>, `${S}.${keyof D & string}`>>
  : never

type Decorated<C extends Context, Of extends Side, S extends Side, D extends object> = S extends Of
  ? Merge<D, C[Of]>
  : C[Of]

/** `C` with more shared schemas. If `D` is open, some schemas have an unknown `$id`. */
export type WithSchemas<C extends Context, D extends object> = (
  string extends keyof D ? C['schemas'] & D : Merge<C['schemas'], D>
) extends infer S extends object
  ? Ctx<C['app'], C['request'], C['reply'], S, PrefixOf<C>, InheritedOf<C>>
  : never

/** `C` with the parts `D`, after a plugin that breaks encapsulation has added them. */
export type Widen<C extends Context, D> = [
  Merge<C['app'], Part<D, 'app'>>,
  Merge<C['request'], Part<D, 'request'>>,
  Merge<C['reply'], Part<D, 'reply'>>,
  Merge<C['schemas'], Part<D, 'schemas'>>,
] extends [infer A extends object, infer Q extends object, infer R extends object, infer S extends object]
  ? Ctx<A, Q, R, S, PrefixOf<C>, InheritedOf<C>>
  : never

/** The names in the context `D` that `C` lacks; `never` if there are none. */
export type Unmet<C extends Context, D extends Context> =
  | `app.${Missing<C['app'], D['app']>}`
  | `request.${Missing<C['request'], D['request']>}`
  | `reply.${Missing<C['reply'], D['reply']>}`
  | `the shared schema '${Missing<C['schemas'], D['schemas']>}'`

type Missing<Given, Needed> = {
  [K in keyof Needed]: string extends K
    ? never
    : K extends keyof Given
      ? never
      : {} extends Pick<Needed, K>
        ? never
        : K
}[keyof Needed] &
  string

declare const rawKey: unique symbol

/** Carries Node's objects for a kind of server. The property exists only in types. */
export interface OnServer<RawRequest, RawReply> {
  readonly [rawKey]?: readonly [RawRequest, RawReply]
}

/**
 * The context of routes in code that declares none. Node's objects are decorations there, so that handlers and plugins
 * can be generic over the kind of server.
 */
export interface OpenHome<RawRequest, RawReply> extends Ctx<
  {},
  { readonly raw: RawRequest; readonly req: RawRequest },
  { readonly raw: RawReply },
  OpenSchemas,
  string
> {}

/** The context of the routes of an instance type. */
export type HomeOf<Instance> =
  Instance extends Within<infer C>
    ? C
    : Instance extends OnServer<infer RawRequest, infer RawReply>
      ? OpenHome<RawRequest, RawReply>
      : OpenHome<unknown, unknown>
