import { cloister, CloisterError, createErrorCodes, definePlugin, LogController } from 'cloister'
import type { CloisterOptions, ErrorCodes, ErrorName, RootContext } from 'cloister'
import type { Ctx, LoadingCloister, OnServer, RawReplyOf, RawRequestOf, RawServerBase } from 'cloister/types'
import { NEVER_THROWN, neverThrown, type NeverThrown } from './never-thrown.ts'
import { withDefaults } from './with-defaults.ts'

/** The code of an error of the framework, under the prefix that it has here. */
export type ErrorCode = `FST_ERR_${ErrorName}`

/** The constructors of coded errors, by code, and those of the codes that only Fastify has. */
export type FastifyErrorCodes = ErrorCodes<'FST_ERR_'> &
  Readonly<Record<(typeof NEVER_THROWN)[number], NeverThrown>>

/** An app whose server, raw requests and raw responses have types of the application. */
export type AppOn<Server, Request, Reply> = LoadingCloister<
  Ctx<
    { readonly server: Server } & OnServer<Request, Reply>,
    { readonly raw: Request },
    { readonly raw: Reply }
  >
>

/** The type of the factory. Apps for Fastify pass options of their own to plugins, so unknown names compile here. */
export interface FastifyFactory {
  /** Makes an app with the types of Node's server and its objects as type arguments; `never` without them. */
  <
    Server extends RawServerBase = never,
    Request extends RawRequestOf<Server> = RawRequestOf<Server>,
    Reply extends RawReplyOf<Server> = RawReplyOf<Server>,
  >(
    ...options: [Server] extends [never] ? [never] : [options?: CloisterOptions]
  ): AppOn<Server, Request, Reply>
  /** Makes an app with the types that follow from its options. */
  <const O extends CloisterOptions = CloisterOptions>(options?: O): LoadingCloister<RootContext<O>>
}

/** The constructors of every coded error, by the code that Fastify has for it. */
const errorCodes: FastifyErrorCodes = withNeverThrown(createErrorCodes('FST_ERR_'))

function withNeverThrown(codes: ErrorCodes<'FST_ERR_'>): FastifyErrorCodes {
  const others = Object.fromEntries(NEVER_THROWN.map((code) => [code, neverThrown(code)]))
  // A copy of the properties, whose constructors are made when they are read.
  const all: unknown = Object.defineProperties(others, Object.getOwnPropertyDescriptors(codes))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the members of both
  return Object.freeze(all) as FastifyErrorCodes
}

// `error instanceof FastifyError` of `@fastify/error` reads this member. Another copy of the alias may have defined it.
Object.defineProperty(CloisterError.prototype, Symbol.for('fastify-error-generic'), {
  configurable: true,
  get(this: CloisterError) {
    return this.name === 'FastifyError'
  },
})

const factory: FastifyFactory = withDefaults(cloister, {
  errorCodePrefix: 'FST_ERR_',
  cookieSchemas: 'document',
  documentedTrailingSlash: 'slash',
  rootPluginName: 'fastify',
})

/** Makes an app of Cloister whose error codes begin with `FST_ERR_` and whose root is called `fastify`; see `cloister`. */
const fastify: typeof factory & {
  readonly fastify: typeof factory
  readonly cloister: typeof factory
  readonly default: typeof factory
  readonly errorCodes: typeof errorCodes
} = Object.assign(factory, { fastify: factory, cloister: factory, default: factory, errorCodes })

export {
  fastify,
  fastify as cloister,
  fastify as default,
  errorCodes,
  CloisterError,
  createErrorCodes,
  definePlugin,
  LogController,
}
