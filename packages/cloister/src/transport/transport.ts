import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HandOvers } from '@cloister/wire'

import type { AppPhase } from '../context/services.ts'
import { createError } from '../errors.ts'
import type { LogOwner } from '../logging/request-log.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import type { Intake } from '../request/intake.ts'
import type { InjectEntry } from './inject/inject-entry.ts'
import type { ListenTarget } from './listen-options.ts'
import type { Upgrade } from './node/upgrades.ts'

/** What a transport needs of its app. */
export interface TransportHost extends LogOwner {
  readonly options: AppOptions
  /** handed over with each exchange */
  readonly phase: AppPhase
  /** whether `close` has been called */
  readonly isClosing: boolean
  /** gets the exchanges that the transport makes */
  readonly intake: Intake
  /** the root instance is the `this` of callbacks of the application */
  readonly root: { readonly instance: object }
}

/** An address that is bound: of the network, or the path of a socket. */
export type BoundAddress =
  | string
  | { readonly address: string; readonly family: string; readonly port: number }

/** Where a transport listens, as texts. */
export interface Listening {
  /** the main address: `http://127.0.0.1:3000`, or the path of a socket */
  readonly origin: string
  /** the addresses under which clients reach it: an unspecified address means all of the machine's */
  readonly reachableAt: readonly string[]
}

/** What takes the requests of an app off the network. */
export interface ServingLane {
  /** `wire`: the engine of `@cloister/wire`; `node`: the parser and the objects of `node:http` and `node:http2` */
  readonly name: 'wire' | 'node'
  /** what the environment variable `CLOISTER_TRANSPORT` asks for, or else the option `transport` */
  readonly asked: 'auto' | 'node'
  /** why, in words for a log line */
  readonly reason: string
  /** how many connections the engine has left to the parser of Node, by the reason; reasons that did not occur are absent */
  readonly handedOver: HandOvers
}

/**
 * How requests come in and responses go out: makes an exchange of each request and hands it to `intake.receive`. What
 * HTTP demands of every request is checked there, once for all transports.
 */
export interface Transport {
  /** the addresses that are bound */
  readonly addresses: readonly BoundAddress[]
  /** the first of them as text; empty while none is bound */
  readonly origin: string
  /** what only a transport over Node's servers has; `null` for others */
  readonly node: NodeEntry | null
  /** what serves requests that come over the network */
  readonly lane: ServingLane
  /** Binds the addresses. */
  listen(target: ListenTarget): Promise<Listening>
  /**
   * Stops accepting connections and waits for the requests in flight.
   *
   * @param graceMs - for how long; what is left then is cut. 0 for any time
   */
  stop(graceMs: number): Promise<void>
}

/** Node's side of a transport: `app.server`, `app.routing`, and `app.inject`. */
export interface NodeEntry {
  readonly server: object
  /** Takes a request of any server with Node's interface. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  readonly injector: InjectEntry
  /**
   * Takes requests for another protocol too, from now on: without it they come as any request.
   *
   * @param isOwn - whether the path of a target has a WebSocket route
   */
  acceptUpgrades(isOwn: (target: string) => boolean): void
  /** Returns the connection of a request that asks for another protocol, once; `null` for any other request. */
  takeUpgrade(request: object): Upgrade | null
}

/**
 * Returns Node's side of a transport.
 *
 * @param what - the member that the application asked for, for the error
 * @param instead - what to use where the transport has no such side
 * @throws `CLO_ERR_TRANSPORT_UNSUPPORTED`
 */
export function nodeEntryOf({ node }: Pick<Transport, 'node'>, what: string, instead: string): NodeEntry {
  if (node === null) throw createError('TRANSPORT_UNSUPPORTED', { what, instead })
  return node
}
