import { setTimeout as sleep } from 'node:timers/promises'

import { StateError } from './errors.ts'
import { assertValue, check, storedKey } from './keys.ts'
import { isRecord, problemOf, rule, RULES, type Rules } from './options.ts'
import type { State, StateOptions } from './types.ts'

/** The rules of options that all states have. */
export const STATE_RULES: Rules = { deadlineMs: RULES.timer }

const VERSION = rule('a version, or undefined', (value) => value === undefined || RULES.text.accepts(value))
const CONDITION = rule(
  "'absent', or { version } with a text",
  (value) =>
    value === undefined || value === 'absent' || (isRecord(value) && RULES.text.accepts(value['version'])),
)

const MAX_ENTRIES = 1000
/** How long a store that is not ready rests, in milliseconds. */
const RETRY_MS = 50

/** @throws StateError `CLO_ERR_STATE_OPTION` for an unknown, wrong or missing option */
export function assertStateOptions(given: unknown, rules: Rules): void {
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
  return guarded(store, options.deadlineMs)
}

/** Guards a store, by options that were checked. */
export function guarded(store: State, deadlineMs: number = 2000): State {
  const within = <T>(operation: string, run: () => Promise<T>): Promise<T> =>
    runWithin(deadlineMs, operation, run)
  return {
    ready: () => within('ready', () => untilReady(store, performance.now() + deadlineMs / 2)),
    get: (key) => within('get', () => store.get(storedKey(key))),
    put: (key, value, options) =>
      within('put', () => {
        assertValue(value)
        check('ttlMs', RULES.ms, options.ttlMs)
        check('if', CONDITION, options.if)
        return store.put(storedKey(key), value, options)
      }),
    delete: (key, version) =>
      within('delete', () => {
        check('version', VERSION, version)
        return store.delete(storedKey(key), version)
      }),
    take: (key, cost, given) =>
      within('take', () => {
        check('cost', RULES.count, cost)
        check('rule.max', RULES.count, given.max)
        check('rule.perMs', RULES.ms, Math.ceil(given.perMs))
        return store.take(storedKey(key), cost, given)
      }),
    append: (log, value, keep) =>
      within('append', () => {
        assertValue(value)
        check('keep.count', RULES.count, keep.count)
        check('keep.ms', RULES.ms, keep.ms)
        return store.append(storedKey(log), value, keep)
      }),
    read: (log, after, limit) =>
      within('read', () => {
        check('limit', RULES.count, limit)
        return store.read(storedKey(log), after, Math.min(limit, MAX_ENTRIES))
      }),
    wake(log, listener) {
      let isLate = false
      return within('wake', async () => {
        const stop = await store.wake(storedKey(log), listener)
        if (isLate) stop()
        return stop
      }).catch((error: unknown) => {
        isLate = true
        throw error
      })
    },
    close: () => within('close', () => store.close()),
  }
}

/** A client that connects, and a store that starts beside the app, take a moment. */
async function untilReady(store: State, until: number): Promise<void> {
  try {
    await store.ready()
  } catch (error) {
    if (error instanceof StateError || performance.now() > until) throw error
    await sleep(RETRY_MS)
    await untilReady(store, until)
  }
}

async function runWithin<T>(ms: number, operation: string, run: () => Promise<T>): Promise<T> {
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
