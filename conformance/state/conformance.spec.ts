// The suite of `@cloister/state/conformance` over real servers and the clients that apps use.
import { memoryState, postgresState, redisState, type State } from '@cloister/state'
import { testState } from '@cloister/state/conformance'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startPostgres, startRedis, type StoreServer } from './servers.mjs'

interface Opened {
  readonly state: State
  readonly end: () => unknown
}

const STORES: readonly [
  name: string,
  start: () => Promise<StoreServer>,
  open: (port: number) => Promise<Opened>,
][] = [
  [
    'Redis with ioredis',
    startRedis,
    async (port) => {
      const client = new Redis(port)
      return { state: redisState(client, { deadlineMs: 20_000 }), end: () => client.disconnect() }
    },
  ],
  [
    'Redis with node-redis',
    startRedis,
    async (port) => {
      const client = createClient({ socket: { port } })
      await client.connect()
      return { state: redisState(client, { deadlineMs: 20_000 }), end: () => client.destroy() }
    },
  ],
  [
    'Postgres with pg',
    startPostgres,
    async (port) => {
      const pool = new Pool({ host: '127.0.0.1', port, user: 'postgres', max: 8 })
      return { state: postgresState(pool, { deadlineMs: 20_000 }), end: () => pool.end() }
    },
  ],
]

describe('two states in memory', () => {
  const state = memoryState()
  testState({ test, open: () => state })
})

describe.each(STORES)('%s', (_name, start, open) => {
  const opened: Opened[] = []
  let server: StoreServer
  let next = 0
  beforeAll(async () => {
    server = await start()
    opened.push(await open(server.port), await open(server.port))
  })
  afterAll(async () => {
    for (const { state } of opened) await state.close()
    for (const { end } of opened) await end()
    await server.remove()
  })
  testState({
    test,
    histories: 200,
    open: () => {
      const one = opened[next++ % 2]
      if (one === undefined) throw new Error('not opened')
      return one.state
    },
  })
})
