import { createHash } from 'node:crypto'

import { StateError } from '../errors.ts'

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

/** Sends commands and scripts through the client of the app. */
export class RedisCommands {
  readonly #client: RedisClient
  readonly #hashes = new Map<string, string>()

  constructor(client: RedisClient) {
    this.#client = client
  }

  send(command: string, ...args: string[]): Promise<unknown> {
    const client = this.#client
    return 'call' in client ? client.call(command, ...args) : client.sendCommand([command, ...args])
  }

  /** Runs a script by its hash; sends its text if the store does not have it. */
  async run(script: string, key: string, ...args: string[]): Promise<unknown> {
    const hash = this.#hashes.get(script) ?? createHash('sha1').update(script).digest('hex')
    this.#hashes.set(script, hash)
    try {
      return await this.send('EVALSHA', hash, '1', key, ...args)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return this.send('EVAL', script, '1', key, ...args)
    }
  }
}

/** Hears of messages in channels, over one connection of its own. */
export class RedisWaking {
  readonly #client: RedisClient
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #subscribed = new Set<string>()
  #subscriber: Promise<Subscriber> | null = null
  #work: Promise<void> = Promise.resolve()

  constructor(client: RedisClient) {
    this.#client = client
  }

  async add(channel: string, listener: () => void): Promise<() => void> {
    const own = (): void => listener()
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(own))
    const remove = (): void => {
      listeners.delete(own)
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return
      this.#listeners.delete(channel)
      this.#settle(channel).catch(() => {})
    }
    try {
      await this.#settle(channel)
    } catch (error) {
      remove()
      throw error
    }
    return remove
  }

  /** Subscribes to a channel that has listeners, or unsubscribes, one after the other. */
  #settle(channel: string): Promise<void> {
    const next = this.#work.then(async () => {
      const isWanted = this.#listeners.has(channel)
      if (isWanted === this.#subscribed.has(channel)) return
      this.#subscriber ??= this.#open()
      const subscriber = await this.#subscriber
      await (isWanted ? subscriber.subscribe(channel) : subscriber.unsubscribe(channel))
      if (isWanted) this.#subscribed.add(channel)
      else this.#subscribed.delete(channel)
    })
    this.#work = next.catch(() => {})
    return next
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    this.#subscribed.clear()
    const opened = this.#subscriber
    this.#subscriber = null
    await opened?.then(
      (subscriber) => subscriber.disconnect(),
      () => {},
    )
  }

  #open(): Promise<Subscriber> {
    const wake = (channel: string): void => {
      for (const listener of this.#listeners.get(channel) ?? []) listener()
    }
    // What was appended while the connection was broken is read now.
    const wakeAll = (): void => {
      for (const channel of this.#listeners.keys()) wake(channel)
    }
    const opened =
      'call' in this.#client
        ? ofIoredis(this.#client, wake, wakeAll)
        : ofNodeRedis(this.#client, wake, wakeAll)
    // The next call tries again.
    opened.catch(() => {
      if (this.#subscriber === opened) this.#subscriber = null
    })
    return opened
  }
}

interface Subscriber {
  subscribe(channel: string): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  disconnect(): void
}

async function ofIoredis(
  client: IoredisClient,
  wake: (channel: string) => void,
  wakeAll: () => void,
): Promise<Subscriber> {
  const subscriber = client.duplicate({ enableOfflineQueue: true, autoResubscribe: true })
  subscriber.on('message', wake)
  subscriber.on('ready', wakeAll)
  // A broken connection fails the operations of the app's client, which report it.
  subscriber.on('error', () => {})
  return subscriber
}

async function ofNodeRedis(
  client: NodeRedisClient,
  wake: (channel: string) => void,
  wakeAll: () => void,
): Promise<Subscriber> {
  const subscriber = client.duplicate()
  subscriber.on('ready', wakeAll)
  subscriber.on('error', () => {})
  await subscriber.connect()
  return {
    subscribe: (channel) => subscriber.subscribe(channel, () => wake(channel)),
    unsubscribe: (channel) => subscriber.unsubscribe(channel),
    disconnect: () => void (subscriber.destroy ?? subscriber.disconnect)?.call(subscriber),
  }
}

/** @throws StateError `CLO_ERR_STATE_OPTION` for an object that is no client */
export function assertClient(client: unknown): asserts client is RedisClient {
  const isClient =
    typeof client === 'object' && client !== null && ('call' in client || 'sendCommand' in client)
  if (isClient) return
  throw new StateError('CLO_ERR_STATE_OPTION', "redisState needs a client of 'ioredis' or 'redis'")
}
