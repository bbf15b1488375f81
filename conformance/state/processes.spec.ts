// Idempotent routes of two processes over real servers, one of which is killed.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, startRedis, type StoreServer } from './servers.mjs'

interface AppProcess {
  readonly child: ChildProcess
  readonly origin: string
}

async function startApp(kind: string, port: number): Promise<AppProcess> {
  const child = fork(path.join(import.meta.dirname, 'idempotent-app.mjs'), [kind, String(port)], {
    execArgv: [],
  })
  const [origin] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (typeof origin !== 'string') throw new Error('the app did not start')
  return { child, origin }
}

const pay = (
  origin: string,
  key: string,
  amount: number,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${origin}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
    body: JSON.stringify({ amount }),
  })

/** Sends a request again until it is not 409. */
async function payOnce(origin: string, key: string, amount: number): Promise<string> {
  for (;;) {
    const response = await pay(origin, key, amount)
    const text = await response.text()
    if (response.status !== 409) return `${response.status} ${text}`
    await sleep(20)
  }
}

async function effectsOf(kind: string, port: number): Promise<number> {
  if (kind === 'Redis') {
    const redis = new Redis(port)
    const count = Number(await redis.get('effects'))
    redis.disconnect()
    return count
  }
  const pool = new Pool({ host: '127.0.0.1', port, user: 'postgres' })
  const { rows } = await pool.query('select count(*)::int as n from effects')
  await pool.end()
  return Number(rows[0].n)
}

const STORES: readonly [kind: string, start: () => Promise<StoreServer>][] = [
  ['Redis', startRedis],
  ['Postgres', startPostgres],
]

describe.each(STORES)('two processes over %s', (kind, start) => {
  let server: StoreServer
  let one: AppProcess
  let two: AppProcess
  beforeAll(async () => {
    server = await start()
    if (kind === 'Postgres') {
      const pool = new Pool({ host: '127.0.0.1', port: server.port, user: 'postgres' })
      await pool.query('create table effects (n int)')
      await pool.end()
    }
    one = await startApp(kind, server.port)
    two = await startApp(kind, server.port)
  })
  afterAll(async () => {
    for (const { child } of [one, two]) child.kill('SIGKILL')
    await server.remove()
  })

  it('have one effect and 100 equal responses to 100 equal requests', async () => {
    const before = await effectsOf(kind, server.port)
    const origins = [one.origin, two.origin] as const
    const texts = await Promise.all(
      Array.from({ length: 100 }, (_one, index) => payOnce(origins[index % 2 === 0 ? 0 : 1], 'k1', 5)),
    )
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toMatch(/^200 \{"paid":5,"pid":\d+\}$/)
    expect((await effectsOf(kind, server.port)) - before).toBe(1)
    expect((await pay(two.origin, 'k1', 6)).status).toBe(422)
  })

  it('free the key of a process that is killed, and not before', async () => {
    const before = await effectsOf(kind, server.port)
    const hanging = pay(one.origin, 'k2', 5, { 'x-hang': '1' }).catch(() => null)
    while ((await effectsOf(kind, server.port)) === before) await sleep(10)
    // Twice the time after which the key of a dead process is free.
    for (let waited = 0; waited < 2000; waited += 200) {
      expect((await pay(two.origin, 'k2', 5)).status).toBe(409)
      await sleep(200)
    }
    one.child.kill('SIGKILL')
    await hanging
    expect(await payOnce(two.origin, 'k2', 5)).toMatch(/^200/)
    expect((await effectsOf(kind, server.port)) - before).toBe(2)
  })
})
