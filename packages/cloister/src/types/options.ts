import type { Http2SecureServer, Http2Server } from 'node:http2'

import type { Ctx } from './context.ts'
import type { LoadingCloister } from './instance.ts'
import type { FactoryOptions, RouterOptions, ShownOption } from './options.generated.ts'
import type { Http1Server, RawReplyOf, RawRequestOf, RawServer } from './raw.ts'

/**
 * Options of the factory. `docs/options.md` lists them with defaults and units.
 *
 * @throws `CLO_ERR_INIT_OPTS_INVALID` for a value of a wrong type, or a name that is close to that of an option
 */
export interface CloisterOptions<Raw extends RawServer = RawServer> extends FactoryOptions<Raw> {
  /** Sets options of the router; each can also be given directly. */
  routerOptions?: RouterOptions
  /**
   * Replaces the strategy of the constraint `version`, as in Fastify 4.x: `storage` and `deriveVersion`. Prefer
   * `constraints`.
   */
  versioning?: object
}

/** The options that `app.initialConfig` has, after defaults, frozen. Keys and certificates are not among them. */
export type ResolvedOptions = Readonly<
  Pick<CloisterOptions, ShownOption | 'routerOptions'> & {
    https?: boolean | Readonly<{ allowHTTP1?: boolean }>
  }
>

/** The kind of server that the options select. */
export type ServerFor<O> = O extends {
  readonly serverFactory: (...args: never[]) => infer S extends RawServer
}
  ? S
  : O extends { readonly http2: true }
    ? O extends { readonly https: object }
      ? Http2SecureServer
      : Http2Server
    : Http1Server

/**
 * The context of a fresh app. Over HTTP/2 `server` and `raw` are Node's objects for it: as decorations, so that
 * plugins written for HTTP/1.1 fit.
 */
export type RootContext<O = {}> =
  ServerFor<O> extends Http1Server
    ? Ctx
    : Ctx<
        { readonly server: ServerFor<O> },
        { readonly raw: RawRequestOf<ServerFor<O>> },
        { readonly raw: RawReplyOf<ServerFor<O>> }
      >

/** The type of the factory. */
export type CloisterFactory = <const O extends CloisterOptions = CloisterOptions>(
  options?: O,
) => LoadingCloister<RootContext<O>>
