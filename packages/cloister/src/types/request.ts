import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

import type { InputValidator, PartName } from './compilers.ts'
import type { ValidationError } from './errors.ts'
import type { FastifyInstance } from './fastify/interfaces.ts'
import type { BaseLogger } from './logger.ts'
import type { RawRequestOf } from './raw.ts'
import type { ResolvedRouteOptions } from './route-options.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- apps of Fastify 5.x declare any type of their own
type OwnTypeIn5 = any

/** The types of the validated parts of a request. */
export interface RequestParts {
  /** The path parameters. */
  params: unknown
  /** The parsed query string. */
  query: unknown
  /** The headers that a schema or type argument declares, in addition to Node's. */
  headers: unknown
  /** The parsed body. */
  body: unknown
}

/** A request, as handlers and hooks get it. */
export interface CloisterRequest<
  Parts extends RequestParts = RequestParts,
  Config = unknown,
  RawRequest = RawRequestOf,
  Instance = FastifyInstance,
> {
  /**
   * The request id: from the header `requestIdHeader` if the client sent it, otherwise from `genReqId`. Log lines
   * contain it as `requestIdLogLabel`.
   *
   * @default `req-1`, `req-2`, …
   */
  id: string
  /** The path parameters, validated and coerced by `schema.params`. Without a schema they are strings. */
  params: Parts['params']
  /** The parsed query string, validated and coerced by `schema.querystring`. */
  query: Parts['query']
  /** The headers, with names in lower case, validated by `schema.headers`. */
  headers: IncomingHttpHeaders & Parts['headers']
  /**
   * The parsed body, validated by `schema.body`; `undefined` if the request has none. Available from
   * `preValidation` on.
   */
  body: Parts['body']
  /** The logger of this request. Its lines contain the request id. */
  log: BaseLogger
  /**
   * Node's request.
   *
   * @throws `CLO_ERR_RAW_UNAVAILABLE` on a transport without Node's objects
   */
  raw: RawRequest
  /**
   * Node's request.
   *
   * @deprecated Use `raw`.
   */
  readonly req: RawRequest
  /** The instance of the route's context. */
  readonly server: Instance
  /**
   * The address of the client. With `trustProxy`, the last address in `X-Forwarded-For` that is not a
   * trusted proxy.
   */
  readonly ip: string
  /** The addresses from the connection to the client, in this order. Only with `trustProxy`. */
  readonly ips?: string[] | undefined
  /** The host of the request with its port, from `Host` or `:authority`; with `trustProxy` from `X-Forwarded-Host`. */
  readonly host: string
  /** The host of the request without its port. */
  readonly hostname: string
  /** The port in the host of the request; `null` if it has none. */
  readonly port: number | null
  /** The scheme of the request; with `trustProxy` from `X-Forwarded-Proto`. */
  readonly protocol: 'http' | 'https'
  /** The HTTP method, in upper case. */
  readonly method: string
  /** The target of the request: path and query string, even if the client sent an absolute URL. */
  readonly url: string
  /** The target as the client sent it: before `rewriteUrl`, and including the host of an absolute URL. */
  readonly originalUrl: string
  /**
   * The path of the route, such as `/users/:id`.
   *
   * @deprecated Use `routeOptions.url`.
   */
  readonly routerPath: string | undefined
  /**
   * The method of the route.
   *
   * @deprecated Use `routeOptions.method`.
   */
  readonly routerMethod: string | undefined
  /** The options of the route with defaults, frozen. */
  readonly routeOptions: ResolvedRouteOptions<Config>
  /**
   * The `config` of the route.
   *
   * @deprecated Use `routeOptions.config`.
   */
  readonly routeConfig: ResolvedRouteOptions<Config>['config']
  /**
   * The `schema` of the route.
   *
   * @deprecated Use `routeOptions.schema`.
   */
  readonly routeSchema: ResolvedRouteOptions<Config>['schema']
  /**
   * The `config` and `schema` of the route.
   *
   * @deprecated Use `routeOptions`.
   */
  readonly context: OwnTypeIn5
  /** Whether no route matches. It is true in not-found handlers. */
  readonly is404: boolean
  /**
   * The socket of the connection. For addresses prefer `ip`. With `inject` it is not connected.
   *
   * @throws `CLO_ERR_RAW_UNAVAILABLE` on a transport without Node's objects
   */
  readonly socket: Socket
  /**
   * The socket of the connection.
   *
   * @deprecated Use `socket`.
   */
  readonly connection: OwnTypeIn5
  /**
   * Aborts when the client disconnects before the response is complete, when `handlerTimeout` expires, and for an event
   * stream (`text/event-stream`) when the app starts to close. Pass it to the calls that the handler awaits.
   *
   * @example
   * ```ts
   * app.get('/', async ({ signal }) => (await fetch('http://127.0.0.1:3001', { signal })).text())
   * ```
   */
  readonly signal: AbortSignal
  /**
   * The id of the last event that the client received before it reconnected (`Last-Event-ID`). Continue the event
   * stream after it.
   */
  readonly lastEventId: string | undefined
  /** The media type of the body in lower case, without parameters, such as `application/json`. */
  readonly mediaType: string | undefined
  /** The validation error of an invalid request, on routes with `attachValidation`. */
  validationError?: ValidationError | undefined
  /**
   * Returns the validator of a part of the request, or of a schema that was already compiled; `undefined` if there is
   * none.
   */
  getValidationFunction(partOrSchema: PartName | object): InputValidator | undefined
  /** Compiles a schema to a validator, once per schema. */
  compileValidationSchema(schema: object, part?: PartName): InputValidator
  /**
   * Validates a value against the schema of a part of the request, or against a schema.
   *
   * @throws `CLO_ERR_REQ_INVALID_VALIDATION_INVOCATION` if the route has no schema for the part
   */
  validateInput(input: unknown, partOrSchema: PartName | object, part?: PartName): boolean
  /**
   * Returns a decoration of the request by name.
   *
   * @throws `CLO_ERR_DEC_UNDECLARED` if requests have no decoration with this name
   */
  getDecorator<T>(name: string | symbol): T
  /**
   * Sets a decoration of the request.
   *
   * @throws `CLO_ERR_DEC_UNDECLARED` if requests have no decoration with this name
   */
  setDecorator<T = unknown>(name: string | symbol, value: T): void
}
