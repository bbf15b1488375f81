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

/** Marks a reply, so that it is no payload; the property exists in types alone. */
interface ReplyBrand {
  readonly [replyBrand]: true
}

/** A reply whose response is sent or taken over; a handler can return it. */
export interface FinishedReply extends ReplyBrand {
  readonly [unsentKey]?: never
}

type NothingSent =
  'nothing is sent yet: end the chain with send(), redirect() or hijack(), or return a payload'

/** The result of the calls before `send`, which a handler may not return. */
export interface Unsent<Message extends string = NothingSent> {
  readonly [unsentKey]: Problem<Message>
  /** The value that an asynchronous handler resolves to when it returns the reply. */
  then(fulfilled: (value: Problem<Message>) => void, rejected: (error: Error) => void): void
}

/** The types that a reply depends on: the replies of its route, and the context. */
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

/** A reply that belongs to no known route or context. */
export interface LooseBinding extends ReplyBinding<AnyReplies, {}, FastifyRequest, FastifyInstance> {}

/** A reply whose payload is known. */
export type BoundReply<Payload, B extends ReplyBinding, Config = unknown> = FastifyReply<
  RouteGeneric,
  Http1Server,
  RawRequestOf,
  RawReplyOf,
  Config,
  FastifySchema,
  FastifyTypeProvider,
  Payload,
  B
> &
  B['decorations']

/** A reply after `type`: with the payload that a `content` map declares for the media type, if there is one. */
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

/** A header's name; the known ones are suggested. */
export type HeaderName =
  | keyof { [K in keyof OutgoingHttpHeaders as string extends K ? never : K]: 1 }
  | (string & Record<never, never>)

/** Computes the value of a trailer when the payload is known. */
export type TrailerFunction<Reply> = (
  reply: Reply,
  payload: string | Buffer | null,
  done: (error: Error | null, value?: string) => void,
) => Promise<string> | void

/** A reply: builds the response to a request and sends it. */
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
   * Sends the response: an object is serialized by the response schema of its status, a string or bytes are
   * sent as they are, a stream or web `Response` is piped, an error goes to the error handler. A second call
   * is ignored and logged.
   */
  send(...payload: SendArgs<Payload>): BoundReply<Payload, B, Config>
  /**
   * The status code.
   *
   * @default 200
   * @throws `CLO_ERR_BAD_STATUS_CODE` unless it is from 100 to 599
   */
  statusCode: number
  /** Whether the response is sent or taken over (`hijack`). */
  sent: boolean
  /**
   * The response of Node. Call `hijack` before writing to it. Over a transport without objects of Node it has the events
   * `finish` and `close`, and what says how far the response is.
   *
   * @throws `CLO_ERR_RAW_UNAVAILABLE` for any other member over such a transport
   */
  raw: RawReply
  /** The logger of the request. */
  log: BaseLogger
  /** The request that this reply belongs to. */
  request: B['request']
  /** The instance of the context that the route belongs to. */
  readonly server: B['server']
  /** The options of the route, with defaults; frozen. */
  readonly routeOptions: ResolvedRouteOptions<Config>
  /**
   * The `config` and `schema` of the route.
   *
   * @deprecated Use `routeOptions`.
   */
  readonly context: Pick<ResolvedRouteOptions<Config>, 'config' | 'schema'>
  /** The media type of the response without parameters, as in `application/json`. */
  readonly mediaType: string | undefined
  /** The time since the request arrived, in milliseconds; it stops when the response is sent. */
  readonly elapsedTime: number
  /**
   * Returns `elapsedTime`.
   *
   * @deprecated Use `elapsedTime`.
   */
  getResponseTime(): number
  /**
   * Sets a header of the response. A repeated `set-cookie` is added to the ones before; others are replaced.
   *
   * @throws `CLO_ERR_REP_INVALID_HEADER` when the response is sent, if name or value are not valid
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
   * Sets `content-type`. If the response schema has a `content` map, it takes one of its media types, and
   * `send` the payload of that type.
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
  /** Sends a response with status 103 ahead of the final one (RFC 8297). */
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void
  /**
   * Takes the response over: the framework sends nothing and runs no more hooks; write to `raw`.
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
  /** Sets the serializer of this response, in place of the response schema. */
  serializer(serialize: (payload: never) => string | Buffer): this
  /** Serializes a payload as `send` does, by the response schema of the current status. */
  serialize(payload: unknown): string | ArrayBuffer | Buffer
  /**
   * Returns the serializer of a status, or of a schema that was compiled before; `undefined` if there is
   * none.
   */
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
   * Serializes a value by the response schema of a status, or by a schema.
   *
   * @throws `CLO_ERR_MISSING_SERIALIZATION_FN`, `CLO_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN` if the route
   * has no such schema
   */
  serializeInput(
    input: unknown,
    statusOrSchema: string | number | object,
    httpStatus?: string | number,
    contentType?: string,
  ): string
  /**
   * Declares a trailer; its value is computed once the payload is sent. The response is then sent in chunks.
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
   * @throws `CLO_ERR_DEC_UNDECLARED` if replies have none of this name
   */
  getDecorator<T>(name: string | symbol): T
  /** Waits until the response is sent; this makes `await reply` possible. */
  then(fulfilled: () => void, rejected: (error: Error) => void): void
}
