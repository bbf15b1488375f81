import { randomUUID } from 'node:crypto'

import { cursorOf, cursorText, pageOf } from './cursor.ts'
import { StateError } from './errors.ts'
import { decideTake, takeResult } from './gcra.ts'
import { assertStateOptions, guarded, STATE_RULES } from './guarded-state.ts'
import { RULES } from './options.ts'
import type { LogEntry, State, StateEntry, StateOptions } from './types.ts'
import { Listeners } from './waking.ts'

/** Options of {@link memoryState}. */
export interface MemoryStateOptions extends StateOptions {
  /**
   * The most keys, and the most logs. More are refused (`CLO_ERR_STATE_FULL`); of `take`, the key that was used the
   * longest ago is forgotten instead.
   *
   * @default 100_000
   */
  readonly maxKeys?: number
  /** A clock in milliseconds that does not go back, for tests. */
  readonly now?: () => number
}

/**
 * Creates a state in the memory of this process: for one process, and for tests.
 *
 * @throws {@link StateError} `CLO_ERR_STATE_OPTION`
 *
 * @example
 * ```ts
 * import { memoryState } from '@cloister/state'
 *
 * const state = memoryState()
 * await state.put('greeting', 'hello', { ttlMs: 60_000 })
 * ```
 */
export function memoryState(options: MemoryStateOptions = {}): State {
  assertStateOptions(options, { ...STATE_RULES, maxKeys: RULES.count, now: RULES.fn })
  const { deadlineMs, maxKeys = 100_000, now = () => performance.now() } = options
  const store = {
    ready: async () => {},
    ...memoryValues(maxKeys, now),
    ...memoryLogs(maxKeys, now),
  }
  return guarded(store, deadlineMs)
}

interface Expiring {
  readonly expires: number
}

interface Log extends Expiring {
  readonly epoch: number
  readonly last: number
  /** those with the numbers up to the last one */
  readonly entries: (LogEntry & { readonly at: number })[]
}

/** Returns what a key has; removes it if it has expired. */
function alive<T extends Expiring>(map: Map<string, T>, key: string, now: number): T | undefined {
  const found = map.get(key)
  if (found === undefined || found.expires > now) return found
  map.delete(key)
  return undefined
}

/** @throws StateError `CLO_ERR_STATE_FULL` if a map is full of keys that have not expired */
function makeRoom(map: Map<string, Expiring>, maxKeys: number, now: number): void {
  if (map.size < maxKeys) return
  for (const [key, { expires }] of map) if (expires <= now) map.delete(key)
  if (map.size < maxKeys) return
  const message = `the memory of the state has ${maxKeys} keys; use a store, or a greater 'maxKeys'`
  throw new StateError('CLO_ERR_STATE_FULL', message)
}

function memoryValues(maxKeys: number, clock: () => number): Pick<State, 'get' | 'put' | 'delete' | 'take'> {
  const values = new Map<string, StateEntry & Expiring>()
  const freeAt = new Map<string, number>()
  return {
    async get(key) {
      const kept = alive(values, key, clock())
      return kept === undefined ? null : { value: kept.value, version: kept.version }
    },

    async put(key, value, { ttlMs, if: condition }) {
      const now = clock()
      const kept = alive(values, key, now)
      if (condition === 'absent' && kept !== undefined) return null
      if (typeof condition === 'object' && kept?.version !== condition.version) return null
      if (kept === undefined) makeRoom(values, maxKeys, now)
      const version = randomUUID()
      values.set(key, { value, version, expires: now + ttlMs })
      return version
    },

    async delete(key, version) {
      const kept = alive(values, key, clock())
      if (kept === undefined || (version !== undefined && kept.version !== version)) return false
      return values.delete(key)
    },

    async take(key, cost, rule) {
      const now = clock()
      const taken = decideTake(freeAt.get(key), now, cost, rule)
      freeAt.delete(key)
      freeAt.set(key, taken.freeAt)
      const [oldest] = freeAt.keys()
      if (freeAt.size > maxKeys && oldest !== undefined) freeAt.delete(oldest)
      return takeResult(taken.allowed, taken.freeAt, now, cost, rule)
    },
  }
}

function memoryLogs(maxKeys: number, clock: () => number): Pick<State, 'append' | 'read' | 'wake' | 'close'> {
  const logs = new Map<string, Log>()
  const listeners = new Listeners()
  let epochs = Date.now()
  return {
    async append(name, value, { count, ms }) {
      const now = clock()
      const known = alive(logs, name, now)
      if (known === undefined) makeRoom(logs, maxKeys, now)
      const begun: Omit<Log, 'expires'> = known ?? { epoch: ++epochs, last: 0, entries: [] }
      const { epoch, last, entries } = begun
      const id = cursorText({ epoch, number: last + 1 })
      logs.set(name, { epoch, last: last + 1, expires: now + ms, entries })
      entries.push({ id, value, at: now })
      const firstYoung = entries.findIndex(({ at }) => at > now - ms)
      entries.splice(0, Math.max(firstYoung, entries.length - count))
      queueMicrotask(() => listeners.wake(name))
      return id
    },

    async read(name, after, limit) {
      const log = alive(logs, name, clock())
      if (log === undefined) return pageOf(after, null, 1, [])
      const { epoch, last, entries } = log
      const first = last - entries.length + 1
      const page = pageOf(after, { epoch, number: last }, first, [])
      const from = after === null || page.gone ? 0 : (cursorOf(after)?.number ?? 0) + 1 - first
      return { ...page, entries: entries.slice(from, from + limit).map(({ id, value }) => ({ id, value })) }
    },

    wake: async (log, listener) => listeners.add(log, listener),
    close: async () => listeners.clear(),
  }
}
