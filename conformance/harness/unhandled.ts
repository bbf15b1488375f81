// Rejections and exceptions that nothing has handled: outside of tests they end the process.
import { afterAll, beforeAll } from 'vitest'

/** Collects them in a list while the tests of this file or suite run. */
export function collectUnhandled(): unknown[] {
  const seen: unknown[] = []
  const note = (error: unknown): void => void seen.push(error)
  beforeAll(() => {
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
  })
  afterAll(() => {
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
  })
  return seen
}
