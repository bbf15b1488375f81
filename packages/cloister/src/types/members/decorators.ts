import type { DecorateInstance, DecorateReply, DecorateRequest } from '../decorate.ts'

/** The members of an instance about decorations. */
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
   * Adds a property to the requests of this context and its children. Each request starts with the value
   * given.
   *
   * @throws `CLO_ERR_DEC_REFERENCE_TYPE` for an object, which all requests would share; decorate with `null`
   * and assign in a hook, or give `{ getter }`
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT`, `CLO_ERR_DEC_MISSING_DEPENDENCY`, `CLO_ERR_DEC_AFTER_START`
   */
  readonly decorateRequest: DecorateRequest<this>
  /**
   * Adds a property to the replies of this context and its children. Each reply starts with the value given.
   *
   * @throws `CLO_ERR_DEC_REFERENCE_TYPE` for an object, which all replies would share; decorate with `null`
   * and assign in a hook, or give `{ getter }`
   * @throws `CLO_ERR_DEC_ALREADY_PRESENT`, `CLO_ERR_DEC_MISSING_DEPENDENCY`, `CLO_ERR_DEC_AFTER_START`
   */
  readonly decorateReply: DecorateReply<this>
  /**
   * Returns a decoration of the instance by name.
   *
   * @throws `CLO_ERR_DEC_UNDECLARED` if the instance has none of this name
   */
  getDecorator<T>(name: string | symbol): T
  /** Whether the instance has a decoration of this name. */
  hasDecorator(name: string | symbol): boolean
  /** Whether the requests of this context have a decoration of this name. */
  hasRequestDecorator(name: string | symbol): boolean
  /** Whether the replies of this context have a decoration of this name. */
  hasReplyDecorator(name: string | symbol): boolean
}
