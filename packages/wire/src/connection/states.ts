import type { Connection } from './connection.ts'

/** The deadline that runs in a state, in the words of Node's server. */
export type DeadlineName = 'headersTimeout' | 'keepAliveTimeout' | 'requestTimeout' | 'linger'

/** A state of a connection, and its reactions. */
export interface State {
  readonly name: string
  /** bytes have come, from the first to `end`; they are valid during the call */
  readonly receive: (connection: Connection, bytes: Buffer, end: number) => void
  /** the client sends no more */
  readonly endOfInput: (connection: Connection) => void
  readonly deadline: DeadlineName | null
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
  isIdle: false,
}

/** Between two requests. */
export const IDLE: State = {
  name: 'idle',
  receive: scan,
  endOfInput: endOutput,
  deadline: 'keepAliveTimeout',
  isIdle: true,
}

/** A part of a head has come. */
export const HEAD: State = {
  name: 'head',
  receive: ({ inbox }, bytes, end) => inbox.append(bytes, end),
  endOfInput: refuseEnd,
  deadline: 'headersTimeout',
  isIdle: false,
}

/** A request is being handled, and its body is still arriving. */
export const BODY: State = {
  name: 'body',
  receive: ({ inbox }, bytes, end) => inbox.continueBody(bytes, end),
  endOfInput: refuseEnd,
  deadline: 'requestTimeout',
  isIdle: false,
}

/** A request has arrived, and its response is due. */
export const RESPONSE: State = {
  name: 'response',
  receive: store,
  endOfInput: endOutput,
  deadline: null,
  isIdle: false,
}

/** The client reads too slowly: the next request waits. */
export const STALLED: State = {
  name: 'stalled',
  receive: store,
  endOfInput: endOutput,
  deadline: null,
  isIdle: false,
}

/** The last response was written; the client is given time to read it (RFC 9112 section 9.6). */
export const LINGERING: State = {
  name: 'lingering',
  receive: ({ inbox }, _bytes, end) => inbox.drop(end),
  endOfInput: ignore,
  deadline: 'linger',
  isIdle: false,
}

/** Closed, or left to Node. */
export const GONE: State = {
  name: 'gone',
  receive: ignore,
  endOfInput: ignore,
  deadline: null,
  isIdle: false,
}
