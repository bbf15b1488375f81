import type { Cloister, Context } from 'cloister'
import type {
  CheckedParts,
  ContextRequest,
  FastifyInstance,
  HomeOf,
  InferPart,
  PayloadOf,
  RouteSchema,
  TypedRouteOptions,
  WrittenAs,
} from 'cloister/types'

/** The schemas of a WebSocket route: those of the handshake and of the messages. */
export interface SocketSchema extends Omit<RouteSchema, 'body' | 'response'> {
  /** The messages of the client; `false` if it must not send any. They are never coerced. */
  readonly incoming?: unknown
  /** The messages to the client. Undeclared properties are not sent. */
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
   * Limits the messages that wait for the handler. At the limit nothing more is read, so the client has to wait.
   *
   * @default 16
   */
  maxQueued?: number
  /**
   * Limits the messages that a client sends in a second; that many may come at once. Above the limit the socket is
   * closed with 1008. 0 sets no limit.
   *
   * @default 0
   */
  maxMessagesPerSecond?: number
  /**
   * Limits the bytes of the messages that a client sends in a second; that many may come at once. Above the limit the
   * socket is closed with 1008. 0 sets no limit.
   *
   * @default 0
   */
  maxBytesPerSecond?: number
  /**
   * Limits the data that waits for a slow client, in bytes. Above the limit the connection is closed. A handler that
   * awaits `send` never reaches it.
   *
   * @default 1_048_576
   */
  maxBuffered?: number
  /**
   * Sets the interval between pings, in milliseconds. If nothing arrives between two pings, the connection is closed. 0
   * means no pings.
   *
   * @default 30_000
   */
  pingInterval?: number
  /**
   * The origins whose pages may open the socket, such as `https://example.com`; `'*'` allows any. Clients other than
   * browsers send no origin and are always allowed.
   *
   * @default the host of the request
   */
  origins?: '*' | readonly string[]
  /**
   * The subprotocols of the route in order of preference. The first one that the client offers is selected.
   *
   * @default none
   */
  protocols?: readonly string[]
}

/** How a socket was closed. */
export interface SocketEnd {
  /** The close code (RFC 6455 section 7.4); 1006 if the connection failed. */
  readonly code: number
  /** The reason from the close frame; may be empty. */
  readonly reason: string
}

/**
 * A WebSocket with JSON messages, which are validated against the schemas of its route.
 *
 * Read it in a `for await` loop, which ends when the socket closes. While the loop is busy, messages wait. Messages
 * beyond `maxQueued` are not read from the network.
 */
export interface MessageSocket<Incoming = unknown, Outgoing = unknown> extends AsyncIterable<Incoming> {
  /**
   * Sends a message. Await it before sending the next one: the promise resolves when the client can take more.
   *
   * @throws `CLO_ERR_SOCKET_CLOSED` as a rejection, if the socket closes first
   * @throws `CLO_ERR_SOCKET_MESSAGE_INVALID` as a rejection, if the schema `outgoing` can't serialize the message
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
  /** Aborts when the socket closes. Use it to end timers and calls of the handler. */
  readonly signal: AbortSignal
  /** The bytes that wait for the client. */
  readonly bufferedAmount: number
  /** The selected subprotocol; empty if there is none. */
  readonly protocol: string
}

/** Messages of the client, as the handler reads them. */
export type IncomingMessageOf<C extends Context, S> = S extends { readonly incoming: infer I }
  ? InferPart<I, C['schemas']>
  : unknown

/** Messages to the client, as the handler sends them. */
export type OutgoingMessageOf<C extends Context, S> = S extends { readonly outgoing: infer O }
  ? PayloadOf<O, C['schemas']> | WrittenAs<PayloadOf<O, C['schemas']>>
  : unknown

/** Handles a socket from its first message to its end. When the returned promise settles, the socket is closed. */
export type SocketHandler<C extends Context, Path extends string, S, Config> = (
  this: Cloister<C>,
  socket: MessageSocket<IncomingMessageOf<C, S>, OutgoingMessageOf<C, S>>,
  request: ContextRequest<C, CheckedParts<C, Path, S, {}>, Config, {}>,
) => Promise<unknown>

/** Options of a WebSocket route: route options for its handshake, and the limits of its sockets. */
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
