import { randomUUID } from 'node:crypto'

import type { State } from '../types.ts'
import { drawFrom } from './histories.ts'
import { LOG_TESTS } from './log-tests.ts'
import { TOPIC_TESTS } from './topic-tests.ts'
import { VALUE_TESTS } from './value-tests.ts'

/** What {@link testState} needs. */
export interface StateSuite {
  /** Defines a test of your test runner: `test` of `node:test` or Vitest. */
  readonly test: (title: string, run: () => Promise<void>) => unknown
  /** Returns a state over the store; two calls return two states over one store. */
  readonly open: () => State | Promise<State>
  /**
   * Lets time go on, by the clock of the store.
   *
   * @default waits
   */
  readonly wait?: (ms: number) => Promise<void>
  /**
   * The seed of generated histories.
   *
   * @default 1
   */
  readonly seed?: number
  /**
   * How many histories are generated.
   *
   * @default 100
   */
  readonly histories?: number
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/**
 * Defines the tests that each state must pass: conditions, linearizability of generated concurrent histories, expiry,
 * sizes, strange keys, limits, the order of logs, `gone`, and topics over the logs.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryState } from '@cloister/state'
 * import { testState } from '@cloister/state/conformance'
 *
 * const store = memoryState()
 * testState({ test: (title, run) => test(title, run), open: () => store })
 * ```
 */
export function testState({ test, open, wait = sleep, seed = 1, histories = 100 }: StateSuite): void {
  for (const [title, run] of [...VALUE_TESTS, ...LOG_TESTS, ...TOPIC_TESTS])
    test(title, async () => {
      const states = [await open(), await open()] as const
      const prefix = randomUUID()
      let keys = 0
      const key = (): string => `${prefix}-${keys++}`
      await run({ states, key, wait, draw: drawFrom(seed), histories })
    })
}
