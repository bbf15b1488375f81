/** One server-sent event (HTML Living Standard, section 9.2). */
export interface ServerEvent<Data> {
  /** The type of the event; `message` where the server gives none. */
  readonly event: string
  /** The last event id that the server gave; empty before the first. */
  readonly id: string
  /** The data: parsed where they are JSON, else the text. */
  readonly data: Data
}

/** The events of a `text/event-stream`, in order; leaving the loop ends the connection. */
export type Events<Data> = AsyncIterable<ServerEvent<Data>>

/** The items of `application/x-ndjson`, `application/jsonl` or `application/json-seq`, in order, as {@link Events}. */
export type Items<Item> = AsyncIterable<Item>

/** Why a socket is closed. */
export interface SocketEnd {
  /** The close code (RFC 6455 section 7.4): 1008 for a message that does not fit; 1006 where the connection broke. */
  readonly code: number
  /** The reason that came with it; may be empty. */
  readonly reason: string
}

/** A WebSocket whose messages are JSON. Iterate it for those of the app; the loop ends when the socket closes. */
export interface ClientSocket<Sent, Received> extends AsyncIterable<Received> {
  /**
   * Sends a message, once the socket is open.
   *
   * @throws Error as a rejection, where the socket is closed
   */
  send(message: Sent): Promise<void>
  /** Closes the socket; so does leaving its loop. */
  close(code?: number, reason?: string): void
  /** Resolves when either side has closed the socket, also where it never opened. */
  readonly closed: Promise<SocketEnd>
}

/** What the body of a request may be where its media type is neither JSON nor a form. */
export type RawBody = string | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array>

/** The payload of an error response that the framework itself sends. */
export interface Failure {
  /** The status. */
  readonly statusCode: number
  /** The code of the error, as in `CLO_ERR_VALIDATION`. */
  readonly code?: string
  /** The reason phrase of the status. */
  readonly error: string
  /** The error in words. */
  readonly message: string
}

/** Problem details (RFC 9457), which the framework sends where the app has the option `problemDetails`. */
export interface Problem {
  /** A URI that identifies the kind of problem, or `about:blank`. */
  readonly type: string
  /** The kind of problem in words. */
  readonly title: string
  /** The status. */
  readonly status: number
  /** This problem in words. */
  readonly detail?: string
  /** The path of the request. */
  readonly instance: string
  /** The code of the error, as in `CLO_ERR_VALIDATION`. */
  readonly code?: string
  /** The violations of a request that is not valid. */
  readonly errors?: readonly {
    /** The part of the request. */
    readonly part: string
    /** The JSON pointer to the value (RFC 6901). */
    readonly pointer: string
    /** The keyword of JSON Schema that was violated. */
    readonly keyword: string
    /** The violation in words. */
    readonly message: string
  }[]
}

/** A header, or none where the value is `undefined`. */
export type HeaderValues = Readonly<Record<string, string | number | undefined>>

/** Settings of `fetch` that the client leaves to its user, such as `signal` and `credentials`. */
export interface FetchSettings extends Omit<RequestInit, 'method' | 'headers' | 'body'> {}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type Class<First extends 1 | 2 | 3 | 4 | 5> = `${First}${Digit}${Digit}` extends `${infer N extends number}`
  ? N
  : never

/** The statuses of each class; `default` has all. */
interface Classes {
  '1xx': Class<1>
  '2xx': Class<2>
  '3xx': Class<3>
  '4xx': Class<4>
  '5xx': Class<5>
  default: Class<1> | Class<2> | Class<3> | Class<4> | Class<5>
}
type Success = Class<2> | '2xx'

/** Beside an exact status, its class has the others; `default` has what neither an exact status nor a class has. */
type StatusOf<Key, Keys> = Key extends 'default'
  ? Exclude<Classes['default'], Keys | Classes[Keys & Exclude<keyof Classes, 'default'>]>
  : Key extends keyof Classes
    ? Exclude<Classes[Key], Keys>
    : Key

