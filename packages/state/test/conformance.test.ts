// Stores with a planted fault: the suite must report each.
import { memoryState, type State } from '@cloister/state'
import { testState } from '@cloister/state/conformance'
import { expect, it } from 'vitest'

let now = 0
const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function storeWith(plant: (memory: State) => Partial<State>): State {
  const memory = memoryState({ now: () => now })
  const planted = plant(memory)
  const names = ['ready', 'get', 'put', 'delete', 'take', 'append', 'read', 'wake', 'close'] as const
  const bound = Object.fromEntries(names.map((name) => [name, memory[name].bind(memory)]))
  return { ...bound, ...planted } as State
}

/** Returns the titles of the tests that a store fails; of one test, if it is named. */
async function failuresOf(state: State, only?: string): Promise<string[]> {
  const tests: [string, () => Promise<void>][] = []
  testState({
    test: (title, run) => tests.push([title, run]),
    open: () => state,
    histories: 20,
    wait: async (ms) => {
      now += ms
    },
  })
  const failed: string[] = []
  for (const [title, run] of tests)
    if (only === undefined || only === title) await run().catch(() => failed.push(title))
  return failed
}

it('passes a store without a fault', async () => {
  expect(await failuresOf(storeWith(() => ({})))).toEqual([])
})

const cut = (key: string): string => key.slice(0, 150)

it.each<[string, string, (memory: State) => Partial<State>]>([
  [
    'reads before it puts an absent key',
    'of many that put an absent key at once, one does',
    (memory) => ({
      async put(key, value, { ttlMs, if: condition }) {
        const found = await memory.get(key)
        await later()
        if (condition === 'absent' && found !== null) return null
        if (typeof condition === 'object' && found?.version !== condition.version) return null
        return memory.put(key, value, { ttlMs })
      },
    }),
  ],
  [
    'reads from a replica that is behind',
    'concurrent operations on one key are linearizable',
    (memory) => {
      const behind = new Map<string, Awaited<ReturnType<State['get']>>>()
      return {
        async get(key) {
          const old = behind.get(key)
          behind.set(key, await memory.get(key))
          return old === undefined ? memory.get(key) : old
        },
      }
    },
  ],
  [
    'deletes any version',
    'a put or delete with a condition happens only if it holds',
    (memory) => ({ delete: (key) => memory.delete(key) }),
  ],
  [
    'counts versions from one for each key',
    'a key that was removed and put again has a version of its own',
    (memory) => {
      const versions = new Map<string, string>()
      const real = (key: string): string => versions.get(key) ?? 'none'
      return {
        async put(key, value, options) {
          const condition =
            typeof options.if === 'object' ? { version: real(options.if.version + key) } : options.if
          const { if: _, ...rest } = options
          const version = await memory.put(
            key,
            value,
            condition === undefined ? rest : { ...rest, if: condition },
          )
          if (version === null) return null
          versions.set(`${value}${key}`, version)
          return value
        },
        delete: (key, version) => memory.delete(key, version === undefined ? undefined : real(version + key)),
        async get(key) {
          const found = await memory.get(key)
          return found === null ? null : { value: found.value, version: found.value }
        },
      }
    },
  ],
  [
    'keeps values for ever',
    'an expired key is absent, for each operation',
    (memory) => ({ put: (key, value, options) => memory.put(key, value, { ...options, ttlMs: 3_600_000 }) }),
  ],
  [
    'folds the case of keys',
    'each text is a key of its own, but the empty one',
    (memory) => ({
      get: (key) => memory.get(key.toLowerCase()),
      put: (key, value, options) => memory.put(key.toLowerCase(), value, options),
    }),
  ],
  [
    'cuts long keys',
    'each text is a key of its own, but the empty one',
    (memory) => ({
      get: (key) => memory.get(cut(key)),
      put: (key, value, options) => memory.put(cut(key), value, options),
    }),
  ],
  [
    'trims values',
    'values of up to 1 MiB come back as they were; others are refused',
    (memory) => ({ put: (key, value, options) => memory.put(key, value.trim(), options) }),
  ],
  [
    'takes what it refuses',
    'a cost that exceeds a limit takes nothing, and what was taken becomes free again',
    (memory) => ({
      async take(key, cost, rule) {
        const taken = await memory.take(key, cost, rule)
        if (!taken.allowed) await memory.take(key, 1, rule)
        return taken
      },
    }),
  ],
  [
    'shows entries out of order',
    'a reader that follows a log sees all that many writers append, once and in one order',
    (memory) => {
      const hidden = new Set<string>()
      let appended = 0
      return {
        async append(log, value, keep) {
          const id = await memory.append(log, value, keep)
          if (appended++ % 20 === 10) {
            hidden.add(id)
            await later()
            await later()
            hidden.delete(id)
          }
          return id
        },
        async read(log, after, limit) {
          await later()
          const page = await memory.read(log, after, limit)
          return { ...page, entries: page.entries.filter(({ id }) => !hidden.has(id)) }
        },
      }
    },
  ],
  [
    'says nothing of removed entries',
    'a cursor before the oldest kept entry is gone, and the page begins there',
    (memory) => ({
      read: async (log, after, limit) => ({ ...(await memory.read(log, after, limit)), gone: false }),
    }),
  ],
  [
    'hears of no append of another process, and reads nothing new',
    'subscribers in every process get what any process publishes, once and in one order',
    (memory) => {
      let heads = new Map<string, string>()
      return {
        wake: async () => () => {},
        async read(log, after, limit) {
          const page = await memory.read(log, after, limit)
          const seen = heads.get(log)
          heads = heads.set(log, seen ?? page.last)
          return seen === undefined || after === null ? page : { ...page, entries: [] }
        },
      }
    },
  ],
  [
    'keeps old entries',
    'old entries are removed by an append, and a log without new ones is removed whole',
    (memory) => ({ append: (log, value, keep) => memory.append(log, value, { ...keep, ms: 3_600_000 }) }),
  ],
])('reports a store that %s', async (_fault, title, plant) => {
  expect(await failuresOf(storeWith(plant), title)).toEqual([title])
})
