import type { IncomingMessage, ServerResponse } from 'node:http'

import type { AppPhase } from '../context/services.ts'
import { createError } from '../errors.ts'
import type { LogOwner } from '../logging/request-log.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import type { Intake } from '../request/intake.ts'
import type { AppTransport } from '../types/server.ts'
import type { NodeConnection } from '../types/upgrade.ts'
import type { InjectEntry } from './inject/inject-entry.ts'
import type { ListenTarget } from './listen-options.ts'

/** The parts of an app that its transport needs. */
export interface TransportHost extends LogOwner {
  readonly options: AppOptions
  readonly phase: AppPhase
  readonly isClosing: boolean
  /** receives the exchanges that the transport creates */
  readonly intake: Intake
  /** the root instance is the `this` of application callbacks */
  readonly root: { readonly instance: object }
}

/** Boots an app, or waits until it has booted. */
export type BootApp = () => Promise<unknown>

/** A bound address: of the network, or the path of a socket. */
export type BoundAddress =
  | string
  | { readonly address: string; readonly family: string; readonly port: number }

/** The addresses of a transport as text. */
export interface Listening {
  /** the main address: `http://127.0.0.1:3000`, or the path of a socket */
  readonly origin: string
  /** the URLs for clients; an unspecified address means all addresses of the machine */
  readonly reachableAt: readonly string[]
}

/**
 * Creates an exchange for each request and passes it to `intake.receive`, which applies the HTTP rules for all
 * transports.
 */
export interface Transport {
  readonly addresses: readonly BoundAddress[]
  /** the first address as text; empty if none is bound */
  readonly origin: string
  /** the members of a transport over Node's servers; `null` for others */
  readonly node: NodeEntry | null
  /** the lane for requests from the network */
  readonly lane: AppTransport
  /** what it costs that a tracer keeps requests from the engine, and what to do instead; `null` if none does */
  readonly laneCost: string | null
  listen(target: ListenTarget): Promise<Listening>
  /**
   * Stops accepting connections and waits for the requests in flight.
   *
   * @param graceMs - the longest wait in milliseconds, after which the remaining ones are aborted; 0 means no limit
   */
  stop(graceMs: number): Promise<void>
}

/** The members of a transport that need Node: for `app.server`, `app.routing` and `app.inject`. */
export interface NodeEntry {
  readonly server: object
  /** Handles a request of any server with Node's interface. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  readonly injector: InjectEntry
  /**
   * Handles upgrade requests from now on. Without it, they are handled as normal requests.
   *
   * @param protocols - the protocols that routes switch to, in lower case
   * @param isOwn - returns whether the path of a target has a route that switches protocols
   */
  acceptUpgrades(protocols: ReadonlySet<string>, isOwn: (target: string) => boolean): void
  /** Returns the connection of an upgrade request, once; `null` for any other request. */
  takeUpgrade(request: object): NodeConnection | null
}

/**
 * Returns the Node members of a transport.
 *
 * @param what - the member that the application used, for the error
 * @param instead - what to use without Node, for the error
 * @throws `CLO_ERR_TRANSPORT_UNSUPPORTED`
 */
export function nodeEntryOf({ node }: Pick<Transport, 'node'>, what: string, instead: string): NodeEntry {
  if (node === null) throw createError('TRANSPORT_UNSUPPORTED', { what, instead })
  return node
}
