import { randomUUID } from 'node:crypto'

import { cursorOf, pageOf } from '../cursor.ts'
import { takeResult } from '../gcra.ts'
import { assertStateOptions, guarded, STATE_RULES } from '../guarded-state.ts'
import { RULES } from '../options.ts'
import type { LogEntry, State, StateOptions } from '../types.ts'
import { Waking } from '../waking.ts'
import { assertClient, runScript, subscriberOf } from './client.ts'
import { APPEND, DELETE, GET, PUT, READ, TAKE, type Script } from './scripts.ts'
import type { RedisClient } from './types.ts'

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
  return guarded(redisStore(client, prefix), deadlineMs)
}

function redisStore(client: RedisClient, prefix: string): State {
  const run = (script: Script, key: string, ...args: readonly string[]): Promise<unknown> =>
    runScript(client, script, key, ...args)
  const waking = new Waking((listeners) => subscriberOf(client, listeners))
  const valueOf = (key: string): string => `${prefix}value:${key}`
  const logOf = (log: string): string => `${prefix}log:${log}`
  const channelOf = (log: string): string => `${prefix}wake:${log}`
  return {
    async ready() {
      // Fails where the client may not run scripts, and on a replica, which takes no writes.
      await run(DELETE, `${prefix}ready`)
    },

    async get(key) {
      const [value, version] = texts(await run(GET, valueOf(key)))
      return value === undefined || version === undefined ? null : { value, version }
    },

    async put(key, value, { ttlMs, if: condition }) {
      const version = randomUUID()
      const wanted = typeof condition === 'object' ? `=${condition.version}` : (condition ?? '')
      const done = await run(PUT, valueOf(key), value, version, String(ttlMs), wanted)
      return done === 1 ? version : null
    },

    async delete(key, version) {
      const args = version === undefined ? [] : [version]
      return (await run(DELETE, valueOf(key), ...args)) === 1
    },

    async take(key, cost, rule) {
      const args = [cost, rule.max, rule.perMs].map(String)
      const [allowed, freeAt, now] = texts(await run(TAKE, `${prefix}limit:${key}`, ...args))
      return takeResult(allowed === '1', Number(freeAt), Number(now), cost, rule)
    },

    async append(log, value, { count, ms }) {
      const args = [value, String(count), String(ms), channelOf(log)]
      return String(await run(APPEND, logOf(log), ...args))
    },

    async read(log, after, limit) {
      const cursor = after === null ? null : cursorOf(after)
      const args = cursor === null ? [] : [String(cursor.epoch), String(cursor.number)]
      const reply = await run(READ, logOf(log), String(limit), ...args)
      const page: readonly unknown[] = Array.isArray(reply) ? reply : []
      const [last, oldest, found] = page
      const head = cursorOf(String(last))
      const first = cursorOf(String(oldest))?.number ?? (head?.number ?? 0) + 1
      return pageOf(after, head, first, entriesOf(found))
    },

    wake: (log, listener) => waking.add(channelOf(log), listener),
    close: () => waking.close(),
  }
}

function texts(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

function entriesOf(reply: unknown): LogEntry[] {
  if (!Array.isArray(reply)) return []
  return reply.map(([id, fields]: [unknown, unknown[]]) => ({ id: String(id), value: String(fields[1]) }))
}
