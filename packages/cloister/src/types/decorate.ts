import type { Context, ContextOf, InheritedOf, Side, WithDecoration } from './context.ts'
import type { FastifyReply, FastifyRequest } from './fastify/interfaces.ts'
import type { Cloister } from './instance.ts'
import type { Problem } from './problem.ts'
import type { ContextReply, ContextRequest } from './request-of.ts'

/** A decoration with accessors. */
export interface Accessor<This, T> {
  /** Returns the value; `this` is the decorated object. */
  getter: (this: This) => T
  /** Sets the value. */
  setter?: (this: This, value: T) => void
}

/** The type of a decoration for code that reads it. */
type Decorated<V> = V extends { readonly getter: (...args: never[]) => infer T } ? T : V

type Named<K extends PropertyKey, V> = string extends K
  ? {}
  : symbol extends K
    ? {}
    : { [P in K]: Decorated<V> }

type Fresh<K, C extends Context, S extends Side> = K extends keyof C[S] & string
  ? string extends keyof C[S]
    ? unknown
    : `${S}.${K}` extends InheritedOf<C>
      ? unknown
      : Problem<`'${K}' is already decorated in this context; choose another name`>
  : unknown

/** The names that requests or replies have for all contexts, with those that an application declares. */
type DeclaredName<S extends Side> = S extends 'request' ? keyof FastifyRequest : keyof FastifyReply

/** What is read of a decoration: the value, or what its getter returns. */
type Read<V, Got> = V extends { readonly getter: unknown } ? Got : V

// An application casts `null` to the type that it declares, because Fastify's types demand that type.
type OwnValue<V, S extends Side, K> = S extends 'app'
  ? unknown
  : K extends DeclaredName<S>
    ? unknown
    : V extends ((...args: never[]) => unknown) | { readonly getter: unknown }
      ? unknown
      : V extends object
        ? Problem<'all requests would share this object: decorate with null and assign a fresh value in a hook, or give a { getter }'>
        : unknown

// The compiler keeps literal types that functions of an object return, unless it knows the expected type.
interface Members {
  readonly [name: string]: ((...args: unknown[]) => unknown) | Members | undefined
  readonly getter?: undefined
  readonly setter?: undefined
}

interface Holders<C extends Context> {
  readonly app: Cloister<C>
  readonly request: ContextRequest<C>
  readonly reply: ContextReply<C>
}

/**
 * Adds a property to the instances, requests or replies of this context and its children.
 *
 * `Self` is the instance that the method is read from. It is needed because the compiler infers no type argument if the
 * caller writes one.
 */
export interface Decorate<Self, S extends Side> {
  <
    T,
    F extends (this: Holders<ContextOf<T>>[S], ...args: never[]) => unknown,
    const K extends string | symbol,
  >(
    this: T,
    name: K & Fresh<K, ContextOf<T>, S>,
    method: F,
    dependencies?: readonly string[],
  ): Cloister<WithDecoration<ContextOf<T>, S, Named<K, F>>>
  <V, const K extends string | symbol = string, T = Self, Got = unknown>(
    this: T,
    name: K & Fresh<K, ContextOf<T>, S> & OwnValue<V, S, K>,
    value?: V | Accessor<Holders<ContextOf<T>>[S], Got> | (S extends 'app' ? Members : never),
    dependencies?: readonly string[],
  ): Cloister<WithDecoration<ContextOf<T>, S, Named<K, Read<V, Got>>>>
}

/** The type of `decorate`. */
export type DecorateInstance<Self> = Decorate<Self, 'app'>

/** The type of `decorateRequest`. */
export type DecorateRequest<Self> = Decorate<Self, 'request'>

/** The type of `decorateReply`. */
export type DecorateReply<Self> = Decorate<Self, 'reply'>

