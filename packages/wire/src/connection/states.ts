/*
 * The life of a connection (RFC 9112 section 9): one request after the other, and an end in stages.
 *
 * | from                   | to          | when                                                              |
 * |------------------------|-------------|-------------------------------------------------------------------|
 * | new, idle, head        | head        | a part of a head has come                                         |
 * | new, idle, head        | body        | a head is complete, and its body is not                           |
 * | new, idle, head, body  | response    | the request is complete                                           |
 * | body, response         | idle        | request and response are complete, and the connection goes on     |
 * | new, idle, head        | stalled     | the client has not read the responses before: the next waits      |
 * | stalled                | idle        | the client has read                                               |
 * | body                   | unread      | the last response is over, and its request is not complete        |
 * | any with input         | lingering   | the last response is over, or what came is refused                |
 * | any                    | gone        | the socket has closed, or another parser has it                   |
 *
 * The last response never closes the socket at once (section 9.6): a client that is cut off while it sends may not see
 * it. What arriving bytes, the end of the input and a deadline do is a column of the table below. `connection.ts` and
 * `inbox.ts` alone change the state, by `Connection.moveTo`. What the exchange may do meanwhile is another table,
 * `message/turn.ts`.
 */

import type { Connection } from './connection.ts'

/** The deadline that runs in a state, a row of `deadlines.ts`. */
export type DeadlineName = 'headersTimeout' | 'keepAliveTimeout' | 'requestTimeout' | 'unread' | 'linger'

/** A state of a connection, and its reactions. */
export interface State {
  readonly name: string
  /** bytes have come, from the first to `end`; they are valid during the call */
  readonly receive: (connection: Connection, bytes: Buffer, end: number) => void
  /** the client sends no more */
  readonly endOfInput: (connection: Connection) => void
  readonly deadline: DeadlineName | null
  /** what the deadline counts from: it goes on in the next state, where that has the same */
  readonly clock: 'request' | 'idle' | 'linger' | null
}

type Receive = State['receive']
type EndOfInput = State['endOfInput']

const scan: Receive = ({ inbox }, bytes, end) => inbox.scan(bytes, end)
const append: Receive = ({ inbox }, bytes, end) => inbox.append(bytes, end)
const feed: Receive = ({ inbox }, bytes, end) => inbox.continueBody(bytes, end)
const store: Receive = ({ inbox }, bytes, end) => inbox.store(bytes, 0, end)
const close: EndOfInput = (connection) => connection.endOutput()
const refuse: EndOfInput = (connection) => connection.refuseEndOfInput()
const ignore = (): void => {}

function row(
  name: string,
  receive: Receive,
  endOfInput: EndOfInput,
  deadline: State['deadline'],
  clock: State['clock'],
): State {
  return { name, receive, endOfInput, deadline, clock }
}

/** Nothing has come yet: the first head is awaited like one that has begun, and Node does not count it as idle either. */
export const NEW: State = row('new', scan, close, 'headersTimeout', 'request')
/** Between two requests. */
export const IDLE: State = row('idle', scan, close, 'keepAliveTimeout', 'idle')
/** A part of a head has come. */
export const HEAD: State = row('head', append, refuse, 'headersTimeout', 'request')
/** A request is being handled, and its body is still arriving. */
export const BODY: State = row('body', feed, refuse, 'requestTimeout', 'request')
/** A request has arrived, and its response is due. */
export const RESPONSE: State = row('response', store, close, null, null)
/** The client reads too slowly: the next request waits. */
export const STALLED: State = row('stalled', store, close, null, null)
/** The last response was written, and the client still sends its request. */
export const UNREAD: State = row('unread', ignore, ignore, 'unread', 'request')
/** The last response was written; the client is given time to read it (RFC 9112 section 9.6). */
export const LINGERING: State = row('lingering', ignore, ignore, 'linger', 'linger')
/** Closed, or left to Node. */
export const GONE: State = row('gone', ignore, ignore, null, null)
