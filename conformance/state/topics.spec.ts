// Topics of two processes over real servers, which are killed and closed while clients read.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { client, type Events } from '@cloister/client'
import { follow } from '@cloister/client/follow'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, startRedis, type StoreServer } from './servers.mjs'

interface AppProcess {
  readonly child: ChildProcess
  readonly origin: string
}

async function startApp(kind: string, port: number): Promise<AppProcess> {
  const child = fork(path.join(import.meta.dirname, 'topic-app.mjs'), [kind, String(port)], { execArgv: [] })
  const [origin] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (typeof origin !== 'string') throw new Error('the app did not start')
  return { child, origin }
}

interface Api {
  'GET /:key': { params: { key: string }; replies: { 200: Events<{ n: number }> } }
}

/** A client that follows the topic. Each of its connections goes to the next process. */
class Follower {
  readonly received: number[] = []
  cuts = 0

  async read(origin: () => string, after: string, signal: AbortSignal): Promise<void> {
    const api = client<Api>((request) => fetch(new Request(`${origin()}/key`, request)))
    const input = { params: { key: 'key' }, signal }
    const onInterruption = (): void => {
      this.cuts += 1
    }
    const options = { after, delayMs: 20, maxDelayMs: 200, onInterruption }
    for await (const item of follow(api, 'GET /:key', input, options))
      this.received.push(item.gap ? NaN : item.data.n)
  }
}

/** Returns the id of the event; `null` if it is not known to be stored. */
async function publish(origin: string, n: number): Promise<string | null> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${origin}/key`, { method: 'POST', headers, body: JSON.stringify({ n }) })
  const body: unknown = response.ok ? await response.json() : null
  return typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : null
}

const MESSAGES = 1500
const CLIENTS = 20

const STORES: readonly [kind: string, start: () => Promise<StoreServer>][] = [
  ['Redis', startRedis],
  ['Postgres', startPostgres],
]

describe.each(STORES)('two processes over %s', (kind, start) => {
  let server: StoreServer
  const apps: AppProcess[] = []
  beforeAll(async () => {
    server = await start()
    apps.push(await startApp(kind, server.port), await startApp(kind, server.port))
  })
  afterAll(async () => {
    for (const { child } of apps) child.kill('SIGKILL')
    await server.remove()
  })

  it('of which one is killed or closed again and again deliver each message once and in order', async () => {
    let turn = 0
    const origin = (): string => apps[turn++ % 2]?.origin ?? ''
    const clients = Array.from({ length: CLIENTS }, () => new Follower())
    const confirmed: number[] = []
    const isDone = (): boolean => {
      const last = confirmed.at(MESSAGES - 1)
      return last !== undefined && clients.every(({ received }) => received.includes(last))
    }
    const abort = new AbortController()
    const begin = await publish(origin(), -1)
    // The first connection of each has to succeed.
    const reading = clients.map((one) => one.read(origin, begin ?? '', abort.signal))
    await publish(origin(), 0)
    while (clients.some(({ received }) => received.length === 0)) await sleep(10)
    let ended = 0
    const ending = (async () => {
      for (; ended < 8; ended++) {
        await sleep(300)
        const index = ended % 2
        const app = apps[index]
        const exited = once(app?.child ?? process, 'exit')
        app?.child.kill(ended < 4 ? 'SIGKILL' : 'SIGTERM')
        await exited
        apps[index] = await startApp(kind, server.port)
      }
    })()
    for (let n = 1; confirmed.length < MESSAGES; n++) {
      const id = await publish(origin(), n).catch(() => null)
      // What was published by a process that died was stored or not.
      if (id !== null) confirmed.push(n)
      await sleep(1)
    }
    await ending
    while (!isDone()) await sleep(10)
    abort.abort()
    await Promise.all(reading)
    const [first] = clients
    for (const { received } of clients) expect(received).toEqual(first?.received)
    const got = new Set(first?.received)
    expect(got.size).toBe(first?.received.length)
    expect(confirmed.filter((one) => !got.has(one))).toEqual([])
    expect(clients.reduce((sum, { cuts }) => sum + cuts, 0)).toBeGreaterThan(CLIENTS)
  })
})