/** Beside a declared success, `default` is for failures. */
type OkOf<Key, Keys> = Key extends 'default'
  ? [Keys & Success] extends [never]
    ? boolean
    : false
  : Key extends Success
    ? true
    : false

/** A response. `status` and `ok` tell those of one route apart. */
export interface Reply<Status, Ok, Body> {
  /** The status, as a number. */
  readonly status: Status
  /** Whether the status is from 200 to 299. */
  readonly ok: Ok
  /** The headers. */
  readonly headers: Headers
  /**
   * JSON as a value, text as a string, `text/event-stream` as {@link Events}, lines and records of JSON as
   * {@link Items}, anything else as a stream of bytes; `undefined` where there is none.
   */
  readonly body: Body
}

/** The replies of a route, by the table of its statuses. */
export type Replies<Table> = {
  [Key in keyof Table]: Reply<StatusOf<Key, keyof Table>, OkOf<Key, keyof Table>, Table[Key]>
}[keyof Table]

/** The replies of a route in the table that `cloister types` has written. */
export type RepliesOf<Route> = Route extends { replies: infer Table } ? Replies<Table> : never

/** The body of the successful replies of a route. */
export type OkBodyOf<Route> = Extract<RepliesOf<Route>, { ok: true }>['body']

type Given<Route> = Omit<Route, 'replies' | 'headers' | 'content' | 'messages'>

/** What a call of a route takes: its params, query, headers and body, and settings of `fetch`. */
export type InputOf<Route> = Given<Route> &
  FetchSettings &
  HeadersOf<Route> &
  (Route extends { content: infer Content } ? Content : unknown)

/** Headers of a route; none is required of a call, since those of the client count too. */
type HeadersOf<Route> = Route extends { headers: infer Known }
  ? { readonly headers?: Partial<Known> & HeaderValues }
  : { readonly headers?: HeaderValues }

/** The arguments behind the name of a route; nothing need be given where nothing is required. */
export type Arguments<Route> = {} extends InputOf<Route> ? [input?: InputOf<Route>] : [input: InputOf<Route>]

/** What opening a socket takes: its params and query, and the subprotocols that it offers. */
export type SocketInput<Route> = Omit<Given<Route>, 'body'> & {
  readonly protocols?: string | string[]
}

/** The names of the WebSocket routes of a table. */
export type SocketNames<Api> = {
  [Name in keyof Api]: Api[Name] extends { messages: object } ? Name : never
}[keyof Api] &
  string

/** The socket of a route: what its app takes is sent, what its app sends comes. */
export type SocketOf<Route> = Route extends { messages: { incoming: infer Sent; outgoing: infer Received } }
  ? ClientSocket<Sent, Received>
  : never

/** The replies of a HEAD request: those of the GET route, without their bodies. */
export type Head<Route extends { replies: object }> = Omit<Route, 'replies'> & {
  replies: { [Status in keyof Route['replies']]: undefined }
}

/**
 * Calls the routes of an app.
 *
 * @typeParam Api - the table of routes that `cloister types` writes
 */
export interface Client<Api> {
  /**
   * Sends a request.
   *
   * @param route - method and path, as in `'GET /users/:id'`
   * @returns the response, whatever its status is
   * @throws what `fetch` throws: a network error, a reason of `signal`; and a `TypeError` for a value that a path
   * cannot hold (nothing, `.` and `..`)
   * @typeParam Row - the row of the route. As a parameter of its own it is looked up in the table once it is known; the
   * compiler computes the other types of a call for every row otherwise
   */
  <Name extends keyof Api & string, Row = Api[Name]>(
    route: Name,
    ...input: Arguments<Row>
  ): Promise<RepliesOf<Row>>
  /**
   * Opens the socket of a WebSocket route.
   *
   * @param route - method and path, as in `'GET /chat/:room'`
   * @throws TypeError where the target is no URL, or the platform has no `WebSocket`
   */
  ws<Name extends SocketNames<Api>, Row = Api[Name]>(
    route: Name,
    ...input: {} extends SocketInput<Row> ? [input?: SocketInput<Row>] : [input: SocketInput<Row>]
  ): SocketOf<Row>
}
