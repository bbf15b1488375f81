// Ways to wait without a clock, and timers.
import { vi } from 'vitest'

/** Resolves in the next turn of the event loop. */
export function tick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** Returns a promise that stays pending. */
export function never(): Promise<never> {
  return new Promise(() => {})
}

/** A promise and the function that resolves it. */
export interface Gate<T> {
  readonly promise: Promise<T>
  open(value: T): void
}

/** Creates a gate: tests wait for its promise, and code under test opens it. */
export function createGate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => {
    open = resolve
  })
  return { promise, open: (value) => open(value) }
}

/**
 * Counts the timers with one delay that run from now on: other code of the process may start its own.
 * `vi.restoreAllMocks()` ends it.
 */
export function watchTimers(ms: number): { started(): number; running(): number } {
  const starts = vi.spyOn(globalThis, 'setTimeout')
  const stops = vi.spyOn(globalThis, 'clearTimeout')
  const all = (): unknown[] =>
    starts.mock.results.flatMap(({ value }, index) => (starts.mock.calls[index]?.[1] === ms ? [value] : []))
  return {
    started: () => all().length,
    running: () => all().filter((one) => !stops.mock.calls.some(([timer]) => timer === one)).length,
  }
}
