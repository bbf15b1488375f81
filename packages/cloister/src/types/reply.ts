import type { Buffer } from 'node:buffer'
import type { OutgoingHttpHeaders } from 'node:http'

import type { BaseLogger } from './logger.ts'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
} from './fastify/interfaces.ts'
import type { HeaderValue, Http1Server, RawReplyOf, RawRequestOf } from './raw.ts'
import type { Problem } from './problem.ts'
import type { AnyReplies, ByType, OfType, PayloadFor, SendArgs, StatusOf, TypesOf } from './replies.ts'
import type { ResolvedRouteOptions } from './route-options.ts'
import type { RouteGeneric } from './route-schema.ts'

declare const replyBrand: unique symbol
declare const unsentKey: unique symbol

/** Marks a reply, so that it isn't a payload. The property exists only in types. */
interface ReplyBrand {
  readonly [replyBrand]: true
}

/** A reply whose response was sent or taken over. A handler can return it. */
export interface FinishedReply extends ReplyBrand {
  readonly [unsentKey]?: never
}

type NothingSent =
  'nothing is sent yet: end the chain with send(), redirect() or hijack(), or return a payload'

/** The result of methods before `send`. A handler must not return it. */
export interface Unsent<Message extends string = NothingSent> {
  readonly [unsentKey]: Problem<Message>
  /** Makes the result of an asynchronous handler that returns this reply a `Problem`. */
  then(fulfilled: (value: Problem<Message>) => void, rejected: (error: Error) => void): void
}

/** The types that a reply depends on: the payloads of its route, and its context. */
export interface ReplyBinding<
  Replies extends object = object,
  Decorations extends object = object,
  Request = unknown,
  Server = unknown,
> {
  /** Payloads by status. */
  readonly replies: Replies
  /** Decorations of replies. */
  readonly decorations: Decorations
  /** The type of `reply.request`. */
  readonly request: Request
  /** The type of `reply.server`. */
  readonly server: Server
}

/** A reply of an unknown route and context. */
export interface LooseBinding extends ReplyBinding<AnyReplies, {}, FastifyRequest, FastifyInstance> {}

/** A reply with a known payload, without the decorations of its context. */
export type PlainReply<Payload, B extends ReplyBinding, Config = unknown> = FastifyReply<
  RouteGeneric,
  Http1Server,
  RawRequestOf,
  RawReplyOf,
  Config,
  FastifySchema,
  FastifyTypeProvider,
  Payload,
  B
>

/** A reply with a known payload. */
export type BoundReply<Payload, B extends ReplyBinding, Config = unknown> = PlainReply<Payload, B, Config> &
  B['decorations']

/** A reply after `type`, with the payload that a `content` map declares for the media type. */
export type TypedReply<Reply, Payload, B extends ReplyBinding, Config, Type> = [Payload] extends [
  ByType<unknown>,
]
  ? Unsent & BoundReply<OfType<Payload, Type>, TypedBinding<B, Type>, Config>
  : Reply

/** The types of a reply after its media type was set. */
export interface TypedBinding<B extends ReplyBinding, Type> extends ReplyBinding<
  { readonly [K in keyof B['replies']]: OfType<B['replies'][K], Type> },
  B['decorations'],
  B['request'],
  B['server']
> {}

/** A header name. Editors suggest known names. */
export type HeaderName =
  | keyof { [K in keyof OutgoingHttpHeaders as string extends K ? never : K]: 1 }
  | (string & Record<never, never>)

/** Computes the value of a trailer once the payload is known. */
export type TrailerFunction<Reply> = (
  reply: Reply,
  payload: string | Buffer | null,
  done: (error: Error | null, value?: string) => void,
) => Promise<string> | void

/** A reply. It builds the response to a request and sends it. */
export interface CloisterReply<
  Payload = unknown,
  B extends ReplyBinding = LooseBinding,
  RawReply = RawReplyOf,
  Config = unknown,
