import type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from './compilers.ts'
import type { Context, ContextOf } from './context.ts'
import type { CaughtError } from './errors.ts'
import type { ContextHooks, HookName } from './hooks.ts'
import type { Cloister } from './instance.ts'
import type { ChildLoggerFactory } from './logger.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from './fastify/interfaces.ts'
import type { RawRequestOf } from './raw.ts'
import type { ContextReply, ContextRequest } from './request-of.ts'
import type { HandlerOf } from './route.ts'

type ErrorHandler<C extends Context, E> = (
  this: Cloister<C>,
  error: E,
  request: ContextRequest<C>,
  reply: ContextReply<C>,
) => unknown

/** The members of an instance that configure a context: hooks, handlers, loggers and compilers. */
export interface SettingMembers {
  /** The error handler of this context: its own, or the nearest inherited one. */
  readonly errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => unknown
  /** The function that creates the loggers of requests in this context. */
  readonly childLoggerFactory: ChildLoggerFactory
  /** The validator compiler of this context; `undefined` until the app is ready, if none was set. */
  readonly validatorCompiler: ValidatorCompiler<never> | undefined
  /** The serializer compiler of this context; `undefined` until the app is ready, if none was set. */
  readonly serializerCompiler: SerializerCompiler<never> | undefined
  /**
   * Adds a hook to this context and its children. It also runs for routes that are defined later. A hook is either
   * asynchronous or calls `done`.
   *
   * @throws `CLO_ERR_HOOK_NOT_SUPPORTED` (with the most similar name), `CLO_ERR_HOOK_INVALID_HANDLER`,
   * `CLO_ERR_HOOK_INVALID_ASYNC_HANDLER`
   * @example
   * ```ts
   * app.addHook('onRequest', async (request, reply) => {
   *   if (request.headers.authorization === undefined) await reply.code(401).send()
   * })
   * ```
   */
  addHook<T, const Name extends HookName>(this: T, name: Name, hook: ContextHooks<ContextOf<T>>[Name]): T
  /**
   * Sets the handler of requests that match no route, for the prefix of this context.
   *
   * @throws `CLO_ERR_NOT_FOUND_HANDLER_ALREADY_SET` if the prefix has one
   */
  setNotFoundHandler<T>(this: T, handler: HandlerOf<ContextOf<T>>): T
  setNotFoundHandler<T>(
    this: T,
    options: {
      [K in 'preValidation' | 'preHandler']?: ContextHooks<ContextOf<T>>[K] | ContextHooks<ContextOf<T>>[K][]
    },
    handler: HandlerOf<ContextOf<T>>,
  ): T
  /**
   * Sets the error handler of this context and its children. It handles errors of hooks, parsing, validation, handlers
   * and serialization; an error that it throws goes to the next outer handler. If the context has a handler already, the
   * new one gets errors before it.
   *
   * @throws `CLO_ERR_ERROR_HANDLER_NOT_FN`, `CLO_ERR_ERROR_HANDLER_ALREADY_SET` if `allowErrorHandlerOverride` is
   * `false`
   * @example
   * ```ts
   * app.setErrorHandler((error, request, reply) => {
   *   request.log.error(error)
   *   return reply.code(error.statusCode ?? 500).send({ message: error.message })
   * })
   * ```
   */
  setErrorHandler<E extends Error = CaughtError, T = FastifyInstance>(
    this: T,
    handler: ErrorHandler<ContextOf<T>, E>,
  ): T
  /** Sets the error handler. This overload takes the instance type before the error type. */
  setErrorHandler<T, E extends Error>(this: T, handler: ErrorHandler<ContextOf<T>, E>): T
  /**
   * Sets the function that generates the request id (`request.id`).
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setGenReqId<T>(this: T, make: (request: RawRequestOf) => string): T
  /**
   * Sets the function that creates the logger of a request, for this context and its children.
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setChildLoggerFactory<T>(this: T, factory: ChildLoggerFactory<Cloister<ContextOf<T>>>): T
  /**
   * Sets the compiler that turns request schemas into validators, for this context and its children. A
   * validator returns a boolean, `{ value }` or `{ error }`.
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setValidatorCompiler<Schema = unknown, T = FastifyInstance>(this: T, compiler: ValidatorCompiler<Schema>): T
  /**
   * Sets the compiler that turns response schemas into serializers, for this context and its children. A
   * serializer returns a string.
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setSerializerCompiler<Schema = unknown, T = FastifyInstance>(
    this: T,
    compiler: SerializerCompiler<Schema>,
  ): T
  /**
   * Replaces the store of shared schemas and the compiler factories of this context and its children.
   *
   * @throws `CLO_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN`
   */
  setSchemaController<T>(this: T, options: SchemaControllerOptions): T
  /**
   * Sets the function that serializes every payload of this context, instead of response schemas and `JSON.stringify`.
   *
   * @throws `CLO_ERR_SETTING_NOT_FN`
   */
  setReplySerializer<T>(this: T, serialize: (payload: unknown, statusCode: number) => string): T
  /**
   * Sets the function that creates the error of a failed validation, for this context and its children. It
   * must not be asynchronous.
   *
   * @throws `CLO_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN`
   */
  setSchemaErrorFormatter<T>(this: T, formatter: SchemaErrorFormatter<Cloister<ContextOf<T>>>): T
}
