import type { ValidationIssue } from './errors.ts'
import type { FastifyRequest } from './peer.ts'
import type { RawReplyOf, RawRequestOf, RawServer } from './raw.ts'

// The types that the generated interface of the options names: here, or passed on.
export type { ServerOptions as HttpServerOptions } from 'node:http'
export type { SecureServerOptions } from 'node:http2'
export type { ServerOptions as HttpsServerOptions } from 'node:https'
export type { Socket } from 'node:net'
export type { ConstraintStrategy } from './constraint-strategy.ts'
export type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from './compilers.ts'
export type { CaughtError } from './errors.ts'
export type { RequestLogController } from './log-controller.ts'
export type { BaseLogger, ChildLoggerFactory, LoggerConfig, LogLevel } from './logger.ts'
export type { RouteConstraints } from './route-options.ts'
export type { FastifyInstance, FastifyReply, FastifyRequest } from './peer.ts'
export type { RawReplyOf, RawRequestOf, RawServer }

/** Translates violations: sets their `message`. */
export type ValidationTranslation = (issues: ValidationIssue[]) => void

/** Translates violations for a request: sets their `message`. */
export type ValidationTranslator = (issues: ValidationIssue[], request: FastifyRequest) => void

/** Options of the default validator. */
export interface AjvOptions {
  /**
   * Sets options of Ajv, over the defaults of the framework.
   *
   * @throws `CLO_ERR_INIT_OPTS_INVALID` for a name that is close to an option of Ajv, or a word that Ajv
   * does not have
   */
  customOptions?: { readonly [option: string]: unknown }
  /** Adds plugins of Ajv, as functions or as pairs of function and options. */
  plugins?: readonly (((...args: never[]) => unknown) | readonly [(...args: never[]) => unknown, unknown])[]
  /** Called with each Ajv instance after it was created; add keywords and formats here. */
  onCreate?: (ajv: never) => void
}

/** An error on a connection before there is a request. */
export interface ConnectionError extends Error {
  /** The code of Node, as in `HPE_INVALID_METHOD`. */
  code: string
  /** The number of bytes that were parsed. */
  bytesParsed: number
  /** The bytes received. */
  rawPacket: { type: string; data: number[] }
}

/** The proxies in front of an app, by their number and their addresses. */
export interface TrustedHops {
  /** The most proxies that are believed, counted from the app: the one that connects to it is the first. */
  readonly hops: number
  /**
   * The addresses of all of them: addresses, ranges, and the names `loopback`, `linklocal` and `uniquelocal`, as a
   * list, or as a text with commas. A proxy with another address is not believed, whatever `hops` is.
   */
  readonly from: string | readonly string[]
}

/** The listener that a server of Node calls with its requests. */
export type ServerHandler = (request: RawRequestOf<RawServer>, response: RawReplyOf<RawServer>) => void
