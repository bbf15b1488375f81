import { look } from '../foreign.ts'

/**
 * What a transport tells about the end of an exchange: `null` if the response is complete, otherwise the error that
 * ended it. The error is `prematureClose()` if the client left.
 */
export type Outcome = (Error & { readonly code?: string | undefined }) | null

/**
 * How an exchange ended, and what its hooks, its signal and its log are owed.
 *
 * | end      | when                                      | signal, `onRequestAbort` | `onResponse` | last line           |
 * |----------|-------------------------------------------|--------------------------|--------------|---------------------|
 * | complete | the response was sent                     | no                       | runs         | `request completed` |
 * | left     | the client left, or the response was cut  | abort                    | does not run | `request aborted`   |
 * | failed   | the transport could not write the response | abort                   | runs         | `request errored`   |
 */
export interface End {
  readonly name: 'complete' | 'left' | 'failed'
  /** `request.signal` aborts, and the hooks `onRequestAbort` run */
  readonly aborts: boolean
  /** the hooks `onResponse` run */
  readonly runsOnResponse: boolean
}

const COMPLETE: End = { name: 'complete', aborts: false, runsOnResponse: true }
const LEFT: End = { name: 'left', aborts: true, runsOnResponse: false }
const FAILED: End = { name: 'failed', aborts: true, runsOnResponse: true }

/** Returns the row for an outcome. */
export function endOf(outcome: unknown): End {
  if (outcome === null || outcome === undefined) return COMPLETE
  return look(outcome, 'code') === 'ERR_STREAM_PREMATURE_CLOSE' ? LEFT : FAILED
}
