import type { compile as replaced } from '../codegen/compile.ts'

/** Whether text may become code: workers forbid it. */
export function canCompile(): boolean {
  return false
}

/** @throws TypeError always: the tiers ask `canCompile` before */
export const compile: typeof replaced = () => {
  throw new TypeError('the build for workers makes no code of text')
}
