import { randomUUID } from 'node:crypto'

import { cursorOf, emptyPage, isGone } from '../cursor.ts'
import { takeResult } from '../gcra.ts'
import { assertStateOptions, guardState, STATE_RULES } from '../guarded-state.ts'
import { RULES } from '../options.ts'
import type {
  KeepOptions,
  LogEntry,
  LogPage,
  PutOptions,
  State,
  StateEntry,
  StateOptions,
  TakeResult,
  TakeRule,
} from '../types.ts'
import { assertClient, RedisCommands, RedisWaking, type RedisClient } from './client.ts'
import { APPEND, DELETE, GET, PUT, READ, TAKE } from './scripts.ts'

/** Options of {@link redisState}. */
export interface RedisStateOptions extends StateOptions {
  /**
   * The beginning of all keys and channels.
   *
   * @default 'cloister:'
   */
  readonly prefix?: string
}

/**
 * Creates a state in Valkey or Redis 6.2 or later, with the client of the app. Each operation is one script with one
 * key. Time is that of the store. A failover may lose the last writes, as Redis replicates later: the next append to a
 * log begins it anew, and its readers get `gone`. So does one after a restart.
 *
 * @param client - of `ioredis` or `redis`; without an offline queue, so that requests fail at once while the store is
 *   down
 * @throws {@link StateError} `CLO_ERR_STATE_OPTION`
 *
 * @example
 * ```ts fragment
 * import { redisState } from '@cloister/state'
 * import { Redis } from 'ioredis'
 *
 * const redis = new Redis(process.env.REDIS_URL, { enableOfflineQueue: false })
 * const state = redisState(redis, { prefix: 'shop:' })
 * ```
 */
export function redisState(client: RedisClient, options: RedisStateOptions = {}): State {
  assertClient(client)
  assertStateOptions(options, { ...STATE_RULES, prefix: RULES.text })
  const { deadlineMs, prefix = 'cloister:' } = options
  return guardState(new RedisStore(client, prefix), deadlineMs === undefined ? {} : { deadlineMs })
}

class RedisStore implements State {
  readonly #commands: RedisCommands
  readonly #waking: RedisWaking
  readonly #prefix: string

  constructor(client: RedisClient, prefix: string) {
    this.#commands = new RedisCommands(client)
    this.#waking = new RedisWaking(client)
    this.#prefix = prefix
  }

  async ready(): Promise<void> {
    // Fails where the client may not run scripts, and on a replica, which takes no writes.
    await this.#commands.run(DELETE, `${this.#prefix}ready`)
  }

  async get(key: string): Promise<StateEntry | null> {
    const found = await this.#commands.run(GET, this.#value(key))
    const [value, version] = texts(found)
    return value === undefined || version === undefined ? null : { value, version }
  }

  async put(key: string, value: string, { ttlMs, if: condition }: PutOptions): Promise<string | null> {
    const version = randomUUID()
    const wanted = typeof condition === 'object' ? `=${condition.version}` : (condition ?? '')
    const done = await this.#commands.run(PUT, this.#value(key), value, version, String(ttlMs), wanted)
    return done === 1 ? version : null
  }

  async delete(key: string, version?: string): Promise<boolean> {
    const args = version === undefined ? [] : [version]
    return (await this.#commands.run(DELETE, this.#value(key), ...args)) === 1
  }

  async take(key: string, cost: number, rule: TakeRule): Promise<TakeResult> {
    const args = [cost, rule.max, rule.perMs].map(String)
    const taken = await this.#commands.run(TAKE, `${this.#prefix}limit:${key}`, ...args)
    const [allowed, freeAt, now] = texts(taken)
    return takeResult(allowed === '1', Number(freeAt), Number(now), cost, rule)
  }

  async append(log: string, value: string, { count, ms }: KeepOptions): Promise<string> {
    const args = [value, String(count), String(ms), this.#channel(log)]
    return String(await this.#commands.run(APPEND, this.#log(log), ...args))
  }

  async read(log: string, after: string | null, limit: number): Promise<LogPage> {
    const cursor = after === null ? null : cursorOf(after)
    const args = cursor === null ? [] : [String(cursor.epoch), String(cursor.number)]
    const reply = await this.#commands.run(READ, this.#log(log), String(limit), ...args)
    const page: readonly unknown[] = Array.isArray(reply) ? reply : []
    const [last, oldest, found] = page
    const head = cursorOf(String(last))
    if (head === null) return emptyPage(after)
    const first = cursorOf(String(oldest))?.number ?? head.number + 1
    return { entries: entriesOf(found), gone: isGone(after, head, first), last: String(last) }
  }

  wake(log: string, listener: () => void): Promise<() => void> {
    return this.#waking.add(this.#channel(log), listener)
  }

  close(): Promise<void> {
    return this.#waking.close()
  }

  #value(key: string): string {
    return `${this.#prefix}value:${key}`
  }

  #log(log: string): string {
    return `${this.#prefix}log:${log}`
  }

  #channel(log: string): string {
    return `${this.#prefix}wake:${log}`
  }
}

function texts(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

function entriesOf(reply: unknown): LogEntry[] {
  if (!Array.isArray(reply)) return []
  return reply.map(([id, fields]: [unknown, unknown[]]) => ({ id: String(id), value: String(fields[1]) }))
}
