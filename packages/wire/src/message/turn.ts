/*
 * The turn of an exchange: from the moment when a request may get its response, to the moment when the connection
 * belongs to the next one. A response has one head, one content and one end, and only the exchange whose turn it is
 * writes. Code that keeps an exchange for longer (a handler after its deadline, an endless stream, a listener of
 * `request.raw`) checks this table, and does nothing that its row does not allow.
 *
 *   waiting ──begin──▶ writing ──complete──▶ sent ──received──▶ over
 *      │                  │
 *      └──gone──▶ lost    └──gone──▶ cut
 *
 * A whole response goes from waiting to sent. In `sent` the rest of the request body may still arrive and be read.
 */

/** A row of the table: what an exchange may do. */
export interface Turn {
  /** the name of the row */
  readonly name: 'waiting' | 'writing' | 'sent' | 'lost' | 'cut' | 'over'
  /** may write interim responses: 100, 103 */
  readonly mayInform: boolean
  /** may write the head of the final response */
  readonly mayBegin: boolean
  /** may write content */
  readonly mayWrite: boolean
  /** may ask for more of the request body */
  readonly mayRead: boolean
  /** may end the connection without a complete response */
  readonly mayCut: boolean
  /** the head of the final response has been written */
  readonly hasBegun: boolean
  /** nothing more can be written: `isComplete` or `isGone` */
  readonly isOver: boolean
  /** the response has been ended: by the framework, or by the application on the raw response */
  readonly isComplete: boolean
  /** the client has gone before that: what is still sent is discarded, without an error */
  readonly isGone: boolean
}

type Right = 'mayInform' | 'mayBegin' | 'mayWrite' | 'mayRead' | 'mayCut'

type End = 'open' | 'complete' | 'gone'

function row(name: Turn['name'], hasBegun: boolean, end: End, ...rights: readonly Right[]): Turn {
  return {
    name,
    mayInform: rights.includes('mayInform'),
    mayBegin: rights.includes('mayBegin'),
    mayWrite: rights.includes('mayWrite'),
    mayRead: rights.includes('mayRead'),
    mayCut: rights.includes('mayCut'),
    hasBegun,
    isOver: end !== 'open',
    isComplete: end === 'complete',
    isGone: end === 'gone',
  }
}

/** No byte of the final response has been written. */
export const WAITING: Turn = row('waiting', false, 'open', 'mayInform', 'mayBegin', 'mayRead', 'mayCut')
/** The head has been written, and the content is being written. */
export const WRITING: Turn = row('writing', true, 'open', 'mayWrite', 'mayRead', 'mayCut')
/** The response is complete; the request body may not be. */
export const SENT: Turn = row('sent', true, 'complete', 'mayRead')
/** The connection ended before the response began. */
export const LOST: Turn = row('lost', false, 'gone')
/** The connection ended within the response. */
export const CUT: Turn = row('cut', true, 'gone')
/** The connection continues with the next request, or ended after the response; or the application ended the response later. */
export const OVER: Turn = row('over', true, 'complete')

/** Returns the reason why a response never will be complete, with the code that Node uses for it. */
export function prematureClose(): Error & { readonly code: string } {
  return Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}
