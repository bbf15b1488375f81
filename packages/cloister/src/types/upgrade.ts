import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from './fastify/interfaces.ts'

/** The connection of a request on Node, whose head has been read. */
export interface NodeConnection {
  /** The request, as Node has parsed it. */
  readonly request: IncomingMessage
  /** The connection. Its errors are yours from now on. */
  readonly socket: Duplex
  /** The bytes that came after the head of the request. */
  readonly head: Buffer
}

/** The request of a platform with `fetch`, such as Bun, Deno or a worker. */
export interface PlatformConnection {
  /** The request that the platform gave to `app.fetch`. */
  readonly request: Request
  /** The server of the platform, such as that of Bun; `undefined` if `app.fetch` got none. */
  readonly server: unknown
  /**
   * Takes the connection: `app.fetch` returns this response, by which the platform switches the protocol.
   *
   * @param closed - settles when the connection is closed; that is the end of the request
   */
  respond(response: Response, closed: Promise<unknown>): void
}

/** A valid message, or why it is none. */
export type UpgradeMessage =
  | { readonly value: unknown }
  | {
      readonly fault: {
        /** `syntax` if the text is no JSON, `schema` if the schema `incoming` refuses the message. */
        readonly kind: 'syntax' | 'schema'
        /** The place in the message, as a JSON pointer. */
        readonly path: string
        /** What is wrong there. */
        readonly reason: string
      }
    }

/** The messages of a connection: JSON by the schemas `incoming` and `outgoing` of its route. */
export interface UpgradeMessages {
  /**
   * Parses a message of the client as the app parses JSON bodies, and validates it. Nothing is coerced.
   *
   * @throws what a validator throws, or rejects with, that is no verdict, such as the error of a database
   */
  read(text: string): UpgradeMessage | Promise<UpgradeMessage>
  /**
   * Serializes a message to the client.
   *
   * @throws what the serializer throws, or a `TypeError` for a value without JSON
   */
  write(message: unknown): string
}

/** What uses a connection after its upgrade. */
export interface UpgradeSession {
  /** Called once when the app begins to close, at once if it closes already: end the connection soon. */
  close(): void
  /** Settles when nothing runs any more for this connection. `app.close` waits for it, up to `closeGraceMs`. */
  readonly ended: Promise<unknown>
}

/** A request whose client asks for the protocol of its route. Until it is taken, it has an ordinary response. */
export interface Upgrade {
  /** The name of the route, such as `GET /live`, for messages. */
  readonly label: string
  /** The headers that hooks have set for the response, without those of the connection and of a content. */
  readonly headers: Readonly<Record<string, number | string | string[]>>
  /** The messages of this connection. */
  readonly messages: UpgradeMessages
  /** The request on a platform with `fetch`; `null` elsewhere. */
  readonly platform: PlatformConnection | null
  /**
   * Takes the connection from Node's server. The reply sends nothing any more. `null` where there is none to take: in
   * HTTP/2, `app.inject` and `app.fetch`.
   */
  takeConnection(): NodeConnection | null
  /** Registers what uses the connection, so that `app.close` ends it and waits for it. */
  hold(session: UpgradeSession): void
}

/**
 * How a route switches to another protocol (RFC 9110 section 7.8).
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 *
 * const app = cloister()
 * app.route({
 *   method: 'GET',
 *   url: '/echo',
 *   upgrade: {
 *     protocol: 'echo',
 *     take(upgrade, _request, reply) {
 *       const taken = upgrade.takeConnection()
 *       if (taken === null) return reply.code(501).send('no connection')
 *       const { socket, head } = taken
 *       const ended = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
 *       upgrade.hold({ close: () => socket.end(), ended })
 *       socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
 *       socket.write(head)
 *       socket.pipe(socket)
 *     },
 *   },
 *   handler: (_request, reply) => reply.code(426).header('upgrade', 'echo').send('Upgrade: echo'),
 * })
 * ```
 */
export interface RouteUpgrade {
  /** The protocol, as in the field `Upgrade` of requests. Upper and lower case are the same. */
  readonly protocol: string
  /** What `app.explain()` shows of this route beside its schemas, such as the limits of the protocol. */
  readonly settings?: Readonly<Record<string, unknown>>
  /**
   * Runs in place of the handler for requests that ask for the protocol, after the hooks and the validation of the
   * route. It takes the connection, or sends a response.
   */
  take(this: FastifyInstance, upgrade: Upgrade, request: FastifyRequest, reply: FastifyReply): unknown
}
