import type { RawReplyOf, RawRequestOf, RawServer } from './raw.ts'

// The types that the generated interface of the options names: here, or passed on.
export type { ServerOptions as HttpServerOptions } from 'node:http'
export type { SecureServerOptions } from 'node:http2'
export type { ServerOptions as HttpsServerOptions } from 'node:https'
export type { Socket } from 'node:net'
export type { ConstraintStrategy, HTTPVersion } from 'find-my-way'
export type { SchemaControllerOptions, SchemaErrorFormatter } from './compilers.ts'
export type { CaughtError } from './errors.ts'
export type { RequestLogController } from './log-controller.ts'
export type { BaseLogger, ChildLoggerFactory, LoggerConfig } from './logger.ts'
export type { FastifyInstance, FastifyReply, FastifyRequest } from './peer.ts'
export type { RawReplyOf, RawRequestOf, RawServer }

/** Options of the default validator. */
export interface AjvOptions {
  /** Laid over the options of the baseline. */
  customOptions?: { readonly [option: string]: unknown }
  /** Plugins, alone or with their options. */
  plugins?: readonly (((...args: never[]) => unknown) | readonly [(...args: never[]) => unknown, unknown])[]
  /** Called with the validator once it is made. */
  onCreate?: (ajv: never) => void
}

/** An error on a connection before there is a request. */
export interface ConnectionError extends Error {
  /** Node's code. */
  code: string
  /** How far the request could be read. */
  bytesParsed: number
  /** What came. */
  rawPacket: { type: string; data: number[] }
}

/** What Node's server hands its requests to, over any version of HTTP. */
export type ServerHandler = (request: RawRequestOf<RawServer>, response: RawReplyOf<RawServer>) => void
