// What each state does while its server is slow, down, or has lost its data.
import { postgresState, postgresTables, redisState, type State } from '@cloister/state'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, startRedis, type StoreServer } from './servers.mjs'

const STORES: readonly [
  name: string,
  start: () => Promise<StoreServer>,
  open: (port: number) => { state: State; end: () => unknown },
][] = [
  [
    'Redis',
    startRedis,
    (port) => {
      const client = new Redis(port, {
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        retryStrategy: () => 50,
      })
      client.on('error', () => {})
      return { state: redisState(client, { deadlineMs: 1000 }), end: () => client.disconnect() }
    },
  ],
  [
    'Postgres',
    startPostgres,
    (port) => {
      const pool = new Pool({ host: '127.0.0.1', port, user: 'postgres', max: 4 })
      pool.on('error', () => {})
      return { state: postgresState(pool, { deadlineMs: 1000 }), end: () => pool.end() }
    },
  ],
]

/** Calls until it does not reject. */
async function eventually<T>(run: () => Promise<T>): Promise<T> {
  for (let left = 100; ; left--)
    try {
      return await run()
    } catch (error) {
      if (left === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
}

describe.each(STORES)('%s', (name, start, open) => {
  let server: StoreServer
  let opened: ReturnType<typeof open>
  beforeAll(async () => {
    server = await start()
    opened = open(server.port)
    await eventually(() => opened.state.ready())
  })
  afterAll(async () => {
    await opened.state.close()
    await opened.end()
    await server.remove()
  })
  const LONG = { ttlMs: 600_000 }
  const KEEP = { count: 100, ms: 600_000 }

  it('that does not respond: each operation rejects at its deadline, and works when it responds again', async () => {
    const { state } = opened
    await state.put('a', 'before', LONG)
    server.pause()
    const calls = [state.get('a'), state.put('b', 'x', LONG), state.take('c', 1, { max: 1, perMs: 1 })]
    const settled = await Promise.allSettled(calls)
    server.continue()
    expect(settled).toEqual(
      calls.map(() =>
        expect.objectContaining({ reason: expect.objectContaining({ code: 'CLO_ERR_STATE_DEADLINE' }) }),
      ),
    )
    expect((await eventually(() => state.get('a')))?.value).toBe('before')
  })

  it('that was killed: operations reject, later ones work, and listeners are woken again', async () => {
    const { state } = opened
    let woken = 0
    const end = await state.wake('log', () => woken++)
    const first = await state.append('log', 'one', KEEP)
    await eventually(async () => expect(woken).toBeGreaterThan(0))
    await server.kill()
    await expect(state.get('a')).rejects.toMatchObject({ code: 'CLO_ERR_STATE_FAILED' })
    // For probes of the app, also after it was ready once.
    await expect(state.ready()).rejects.toMatchObject({ statusCode: 503 })
    await server.start()
    await eventually(() => state.ready())
    woken = 0
    await eventually(() => state.append('log', 'two', KEEP))
    await eventually(async () => expect(woken).toBeGreaterThan(0))
    // Postgres has kept the log, and this Redis has lost it: no reader takes the new entries for those behind the old.
    const page = await state.read('log', first, 10)
    const isLost = name === 'Redis'
    expect([page.gone, page.entries.map(({ value }) => value)]).toEqual([isLost, ['two']])
    end()
  })
})

describe('a server that takes no writes is not ready, so no app starts with it:', () => {
  it('a replica of Redis', async () => {
    const server = await startRedis()
    const client = new Redis(server.port)
    try {
      await redisState(client).ready()
      await client.call('REPLICAOF', '127.0.0.1', '1')
      const error = await redisState(client)
        .ready()
        .catch((thrown: unknown) => thrown)
      expect(String(error instanceof Error ? error.cause : error)).toContain('READONLY')
    } finally {
      client.disconnect()
      await server.remove()
    }
  })

  it('a standby of Postgres', async () => {
    const server = await startPostgres()
    const open = (options?: string): Pool =>
      new Pool({ host: '127.0.0.1', port: server.port, user: 'postgres', ...(options && { options }) })
    const pools = [open(), open('-c default_transaction_read_only=on')] as const
    try {
      await postgresState(pools[0]).ready()
      const error = await postgresState(pools[1])
        .ready()
        .catch((thrown: unknown) => thrown)
      expect(String(error instanceof Error ? error.cause : error)).toContain('read-only transaction')
    } finally {
      await Promise.all(pools.map((pool) => pool.end()))
      await server.remove()
    }
  })
})

describe('Postgres', () => {
  it('of which a role may not create tables is told so, and works with tables that a migration created', async () => {
    const server = await startPostgres()
    const admin = new Pool({ host: '127.0.0.1', port: server.port, user: 'postgres' })
    await admin.query('create role app login; create schema shop; grant usage on schema shop to app')
    const pool = new Pool({ host: '127.0.0.1', port: server.port, user: 'app', database: 'postgres' })
    const options = { tables: 'shop.state', createTables: false }
    try {
      const error = await postgresState(pool, options)
        .ready()
        .catch((thrown: unknown) => thrown)
      expect(String(error instanceof Error ? error.cause : error)).toContain(
        'no table shop.state_values, shop.state_limits',
      )
      await admin.query(postgresTables('shop.state'))
      await admin.query('grant select, insert, update, delete on all tables in schema shop to app')
      const state = postgresState(pool, options)
      await state.put('a', 'value', { ttlMs: 60_000 })
      expect((await state.get('a'))?.value).toBe('value')
      await state.append('log', 'entry', { count: 1, ms: 60_000 })
      expect((await state.read('log', null, 1)).entries.length).toBe(1)
    } finally {
      await pool.end()
      await admin.end()
      await server.remove()
    }
  })

  it('of which ten processes create the tables at once has them', async () => {
    const server = await startPostgres()
    const pools = Array.from(
      { length: 10 },
      () => new Pool({ host: '127.0.0.1', port: server.port, user: 'postgres', max: 1 }),
    )
    try {
      const values = await Promise.all(
        pools.map((pool, index) =>
          postgresState(pool, { deadlineMs: 30_000 }).put(`key ${index}`, 'x', { ttlMs: 60_000 }),
        ),
      )
      expect(values.filter((version) => version === null)).toEqual([])
    } finally {
      await Promise.all(pools.map((pool) => pool.end()))
      await server.remove()
    }
  })
})
