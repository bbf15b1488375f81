import type { Int64AsBigint } from './infer-schema.ts'
import type { Http2SecureServer, Http2Server } from 'node:http2'
import type { Server as HttpsServer } from 'node:https'

import type { Ctx, OnServer } from './context.ts'
import type { LoadingCloister } from './instance.ts'
import type { Hint } from './nearest.ts'
import type { FactoryOptions, RouterOptions, ShownOption } from './options.generated.ts'
import type { Http1Server, RawReplyOf, RawRequestOf, RawServer } from './raw.ts'
import type { ValidationIssue } from './errors.ts'
import type { Problem } from './problem.ts'
import type { FastifyRequest } from './fastify/interfaces.ts'

/** Translates violations by setting their `message`. */
export type ValidationTranslation = (issues: ValidationIssue[]) => void

/** Translates violations for a request by setting their `message`. */
export type ValidationTranslator = (issues: ValidationIssue[], request: FastifyRequest) => void

/** Options of the default validator. */
export interface AjvOptions {
  /**
   * Sets options of Ajv, on top of the defaults of the framework.
   *
   * @throws `CLO_ERR_INIT_OPTS_INVALID` for a name that is similar to an option of Ajv, or a word that Ajv does not
   * accept
   */
  customOptions?: { readonly [option: string]: unknown }
  /** Adds plugins of Ajv, as functions or as `[function, options]` pairs. */
  plugins?: readonly (((...args: never[]) => unknown) | readonly [(...args: never[]) => unknown, unknown])[]
  /** Called with each new Ajv instance. Add keywords and formats here. */
  onCreate?: (ajv: never) => void
}

/** An error on a connection without a request. */
export interface ConnectionError extends Error {
  /** Node's error code, such as `HPE_INVALID_METHOD`. */
  code: string
  /** The number of bytes that were parsed. */
  bytesParsed: number
  /** The bytes received. */
  rawPacket: { type: string; data: number[] }
}

/** The proxies in front of an app: their number and addresses. */
export interface TrustedHops {
  /** The most proxies to trust, counted from the app: the one that connects to the app is the first. */
  readonly hops: number
  /**
   * The addresses of all proxies: addresses, ranges, and the names `loopback`, `linklocal` and `uniquelocal`, as a list
   * or as a comma-separated string. A proxy with another address is not trusted, regardless of `hops`.
   */
  readonly from: string | readonly string[]
}

/** The request listener of a Node server. */
export type ServerHandler = (request: RawRequestOf<RawServer>, response: RawReplyOf<RawServer>) => void

/**
 * Options of the factory; see `docs/options.md` for defaults and units.
 *
 * @throws `CLO_ERR_INIT_OPTS_INVALID` for a value of the wrong type, or a name that is similar to an option
 */
export interface CloisterOptions<Raw extends RawServer = RawServer> extends FactoryOptions<Raw> {
  /** Sets options of the router. Each can also be set directly. */
  routerOptions?: RouterOptions
  /**
   * Replaces the strategy of the constraint `version`, as in Fastify 4.x: `storage` and `deriveVersion`. Prefer
   * `constraints`.
   */
  versioning?: object
}

/** The options in `app.initialConfig`, with defaults, frozen. It contains no keys and certificates. */
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
    ? O extends { readonly https: null }
      ? Http2Server
      : // Fastify's types of options declare `https` as an object or `null`.
        O extends { readonly https: object | null }
        ? Http2SecureServer
        : Http2Server
    : O extends { readonly https: object }
      ? HttpsServer
      : Http1Server

/**
 * The context of a fresh app. With TLS or HTTP/2, `server` is Node's server of that kind, and with HTTP/2 `raw` has
 * Node's HTTP/2 objects. They are decorations, so that plugins written for HTTP/1.1 are compatible.
 * `OnServer` lets an app fit `FastifyInstance` with its kind of server.
 */
export type RootContext<O = {}> =
  Http1Server extends ServerFor<O>
    ? O extends ReadsInt64
      ? Ctx<{}, {}, {}, Int64AsBigint>
      : Ctx
    : ServerFor<O> extends Http1Server
      ? Ctx<{ readonly server: ServerFor<O> }, {}, {}, O extends ReadsInt64 ? Int64AsBigint : {}>
      : Ctx<
          { readonly server: ServerFor<O> } & OnServer<RawRequestOf<ServerFor<O>>, RawReplyOf<ServerFor<O>>>,
          { readonly raw: RawRequestOf<ServerFor<O>> },
          { readonly raw: RawReplyOf<ServerFor<O>> },
          O extends ReadsInt64 ? Int64AsBigint : {}
        >

interface ReadsInt64 {
  readonly integers: 'bigint'
}

/** `unknown`, or a type that describes each name in `O` that is no option. */
export type CheckOptions<O> = string extends keyof O
  ? unknown
  : { readonly [Name in Exclude<keyof O, keyof CloisterOptions>]: Problem<NoOption<Name & string>> }
type NoOption<Name extends string> = `'${Name}' is not an option${Hint<Name, keyof CloisterOptions>}`

/** The type of the factory. */
export type CloisterFactory = <const O extends CloisterOptions = CloisterOptions>(
  options?: O & CheckOptions<O>,
) => LoadingCloister<RootContext<O>>
