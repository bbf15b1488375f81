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
  /** no request is under way; over a new connection one may be on its way, and Node does not count it either */
  readonly isIdle: boolean
}

const scan: State['receive'] = ({ inbox }, bytes, end) => inbox.scan(bytes, end)
const store: State['receive'] = ({ inbox }, bytes, end) => inbox.store(bytes, 0, end)
const endOutput = (connection: Connection): void => connection.endOutput()
const refuseEnd = (connection: Connection): void => connection.refuseEndOfInput()
const ignore = (): void => {}

/** Nothing has come yet: the first head is awaited like one that has begun. */
export const NEW: State = {
  name: 'new',
  receive: scan,
  endOfInput: endOutput,
  deadline: 'headersTimeout',
  clock: 'request',
  isIdle: false,
}

/** Between two requests. */
export const IDLE: State = {
  name: 'idle',
  receive: scan,
  endOfInput: endOutput,
  deadline: 'keepAliveTimeout',
  clock: 'idle',
  isIdle: true,
}

/** A part of a head has come. */
export const HEAD: State = {
  name: 'head',
  receive: ({ inbox }, bytes, end) => inbox.append(bytes, end),
  endOfInput: refuseEnd,
  deadline: 'headersTimeout',
  clock: 'request',
  isIdle: false,
}

/** A request is being handled, and its body is still arriving. */
export const BODY: State = {
  name: 'body',
  receive: ({ inbox }, bytes, end) => inbox.continueBody(bytes, end),
  endOfInput: refuseEnd,
  deadline: 'requestTimeout',
  clock: 'request',
  isIdle: false,
}

/** A request has arrived, and its response is due. */
export const RESPONSE: State = {
  name: 'response',
  receive: store,
  endOfInput: endOutput,
  deadline: null,
  clock: null,
  isIdle: false,
}

/** The client reads too slowly: the next request waits. */
export const STALLED: State = {
  name: 'stalled',
  receive: store,
  endOfInput: endOutput,
  deadline: null,
  clock: null,
  isIdle: false,
}

/** The last response was written, and the client still sends its request. */
export const UNREAD: State = {
  name: 'unread',
  receive: ignore,
  endOfInput: ignore,
  deadline: 'unread',
  clock: 'request',
  isIdle: false,
}

/** The last response was written; the client is given time to read it (RFC 9112 section 9.6). */
export const LINGERING: State = {
  name: 'lingering',
  receive: ignore,
  endOfInput: ignore,
  deadline: 'linger',
  clock: 'linger',
  isIdle: false,
}

/** Closed, or left to Node. */
export const GONE: State = {
  name: 'gone',
  receive: ignore,
  endOfInput: ignore,
  deadline: null,
  clock: null,
  isIdle: false,
}
