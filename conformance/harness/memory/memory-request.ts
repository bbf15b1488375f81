import type { RequestHeaders } from '../../../packages/cloister/src/exchange/exchange.ts'

/** A request for the in-memory transport. */
export interface MemoryRequest {
  readonly method: string
  readonly target: string
  /** names and values, alternating */
  readonly headerLines: readonly string[]
  readonly body: Uint8Array
}

/** Fields of which only the first line counts (as in `http.IncomingMessage`). */
const SINGLE: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
  'referer',
  'user-agent',
])

/** Joins header lines into one value for each name; only `set-cookie` is a list. */
export function joinLines(lines: readonly string[]): RequestHeaders {
  const headers: RequestHeaders = {}
  for (let i = 0; i < lines.length; i += 2) {
    const name = (lines[i] ?? '').toLowerCase()
    const value = (lines[i + 1] ?? '').trim()
    const before = headers[name]
    if (name === 'set-cookie') headers[name] = [before ?? [], value].flat()
    else if (before === undefined) headers[name] = value
    else if (!SINGLE.has(name)) headers[name] = [before, value].join(name === 'cookie' ? '; ' : ', ')
  }
  return headers
}
