import type { Deadline } from './stages/deadline.ts'
import type { MediaType } from '../body/media-type.ts'
import type { BodyParser } from '../body/parser-table.ts'
import type { ByteStream } from '../exchange/streams.ts'
import type { Content, Exchange, RequestHeaders, ResponseHeaders } from '../exchange/exchange.ts'
import type { AnyFunction } from '../guards.ts'
import type { Logger } from '../logging/logger.ts'
import type {
  kBodyBytes,
  kBodyStream,
  kEndTime,
  kErrorDepth,
  kHandled,
  kErrorSeen,
  kExchange,
  kExtras,
  kHeaders,
  kId,
  kAwaited,
  kDeadline,
  kInOnError,
  kLog,
  kMediaType,
  kParser,
  kPayload,
  kPhase,
  kPlan,
  kQuery,
  kQueryText,
  kReplyHeaders,
  kSerializer,
  kStartTime,
  kStatus,
  kStatusSet,
  kTrace,
  kRequestTrace,
  kTrailers,
  kEpoch,
} from '../symbols.ts'
import type { RoutePlan } from './route-plan.ts'

/** Rarely used members, made on first use so that other requests stay small. */
export interface RequestExtras {
  controller: AbortController | null
  originalUrl: string | null
}

/** The framework's own fields of a request; `symbols.ts` says what each key is for. */
export interface RequestFields {
  [kExchange]: Exchange
  [kPlan]: RoutePlan
  [kQueryText]: string
  [kQuery]: unknown
  [kId]: string | number
  [kLog]: Logger | null
  [kHeaders]: RequestHeaders | null
  [kMediaType]: MediaType | null
  [kBodyStream]: ByteStream | null
  [kBodyBytes]: Content | null
  [kParser]: BodyParser | null
  [kExtras]: RequestExtras | null
}

/** A request, as the stages of its path see it. */
export interface RequestState extends RequestFields {
  /** the values of the path's parameters */
  params: unknown
  /** the parsed body, `undefined` when there is none */
  body: unknown
  query: unknown
  headers: RequestHeaders
  /** with `attachValidation`: why the request is not valid */
  validationError: Error | undefined
  readonly id: string
  log: Logger
  readonly method: string
  readonly url: string
  readonly is404: boolean
  readonly context: { readonly config: unknown }
}

/** The framework's own fields of a reply; `symbols.ts` says what each key is for. */
export interface ReplyFields {
  [kExchange]: Exchange
  [kPlan]: RoutePlan
  [kPhase]: ReplyPhase
  [kEpoch]: number
  [kReplyHeaders]: ResponseHeaders
  [kStatus]: number
  [kStatusSet]: boolean
  [kPayload]: unknown
  [kSerializer]: AnyFunction | null
  [kTrailers]: Map<string, AnyFunction> | null
  [kStartTime]: number
  [kEndTime]: number
  [kErrorDepth]: number
  [kHandled]: boolean
  [kErrorSeen]: boolean
  /** The deadline of the request; `null` where it has none, or a timer of its own. */
  [kDeadline]: Deadline<ReplyState> | null
  /** It was awaited before anything was sent, and the waiting went on: something else sends later. */
  [kAwaited]: boolean
  [kInOnError]: boolean
  [kTrace]: Record<string, unknown> | null
  [kRequestTrace]: Record<string, unknown> | null
}

/** A reply, as the stages of its path see it. */
export interface ReplyState extends ReplyFields {
  readonly request: RequestState
  log: Logger
  /** true as soon as the handler, a hook or the raw response has sent something */
  readonly sent: boolean
  statusCode: number
  code(status: number): this
  getHeader(name: string): string | number | readonly string[] | undefined
  getHeaders(): ResponseHeaders
  header(name: string, value?: string | number | readonly string[]): unknown
  headers(headers: Readonly<ResponseHeaders>): unknown
  removeHeader(name: string): unknown
  send(payload?: unknown): unknown
  readonly then: WaitForReply | undefined
}

/** Waits until a response is complete. */
export type WaitForReply = (fulfilled: () => void, rejected?: (error: Error) => void) => void

/** No payload has been sent yet. */
export const OPEN = 0
/** `send` was called; the reply path is running. */
export const SENDING = 1
/** The response was given to the transport. */
export const SENT = 2
/** User code has taken the raw response over. */
export const HIJACKED = 3

export type ReplyPhase = typeof OPEN | typeof SENDING | typeof SENT | typeof HIJACKED