/** The name of a guard or of a decoration of requests in a context, and what takes its place. */
type RequestOverride<C extends Context> = {
  [K in keyof C['request'] & string]: [
    name: K,
    value:
      | C['request'][K]
      | ((
          request: ContextRequest<C>,
          reply: ContextReply<C>,
        ) => C['request'][K] | Promise<C['request'][K]> | ContextReply<C>),
  ]
}[keyof C['request'] & string]

/** The methods of an instance for decorations. */
export interface DecoratorMembers {
  /**
   * Adds a property to the instance of this context and its children.
   *
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT`, `CLO_ERR_DEC_MISSING_DEPENDENCY`, `CLO_ERR_DEC_AFTER_START`
   * @example
   * ```ts
   * const withDb = app.decorate('db', { find: (id: string) => ({ id }) })
   * withDb.db.find('1')
   * ```
   */
  readonly decorate: DecorateInstance<this>
  /**
   * Adds a property to the requests of this context and its children. Each request starts with the given value.
   *
   * @throws `CLO_ERR_DEC_REFERENCE_TYPE` for an object, which all requests would share; decorate with `null` and assign
   * in a hook, or give `{ getter }`
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT`, `CLO_ERR_DEC_MISSING_DEPENDENCY`, `CLO_ERR_DEC_AFTER_START`
   */
  readonly decorateRequest: DecorateRequest<this>
  /**
   * Adds a property to the replies of this context and its children. Each reply starts with the given value.
   *
   * @throws `CLO_ERR_DEC_REFERENCE_TYPE` for an object, which all replies would share; decorate with `null` and assign
   * in a hook, or give `{ getter }`
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT`, `CLO_ERR_DEC_MISSING_DEPENDENCY`, `CLO_ERR_DEC_AFTER_START`
   */
  readonly decorateReply: DecorateReply<this>
  /**
   * Returns a decoration of the instance by name.
   *
   * @throws `CLO_ERR_DEC_UNDECLARED` if the instance has no decoration with this name
   */
  getDecorator<T>(name: string | symbol): T
  /** Returns whether the instance has a decoration with this name. */
  hasDecorator(name: string | symbol): boolean
  /** Returns whether requests of this context have a decoration with this name. */
  hasRequestDecorator(name: string | symbol): boolean
  /** Returns whether replies of this context have a decoration with this name. */
  hasReplyDecorator(name: string | symbol): boolean
}

/** The methods of an instance that replace decorators in tests. */
export interface OverrideMembers {
  /**
   * Replaces a decorator in tests. This context and its children get the value under this name, even if a nested plugin
   * decorates it. Call it before the plugins are registered.
   *
   * @param value - has the type of the instance's member with this name, if it is known
   * @throws `CLO_ERR_INSTANCE_ALREADY_LISTENING` after `ready`
   * @throws `CLO_ERR_DEC_OVERRIDE_UNUSED` from `ready`, if nothing decorates the name
   * @example
   * ```ts
   * app.override('db', { find: () => ({ id: 'of the test' }) })
   * ```
   */
  override<T, const K extends string | symbol>(this: T, name: K, value: K extends keyof T ? T[K] : unknown): T
  /**
   * Replaces a guard or a decoration of requests in tests, typed by the instance behind it, which a plugin makes later.
   *
   * @typeParam Guarded - the instance behind the guard: `typeof api`, or `Cloister<ContextFrom<{ request: { user: User } }>>`
   * @param override - the name, and the value or a guard that returns it
   * @throws `CLO_ERR_INSTANCE_ALREADY_LISTENING` after `ready`
   * @throws `CLO_ERR_DEC_OVERRIDE_UNUSED` from `ready`, if nothing gives the name
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   * import type { Cloister, ContextFrom } from 'cloister'
   *
   * type Api = Cloister<ContextFrom<{ request: { user: { name: string } } }>>
   *
   * const app = cloister()
   * app.override<Api>('user', { name: 'of the test' })
   * app.override<Api>('user', (request) => ({ name: request.ip }))
   * ```
   */
  override<Guarded>(...override: RequestOverride<ContextOf<Guarded>>): this
}
