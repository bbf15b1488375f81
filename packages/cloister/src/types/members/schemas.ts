import type { ContextOf, OpenSchemas, WithSchemas } from '../context.ts'
import type { Cloister } from '../instance.ts'
import type { Problem } from '../problem.ts'
import type { CheckShared } from '../refs.ts'

// The types of some libraries do not say which `$id` a schema was given: from there on any reference may be known.
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

/** The common part of TypeBox 1 schemas; their options are not part of their type. */
interface LibrarySchema {
  readonly '~kind': unknown
}

/** The members of an instance about shared schemas. */
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
