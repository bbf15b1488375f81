import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { Turn } from '../message/turn.ts'
import type { HeadComposer, SetFields } from './head-composer.ts'
import type { Clock } from './head-lines.ts'
import type { Outbox } from './outbox.ts'

/** The members of an exchange that this folder uses. */
export interface Responding {
  readonly connection: Carrier
  readonly method: string
  readonly turn: Turn
  /** whether the connection ends because the rest of the request is not read */
  readonly leavesBody: boolean
  /** headers set on Node's response, if it was created */
  readonly setFields: SetFields | null
  isLast: boolean
  mayWrite(writer: object): boolean
  begin(status: number): void
  complete(): void
  abort(): void
}

/** The connection that carries a response. */
export interface Carrier {
  readonly socket: Socket
  readonly outbox: Outbox
  readonly inbox: { readonly isBatching: boolean }
  /** the exchange whose turn it is */
  readonly exchange: object | null
  readonly requests: number
  readonly engine: Shared
}

/** What the connections of a server share for their responses. */
export interface Shared {
  readonly server: Server
  readonly composer: HeadComposer
  readonly clock: Clock
  readonly isClosing: boolean
}
