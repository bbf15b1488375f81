import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** Headers of an answer: names in lower case. */
export type ReplyHeaders = Record<string, string | number | string[] | undefined>

/**
 * The transport contract: one request in, one answer out.
 *
 * The core reads requests and writes answers through this and nothing else. What is expensive (the headers object,
 * the raw request and response) is made when somebody asks for it.
 */
export interface Exchange {
  readonly method: string
  /** the request target, as rewritten by `rewriteUrl` */
  readonly target: string
  /** the version of the protocol; a request line of HTTP/1.1 may claim any */
  readonly httpVersion: string
  /** the request came as a stream of HTTP/2 */
  readonly isHttp2: boolean
  /** all request headers, in Node's form */
  readonly headers: IncomingHttpHeaders
  /** names and values of the header lines in turn, as they came; none where a transport has no such lines */
  readonly headerLines: readonly string[]
  /** one request header by its lower-case name */
  header(name: string): string | undefined
  /** somebody has asked for the raw response, and may have set status and headers or ended it there */
  readonly isRawTaken: boolean
  /** the status of the raw response; a status set on the reply is handed to it when it is asked for */
  rawStatus: number
  /** a header that was set on the raw response */
  rawHeader(name: string): string | number | readonly string[] | undefined
  /** all headers that were set on the raw response */
  rawHeaders(): OutgoingHttpHeaders
  /** the status line is on its way */
  readonly headersSent: boolean
  /** nothing more can be written: ended by us, by user code on the raw response, or gone */
  readonly ended: boolean
  /** the client went away before the answer was complete */
  readonly aborted: boolean
  /** writes the whole answer at once */
  respond(status: number, headers: ReplyHeaders, payload: string | Uint8Array | null): void
  /** writes status and headers, after which the body goes to `rawResponse` */
  startStream(status: number, headers: ReplyHeaders): void
  /** nothing more is read from the connection: it ends with this answer, which says so */
  endConnection(): void
  /** ends the connection without a (complete) answer */
  destroy(error?: Error): void
  /** the request body */
  readonly body: Readable
  /** calls back once, when the answer is complete (`null`) or can no longer be (`ERR_STREAM_PREMATURE_CLOSE`, or another error) */
  onFinished(callback: (error: Error | null) => void): void
  /** calls back when the client goes away before the answer is complete */
  onAbort(callback: () => void): void
  /** calls back when the connection times out while this exchange is open */
  onTimeout(callback: () => void): void
  /** none of requests that are made by hand */
  readonly socket: Socket | undefined
  readonly rawRequest: IncomingMessage
  readonly rawResponse: ServerResponse
  /** the same exchange over a raw request that user code has put in the place of the first one */
  withRawRequest(request: IncomingMessage): Exchange
  /** the same exchange over another raw response, which counts as taken */
  withRawResponse(response: ServerResponse): Exchange
}
