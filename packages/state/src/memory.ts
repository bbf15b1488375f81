import { randomUUID } from 'node:crypto'

import { cursorOf, cursorText, emptyPage, isGone } from './cursor.ts'
import { StateError } from './errors.ts'
import { decideTake, takeResult } from './gcra.ts'
import { assertStateOptions, guardState, STATE_RULES } from './guarded-state.ts'
import { RULES } from './options.ts'
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
} from './types.ts'

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
  return guardState(new MemoryStore(maxKeys, now), deadlineMs === undefined ? {} : { deadlineMs })
}

interface Kept extends StateEntry {
  readonly expires: number
}

interface Log {
  readonly epoch: number
  last: number
  expires: number
  entries: (LogEntry & { readonly number: number; readonly at: number })[]
}

class MemoryStore implements State {
  readonly #maxKeys: number
  readonly #now: () => number
  readonly #values = new Map<string, Kept>()
  readonly #freeAt = new Map<string, number>()
  readonly #logs = new Map<string, Log>()
  readonly #listeners = new Map<string, Set<() => void>>()
  #epoch = Date.now()

  constructor(maxKeys: number, now: () => number) {
    this.#maxKeys = maxKeys
    this.#now = now
  }

  async ready(): Promise<void> {}

  async get(key: string): Promise<StateEntry | null> {
    const kept = this.#alive(this.#values, key)
    return kept === undefined ? null : { value: kept.value, version: kept.version }
  }

  async put(key: string, value: string, { ttlMs, if: condition }: PutOptions): Promise<string | null> {
    const kept = this.#alive(this.#values, key)
    if (condition === 'absent' && kept !== undefined) return null
    if (typeof condition === 'object' && kept?.version !== condition.version) return null
    if (kept === undefined) this.#makeRoom(this.#values)
    const version = randomUUID()
    this.#values.set(key, { value, version, expires: this.#now() + ttlMs })
    return version
  }

  async delete(key: string, version?: string): Promise<boolean> {
    const kept = this.#alive(this.#values, key)
    if (kept === undefined || (version !== undefined && kept.version !== version)) return false
    return this.#values.delete(key)
  }

  async take(key: string, cost: number, rule: TakeRule): Promise<TakeResult> {
    const now = this.#now()
    const { allowed, freeAt } = decideTake(this.#freeAt.get(key), now, cost, rule)
    this.#freeAt.delete(key)
    this.#freeAt.set(key, freeAt)
    if (this.#freeAt.size > this.#maxKeys)
      for (const oldest of this.#freeAt.keys()) {
        this.#freeAt.delete(oldest)
        break
      }
    return takeResult(allowed, freeAt, now, cost, rule)
  }

  async append(name: string, value: string, keep: KeepOptions): Promise<string> {
    const now = this.#now()
    const log = this.#alive(this.#logs, name) ?? this.#begin(name)
    log.last += 1
    log.expires = now + keep.ms
    const id = cursorText({ epoch: log.epoch, number: log.last })
    log.entries.push({ id, value, number: log.last, at: now })
    const first = log.entries.findIndex(
      ({ number, at }) => number > log.last - keep.count && at > now - keep.ms,
    )
    if (first > 0) log.entries.splice(0, first)
    for (const listener of this.#listeners.get(name) ?? []) queueMicrotask(listener)
    return id
  }

  async read(name: string, after: string | null, limit: number): Promise<LogPage> {
    const log = this.#alive(this.#logs, name)
    if (log === undefined) return emptyPage(after)
    const { entries, last: number, epoch } = log
    const first = entries[0]?.number ?? number + 1
    const gone = isGone(after, { epoch, number }, first)
    const from = after === null || gone ? 0 : (cursorOf(after)?.number ?? 0) + 1 - first
    const page = entries.slice(from, from + limit).map(({ id, value }) => ({ id, value }))
    return { entries: page, gone, last: cursorText({ epoch, number }) }
  }

  async wake(log: string, listener: () => void): Promise<() => void> {
    const own = (): void => listener()
    const listeners = this.#listeners.get(log) ?? new Set()
    this.#listeners.set(log, listeners.add(own))
    return () => {
      listeners.delete(own)
      if (listeners.size === 0 && this.#listeners.get(log) === listeners) this.#listeners.delete(log)
    }
  }

  async close(): Promise<void> {
    this.#listeners.clear()
  }

  #begin(name: string): Log {
    this.#makeRoom(this.#logs)
    this.#epoch += 1
    const log: Log = { epoch: this.#epoch, last: 0, expires: 0, entries: [] }
    this.#logs.set(name, log)
    return log
  }

  #alive<T extends { readonly expires: number }>(map: Map<string, T>, key: string): T | undefined {
    const found = map.get(key)
    if (found === undefined || found.expires > this.#now()) return found
    map.delete(key)
    return undefined
  }

  #makeRoom(map: Map<string, { readonly expires: number }>): void {
    if (map.size < this.#maxKeys) return
    const now = this.#now()
    for (const [key, { expires }] of map) if (expires <= now) map.delete(key)
    if (map.size < this.#maxKeys) return
    const message = `the memory of the state has ${this.#maxKeys} keys; use a store, or a greater 'maxKeys'`
    throw new StateError('CLO_ERR_STATE_FULL', message)
  }
}
