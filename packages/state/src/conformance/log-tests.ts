import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'

import { LOG_START } from '../cursor.ts'
import type { LogEntry, State } from '../types.ts'
import type { SuiteTest } from './bench.ts'

const KEEP = { count: 100_000, ms: 600_000 }
const valuesOf = (entries: readonly LogEntry[]): string[] => entries.map(({ value }) => value)

/** Appends entries one after the other, and returns their ids. */
async function appendAll(
  state: State,
  log: string,
  values: readonly string[],
  keep = KEEP,
): Promise<string[]> {
  const ids: string[] = []
  for (const value of values) ids.push(await state.append(log, value, keep))
  return ids
}

/** Reads as a reader that follows a log does, until all is written and it is at the end. */
async function follow(state: State, log: string, isWritten: () => boolean): Promise<LogEntry[]> {
  const read: LogEntry[] = []
  let after: string | null = null
  let isAtEnd = false
  while (!isAtEnd) {
    const wasWritten = isWritten()
    const page = await state.read(log, after, 7)
    equal(page.gone, false)
    read.push(...page.entries)
    after = page.entries.at(-1)?.id ?? after
    isAtEnd = wasWritten && page.entries.length === 0
  }
  return read
}

/** The tests of logs. */
export const LOG_TESTS: readonly SuiteTest[] = [
  [
    'a log is read in pages, in the order of its appends',
    async ({ states: [one, two], key }) => {
      const log = key()
      for (const cursor of [null, LOG_START])
        deepEqual(await two.read(log, cursor, 10), { entries: [], gone: false, last: LOG_START })
      const ids = await appendAll(one, log, ['a', 'b', 'c', 'd', 'e'])
      equal(new Set(ids).size, 5)
      deepEqual(valuesOf((await two.read(log, LOG_START, 2)).entries), ['a', 'b'])
      const page = await two.read(log, null, 2)
      deepEqual(page.entries, [
        { id: ids[0], value: 'a' },
        { id: ids[1], value: 'b' },
      ])
      deepEqual([page.gone, page.last], [false, ids[4]])
      deepEqual(valuesOf((await two.read(log, String(ids[1]), 10)).entries), ['c', 'd', 'e'])
      deepEqual(await two.read(log, String(ids[4]), 10), { entries: [], gone: false, last: ids[4] })
    },
  ],
  [
    'a reader that follows a log sees all that many writers append, once and in one order',
    async ({ states, key }) => {
      const log = key()
      const writers = 8
      const each = 40
      const write = (writer: number): Promise<string[]> =>
        appendAll(
          states[writer % 2 === 0 ? 0 : 1],
          log,
          Array.from({ length: each }, (_one, i) => `${writer}:${i}`),
        )
      let isWritten = false
      const writing = Promise.all(Array.from({ length: writers }, (_one, writer) => write(writer))).finally(
        () => {
          isWritten = true
        },
      )
      const following = states.map((state) => follow(state, log, () => isWritten))
      const [ids, first = [], second] = await Promise.all([writing, ...following])
      deepEqual(first, second)
      equal(new Set(first.map(({ id }) => id)).size, writers * each)
      for (const [writer, own] of ids.entries())
        deepEqual(
          first.filter(({ value }) => value.startsWith(`${writer}:`)).map(({ id }) => id),
          own,
        )
    },
  ],
  [
    'a cursor before the oldest kept entry is gone, and the page begins there',
    async ({ states: [one, two], key }) => {
      const log = key()
      const keep = { count: 3, ms: 600_000 }
      const ids = await appendAll(one, log, ['a', 'b', 'c', 'd', 'e', 'f'], keep)
      const behind = async (id: string | null): Promise<unknown[]> => {
        const { entries, gone } = await two.read(log, id, 10)
        return [gone, valuesOf(entries).join('')]
      }
      deepEqual(await behind(null), [false, 'def'])
      deepEqual(await behind(LOG_START), [true, 'def'])
      deepEqual(await behind(String(ids[1])), [true, 'def'])
      deepEqual(await behind(String(ids[2])), [false, 'def'])
      deepEqual(await behind(String(ids[3])), [false, 'ef'])
      deepEqual(await behind(String(ids[5])), [false, ''])
    },
  ],
  [
    'a cursor of another log, or none at all, is gone',
    async ({ states: [one, two], key, wait }) => {
      const log = key()
      const other = key()
      const [id = ''] = await appendAll(one, log, ['a', 'b'])
      await wait(20)
      await appendAll(one, other, ['c', 'd'])
      for (const cursor of [id, '', 'x', '0-1', '1-1', `${id}0`, '-1--1', '9'.repeat(40), "0'"]) {
        const page = await two.read(other, cursor, 10)
        deepEqual([page.gone, valuesOf(page.entries)], [true, ['c', 'd']], `the cursor ${cursor}`)
      }
    },
  ],
  [
    'old entries are removed by an append, and a log without new ones is removed whole',
    async ({ states: [one, two], key, wait }) => {
      const log = key()
      const keep = { count: 100, ms: 500 }
      const [a = ''] = await appendAll(one, log, ['a'], keep)
      await wait(700)
      deepEqual(await two.read(log, a, 10), { entries: [], gone: true, last: LOG_START })
      const [b = ''] = await appendAll(one, log, ['b'], keep)
      notEqual(b, a)
      deepEqual([(await two.read(log, a, 10)).gone, (await two.read(log, null, 10)).last], [true, b])
      await wait(300)
      await appendAll(one, log, ['c'], keep)
      await wait(300)
      await appendAll(one, log, ['d'], keep)
      deepEqual(valuesOf((await two.read(log, null, 10)).entries), ['c', 'd'])
    },
  ],
  [
    'an append wakes the listeners of every process, until they end',
    async ({ states: [one, two], key }) => {
      const log = key()
      let end = (): void => {}
      for (let round = 0; round < 3; round++) {
        await new Promise<void>((resolve, reject) => {
          const listen = async (): Promise<void> => {
            end = await two.wake(log, resolve)
            await one.append(log, `round ${round}`, KEEP)
          }
          listen().catch(reject)
        })
        end()
      }
      ok((await two.read(log, null, 10)).entries.length === 3)
    },
  ],
]
