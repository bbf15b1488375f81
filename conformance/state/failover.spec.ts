// A replica of Redis that is promoted before it has all that its primary confirmed.
import { redisState, type State } from '@cloister/state'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startRedis, type StoreServer } from './servers.mjs'

const KEEP = { count: 100, ms: 600_000 }
const LONG = { ttlMs: 600_000 }

interface Store {
  readonly server: StoreServer
  readonly client: Redis
  readonly state: State
}

async function open(): Promise<Store> {
  const server = await startRedis()
  const client = new Redis(server.port)
  client.on('error', () => {})
  return { server, client, state: redisState(client) }
}

let primary: Store
let replica: Store
beforeEach(async () => {
  primary = await open()
  replica = await open()
  await replica.client.call('REPLICAOF', '127.0.0.1', String(primary.server.port))
  await primary.state.put('replicated', 'yes', LONG)
  while ((await primary.client.wait(1, 100)) === 0);
})
afterEach(async () => {
  for (const { server, client } of [primary, replica]) {
    client.disconnect()
    await server.remove()
  }
})

/** Promotes the replica, while the primary confirms what the replica does not get, and then dies. */
async function failOver(confirm: () => Promise<void>): Promise<void> {
  await primary.client.wait(1, 1000)
  await replica.client.call('REPLICAOF', 'NO', 'ONE')
  await confirm()
  await primary.server.kill()
}

const append = ({ state }: Store, value: string): Promise<string> => state.append('log', value, KEEP)
const read = async (after: string): Promise<readonly [boolean, readonly string[]]> => {
  const { gone, entries } = await replica.state.read('log', after, 10)
  return [gone, entries.map(({ value }) => value)]
}

it('subscribers behind lost messages get a gap, before and after later messages have taken their places', async () => {
  const first = await append(primary, 'one')
  let last = ''
  await failOver(async () => {
    await append(primary, 'lost')
    last = await append(primary, 'lost, too')
  })
  expect(await read(last)).toEqual([true, ['one']])
  const ids = [await append(replica, 'two'), await append(replica, 'three'), await append(replica, 'four')]
  expect(ids).not.toContain(last)
  expect(await read(last)).toEqual([true, ['two', 'three', 'four']])
  // One that has all that the replica had can't know that something was lost.
  expect(await read(first)).toEqual([true, ['two', 'three', 'four']])
  expect(await read(ids[0] ?? '')).toEqual([false, ['three', 'four']])
})

it('a log that is written on has one history until its store has another one', async () => {
  const first = await append(primary, 'one')
  await append(primary, 'two')
  expect((await primary.state.read('log', first, 10)).gone).toBe(false)
})

it('a lost value is absent, a lost condition does not hold, and what was replicated is there', async () => {
  let version: string | null = null
  await failOver(async () => {
    version = await primary.state.put('claim', 'running', { ...LONG, if: 'absent' })
  })
  expect((await replica.state.get('replicated'))?.value).toBe('yes')
  expect(await replica.state.put('claim', 'done', { ...LONG, if: { version: version ?? '' } })).toBe(null)
  expect(await replica.state.put('claim', 'running', { ...LONG, if: 'absent' })).not.toBe(null)
})
