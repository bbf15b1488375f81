import type { Server } from 'node:http'

import type { BodyErrors } from './body/collector.ts'
import { Engine, type LaneCounts } from './connection/engine.ts'
import type { Exchange } from './exchange/exchange.ts'
import type { HandOverReason } from './head/verdicts.ts'
import { nodeListener, whyNot } from './lanes/why-not.ts'
import type { Connection } from './exchange/received-request.ts'

/** Options of `attach`. */
export interface AttachOptions<E extends Exchange> {
  /** the class of the exchanges that the handler gets; must extend `Exchange` */
  readonly Exchange: new (connection: Connection, bytes: Buffer, start: number, end: number) => E
  /**
   * handles requests with an invalid or repeated Host field (RFC 9112 section 3.2); must refuse them
   * @default a response with the status 400
   */
  readonly refuse?: (exchange: E) => void
  /**
   * creates the errors that reading a body fails with
   * @default errors with the codes `WIRE_BODY_TOO_LARGE` and `WIRE_BODY_ABORTED`
   */
  readonly errors?: BodyErrors
  /**
   * how often deadlines are checked, in milliseconds; at most 250
   * @default 250
   */
  readonly checkingInterval?: number
  /**
   * how long a response waits for a client that reads nothing of it, and a body, after its response, for a reader, in
   * milliseconds; 0 disables the timeout
   * @default 0
   */
  readonly writeTimeout?: number
  /** called when the engine closes a connection because of `writeTimeout`, with what was left unread */
  readonly onStall?: (unread: 'response' | 'body') => void
  /**
   * called when the subscriber of a diagnostics channel of `node:http` has, for the first request that it got, replaced
   * the `emit` of the server or added a listener of `request`: that request goes through `emit`, and all later ones go
   * to Node
   */
  readonly onObserver?: (reason: HandOverReason) => void
}

/** An engine that serves the requests of a server. */
export interface Attachment {
  /** why the engine hands every request to Node at present; `null` when it does not */
  readonly observer: HandOverReason | null
  /** counts of connections and requests, and of the connections handed over to Node */
  readonly counts: LaneCounts
}

const DEFAULT_ERRORS: BodyErrors = {
  tooLarge: () => Object.assign(new Error('The body is too large'), { code: 'WIRE_BODY_TOO_LARGE' }),
  aborted: (cause) =>
    Object.assign(new Error('The body is not complete', { cause }), { code: 'WIRE_BODY_ABORTED' }),
}

/** Rejects a request above `maxRequestsPerSocket`, as Node does. */
function drop(exchange: Exchange, server: Server): void {
  if (server.listenerCount('dropRequest') > 0) {
    server.emit('dropRequest', exchange.raw.request, exchange.connection.socket)
  }
  exchange.send(503, {}, null)
}

/**
 * Serves the requests of a `node:http` or `node:https` server with this engine. A connection with an unusual request
 * goes to Node's parser, whole and for good, and from there to the `request` listeners.
 *
 * @param server - a server that is not listening yet, with the `request` listener for requests that Node parses
 * @param handler - gets one exchange for each request
 * @returns the state and counts of the engine
 * @throws Error when the engine cannot serve this server; `whyNot` returns the reason
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { attach, Exchange } from '@cloister/wire'
 *
 * const server = createServer((request, response) => response.end('hello'))
 * attach(server, (exchange) => exchange.send(200, { 'content-type': 'text/plain' }, 'hello'), { Exchange })
 * server.listen(3000)
 * ```
 */
export function attach<E extends Exchange>(
  server: Server,
  handler: (exchange: E) => void,
  options: AttachOptions<E>,
): Attachment {
  const reason = whyNot(server)
  const listener = nodeListener(server)
  if (reason !== null || listener === null) throw new Error(`The wire cannot serve this server: ${reason}`)
  const refuse = options.refuse ?? ((exchange: E) => void exchange.send(400, {}, null))
  return new Engine(server, {
    Exchange: options.Exchange,
    handle(exchange) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Exchange` has made it
      const own = exchange as E
      const most = server.maxRequestsPerSocket ?? 0
      if (most > 0 && own.connection.requests > most) drop(own, server)
      else if (own.isAdmissible) handler(own)
      else refuse(own)
    },
    errors: options.errors ?? DEFAULT_ERRORS,
    checkingInterval: options.checkingInterval ?? 0,
    writeTimeout: options.writeTimeout ?? 0,
    onStall: options.onStall ?? (() => {}),
    onObserver: options.onObserver ?? (() => {}),
    nodeListener: listener,
  })
}
