import { builtin } from '../builtin.ts'

/** See `node:async_hooks`; without it there is no context that could be lost. */
export const AsyncResource: unknown = builtin('node:async_hooks')?.['AsyncResource'] ?? {
  bind: (fn: unknown) => fn,
}
