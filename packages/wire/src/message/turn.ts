/*
 * The turn of an exchange: from the moment when a request may get its response, to the moment when the connection
 * belongs to the next one. A response has one head, one content and one end, and only the exchange whose turn it is
 * writes. Code that keeps an exchange for longer (a handler after its deadline, an endless stream, a listener of
 * `request.raw`) checks this table, and does nothing that its row does not allow.
 *
 * | from    | begun   | completed | left | gone |
 * |---------|---------|-----------|------|------|
 * | waiting | writing | sent      |      | lost |
 * | writing |         | sent      |      | cut  |
 * | sent    |         |           | over | over |
 * | lost    |         | over      |      |      |
 * | cut     |         | over      |      |      |
 * | over    |         |           |      |      |
 *
 * Empty means that the exchange stays in its row. In `sent` the rest of the request body may still arrive and be read.
 */

/**
 * What happens to an exchange: the head of a response in pieces is written (`begun`), the application or the framework
 * ends the response (`completed`), the connection goes to the next request (`left`), the client goes or the response is
 * cut off (`gone`).
 */
export type TurnEvent = 'begun' | 'completed' | 'left' | 'gone'

type Right = 'mayInform' | 'mayBegin' | 'mayWrite' | 'mayRead' | 'mayCut'

type End = 'open' | 'complete' | 'gone'

/** A row of the table: what an exchange may do. */
export class Turn {
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
  /** the row after each event */
  readonly next: Readonly<Record<TurnEvent, Turn>>

  /** @param next - the rows after the events that change this one */
  constructor(
    name: Turn['name'],
    hasBegun: boolean,
    end: End,
    rights: readonly Right[],
    next: Partial<Turn['next']>,
  ) {
    this.name = name
    this.mayInform = rights.includes('mayInform')
    this.mayBegin = rights.includes('mayBegin')
    this.mayWrite = rights.includes('mayWrite')
    this.mayRead = rights.includes('mayRead')
    this.mayCut = rights.includes('mayCut')
    this.hasBegun = hasBegun
    this.isOver = end !== 'open'
    this.isComplete = end === 'complete'
    this.isGone = end === 'gone'
    this.next = { begun: this, completed: this, left: this, gone: this, ...next }
  }
}

/** The connection continues with the next request, or ended after the response; or the application ended the response later. */
export const OVER: Turn = new Turn('over', true, 'complete', [], {})
/** The connection ended within the response. */
export const CUT: Turn = new Turn('cut', true, 'gone', [], { completed: OVER })
/** The connection ended before the response began. */
export const LOST: Turn = new Turn('lost', false, 'gone', [], { completed: OVER })
/** The response is complete; the request body may not be. */
export const SENT: Turn = new Turn('sent', true, 'complete', ['mayRead'], { left: OVER, gone: OVER })
/** The head has been written, and the content is being written. */
export const WRITING: Turn = new Turn('writing', true, 'open', ['mayWrite', 'mayRead', 'mayCut'], {
  completed: SENT,
  gone: CUT,
})
/** No byte of the final response has been written. */
export const WAITING: Turn = new Turn(
  'waiting',
  false,
  'open',
  ['mayInform', 'mayBegin', 'mayRead', 'mayCut'],
  {
    begun: WRITING,
    completed: SENT,
    gone: LOST,
  },
)

/** Returns the reason why a response never will be complete, with the code that Node uses for it. */
export function prematureClose(): Error & { readonly code: string } {
  return Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}
