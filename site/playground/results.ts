import type { Begun } from './stages.ts'

/** What came of one request. */
export interface Results {
  /** The request line, as in `POST /books`. */
  readonly request: string
  status: number
  headers: readonly (readonly [string, string])[]
  text: string
  /** Until the head of the response; once it has ended, until its end. */
  ms: number
  chunks: number
  readonly stages: Begun[]
}

/** @param request - the request line; empty where no request was sent */
export function noResults(request: string): Results {
  return { request, status: 0, headers: [], text: '', ms: 0, chunks: 0, stages: [] }
}
