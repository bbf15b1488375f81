// Topics of two processes over real servers, which are killed and closed while clients read.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, startRedis, type StoreServer } from './servers.ts'

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

/** A client as browsers have it: it reconnects, to the next process, with the last id that it got. */
class Client {
  readonly received: string[] = []
  readonly #origin: () => string
  lastId = ''
  cuts = 0

  constructor(origin: () => string) {
    this.#origin = origin
  }

  async read(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      await this.#connect(isDone).catch(() => {})
      this.cuts += 1
      await sleep(20)
    }
  }

  async #connect(isDone: () => boolean): Promise<void> {
    const abort = new AbortController()
    const headers = this.lastId === '' ? {} : { 'last-event-id': this.lastId }
    const response = await fetch(`${this.#origin()}/key`, { headers, signal: abort.signal })
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.#take(block)
      if (isDone()) abort.abort()
    }
  }

  #take(block: string): void {
    this.lastId = /^id: (.*)$/m.exec(block)?.[1] ?? this.lastId
    if (block.includes('event: ')) this.received.push(/^data: (.*)$/m.exec(block)?.[1] ?? block)
  }
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
    const clients = Array.from({ length: CLIENTS }, () => new Client(origin))
    const confirmed: string[] = []
    const isDone = (): boolean => {
      const last = confirmed.at(MESSAGES - 1)
      return last !== undefined && clients.every(({ received }) => received.includes(last))
    }
    const reading = clients.map((client) => client.read(isDone))
    while (clients.some(({ lastId }) => lastId === '')) await sleep(10)
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
    for (let n = 0; confirmed.length < MESSAGES; n++) {
      const body = JSON.stringify({ n })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${origin()}/key`, { method: 'POST', headers, body }).catch(() => null)
      // What was published by a process that died was stored or not.
      if (response?.ok === true) confirmed.push(body)
      await sleep(1)
    }
    await ending
    await Promise.all(reading)
    const [first] = clients
    for (const { received } of clients) expect(received).toEqual(first?.received)
    const got = new Set(first?.received)
    expect(got.size).toBe(first?.received.length)
    expect(confirmed.filter((one) => !got.has(one))).toEqual([])
    expect(clients.reduce((sum, { cuts }) => sum + cuts, 0)).toBeGreaterThan(CLIENTS)
  })
})
