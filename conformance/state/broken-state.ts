import { guardState, type State } from '@cloister/state'

/** A state that a test can let fail, or let respond late. */
export interface BrokenState {
  readonly state: State
  fails: boolean
}

/** Wraps a state. */
export function brokenState(inner: State): BrokenState {
  const attempt = <T>(run: () => Promise<T>): Promise<T> =>
    broken.fails ? Promise.reject(new Error('the store is down')) : run()
  const broken: BrokenState = {
    fails: false,
    state: guardState({
      ready: () => attempt(() => inner.ready()),
      get: (key) => attempt(() => inner.get(key)),
      put: (key, value, options) => attempt(() => inner.put(key, value, options)),
      delete: (key, version) => attempt(() => inner.delete(key, version)),
      take: (key, cost, rule) => attempt(() => inner.take(key, cost, rule)),
      append: (log, value, keep) => attempt(() => inner.append(log, value, keep)),
      read: (log, after, limit) => attempt(() => inner.read(log, after, limit)),
      wake: (log, listener) => attempt(() => inner.wake(log, listener)),
      close: () => inner.close(),
    }),
  }
  return broken
}
