import type { MediaType } from '../body/media-type.ts'
import type { BodyParser } from '../body/parser-table.ts'
import type { Content, RequestHeaders } from '../exchange/exchange.ts'
import type { ByteStream } from '../exchange/streams.ts'
import type { AnyFunction } from '../guards.ts'
import type { Logger } from '../logging/logger.ts'
import type { ReplyImpl } from './reply.ts'
import type { RequestImpl } from './request.ts'

/** What the framework keeps of a request. It is one object under one key, so that applications do not meet it. */
export interface RequestData {
  /** the raw query string, parsed on first use */
  readonly queryText: string
  query: unknown
  /** a number until the id is asked for */
  id: string | number
  log: Logger | null
  headers: RequestHeaders | null
  mediaType: MediaType | null
  /** the stream that the body is read from: what `preParsing` has returned */
  bodyStream: ByteStream | null
  /** bytes or text that await parsing */
  bodyBytes: Content | null
  /** the parser that was chosen for the body */
  parser: BodyParser | null
  /** fires `request.signal` */
  controller: AbortController | null
  originalUrl: string | null
}

/** What the framework keeps of a generator that sends items. */
export interface ItemsData {
  /** what its first step returns, until the content takes it */
  first: Promise<unknown> | null
  /** it has sent something else, too late: the content ends with this error */
  failure: Error | null
}

/** What the framework keeps of a reply. */
export interface ReplyData {
  phase: ReplyPhase
  /** grows when control passes on, and so ends older runs of stages and hooks */
  epoch: number
  /** the status, until the application takes the raw response, which then owns it */
  status: number
  statusSet: boolean
  payload: unknown
  trailers: Map<string, AnyFunction> | null
  startTime: number
  endTime: number
  /** how many error handlers have run */
  errorDepth: number
  /** the handler was called; kept where `undeclaredStatuses` asks for it */
  handled: boolean
  /** an error has been shown to the `onError` hooks */
  errorSeen: boolean
  /** the `onError` hooks are running */
  inOnError: boolean
  /** the reply was awaited before anything was sent, and the waiting went on: something else sends later */
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
/** User code has taken the raw response over. */
export const HIJACKED = 3

export type ReplyPhase = typeof OPEN | typeof SENDING | typeof SENT | typeof HIJACKED

/**
 * What the compiler holds a class to that implements a public interface: it has every member, a method takes arguments
 * of the public kinds, and a plain value has the public type. Objects have no more than their place here: their types
 * follow from contexts, schemas and Node, which only the compiler of an application sees.
 */
export type Implementation<Public> = {
  readonly [Name in keyof Public]: Public[Name] extends (...args: infer Args) => unknown
    ? { method(...args: Args): unknown }['method']
    : [Public[Name]] extends [string | number | boolean | null | undefined]
      ? Public[Name]
      : unknown
}
