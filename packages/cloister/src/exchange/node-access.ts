import type { Exchange, ResponseHeaders } from './exchange.ts'

/**
 * Node's objects of one exchange: `request.raw`, `reply.raw`, `request.socket`. The application may set status and
 * headers on the raw response or end it there, so that the framework asks it from the moment at which it was taken.
 */
export interface NodeAccess {
  /** `IncomingMessage`, or `Http2ServerRequest` */
  readonly request: object
  /** the same, where it has been made already */
  readonly madeRequest: object | null
  /** `ServerResponse`, or `Http2ServerResponse`; reading it takes it */
  readonly response: object
  /** `undefined` for requests without a connection */
  readonly socket: object | undefined
  /** the application has read `reply.raw` */
  readonly isTaken: boolean
  /** the status of the raw response; a status set on the reply is handed to it when it is taken */
  status: number
  /** Calls back when the raw response fails; without it such an error would end the process. */
  onResponseError(callback: (error: unknown) => void): void
  /** a header that was set on the raw response */
  responseHeader(name: string): string | number | readonly string[] | undefined
  /** all headers that were set on the raw response */
  responseHeaders(): ResponseHeaders
  /** Returns the same exchange over a raw request that replaces the first one. */
  withRequest(request: object): Exchange
  /** The same exchange over another raw response, which counts as taken. */
  withResponse(response: object): Exchange
}
