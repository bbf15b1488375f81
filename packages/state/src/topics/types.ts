import type { Infer, InferReply, ParamsOf } from 'cloister'

import type { KeepOptions, State } from '../types.ts'

/** What a subscription yields. Pass it to `sse`, which writes each kind as it is. */
export type TopicEvent<Data> = TopicMessage<Data> | TopicGap | TopicMark

/** A published payload. */
export interface TopicMessage<Data> {
  /** The kind. */
  readonly event: 'message'
  /** The cursor behind this message, for `after`. */
  readonly id: string
  /** The payload. It is frozen, because all subscriptions of the process share it. */
  readonly data: Data
}

/** Messages may be missing here: the cursor is too old, or of another topic, or the store lost them. */
export interface TopicGap {
  /** The kind. */
  readonly event: 'gap'
  /** A gap has no cursor. */
  readonly id?: never
  /** A gap has no payload. */
  readonly data?: never
}

/** A cursor alone: the first item of a new subscription, and after many messages that `where` refuses. */
export interface TopicMark {
  /** A mark has no kind, so that clients of event streams keep the id and see no event. */
  readonly event?: never
  /** The cursor, for `after`. */
  readonly id: string
  /** A mark has no payload. */
  readonly data?: never
}

/** How a subscription begins and ends, and what it yields. */
export interface SubscribeOptions<Data> {
  /**
   * The id of the last event that the subscriber has, such as `request.lastEventId`; what came later is read from the
   * log. An id that is not of this topic and these parameters yields a gap, and then what is kept.
   */
  readonly after?: string | null | undefined
  /**
   * Where a subscription without `after` begins: with the next message, or with the oldest that is kept.
   *
   * @default 'now'
   */
  readonly from?: 'now' | 'oldest'
  /**
   * Ends the subscription: `request.signal`, `socket.signal`. Without it, the subscription of a client that has left
   * ends with the next message.
   */
  readonly signal?: AbortSignal | undefined
  /** Whether the subscriber may have a message. Other messages are skipped. */
  readonly where?: (data: Data) => boolean | Promise<boolean>
}

/** The parameters of a topic, by the names in its name: `:symbol`. */
export type TopicParams<Name extends string> = {
  readonly [K in keyof ParamsOf<Name>]: string | number
}

/** A topic in documents: what a client has to know beside the schema of its messages. */
export interface TopicDescription {
  /** The name, with parameters. */
  readonly topic: string
  /** The names of the parameters. Each set of values has a log of its own. */
  readonly parameters: readonly string[]
  /** How much of each log is kept, for clients that come back. */
  readonly keep: KeepOptions
}

/** A declared topic. Each set of parameters has a log of its own. */
export interface Topic<Name extends string = string, In = unknown, Out = unknown, Schema = unknown> {
  /** The name, with parameters. */
  readonly name: Name
  /** The schema of the payload, as it was given: for the routes that send or receive it. */
  readonly schema: Schema
  /**
   * Appends a payload to the log. It is validated, without coercion, and has only what the schema declares.
   *
   * @returns the id of the event
   * @throws {@link TopicError} `CLO_ERR_TOPIC_PAYLOAD`, `CLO_ERR_TOPIC_PARAMS`: nothing was published
   * @throws {@link StateError} when the store fails: the payload may have been published or not
   */
  publish(params: TopicParams<Name>, payload: In): Promise<string>
  /**
   * Yields the events of the log in their order, as fast as they are read. The first read subscribes. Returns when the
   * signal is aborted or the app closes.
   *
   * @throws {@link TopicError} `CLO_ERR_TOPIC_PARAMS`, `CLO_ERR_TOPIC_FILTER`
   * @throws {@link StateError} when the store fails for longer than `outageMs`
   */
  subscribe(params: TopicParams<Name>, options?: SubscribeOptions<Out>): AsyncGenerator<TopicEvent<Out>, void>
  /** Describes the topic, for documents and `app.explain`. */
  toJSON(): TopicDescription
}

/** The options of one topic. */
export interface TopicOptions<Schema> {
  /** The schema of the payload: JSON Schema, which may refer to shared schemas, or a Standard Schema. */
  readonly schema: Schema
  /** How much of each log is kept. By default as the plugin says. */
  readonly keep?: KeepOptions
}

/** Options of the plugin. */
export interface TopicsOptions {
  /** Where the logs are. */
  readonly state: State
  /**
   * How much of each log is kept, for subscribers that are slow or come back.
   *
   * @default { count: 1000, ms: 600_000 }
   */
  readonly keep?: KeepOptions
  /**
   * How often a log is read without a signal from the store, in milliseconds: signals may be lost.
   *
   * @default 10_000
   */
  readonly pollMs?: number
  /**
   * How long subscriptions wait while the store fails, in milliseconds; then they reject.
   *
   * @default 10_000
   */
  readonly outageMs?: number
}

/**
 * Declares a topic, at boot. Its schema may refer to shared schemas of the context that has the plugin.
 *
 * @throws {@link TopicError} `CLO_ERR_TOPIC_OPTION`
 */
export type DeclareTopic = <const Name extends string, const Schema>(
  name: Name,
  options: TopicOptions<Schema>,
) => Topic<Name, InferReply<Schema>, Infer<Schema>, Schema>
