import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'

import type { State } from '../types.ts'
import { recordHistory } from './histories.ts'
import type { SuiteTest } from './bench.ts'
import { isLinearizable } from './linearizable.ts'

const LONG = { ttlMs: 600_000 }

/** Keys as strangers may choose them: each is another key, and none says anything to the store. */
const STRANGE = [
  'a',
  'A',
  'a ',
  ' a',
  'á',
  'a\u0301',
  '*',
  '?',
  '[a]',
  '{a}',
  '{a}b',
  '#a',
  "a'; drop table x; --",
  'a\n',
  'a\r\nFLUSHALL',
  '\0',
  'a\0',
  '%00',
  '\\',
  '"',
  '\ud800',
  '\udfff',
  '\ufffd',
  '😀',
  'x'.repeat(199),
  'x'.repeat(200),
  'x'.repeat(201),
  'x'.repeat(100_000),
  `${'x'.repeat(100_000)}y`,
  // The first is equal to the second after JSON.stringify.
  '\ud800'.padEnd(300),
  JSON.stringify('\ud800'.padEnd(300)),
  '__proto__',
  'constructor',
]

const VALUES = [
  '',
  ' ',
  '0',
  'null',
  '"',
  "'",
  '\\',
  '\n',
  '😀',
  '\u2028',
  '{"a":[1]}',
  'x'.repeat(1_048_576),
]

