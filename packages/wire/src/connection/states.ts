/*
 * The life of a connection (RFC 9112 section 9): one request after another, and an end in stages.
 *
 * | from                   | to          | when                                                              |
 * |------------------------|-------------|-------------------------------------------------------------------|
 * | new, idle, head        | head        | part of a head has arrived                                        |
 * | new, idle, head        | body        | a head is complete, and its body is not                           |
 * | new, idle, head, body  | response    | the request is complete                                           |
 * | body, response         | idle        | request and response are complete, and the connection continues   |
 * | new, idle, head        | stalled     | the client has not read earlier responses: the next request waits |
 * | stalled                | idle        | the client has read                                               |
 * | body                   | unread      | the last response is complete, and its request is not             |
 * | any with input         | lingering   | the last response is complete, or the input is refused            |
 * | any                    | gone        | the socket has closed, or another parser has it                   |
 *
 * The last response never closes the socket at once (section 9.6): a client that is cut off while it sends may not
 * see the response. The columns of the table below say how a state reacts to bytes, to the end of the input and to a
 * deadline. Only `connection.ts` and `inbox.ts` change the state, with `Connection.moveTo`. What the exchange may do
 * meanwhile is another table, `message/turn.ts`.
 */

import { FAULTS, ParseError } from '../head/verdicts.ts'
import type { Connection } from './connection.ts'

/** The deadline that runs in a state, a row of `deadlines.ts`. */
export type DeadlineName = 'headersTimeout' | 'keepAliveTimeout' | 'requestTimeout' | 'unread' | 'linger'

/** A state of a connection, with its reactions. */
export interface State {
  readonly name: string
  /** the method of the inbox that gets bytes that arrive, from the first to `end`; they are valid during the call */
  readonly receive: 'scan' | 'append' | 'continueBody' | 'store' | 'ignore'
  /** called when the client has ended its side */
  readonly endOfInput: (connection: Connection) => void
  readonly deadline: DeadlineName | null
  /** when the deadline began; the clock continues in the next state if that has the same one */
  readonly clock: 'request' | 'idle' | 'linger' | null
}

type EndOfInput = State['endOfInput']

const close: EndOfInput = (connection) => connection.endOutput()
const giveUp: EndOfInput = (connection) => connection.giveUp(new ParseError(FAULTS.endOfInput))
const ignore = (): void => {}

function row(
  name: string,
  receive: State['receive'],
  endOfInput: EndOfInput,
  deadline: State['deadline'],
  clock: State['clock'],
): State {
  return { name, receive, endOfInput, deadline, clock }
}

/** Nothing has arrived yet. The deadline of a head already runs, and Node does not count this as idle either. */
export const NEW: State = row('new', 'scan', close, 'headersTimeout', 'request')
/** Between two requests. */
export const IDLE: State = row('idle', 'scan', close, 'keepAliveTimeout', 'idle')
/** Part of a head has arrived. */
export const HEAD: State = row('head', 'append', giveUp, 'headersTimeout', 'request')
/** A request is being handled while its body arrives. */
export const BODY: State = row('body', 'continueBody', giveUp, 'requestTimeout', 'request')
/** A request has arrived, and its response is due. */
export const RESPONSE: State = row('response', 'store', close, null, null)
/** The client reads too slowly: the next request waits. */
export const STALLED: State = row('stalled', 'store', close, null, null)
/** The last response was written, and the client is still sending its request. */
export const UNREAD: State = row('unread', 'ignore', ignore, 'unread', 'request')
/** The last response was written, and the client has some time to read it (RFC 9112 section 9.6). */
export const LINGERING: State = row('lingering', 'ignore', ignore, 'linger', 'linger')
/** Closed, or handed over to Node. */
export const GONE: State = row('gone', 'ignore', ignore, null, null)
