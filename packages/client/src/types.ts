/** One server-sent event (HTML Living Standard, section 9.2). */
export interface ServerEvent<Data> {
  /** The type of the event; `message` if the server sends none. */
  readonly event: string
  /** The last event id from the server; empty before the first. */
  readonly id: string
  /** The data: parsed if it is JSON, otherwise text. */
  readonly data: Data
}

/** The events of a `text/event-stream`, in order; breaking out of the loop ends the connection. */
export interface Events<Data> extends AsyncIterable<ServerEvent<Data>> {
  /** How far the events have been read; bodies that tests make need none. */
  readonly position?: EventPosition
}

/** What a client that opens a stream of events again has to know. */
export interface EventPosition {
  /** The last id that the server sent, also without an event; empty before the first. */
  readonly lastEventId: string
  /** How long to wait before the stream is opened again, in milliseconds, if the server said it. */
  readonly retry: number | undefined
}

/**
 * The items of `application/x-ndjson`, `application/jsonl` or `application/json-seq`; like {@link Events}. At one that is
 * no JSON the loop throws a `JsonError`.
 */
export type Items<Item> = AsyncIterable<Item>

/** Why a socket was closed. */
export interface SocketEnd {
  /** The close code (RFC 6455 section 7.4): 1008 for an invalid message, 1006 for a broken connection. */
  readonly code: number
  /** The reason with the code; may be empty. */
  readonly reason: string
}

/**
 * A WebSocket with JSON messages. Iterate it for the messages of the app; the loop ends when the socket closes. A message
 * that is no JSON closes the socket, and the loop throws a `JsonError`.
 */
export interface ClientSocket<Sent, Received> extends AsyncIterable<Received> {
  /**
   * Sends a message, once the socket is open.
   *
   * @throws Error as a rejection, if the socket is closed
   */
  send(message: Sent): Promise<void>
  /** Closes the socket; breaking out of its loop does the same. */
  close(code?: number, reason?: string): void
  /** Resolves when either side has closed the socket, or when it could not be opened. */
  readonly closed: Promise<SocketEnd>
}

/** The body of a request whose media type is neither JSON nor a form. */
export type RawBody = string | Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>

/** The payload of an error response of the framework. */
export interface Failure {
  /** The status. */
  readonly statusCode: number
  /** The code of the error, as in `CLO_ERR_VALIDATION`. */
  readonly code?: string
  /** The reason phrase of the status. */
  readonly error: string
  /** The error message. */
  readonly message: string
}

/** Problem details (RFC 9457), which the framework sends if the app has the option `problemDetails`. */
export interface Problem {
  /** A URI that identifies the kind of problem, or `about:blank`. */
  readonly type: string
  /** A summary of the kind of problem. */
  readonly title: string
  /** The status. */
  readonly status: number
  /** A description of this problem. */
  readonly detail?: string
  /** The path of the request. */
  readonly instance: string
  /** The code of the error, as in `CLO_ERR_VALIDATION`. */
  readonly code?: string
  /** The violations of an invalid request. */
  readonly errors?: readonly {
    /** The part of the request. */
    readonly part: string
    /** The JSON pointer to the value (RFC 6901). */
    readonly pointer: string
    /** The violated keyword of JSON Schema. */
    readonly keyword: string
    /** A description of the violation. */
    readonly message: string
  }[]
}

/** Header values by name; `undefined` sets none. */
export type HeaderValues = Readonly<Record<string, string | number | undefined>>

/** Settings of `fetch` that the client passes on, such as `signal` and `credentials`. */
export interface FetchSettings extends Omit<RequestInit, 'method' | 'headers' | 'body'> {}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type Class<First extends 1 | 2 | 3 | 4 | 5> = `${First}${Digit}${Digit}` extends `${infer N extends number}`
  ? N
  : never

/** The statuses of each class; `default` contains all. */
interface Classes {
  '1xx': Class<1>
  '2xx': Class<2>
  '3xx': Class<3>
  '4xx': Class<4>
  '5xx': Class<5>
  default: Class<1> | Class<2> | Class<3> | Class<4> | Class<5>
}
type Success = Class<2> | '2xx'

