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
  /** the rows after the events that change this one */
  readonly next: NextRows
}

type Right = 'mayInform' | 'mayBegin' | 'mayWrite' | 'mayRead' | 'mayCut'

type End = 'open' | 'complete' | 'gone'

/** The members are there in every row, so that all rows have one shape. */
type NextRows = Readonly<Record<TurnEvent, Turn | null>>

const STAYS: NextRows = { begun: null, completed: null, left: null, gone: null }

function row(
  name: Turn['name'],
  hasBegun: boolean,
  end: End,
  rights: readonly Right[],
  next: Partial<NextRows>,
): Turn {
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
    next: { ...STAYS, ...next },
  }
}

/** The connection continues with the next request, or ended after the response; or the application ended the response later. */
export const OVER: Turn = row('over', true, 'complete', [], {})
/** The connection ended within the response. */
export const CUT: Turn = row('cut', true, 'gone', [], { completed: OVER })
/** The connection ended before the response began. */
export const LOST: Turn = row('lost', false, 'gone', [], { completed: OVER })
/** The response is complete; the request body may not be. */
export const SENT: Turn = row('sent', true, 'complete', ['mayRead'], { left: OVER, gone: OVER })
/** The head has been written, and the content is being written. */
export const WRITING: Turn = row('writing', true, 'open', ['mayWrite', 'mayRead', 'mayCut'], {
  completed: SENT,
  gone: CUT,
})
/** No byte of the final response has been written. */
export const WAITING: Turn = row('waiting', false, 'open', ['mayInform', 'mayBegin', 'mayRead', 'mayCut'], {
  begun: WRITING,
  completed: SENT,
  gone: LOST,
})

/** Returns the row of an exchange after an event. */
export function turnAfter(turn: Turn, event: TurnEvent): Turn {
  return turn.next[event] ?? turn
}

/** Returns the reason why a response never will be complete, with the code that Node uses for it. */
export function prematureClose(): Error & { readonly code: string } {
  return Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}
