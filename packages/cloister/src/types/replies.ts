import type { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import type { FullSchema, InferIn, Scope, WrittenAs } from './infer-schema.ts'

/** The fields of a server-sent event. `data` matches the schema of the route. */
export interface EventFields<Data> {
  /** The data, serialized with the schema of the route. Without data, an event with a type has empty data. */
  readonly data?: Data
  /** The type of the event. Clients treat an event without one as a `message`. */
  readonly event?: string
  /** The id of the event. A client that reconnects sends it as `Last-Event-ID`, available as `request.lastEventId`. */
  readonly id?: string | number
  /** The milliseconds that a client waits before it reconnects. */
  readonly retry?: number
  /** A comment, which clients ignore. */
  readonly comment?: string
}

/** An event created by `sse`. Any other value that a handler yields is the data of an event. */
export interface ServerSentEvent<Data = unknown> {
  /** The arguments of `sse`. */
  readonly fields: EventFields<Data>
  /** the lines of all fields except the data */
  readonly head: string
}

// Payloads by media type, for responses with a `content` map.

declare const byType: unique symbol

/** The payloads of one status by media type. */
export interface ByType<Payloads> {
  readonly [byType]: Payloads
}

/** The payloads that may be sent before a media type is set: those of all media types. */
export type OfAnyType<Payload> = Payload extends ByType<infer Payloads> ? Payloads[keyof Payloads] : Payload

/** The payloads that may be sent with a media type. */
export type OfType<Payload, Type> =
  Payload extends ByType<infer Payloads> ? Payloads[TypeKey<Type, keyof Payloads> & keyof Payloads] : Payload

type TypeKey<Type, Keys> = Type extends Keys
  ? Type
  : Type extends `${infer Name};${string}`
    ? TypeKey<Name, Keys>
    : Type extends `${infer Name} `
      ? TypeKey<Name, Keys>
      : '*/*'

/** The media types that may be set: those of a `content` map, with parameters. Without a map, any. */
export type TypesOf<Payload> = [Payload] extends [ByType<unknown>] ? Declared<KeysOf<Payload>> : string
type KeysOf<Payload> = Payload extends ByType<infer Payloads> ? keyof Payloads & string : never
type Declared<Key extends string> = '*/*' extends Key
  ? string
  : Key | `${Key};${string}` | `${Key} ;${string}`

// Payloads by status. The keys of a map of replies are exact statuses, classes such as `2xx`, and `default`, in order
// of precedence. `{ default: unknown }` means that there is no response schema.

/** No response schema: any status and any payload. */
export interface AnyReplies {
  /** Any payload with any status. */
  readonly default: unknown
}

/** The payloads that a map of response schemas describes. */
export type RepliesOf<Response, Schemas> = {
  readonly [K in keyof Response as StatusKey<K>]: PayloadOf<Response[K], Schemas>
}

/** The status of an entry. Classes may be written in upper or lower case, and statuses as strings. */
export type StatusKey<K> = K extends `${infer N extends number}` ? N : K extends string ? Lowercase<K> : K

/** The payload of one entry: a schema, or one for each media type of a `content` map. */
export type PayloadOf<Entry, Schemas> = Entry extends { readonly content: infer Types }
  ? ByType<{
      [K in keyof Types]: Types[K] extends { readonly schema: infer S }
        ? WithItems<K, Written<S, Schemas>>
        : unknown
    }>
  : Written<Entry, Schemas>

// The values that a generator may yield, if the media type is a stream of items.
type WithItems<Type, Item> = Type extends 'text/event-stream'
  ? Item | AsyncIterable<Item | ServerSentEvent<Item>>
  : Type extends 'application/x-ndjson' | 'application/jsonl' | 'application/json-seq'
    ? Item | AsyncIterable<Item>
    : Item

type Written<T, Schemas> = keyof T extends 'description'
  ? unknown
  : FullSchema<T> extends infer S
    ? InferIn<S, Scope<Schemas, S, 'before'>>
    : never

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
type InClass<D extends string> = `${D}${Digit}${Digit}` extends `${infer N extends number}` ? N : never
type Classes = { [D in '1' | '2' | '3' | '4' | '5' as `${D}xx`]: InClass<D> }

/** The statuses that a map of replies allows: any with `default`, otherwise the declared ones. */
export type StatusOf<Replies> = 'default' extends keyof Replies ? number : DeclaredStatus<keyof Replies>
type DeclaredStatus<K> = K extends keyof Classes ? Classes[K] : K extends number ? K : never

/** The payload of a status; of any status if it is unknown. */
export type PayloadFor<Replies, Status extends number> = number extends Status
  ? Replies[keyof Replies]
  : Status extends keyof Replies
    ? Replies[Status]
    : ClassOf<Status> extends infer Class
      ? Class extends keyof Replies
        ? Replies[Class]
        : 'default' extends keyof Replies
          ? Replies['default']
          : never
      : never
type ClassOf<Status extends number> = `${Status}` extends `${infer D}${Digit}${Digit}` ? `${D}xx` : 'default'

/** The payload of a reply without a status: those of success statuses, otherwise `default`. */
export type SuccessPayload<Replies> = [SuccessKey<keyof Replies>] extends [never]
  ? 'default' extends keyof Replies
    ? Replies['default']
    : unknown
  : Replies[SuccessKey<keyof Replies> & keyof Replies]
type SuccessKey<K> = K extends number | string ? (`${K}` extends `2${string}` ? K : never) : never

/**
 * The payloads that are sent unchanged, without the response schema: streams, bytes, and their equivalents of the web
 * platform.
 */
export type RawPayload =
  | Readable
  | NodeJS.ReadableStream
  | ReadableStream
  | Uint8Array
  | ArrayBuffer
  | Blob
  | Response

/** The payloads that are allowed if `Payload` is declared: that payload, one that is sent unchanged, or an error. */
export type Sendable<Payload> = SendableOf<OfAnyType<Payload>>
type SendableOf<Payload> = Payload | WrittenAs<Payload> | RawPayload | Error

/** The arguments of `send`. They are optional if a response without a payload is valid. */
export type SendArgs<Payload> = SendArgsOf<OfAnyType<Payload>>
type SendArgsOf<Payload> = unknown extends Payload
  ? [payload?: unknown]
  : undefined extends Payload
    ? [payload?: SendableOf<Payload>]
    : null extends Payload
      ? [payload?: SendableOf<Payload>]
      : [payload: SendableOf<Payload>]