/** The statuses for a key: a class excludes declared statuses, `default` excludes declared statuses and classes. */
type StatusOf<Key, Keys> = Key extends 'default'
  ? Exclude<Classes['default'], Keys | Classes[Keys & Exclude<keyof Classes, 'default'>]>
  : Key extends keyof Classes
    ? Exclude<Classes[Key], Keys>
    : Key

/** If a success is declared, `default` is only for failures. */
type OkOf<Key, Keys> = Key extends 'default'
  ? [Keys & Success] extends [never]
    ? boolean
    : false
  : Key extends Success
    ? true
    : false

/** A response. `status` and `ok` distinguish the replies of a route. */
export interface Reply<Status, Ok, Body> {
  /** The status, as a number. */
  readonly status: Status
  /** Whether the status is from 200 to 299. */
  readonly ok: Ok
  /** The headers. */
  readonly headers: Headers
  /**
   * JSON as a value, text as a string, `text/event-stream` as {@link Events}, lines and records of JSON as {@link
   * Items}, anything else as a stream of bytes; `undefined` if there is no body.
   */
  readonly body: Body
}

/** The replies of a route, from its table of statuses. */
export type Replies<Table> = {
  [Key in keyof Table]: Reply<StatusOf<Key, keyof Table>, OkOf<Key, keyof Table>, Table[Key]>
}[keyof Table]

/** The replies of a route in the table from `cloister types`. */
export type RepliesOf<Route> = Route extends { replies: infer Table } ? Replies<Table> : never

/** The body of the successful replies of a route. */
export type OkBodyOf<Route> = Extract<RepliesOf<Route>, { ok: true }>['body']

type Given<Route> = Omit<Route, 'replies' | 'headers' | 'content' | 'messages'>

/** The input of a call: params, query, headers and body, and settings of `fetch`. */
export type InputOf<Route> = Given<Route> &
  FetchSettings &
  HeadersOf<Route> &
  (Route extends { content: infer Content } ? Content : unknown)

/** Headers of a route. All are optional for a call, because the client may set them. */
type HeadersOf<Route> = Route extends { headers: infer Known }
  ? { readonly headers?: Partial<Known> & HeaderValues }
  : { readonly headers?: HeaderValues }

/** The arguments after the name of a route; optional if the route requires nothing. */
export type Arguments<Route> = {} extends InputOf<Route> ? [input?: InputOf<Route>] : [input: InputOf<Route>]

/** The input for opening a socket: its params and query, and the subprotocols to offer. */
export type SocketInput<Route> = Omit<Given<Route>, 'body'> & {
  readonly protocols?: string | string[]
}

/** The names of the WebSocket routes of a table. */
export type SocketNames<Api> = {
  [Name in keyof Api]: Api[Name] extends { messages: object } ? Name : never
}[keyof Api] &
  string

/** The socket of a route: it sends the incoming messages of the app, and receives the outgoing ones. */
export type SocketOf<Route> = Route extends { messages: { incoming: infer Sent; outgoing: infer Received } }
  ? ClientSocket<Sent, Received>
  : never

/** A HEAD route, with the replies of the GET route without their bodies. */
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
   * @throws the errors of `fetch`: a network error, or the reason of `signal`
   * @throws TypeError for a value that a path cannot contain (an empty one, `.` and `..`)
   * @typeParam Row - the row of the route. As a separate parameter it is looked up once the name is known; otherwise
   * the compiler computes the other types of a call for every row
   */
  <Name extends keyof Api & string, Row = Api[Name]>(
    route: Name,
    ...input: Arguments<Row>
  ): Promise<RepliesOf<Row>>
  /**
   * Opens the socket of a WebSocket route.
   *
   * @param route - method and path, as in `'GET /chat/:room'`
   * @throws TypeError if the target is not a URL, or the platform has no `WebSocket`
   */
  ws<Name extends SocketNames<Api>, Row = Api[Name]>(
    route: Name,
    ...input: {} extends SocketInput<Row> ? [input?: SocketInput<Row>] : [input: SocketInput<Row>]
  ): SocketOf<Row>
}