> extends ReplyBrand {
  /**
   * Sets the status code; `send` then accepts the payload that the response schema declares for it.
   *
   * @throws `CLO_ERR_BAD_STATUS_CODE` unless it is from 100 to 599
   * @example
   * ```ts
   * app.post('/users', (_request, reply) => reply.code(201).send({ id: '1' }))
   * ```
   */
  code<Status extends StatusOf<B['replies']>>(
    statusCode: Status,
  ): Unsent & BoundReply<PayloadFor<B['replies'], Status>, B, Config>
  /** Sets the status code, like `code`. */
  status<Status extends StatusOf<B['replies']>>(
    statusCode: Status,
  ): Unsent & BoundReply<PayloadFor<B['replies'], Status>, B, Config>
  /**
   * Sends the response. An object is serialized with the response schema of its status, a string or bytes are sent
   * unchanged, a stream or web `Response` is piped, an error goes to the error handler. A second call is ignored and
   * logged.
   */
  send(...payload: SendArgs<Payload>): BoundReply<Payload, B, Config>
  /**
   * The status code.
   *
   * @default 200
   * @throws `CLO_ERR_BAD_STATUS_CODE` unless it is from 100 to 599
   */
  statusCode: number
  /** Whether the response was sent or taken over (`hijack`). */
  sent: boolean
  /**
   * Node's response. Call `hijack` before writing to it. On a transport without Node's objects it only has the events
   * `finish` and `close`, and the state of the response.
   *
   * @throws `CLO_ERR_RAW_UNAVAILABLE` for any other member on such a transport
   */
  raw: RawReply
  /** The logger of the request. */
  log: BaseLogger
  /** The request of this reply. */
  request: B['request']
  /** The instance of the route's context. */
  readonly server: B['server']
  /** The options of the route with defaults, frozen. */
  readonly routeOptions: ResolvedRouteOptions<Config>
  /**
   * The `config` and `schema` of the route.
   *
   * @deprecated Use `routeOptions`.
   */
  readonly context: Pick<ResolvedRouteOptions<Config>, 'config' | 'schema'>
  /** The media type of the response without parameters, such as `application/json`. */
  readonly mediaType: string | undefined
  /** The milliseconds since the request arrived. It stops when the response is sent. */
  readonly elapsedTime: number
  /**
   * Returns `elapsedTime`.
   *
   * @deprecated Use `elapsedTime`.
   */
  getResponseTime(): number
  /**
   * Sets a header of the response. A repeated `set-cookie` is appended; other headers are replaced.
   *
   * @throws `CLO_ERR_REP_INVALID_HEADER` when the response is sent, if the name or the value is invalid
   */
  header(name: HeaderName, value?: unknown): this
  /** Sets several headers of the response. */
  headers(values: { readonly [name: string]: unknown }): this
  /** Returns a header of the response; `undefined` if it is not set. */
  getHeader(name: HeaderName): HeaderValue
  /** Returns all headers of the response, with names in lower case. */
  getHeaders(): Record<string, HeaderValue>
  /** Removes a header of the response. */
  removeHeader(name: HeaderName): this
  /** Whether a header of the response is set. */
  hasHeader(name: HeaderName): boolean
  /**
   * Sets `content-type`. If the response schema has a `content` map, only its media types are accepted, and `send`
   * accepts the payload of that type.
   */
  type<const Type extends TypesOf<Payload>>(contentType: Type): TypedReply<this, Payload, B, Config, Type>
  /**
   * Sends a redirect to a URL. The order `(statusCode, url)` of Fastify 4.x works too.
   *
   * @default 302, or the status code set before
   */
  redirect(url: string, statusCode?: number): BoundReply<Payload, B, Config>
  redirect(statusCode: number, url: string): BoundReply<Payload, B, Config>
  /** Runs the not-found handler of the context for this request. */
  callNotFound(): BoundReply<Payload, B, Config>
  /** Sends an early response with status 103 (RFC 8297). */
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void
  /**
   * Takes over the response: the framework sends nothing and runs no more hooks. Write to `raw`.
   *
   * @example
   * ```ts
   * app.get('/raw', (_request, reply) => {
   *   reply.hijack()
   *   reply.raw.end('written by hand')
   * })
   * ```
   */
  hijack(): BoundReply<Payload, B, Config>
  /** Sets the serializer of this response, which replaces the response schema. */
  serializer(serialize: (payload: never) => string | Buffer): this
  /** Serializes a payload like `send`, with the response schema of the current status. */
  serialize(payload: unknown): string | ArrayBuffer | Buffer
  /** Returns the serializer of a status, or of a schema that was already compiled; `undefined` if there is none. */
  getSerializationFunction(
    statusOrSchema: string | number | object,
    contentType?: string,
  ): ((payload: unknown) => string) | undefined
  /** Compiles a schema to a serializer, once per schema. */
  compileSerializationSchema(
    schema: object,
    httpStatus?: string | number,
    contentType?: string,
  ): (payload: unknown) => string
  /**
   * Serializes a value with the response schema of a status, or with a schema.
   *
   * @throws `CLO_ERR_MISSING_SERIALIZATION_FN`, `CLO_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN` if the route has no such
   * schema
   */
  serializeInput(
    input: unknown,
    statusOrSchema: string | number | object,
    httpStatus?: string | number,
    contentType?: string,
  ): string
  /**
   * Declares a trailer. Its value is computed once the payload is sent. The response then uses chunked encoding.
   *
   * @throws `CLO_ERR_BAD_TRAILER_NAME`, `CLO_ERR_BAD_TRAILER_VALUE`
   */
  trailer(key: string, make: TrailerFunction<this>): this
  /** Whether a trailer was declared. */
  hasTrailer(key: string): boolean
  /** Removes a declared trailer. */
  removeTrailer(key: string): this
  /**
   * Returns a decoration of the reply by name.
   *
   * @throws `CLO_ERR_DEC_UNDECLARED` if replies have no decoration with this name
   */
  getDecorator<T>(name: string | symbol): T
  /** Waits until the response is sent, so that a reply can be awaited. */
  then(fulfilled: () => void, rejected: (error: Error) => void): void
}
