import type { compileWhenIdle as replaced } from '../boot/compile-when-idle.ts'

/** Nothing waits for idle time: a worker makes no code of text, and has no time between requests. */
export const compileWhenIdle: typeof replaced = () => {}
