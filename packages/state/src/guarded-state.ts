import { setTimeout as sleep } from 'node:timers/promises'

import { StateError } from './errors.ts'
import { assertValue, invalid, storedKey } from './keys.ts'
import { problemOf, RULES, type Rule } from './options.ts'
import type {
  KeepOptions,
  LogPage,
  PutOptions,
  State,
  StateEntry,
  StateOptions,
  TakeResult,
  TakeRule,
} from './types.ts'

/** The rules of options that all states have. */
export const STATE_RULES: Readonly<Record<keyof StateOptions, Rule>> = { deadlineMs: RULES.ms }

const MOST_ENTRIES = 1000
/** How long a store that is not ready rests, in milliseconds. */
const RETRY_MS = 50

/** @throws StateError `CLO_ERR_STATE_OPTION` for an unknown option or a wrong value */
export function assertStateOptions(given: unknown, rules: Readonly<Record<string, Rule>>): void {
  const problem = problemOf(given, rules, '')
  if (problem !== null) throw new StateError('CLO_ERR_STATE_OPTION', problem)
}

/**
 * Gives a store what all states have: checked arguments, stored keys, a deadline for each operation, and errors with a
 * code. For authors of stores: the store implements the operations and nothing else.
 *
 * @example
 * ```ts
 * import { guardState, memoryState } from '@cloister/state'
 *
 * const state = guardState(memoryState(), { deadlineMs: 500 })
 * await state.put('key', 'value', { ttlMs: 1000 })
 * ```
 */
export function guardState(store: State, options: StateOptions = {}): State {
  assertStateOptions(options, STATE_RULES)
  return new GuardedState(store, options.deadlineMs ?? 2000)
}

class GuardedState implements State {
  readonly #store: State
  readonly #deadlineMs: number

  constructor(store: State, deadlineMs: number) {
    this.#store = store
    this.#deadlineMs = deadlineMs
  }

  ready(): Promise<void> {
    // A client that connects, and a store that starts beside the app, take a moment.
    const until = performance.now() + this.#deadlineMs / 2
    const attempt = async (): Promise<void> => {
      try {
        await this.#store.ready()
      } catch (error) {
        if (error instanceof StateError || performance.now() > until) throw error
        await sleep(RETRY_MS)
        await attempt()
      }
    }
    return this.#within('ready', attempt)
  }

  get(key: string): Promise<StateEntry | null> {
    return this.#within('get', () => this.#store.get(storedKey(key)))
  }

  put(key: string, value: string, options: PutOptions): Promise<string | null> {
    return this.#within('put', () => {
      assertValue(value)
      check('ttlMs', RULES.ms, options.ttlMs)
      return this.#store.put(storedKey(key), value, options)
    })
  }

  delete(key: string, version?: string): Promise<boolean> {
    return this.#within('delete', () => this.#store.delete(storedKey(key), version))
  }

  take(key: string, cost: number, rule: TakeRule): Promise<TakeResult> {
    return this.#within('take', () => {
      check('cost', RULES.count, cost)
      check('rule.max', RULES.count, rule.max)
      check('rule.perMs', RULES.ms, Math.ceil(rule.perMs))
      return this.#store.take(storedKey(key), cost, rule)
    })
  }

  append(log: string, value: string, keep: KeepOptions): Promise<string> {
    return this.#within('append', () => {
      assertValue(value)
      check('keep.count', RULES.count, keep.count)
      check('keep.ms', RULES.ms, keep.ms)
      return this.#store.append(storedKey(log), value, keep)
    })
  }

  read(log: string, after: string | null, limit: number): Promise<LogPage> {
    return this.#within('read', () => {
      check('limit', RULES.count, limit)
      return this.#store.read(storedKey(log), after, Math.min(limit, MOST_ENTRIES))
    })
  }

  wake(log: string, listener: () => void): Promise<() => void> {
    let isLate = false
    return this.#within('wake', async () => {
      const stop = await this.#store.wake(storedKey(log), listener)
      if (isLate) stop()
      return stop
    }).catch((error: unknown) => {
      isLate = true
      throw error
    })
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  async #within<T>(operation: string, run: () => Promise<T>): Promise<T> {
    const ms = this.#deadlineMs
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const message = `the store of the state did not finish '${operation}' within ${ms} ms`
        reject(new StateError('CLO_ERR_STATE_DEADLINE', message))
      }, ms)
    })
    try {
      return await Promise.race([run(), deadline])
    } catch (error) {
      if (error instanceof StateError) throw error
      const message = `the store of the state failed in '${operation}'`
      throw new StateError('CLO_ERR_STATE_FAILED', message, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
}

function check(name: string, { wanted, accepts }: Rule, value: unknown): void {
  if (!accepts(value)) throw invalid(name, wanted, value)
}
