import { StateError } from './errors.ts'
import { assertStateOptions } from './guarded-state.ts'
import { hashOf } from './keys.ts'
import { isRecord, MAX_MS, RULES } from './options.ts'
import type { State } from './types.ts'

/** Gets an error, or what a store has. */
export type StoreCallback<Value> = (error: Error | null, value?: Value) => void

/** A store for the option `store` of `@fastify/session`. */
export interface SessionStore {
  /** Reads a session. */
  get(id: string, done: StoreCallback<object | null>): void
  /** Writes a session. */
  set(id: string, session: object, done: StoreCallback<undefined>): void
  /** Removes a session. */
  destroy(id: string, done: StoreCallback<undefined>): void
}

/** Options of {@link sessionStore}. */
export interface SessionStoreOptions {
  /**
   * How long a session is kept whose cookie has no `maxAge`, in milliseconds.
   *
   * @default 86_400_000
   */
  readonly ttlMs?: number
}

/**
 * Creates a store for `@fastify/session`. A session expires with its cookie. The state has hashes of the ids, so that
 * who reads it can't take over a session.
 *
 * @throws {@link StateError} `CLO_ERR_STATE_OPTION`
 *
 * @example
 * ```ts fragment
 * import session from '@fastify/session'
 * import { memoryState, sessionStore } from '@cloister/state'
 *
 * app.register(session, { secret: process.env.SESSION_SECRET, store: sessionStore(memoryState()) })
 * ```
 */
export function sessionStore(state: State, options: SessionStoreOptions = {}): SessionStore {
  assertStateOptions(options, { ttlMs: RULES.ms })
  const { ttlMs = 86_400_000 } = options
  const keyOf = (id: string): string => `session:${hashOf(id)}`
  return {
    get(id, done) {
      const found = state.get(keyOf(id)).then((entry) => {
        const session: unknown = entry === null ? null : JSON.parse(entry.value)
        return isRecord(session) ? session : null
      })
      settle(found, done)
    },
    set(id, session, done) {
      const cookie: unknown = Reflect.get(session, 'cookie')
      // What is left of the time of a cookie with `expires`, too.
      const maxAge = isRecord(cookie) ? Math.ceil(Number(cookie['maxAge'])) : 0
      const text = JSON.stringify({ ...session })
      const kept = { ttlMs: maxAge >= 1 ? Math.min(maxAge, MAX_MS) : ttlMs }
      settle(state.put(keyOf(id), text, kept), (error) => done(error))
    },
    destroy(id, done) {
      settle(state.delete(keyOf(id)), (error) => done(error))
    },
  }
}

/** How much of a limit is used. */
export interface RateLimitUse {
  /** How many requests count; more than the limit for a refused one. */
  readonly current: number
  /** The milliseconds until a refused request would be allowed. */
  readonly ttl: number
}

/** A store for the option `store` of `@fastify/rate-limit`. */
export interface RateLimitStore {
  /** Counts a request. */
  incr(key: string, done: StoreCallback<RateLimitUse>, timeWindow: number, max: number): void
  /** Returns the store of a route. */
  child(options: object): RateLimitStore
}

/** Options of `@fastify/rate-limit` that no store with a steady flow can have. */
const UNSUPPORTED: Readonly<Record<string, (value: unknown) => boolean>> = {
  continueExceeding: (value) => value === true,
  exponentialBackoff: (value) => value === true,
  ban: (value) => typeof value === 'number' && value >= 0,
}

/**
 * Creates a store for `@fastify/rate-limit` 10.2 or later, over all processes. Requests become free again evenly (GCRA), not all at
 * once at the end of a window; so a client can't send twice the limit around it. The options `ban`, `continueExceeding`
 * and `exponentialBackoff` end the boot (`CLO_ERR_STATE_OPTION`).
 *
 * @example
 * ```ts fragment
 * import rateLimit from '@fastify/rate-limit'
 * import { memoryState, rateLimitStore } from '@cloister/state'
 *
 * app.register(rateLimit, { max: 100, timeWindow: '1 minute', store: rateLimitStore(memoryState()) })
 * ```
 */
export function rateLimitStore(state: State): new (options: object) => RateLimitStore {
  return class StateRateLimitStore implements RateLimitStore {
    readonly #route: string

    constructor(options: object, route: string = '') {
      // Earlier versions call `incr` with other arguments.
      if (!('exponentialBackoff' in options))
        throw new StateError('CLO_ERR_STATE_OPTION', 'rateLimitStore needs @fastify/rate-limit 10.2 or later')
      for (const [name, isSet] of Object.entries(UNSUPPORTED))
        if (isSet(Reflect.get(options, name)))
          throw new StateError('CLO_ERR_STATE_OPTION', `rateLimitStore can't have the option '${name}'`)
      this.#route = route
    }

    incr(key: string, done: StoreCallback<RateLimitUse>, timeWindow: number, max: number): void {
      if (max < 1) {
        done(null, { current: 1, ttl: timeWindow })
        return
      }
      const most = Math.trunc(max)
      const taken = state.take(`rate-limit:${JSON.stringify([this.#route, key])}`, 1, {
        max: most,
        perMs: timeWindow,
      })
      const use = taken.then(({ allowed, remaining, resetMs }) => ({
        current: allowed ? most - remaining : most + 1,
        ttl: Math.ceil(resetMs),
      }))
      settle(use, done)
    }

    child(options: object): RateLimitStore {
      const info: unknown = Reflect.get(options, 'routeInfo')
      const route = isRecord(info) ? `${String(info['method'])} ${String(info['url'])}` : ''
      return new StateRateLimitStore(options, route)
    }
  }
}

/** Calls back with what a promise comes to. What the callback throws is its own error, and not one of the state. */
function settle<Value>(promise: Promise<Value>, done: StoreCallback<Value>): void {
  promise.then(
    (value) => queueMicrotask(() => done(null, value)),
    (error: unknown) => queueMicrotask(() => done(error instanceof Error ? error : new Error(String(error)))),
  )
}