/** The tests of values and limits. */
export const VALUE_TESTS: readonly SuiteTest[] = [
  [
    'a value is read by every process, with the version of its put',
    async ({ states: [one, two], key }) => {
      const name = key()
      equal(await one.get(name), null)
      const first = await one.put(name, 'one', LONG)
      deepEqual(await two.get(name), { value: 'one', version: first })
      const second = await two.put(name, 'one', LONG)
      notEqual(second, first)
      deepEqual(await one.get(name), { value: 'one', version: second })
    },
  ],
  [
    'a put or delete with a condition happens only if it holds',
    async ({ states: [one, two], key }) => {
      const name = key()
      equal(await one.put(name, 'x', { ...LONG, if: { version: 'none' } }), null)
      equal(await one.delete(name), false)
      const first = String(await one.put(name, 'one', { ...LONG, if: 'absent' }))
      equal(await two.put(name, 'two', { ...LONG, if: 'absent' }), null)
      const second = String(await two.put(name, 'two', { ...LONG, if: { version: first } }))
      equal(await one.put(name, 'three', { ...LONG, if: { version: first } }), null)
      equal(await one.delete(name, first), false)
      deepEqual(await one.get(name), { value: 'two', version: second })
      equal(await one.delete(name, second), true)
      equal(await two.get(name), null)
      equal(await two.put(name, 'four', { ...LONG, if: { version: second } }), null)
    },
  ],
  [
    'a key that was removed and put again has a version of its own',
    async ({ states: [one, two], key }) => {
      const name = key()
      const first = String(await one.put(name, 'one', LONG))
      await two.delete(name)
      await two.put(name, 'one', { ...LONG, if: 'absent' })
      equal(await one.put(name, 'late', { ...LONG, if: { version: first } }), null)
      equal(await one.delete(name, first), false)
    },
  ],
  ['concurrent operations on one key are linearizable', linearizable],
  [
    'of many that put an absent key at once, one does',
    async ({ states, key }) => {
      for (let round = 0; round < 20; round++) {
        const name = key()
        const puts = Array.from({ length: 20 }, (_one, index) =>
          states[index % 2 === 0 ? 0 : 1].put(name, String(index), { ...LONG, if: 'absent' }),
        )
        const versions = (await Promise.all(puts)).filter((version) => version !== null)
        equal(versions.length, 1)
      }
    },
  ],
  [
    'an expired key is absent, for each operation',
    async ({ states: [one, two], key, wait }) => {
      const names = Array.from({ length: 5 }, key)
      const versions = await Promise.all(names.map((name) => one.put(name, 'short', { ttlMs: 300 })))
      const [read = '', absent = '', changed = '', removed = '', prolonged = ''] = names
      ok((await two.get(read)) !== null, 'it is there before')
      ok((await two.put(prolonged, 'long', LONG)) !== null)
      await wait(600)
      equal(await two.get(read), null)
      ok((await two.put(absent, 'new', { ...LONG, if: 'absent' })) !== null)
      equal((await one.get(absent))?.value, 'new')
      equal(await two.put(changed, 'new', { ...LONG, if: { version: String(versions[2]) } }), null)
      equal(await two.delete(removed), false)
      equal((await one.get(prolonged))?.value, 'long')
    },
  ],
  [
    'values of up to 1 MiB come back as they were; others are refused',
    async ({ states: [one, two], key }) => {
      const name = key()
      for (const value of VALUES) {
        await one.put(name, value, LONG)
        ok((await two.get(name))?.value === value, `the value ${JSON.stringify(value.slice(0, 20))}`)
      }
      for (const value of ['x'.repeat(1_048_577), 'a\0b', '\ud800'])
        await rejects(one.put(name, value, LONG), { code: 'CLO_ERR_STATE_VALUE' })
    },
  ],
  [
    'each text is a key of its own, but the empty one',
    async ({ states: [one, two], key }) => {
      const prefix = key()
      const names = [...STRANGE, ...STRANGE.map((name) => prefix + name)]
      await Promise.all(names.map((name) => one.delete(name)))
      await Promise.all(
        names.map((name, index) => one.put(name, `value ${index}`, { ...LONG, if: 'absent' })),
      )
      const found = await Promise.all(names.map(async (name) => (await two.get(name))?.value))
      deepEqual(
        found,
        names.map((_name, index) => `value ${index}`),
      )
      await Promise.all(names.map((name) => one.delete(name)))
      await rejects(one.get(''), { code: 'CLO_ERR_STATE_OPTION' })
    },
  ],
  [
    'a value, a log and a limit of one name are not each other',
    async ({ states: [one, two], key }) => {
      const name = key()
      await one.put(name, 'value', LONG)
      await one.append(name, 'entry', { count: 10, ms: 600_000 })
      await one.take(name, 1, { max: 2, perMs: 600_000 })
      equal((await two.get(name))?.value, 'value')
      deepEqual(
        (await two.read(name, null, 10)).entries.map(({ value }) => value),
        ['entry'],
      )
      await two.delete(name)
      equal((await two.read(name, null, 10)).entries.length, 1)
      equal((await two.take(name, 1, { max: 2, perMs: 600_000 })).remaining, 0)
    },
  ],
  [
    'all processes take from one limit, no more than it has',
    async ({ states, key }) => {
      const name = key()
      const rule = { max: 20, perMs: 3_600_000 }
      const takes = Array.from({ length: 60 }, (_one, index) =>
        states[index % 2 === 0 ? 0 : 1].take(name, 1, rule),
      )
      equal((await Promise.all(takes)).filter(({ allowed }) => allowed).length, 20)
      const { allowed, remaining, resetMs } = await states[0].take(name, 1, rule)
      deepEqual({ allowed, remaining }, { allowed: false, remaining: 0 })
      ok(resetMs > 0 && resetMs <= 180_000, `resetMs is that of one: ${resetMs}`)
    },
  ],
  [
    'a cost that exceeds a limit takes nothing, and what was taken becomes free again',
    async ({ states: [one, two], key, wait }) => {
      const name = key()
      const rule = { max: 3, perMs: 3_600_000 }
      equal((await one.take(name, 4, rule)).allowed, false)
      equal((await one.take(name, 2, rule)).remaining, 1)
      equal((await two.take(name, 2, rule)).allowed, false)
      equal((await two.take(name, 1, rule)).allowed, true)
      const quick = { max: 2, perMs: 400 }
      const other = key()
      equal((await one.take(other, 2, quick)).allowed, true)
      await wait(600)
      equal((await two.take(other, 2, quick)).allowed, true)
    },
  ],
  [
    'arguments that are not valid are refused',
    async ({ states: [one], key }) => {
      const name = key()
      const untyped = async (operation: 'put' | 'delete', ...args: unknown[]): Promise<unknown> =>
        Reflect.apply(one[operation], one, args)
      const refused = [
        () => one.put(name, 'x', { ttlMs: 0 }),
        () => one.put(name, 'x', { ttlMs: Number.NaN }),
        () => one.put(name, 'x', { ttlMs: Number.MAX_SAFE_INTEGER }),
        ...['Absent', null, {}, { version: null }, { version: '' }].map(
          (condition) => () => untyped('put', name, 'x', { ...LONG, if: condition }),
        ),
        () => untyped('delete', name, null),
        () => one.take(name, 0, { max: 1, perMs: 1 }),
        () => one.take(name, 1, { max: 0, perMs: 1 }),
        () => one.append(name, 'x', { count: 0, ms: 1 }),
        () => one.read(name, null, 0),
      ]
      for (const call of refused) await rejects(call(), { code: 'CLO_ERR_STATE_OPTION' })
      equal(await one.get(name), null)
    },
  ],
]

async function linearizable({
  states: [one, two],
  key,
  draw,
  histories,
}: Parameters<SuiteTest[1]>[0]): Promise<void> {
  const clients: readonly State[] = [one, two, one, two]
  for (let index = 0; index < histories; index++) {
    const history = await recordHistory(clients, key(), 6, draw)
    ok(isLinearizable(history), `history ${index} is not linearizable: ${JSON.stringify(history)}`)
  }
}
