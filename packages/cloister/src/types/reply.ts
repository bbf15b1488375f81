import type { Buffer } from 'node:buffer'
import type { OutgoingHttpHeaders } from 'node:http'

import type { BaseLogger } from './logger.ts'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
} from './peer.ts'
import type { HeaderValue, Http1Server, RawReplyOf, RawRequestOf } from './raw.ts'
import type { Problem } from './problem.ts'
import type { ByType, OfType, TypesOf } from './reply-content.ts'
import type { AnyReplies, PayloadFor, SendArgs, StatusOf } from './replies.ts'
import type { ResolvedRouteOptions } from './route-options.ts'
import type { RouteGeneric } from './route-schema.ts'

declare const replyBrand: unique symbol
declare const unsentKey: unique symbol

/** Tells a reply from payloads; the property exists in types alone. */
interface ReplyBrand {
  readonly [replyBrand]: true
}

/** A reply that a handler may return. */
export interface FinishedReply extends ReplyBrand {
  readonly [unsentKey]?: never
}

type NothingSent =
  'nothing is sent yet: end the chain with send(), redirect() or hijack(), or return a payload'

/** What the steps before `send` give: a handler may not return it. */
export interface Unsent<Message extends string = NothingSent> {
  readonly [unsentKey]: Problem<Message>
  /** What an asynchronous handler that returns it would resolve to. */
  then(fulfilled: (value: Problem<Message>) => void, rejected: (error: Error) => void): void
}

/** What a reply belongs to: the replies of its route, and the context. */
export interface ReplyBinding {
  /** Payloads by status. */
  readonly replies: object
  /** Decorations of replies. */
  readonly decorations: object
  /** The type of `reply.request`. */
  readonly request: unknown
  /** The type of `reply.server`. */
  readonly server: unknown
}

/** A reply that belongs to no known route or context. */
export interface LooseBinding extends ReplyBinding {
  readonly replies: AnyReplies
  readonly decorations: {}
  readonly request: FastifyRequest
  readonly server: FastifyInstance
}

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

/** A reply after `type`: of the payload that a `content` map declares for it, and else the same. */
export type TypedReply<Reply, Payload, B extends ReplyBinding, Config, Type> = [Payload] extends [
  ByType<unknown>,
]
  ? Unsent & BoundReply<OfType<Payload, Type>, TypedBinding<B, Type>, Config>
  : Reply

/** What replies belong to after their media type was set. */
export interface TypedBinding<B extends ReplyBinding, Type> extends ReplyBinding {
  readonly replies: { readonly [K in keyof B['replies']]: OfType<B['replies'][K], Type> }
  readonly decorations: B['decorations']
  readonly request: B['request']
  readonly server: B['server']
}

/** A header's name; the known ones are suggested. */
export type HeaderName =
  | keyof { [K in keyof OutgoingHttpHeaders as string extends K ? never : K]: 1 }
  | (string & Record<never, never>)

/** Makes the value of a trailer once the payload is known. */
export type TrailerFunction<Reply> = (
  reply: Reply,
  payload: string | Buffer | null,
  done: (error: Error | null, value?: string) => void,
) => Promise<string> | void

/** An answer in the making. */
export interface CloisterReply<
  Payload = unknown,
  B extends ReplyBinding = LooseBinding,
  RawReply = RawReplyOf,
  Config = unknown,
> extends ReplyBrand {
  /** Sets the status; what may be sent from here on is the payload of that status. */
  code<Status extends StatusOf<B['replies']>>(
    statusCode: Status,
  ): Unsent & BoundReply<PayloadFor<B['replies'], Status>, B, Config>
  /** The same as `code`. */
  status<Status extends StatusOf<B['replies']>>(
    statusCode: Status,
  ): Unsent & BoundReply<PayloadFor<B['replies'], Status>, B, Config>
  /** Answers with a payload. */
  send(...payload: SendArgs<Payload>): BoundReply<Payload, B, Config>
  /** The status. */
  statusCode: number
  /** An answer is on its way. */
  sent: boolean
  /** Node's response. */
  raw: RawReply
  /** Logger of the request. */
  log: BaseLogger
  /** The request that is answered. */
  readonly request: B['request']
  /** The instance of the context that the route belongs to. */
  readonly server: B['server']
  /** Options of the route. */
  readonly routeOptions: ResolvedRouteOptions<Config>
  /** The `config` and `schema` of the route, under their old place. */
  readonly context: Pick<ResolvedRouteOptions<Config>, 'config' | 'schema'>
  /** The media type of the answer without its parameters, as in `application/json`. */
  readonly mediaType: string | undefined
  /** Milliseconds since the request came in. */
  readonly elapsedTime: number
  /** The same as `elapsedTime`. */
  getResponseTime(): number
  /** Sets a header; `set-cookie` is added to what is there. */
  header(name: HeaderName, value?: unknown): this
  /** Sets many headers. */
  headers(values: { readonly [name: string]: unknown }): this
  /** A header that was set. */
  getHeader(name: HeaderName): HeaderValue
  /** All headers that were set. */
  getHeaders(): Record<string, HeaderValue>
  /** Takes a header back. */
  removeHeader(name: HeaderName): this
  /** Whether a header was set. */
  hasHeader(name: HeaderName): boolean
  /** Sets `content-type`; where a `content` map is declared, one of its types, whose payload may be sent then. */
  type<const Type extends TypesOf<Payload>>(contentType: Type): TypedReply<this, Payload, B, Config, Type>
  /** Redirects, with status 302 or the one given; both orders of the arguments are understood. */
  redirect(url: string, statusCode?: number): BoundReply<Payload, B, Config>
  redirect(statusCode: number, url: string): BoundReply<Payload, B, Config>
  /** Hands the request to the not-found handler of the context. */
  callNotFound(): BoundReply<Payload, B, Config>
  /** Sends hints ahead of the answer. */
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void
  /** Takes the answer out of the framework's hands: write to `raw`. */
  hijack(): BoundReply<Payload, B, Config>
  /** Sets the serializer of this one answer. */
  serializer(serialize: (payload: never) => string | Buffer): this
  /** Serializes a payload as `send` would. */
  serialize(payload: unknown): string | ArrayBuffer | Buffer
  /** The serializer of a status, or of a schema that was compiled before. */
  getSerializationFunction(
    statusOrSchema: string | number | object,
    contentType?: string,
  ): ((payload: unknown) => string) | undefined
  /** Compiles a schema, once per schema. */
  compileSerializationSchema(
    schema: object,
    httpStatus?: string | number,
    contentType?: string,
  ): (payload: unknown) => string
  /** Serializes a value by a status' schema, or by a schema of your own. */
  serializeInput(
    input: unknown,
    statusOrSchema: string | number | object,
    httpStatus?: string | number,
    contentType?: string,
  ): string
  /** Declares a trailer. */
  trailer(key: string, make: TrailerFunction<this>): this
  /** Whether a trailer was declared. */
  hasTrailer(key: string): boolean
  /** Takes a trailer back. */
  removeTrailer(key: string): this
  /** A decoration of the reply by name; an error when nobody declared it. */
  getDecorator<T>(name: string | symbol): T
  /** Waits until the answer is out. */
  then(fulfilled: () => void, rejected: (error: Error) => void): void
}
