import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

import type { InputValidator, PartName } from './compilers.ts'
import type { ValidationError } from './errors.ts'
import type { FastifyInstance } from './peer.ts'
import type { BaseLogger } from './logger.ts'
import type { RawRequestOf } from './raw.ts'
import type { ResolvedRouteOptions } from './route-options.ts'

/** The validated parts of a request. */
export interface RequestParts {
  /** Values of the path's parameters. */
  params: unknown
  /** The parsed query string. */
  query: unknown
  /** Headers beyond Node's. */
  headers: unknown
  /** The parsed body. */
  body: unknown
}

/** A request as handlers and hooks see it. */
export interface CloisterRequest<
  Parts extends RequestParts = RequestParts,
  Config = unknown,
  RawRequest = RawRequestOf,
  Instance = FastifyInstance,
> {
  /** Name of the request, unique while the app runs, or what the client sent in `requestIdHeader`. */
  id: string
  /** Values of the path's parameters. */
  params: Parts['params']
  /** The parsed query string. */
  query: Parts['query']
  /** Headers, in lower case. */
  headers: IncomingHttpHeaders & Parts['headers']
  /** The parsed body; `undefined` where there is none. */
  body: Parts['body']
  /** Logger of this request. */
  log: BaseLogger
  /** Node's request. */
  raw: RawRequest
  /** Node's request, under its old name. */
  readonly req: RawRequest
  /** The instance of the context that the route belongs to. */
  readonly server: Instance
  /** Address of the client; with `trustProxy` the one that proxies report. */
  readonly ip: string
  /** With `trustProxy`: all addresses on the way, the nearest first. */
  readonly ips?: string[] | undefined
  /** Host with port, as the client named it. */
  readonly host: string
  /** Host without port. */
  readonly hostname: string
  /** Port, when the client named one. */
  readonly port: number | null
  /** Scheme that the client used. */
  readonly protocol: 'http' | 'https'
  /** HTTP method. */
  readonly method: string
  /** The target of the request, with its query string. */
  readonly url: string
  /** The target before `rewriteUrl`. */
  readonly originalUrl: string
  /** Path of the route, with its parameters. */
  readonly routerPath: string | undefined
  /** Method of the route. */
  readonly routerMethod: string | undefined
  /** Options of the route. */
  readonly routeOptions: ResolvedRouteOptions<Config>
  /** The `config` of the route. */
  readonly routeConfig: ResolvedRouteOptions<Config>['config']
  /** The `schema` of the route. */
  readonly routeSchema: ResolvedRouteOptions<Config>['schema']
  /** The `config` and `schema` of the route, under their old place. */
  readonly context: Pick<ResolvedRouteOptions<Config>, 'config' | 'schema'>
  /** No route was found. */
  readonly is404: boolean
  /** The connection. */
  readonly socket: Socket
  /** The connection, under its old name. */
  readonly connection: Socket
  /** Aborted when the client goes away or the time for the handler is over. */
  readonly signal: AbortSignal
  /** Media type of the body, without its parameters. */
  readonly mediaType: string | undefined
  /** With `attachValidation`: why the request is not valid. */
  validationError?: ValidationError | undefined
  /** The validator of a part, or of a schema that was compiled before. */
  getValidationFunction(partOrSchema: PartName | object): InputValidator | undefined
  /** Compiles a schema, once per request context and schema. */
  compileValidationSchema(schema: object, part?: PartName): InputValidator
  /** Validates a value against a part's schema, or against a schema of your own. */
  validateInput(input: unknown, partOrSchema: PartName | object, part?: PartName): boolean
  /** A decoration of the request by name; an error when nobody declared it. */
  getDecorator<T>(name: string | symbol): T
  /** Sets a decoration of the request; an error when nobody declared it. */
  setDecorator<T = unknown>(name: string | symbol, value: T): void
}
