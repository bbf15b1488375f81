import type { Cloister, Context, Ctx, Handler } from 'cloister'
import type { Int64AsBigint } from 'cloister/types'

import type { SecurityHandler } from './security-hook.ts'

/** A schema whose type was written by `cloister types --from`; it exists only in types. */
export interface Typed<T> {
  /** The contract of Standard Schema, from which types are inferred. */
  readonly '~standard': { readonly types?: { readonly input: T; readonly output: T } }
}

declare const typesKey: unique symbol

/**
 * An OpenAPI document. `cloister types --from` writes it with the types of its operations, the names of its security
 * schemes, and what its 64-bit integers are if it has any; the compiler does not know those of other documents.
 */
export interface TypedDocument<Operations = unknown, Schemes extends string = string, Int64 = unknown> {
  /** Carries the types; the property exists only in types. */
  readonly [typesKey]?: readonly [Operations, Schemes, Int64]
  /** The fields of a document. */
  readonly [field: string]: unknown
}

/** The handlers of a document: one for each operation, by its `operationId`. */
export type Handlers<Operations, C extends Context = Ctx> = unknown extends Operations
  ? Readonly<Record<string, Handler<{}, Cloister<C>>>>
  : { readonly [Id in keyof Operations]: Handler<Operations[Id] & object, Cloister<C>> }

/** Options of `implement`. */
export interface ImplementOptions<Schemes extends string = string> {
  /** Handlers that check the credentials of requests, by the name of the security scheme. */
  readonly security?: { readonly [Name in Schemes]: SecurityHandler }
}

/** The last argument of `implement`; a document with typed security schemes requires it. */
export type ImplementArguments<Schemes extends string> = string extends Schemes
  ? [options?: ImplementOptions]
  : [Schemes] extends [never]
    ? [options?: ImplementOptions<never>]
    : [options: Required<ImplementOptions<Schemes>>]

/** The plugin that `implement` returns. An app registers it if it reads 64-bit integers as the types of the document. */
export type ImplementedPlugin<C extends Context = Ctx, Int64 = unknown> = (
  app: Cloister<unknown extends Int64 ? C : ReadingInt64<C, Int64>>,
) => Promise<void>

type ReadingInt64<C extends Context, Int64> = Ctx<
  C['app'],
  C['request'],
  C['reply'],
  C['schemas'] & (Int64 extends 'bigint' ? Int64AsBigint : Int64AsNumber)
>
type Int64AsNumber = { readonly [Mark in keyof Int64AsBigint]?: number }
