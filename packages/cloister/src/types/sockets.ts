import type { Cloister } from './instance.ts'
import type { Context, HomeOf } from './context.ts'
import type { FastifyInstance } from './fastify/interfaces.ts'
import type { InferPart, WrittenAs } from './infer-schema.ts'
import type { PayloadOf } from './replies.ts'
import type { ContextRequest } from './request-of.ts'
import type { CheckedParts, RouteSchema } from './route-schema.ts'
import type { TypedRouteOptions } from './route.ts'

/** The schemas of a WebSocket route: those of the handshake, and those of the messages. */
export interface SocketSchema extends Omit<RouteSchema, 'body' | 'response'> {
  /** The messages of the client; `false` where it must send none. They are never coerced. */
  readonly incoming?: unknown
  /** The messages to the client: what the schema does not declare is not sent. */
  readonly outgoing?: unknown
}

/** The limits of the sockets of a route. */
export interface SocketLimits {
  /**
   * Limits the size of an incoming message, in bytes. A larger one closes the socket with 1009.
   *
   * @default the option `bodyLimit` of the app
   */
  maxPayload?: number
  /**
   * Limits how many messages wait for the handler. From then on nothing more is read, so that the client has to wait.
   *
   * @default 16
   */
  maxQueued?: number
  /**
   * Limits how many bytes wait for a client that reads slowly, in bytes. A handler that awaits `send` does not reach it;
   * with more than that the socket is cut.
   *
   * @default 1_048_576
   */
  maxBuffered?: number
  /**
   * Sends a ping so often, in milliseconds, and cuts a socket from which nothing has come since the last one. 0 sends
   * none.
   *
   * @default 30_000
   */
  pingInterval?: number
  /**
   * The origins whose pages may open the socket, as in `https://example.com`; `'*'` for any. Clients that are no
   * browsers send no origin, and may always.
   *
   * @default the host of the request
   */
  origins?: '*' | readonly string[]
  /**
   * The subprotocols that the route speaks, the best first. The first that the client offers is chosen.
   *
   * @default none
   */
  protocols?: readonly string[]
}

/** Why a socket is closed. */
export interface SocketEnd {
  /** The close code (RFC 6455 section 7.4); 1006 where the connection broke. */
  readonly code: number
  /** The reason that came with it; may be empty. */
  readonly reason: string
}

/**
 * A WebSocket whose messages are JSON, held to the schemas of its route.
 *
 * Read it in a `for await` loop, which ends when the socket closes. While the loop is busy, messages wait; what
 * exceeds `maxQueued` is not read from the network.
 */
export interface MessageSocket<Incoming = unknown, Outgoing = unknown> extends AsyncIterable<Incoming> {
  /**
   * Sends a message. Await it before the next one: the promise resolves when the client has room for more.
   *
   * @throws `CLO_ERR_SOCKET_CLOSED` as a rejection, when the socket closes first
   * @throws `CLO_ERR_SOCKET_MESSAGE_INVALID` as a rejection, for a message that the schema `outgoing` cannot write
   */
  send(message: Outgoing): Promise<void>
  /**
   * Closes the socket.
   *
   * @param code - 1000, or one from 3000 to 4999
   * @param reason - at most 123 bytes
   */
  close(code?: number, reason?: string): void
  /** Resolves when the client or the app has closed the socket. */
  readonly closed: Promise<SocketEnd>
  /** Is aborted when the socket closes, to end timers and calls of the handler. */
  readonly signal: AbortSignal
  /** The bytes that wait for the client. */
  readonly bufferedAmount: number
  /** The subprotocol that was chosen; empty for none. */
  readonly protocol: string
}

/** Messages of the client, as the handler reads them. */
export type IncomingMessageOf<C extends Context, S> = S extends { readonly incoming: infer I }
  ? InferPart<I, C['schemas']>
  : unknown

/** Messages to the client, as the handler gives them. */
export type OutgoingMessageOf<C extends Context, S> = S extends { readonly outgoing: infer O }
  ? PayloadOf<O, C['schemas']> | WrittenAs<PayloadOf<O, C['schemas']>>
  : unknown

/**
 * Handles the sockets of a route, each from its first message to its end: when the returned promise settles, the socket
 * is closed.
 */
export type SocketHandler<C extends Context, Path extends string, S, Config> = (
  this: Cloister<C>,
  socket: MessageSocket<IncomingMessageOf<C, S>, OutgoingMessageOf<C, S>>,
  request: ContextRequest<C, CheckedParts<C, Path, S, {}>, Config, {}>,
) => Promise<unknown>

/** Options of a WebSocket route: those of any route, for its handshake, and the limits of its sockets. */
export interface SocketRouteOptions<C extends Context, Path extends string, S, Config>
  extends TypedRouteOptions<C, Path, S, {}, Config, false>, SocketLimits {}

/** Defines a WebSocket route: `app.ws(path, options, handler)`. */
export interface SocketRouteMethod {
  <
    Config = unknown,
    const S extends SocketSchema = SocketSchema,
    const Path extends string = string,
    T = FastifyInstance,
  >(
    this: T,
    path: Path,
    options: SocketRouteOptions<HomeOf<T>, Path, S, Config>,
    handler: SocketHandler<HomeOf<T>, Path, S, Config>,
  ): T
  <const Path extends string = string, T = FastifyInstance>(
    this: T,
    path: Path,
    handler: SocketHandler<HomeOf<T>, Path, {}, unknown>,
  ): T
}
