import type { compileWhenIdle as replaced } from '../boot/compile-when-idle.ts'

/** Does nothing: a worker can't generate code, and has no time between requests. */
export const compileWhenIdle: typeof replaced = () => {}
