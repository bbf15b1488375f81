import { ReplyError } from './reply-error.ts'
import { StreamError } from './stream-error.ts'
import type { Client, Events, InputOf, OkBodyOf } from './types.ts'
import type { UntypedClient } from './untyped.ts'

/** What {@link follow} yields: an event, or a place where events may be missing. */
export type FollowedEvent<Data> =
  | {
      /** An event of the stream. */
      readonly gap: false
      /** Its type; `message` if the server sends none. */
      readonly event: string
      /** The last id from the server; pass it as `after` to continue later. */
      readonly id: string
      /** The data: parsed if it is JSON, otherwise text. */
      readonly data: Data
    }
  | {
      /** The server no longer has what came after the last id; what it still has comes next. */
      readonly gap: true
      /** The type. */
      readonly event: 'gap'
      /** The last id from the server. */
      readonly id: string
      /** A gap has no data. */
      readonly data?: never
    }

/** A connection that has ended, and when the next one begins. */
export interface Interruption {
  /** Which attempt it is since the last connection: 1, 2, … */
  readonly attempt: number
  /** How long {@link follow} waits before it, in milliseconds. */
  readonly delayMs: number
  /** What ended the connection or refused it; `undefined` if the server ended it. */
  readonly error: unknown
}

/** Settings of {@link follow}. */
export interface FollowOptions {
  /** The id of the last event that is known, of an earlier use of `follow`; sent as `Last-Event-ID`. */
  readonly after?: string | undefined
  /**
   * The first delay before a new connection, in milliseconds, unless the server says another (`retry`, `Retry-After`). Each
   * failure doubles it, and up to half of it is added by chance, so that the clients of a server do not come all at once.
   *
   * @default 1000
   */
  readonly delayMs?: number
  /**
   * The longest delay, in milliseconds, before what is added by chance. One that the server says may be longer.
   *
   * @default 30_000
   */
  readonly maxDelayMs?: number
  /** Called before each delay. */
  readonly onInterruption?: (interruption: Interruption) => void
}

type DataOf<Body> = Body extends Events<infer Data> ? Data : never

/** Statuses of refused requests that may succeed later. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Yields the events of a route (`text/event-stream`), over as many connections as it takes. One that ends or breaks is
 * opened again behind the last event (`Last-Event-ID`), so that a route that replays, such as one of a topic, loses and
 * doubles none.
 *
 * Ends when `signal` of the input is aborted, at a response with status 204, and when its loop is left.
 *
 * @param input - the input of the route, as of a call; functions of the client for headers are called for each connection
 * @throws the error of the call, if the first connection fails
 * @throws {@link ReplyError} for a status from 400 to 499 but 408, 425 and 429, and for any other of the first response
 * @throws StreamError if the handler of the route fails with such a status
 * @throws TypeError if a response is no event stream
 *
 * @example
 * ```ts
 * import { client } from '@cloister/client'
 * import type { Events } from '@cloister/client'
 * import { follow } from '@cloister/client/follow'
 *
 * interface Api {
 *   'GET /prices/:symbol': { params: { symbol: string }; replies: { 200: Events<{ bid: number }> } }
 * }
 *
 * const api = client<Api>('https://api.example.com')
 * async function watch(signal: AbortSignal): Promise<void> {
 *   for await (const item of follow(api, 'GET /prices/:symbol', { params: { symbol: 'X' }, signal })) {
 *     if (item.gap) console.log('prices may be missing')
 *     else console.log(item.data.bid)
 *   }
 * }
 * ```
 */
export function follow<Api, Name extends keyof Api & string, Row = Api[Name]>(
  api: Client<Api>,
  route: Name,
  ...args: {} extends InputOf<Row>
    ? [input?: InputOf<Row>, options?: FollowOptions]
    : [input: InputOf<Row>, options?: FollowOptions]
): AsyncGenerator<FollowedEvent<DataOf<OkBodyOf<Row>>>, void>
// Only the compiler knows the types of routes.
export async function* follow(
  api: UntypedClient,
  route: string,
  input: FollowInput = {},
  options: FollowOptions = {},
): AsyncGenerator<FollowedEvent<unknown>, void> {
  const { delayMs = 1000, maxDelayMs = 30_000, onInterruption } = options
  const state: FollowState = {
    last: options.after ?? '',
    delayMs,
    later: 0,
    failures: 0,
    isNew: true,
    isOver: false,
  }
  const isAborted = (): boolean => input.signal?.aborted === true
  while (!isAborted()) {
    let error: unknown
    try {
      yield* connection(api, route, input, state)
      if (state.isOver) return
    } catch (thrown) {
      if (isAborted()) return
      if (state.isNew || isFinal(thrown)) throw thrown
      error = thrown
    }
    const doubled = Math.min(state.delayMs * 2 ** state.failures, Math.max(maxDelayMs, state.delayMs))
    const wait = Math.max(doubled * (1 + Math.random() / 2), state.later)
    state.failures += 1
    onInterruption?.({ attempt: state.failures, delayMs: wait, error })
    await delay(wait, input.signal)
  }
}

interface FollowInput {
  readonly headers?: object
  readonly signal?: AbortSignal | null
}

/** What one connection leaves to the next. */
interface FollowState {
  /** the last id */
  last: string
  /** the first delay */
  delayMs: number
  /** how long the response that refused said to wait, in milliseconds */
  later: number
  /** refused or broken since the last response */
  failures: number
  /** no connection has succeeded */
  isNew: boolean
  /** the server has said that there is no more */
  isOver: boolean
}

/** Yields the events of one connection. */
async function* connection(
  api: UntypedClient,
  route: string,
  input: FollowInput,
  state: FollowState,
): AsyncGenerator<FollowedEvent<unknown>, void> {
  const sent = state.last
  const headers = { ...input.headers, ...(sent !== '' && { 'last-event-id': sent }) }
  const reply = await api(route, { ...input, headers })
  state.later = Number(reply.headers.get('retry-after')) * 1000 || 0
  state.isOver = reply.status === 204
  if (state.isOver) return
  if (!reply.ok) throw new ReplyError(route, reply)
  const { body } = reply
  if (!isEvents(body)) throw new NoEventsError(`${route}: the response is no event stream`)
  state.isNew = false
  state.failures = 0
  let isFirst = true
  try {
    for await (const { event, id, data } of body) {
      state.last = id || state.last
      // A server may begin with the event that the client has.
      const isKnown = isFirst && sent !== '' && id === sent
      isFirst = false
      if (event === 'gap' && data === undefined) yield { gap: true, event, id: state.last }
      else if (!isKnown) yield { gap: false, event, id: state.last, data }
    }
  } finally {
    // An id may come without an event.
    state.last = body.position?.lastEventId || state.last
    state.delayMs = body.position?.retry ?? state.delayMs
  }
}

/** A `TypeError` of `fetch` is a broken connection; this is none. */
class NoEventsError extends TypeError {
  override readonly name: string = 'TypeError'
}

function isEvents(body: unknown): body is Events<unknown> {
  return typeof body === 'object' && body !== null && 'position' in body
}

/** Whether a new connection would fail in the same way. */
function isFinal(error: unknown): boolean {
  if (error instanceof ReplyError) return isRefusal(error.reply.status)
  if (error instanceof StreamError) return isRefusal(error.failure.statusCode)
  return error instanceof NoEventsError
}

function isRefusal(status: number): boolean {
  return status < 500 && !LATER.has(status)
}

/** Resolves after a time, or when the signal is aborted. */
function delay(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
