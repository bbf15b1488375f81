// Ways to wait without a clock.

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
