/** What is used of a client of `ioredis`. */
export interface IoredisClient {
  /** Sends a command. */
  call(command: string, ...args: string[]): Promise<unknown>
  /** Creates a client with the same options and others. */
  duplicate(override: { enableOfflineQueue: true; autoResubscribe: true }): IoredisSubscriber
}

/** What is used of a second client of `ioredis`. */
export interface IoredisSubscriber {
  /** Subscribes to a channel. */
  subscribe(...channels: string[]): Promise<unknown>
  /** Ends a subscription. */
  unsubscribe(...channels: string[]): Promise<unknown>
  /** Adds a listener. */
  on(event: string, listener: (channel: string) => void): unknown
  /** Closes the connection. */
  disconnect(): void
}

/** What is used of a client of `redis` (node-redis). */
export interface NodeRedisClient {
  /** Sends a command. */
  sendCommand(args: string[]): Promise<unknown>
  /** Creates a client with the same options. */
  duplicate(): NodeRedisSubscriber
}

/** What is used of a second client of `redis`. */
export interface NodeRedisSubscriber {
  /** Opens the connection. */
  connect(): Promise<unknown>
  /** Subscribes to a channel. */
  subscribe(channel: string, listener: () => void): Promise<unknown>
  /** Ends a subscription. */
  unsubscribe(channel: string): Promise<unknown>
  /** Adds a listener. */
  on(event: string, listener: () => void): unknown
  /** Closes the connection; up to 4.x it is called `disconnect`. */
  destroy?(): unknown
  /** Closes the connection. */
  disconnect?(): unknown
}

/** A client of `ioredis` or `redis`, for Redis 6.2 or later, or Valkey. */
export type RedisClient = IoredisClient | NodeRedisClient
