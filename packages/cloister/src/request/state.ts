import type { MediaType } from '../body/media-type.ts'
import type { BodyParser } from '../body/parser-table.ts'
import type { Content, RequestHeaders } from '../exchange/exchange.ts'
import type { ByteStream } from '../exchange/streams.ts'
import type { AnyFunction } from '../guards.ts'
import type { Logger } from '../logging/logger.ts'
import type { Seen } from './report/judge.ts'
import type { ReplyImpl } from './reply.ts'
import { kExchange, kState } from '../symbols.ts'
import type { HeldValues } from './held-values.ts'
import type { Guard } from '../hooks/hook-entry.ts'
import type { PresetHeaders } from './preset-headers.ts'
import type { RequestImpl } from './request.ts'
import type { RoutePlan } from './route-plan.ts'
import type { RequestObserver } from '../types/observers.ts'

/** The framework's state of a request: one object under one symbol, so that it can't conflict with the application. */
export interface RequestData {
  /** the raw query string, parsed on first use */
  readonly queryText: string
  query: unknown
  /** counts the requests of the app, for the default id */
  readonly sequence: number
  /** `null` until it is read or set */
  id: string | null
  log: Logger | null
  /** the bindings of the composed log lines; `null` before the first, and where pino writes them */
  lineBindings: string | null
  headers: RequestHeaders | null
  mediaType: MediaType | null
  /** the stream that the body is read from: what `preParsing` has returned */
  bodyStream: ByteStream | null
  /** bytes or text that await parsing */
  bodyBytes: Content | null
  /** the parser that was chosen for the body */
  parser: BodyParser | null
  /** aborts `request.signal` */
  controller: AbortController | null
  originalUrl: string | null
  /** `null` where nothing observes the route */
  observer: RequestObserver | null
  /** absent without `strict: 'report'` */
  seen?: Seen
}

/** The framework's state of a generator that sends items. */
export interface ItemsData {
  /** the promise of its first item, until the content stream reads it */
  first: Promise<unknown> | null
  /** set if it has sent another response too late: the content ends with this error */
  failure: Error | null
}

/** The framework's state of a reply. */
export interface ReplyData {
  phase: ReplyPhase
  /** increases whenever another run takes over, which ends older runs of stages and hooks */
  epoch: number
  /** the status, until the application takes the raw response, which then owns it */
  status: number
  statusSet: boolean
  payload: unknown
  /** headers that the route has decided at boot; `null` without any, and where the reply has copied them */
  presets: PresetHeaders | null
  trailers: Map<string, AnyFunction> | null
  /** what guards have taken and give back; `null` until one takes something */
  held: HeldValues | null
  startTime: number
  endTime: number
  /** the plan of the route that called `callNotFound`, whose `onSend` hooks run; `null` without such a call */
  caller: RoutePlan | null
  /** the error handlers of the route, one of which has called `callNotFound`; `null`: those of the plan */
  errorHandlers: RoutePlan['errorHandlers'] | null
  /** how many error handlers have run */
  errorDepth: number
  /** what sends a response that `undeclaredStatuses` checks: the guard that runs, or the handler once it was called */
  checked: Guard | 'handler' | null
  /** the `onError` hooks have run */
  errorSeen: boolean
  /** the last error is in the log already, because its client had gone */
  isLogged: boolean
  /** the `onError` hooks are running */
  inOnError: boolean
  /** the reply was awaited before anything was sent, without waiting for that: other code sends later */
  awaited: boolean
  /** set when the handler is a generator whose items are the content */
  items: ItemsData | null
  /** the message of the tracing channel of the handler */
  trace: Record<string, unknown> | null
  /** the message of the tracing channel of the request; `null` where nothing subscribes */
  requestTrace: Record<string, unknown> | null
}

/** A request, and a reply, as the stages of their path see them: with what the framework keeps of them. */
export type RequestState = RequestImpl
export type ReplyState = ReplyImpl

/** No payload has been sent yet. */
export const OPEN = 0
/** `send` was called; the reply path is running. */
export const SENDING = 1
/** The response was given to the transport. */
export const SENT = 2
/** The application uses the raw response. */
export const HIJACKED = 3
/** `send` was called with an error, by the application or for an error that was thrown. */
export const FAILING = 4

/** Notes that the response was given to the transport. */
export function markSent(reply: ReplyState): void {
  const state = reply[kState]
  state.phase = SENT
  state.held?.settle()
}

/** The connection has switched protocols (a WebSocket), so its end is not the end of a response. */
export function isHandedOver(reply: ReplyState): boolean {
  return reply[kState].phase === HIJACKED && reply[kExchange].header('upgrade') !== undefined
}

export type ReplyPhase = typeof OPEN | typeof SENDING | typeof SENT | typeof HIJACKED | typeof FAILING

/**
 * The type that a class must have to implement a public interface: every member, methods with public arguments, and
 * plain values of the public type. Members that are objects only have to be present: their types follow from contexts,
 * schemas and Node, which only the compiler of an application sees.
 */
export type Implementation<Public> = {
  readonly [Name in keyof Public]: Public[Name] extends (...args: infer Args) => unknown
    ? { method(...args: Args): unknown }['method']
    : [Public[Name]] extends [string | number | boolean | null | undefined]
      ? Public[Name]
      : unknown
}
