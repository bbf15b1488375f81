import { EventEmitter, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Connections } from '../../../src/transport/node/connections.ts'
import type { AnyServer } from '../../../src/transport/node/create-server.ts'
import { closeServer } from '../../../src/transport/node/drain.ts'
import type { DrainOptions } from '../../../src/transport/node/drain.ts'

/** A server and its connections, which note what is asked of them; each note is an event. */
class Served extends EventEmitter {
  readonly calls: string[] = []
  listening = true
  readonly open = { size: 3 }
  #closed: ((error?: Error) => void) | null = null

  readonly sessions = { close: () => this.note('sessions.close') }

  note(call: string): void {
    this.calls.push(call)
    this.emit(`asked ${call}`)
  }
  endAfterResponses(): void {
    this.note('endAfterResponses')
  }
  closeSilent(): void {
    this.note('closeSilent')
  }
  destroyOpen(): void {
    this.note('destroyOpen')
  }
  destroyAll(): void {
    this.note('destroyAll')
  }
  closeIdleConnections(): void {
    this.note('closeIdle')
  }
  close(closed: (error?: Error) => void): void {
    this.#closed = closed
    this.note('close')
  }
  /** The server says that it has closed. */
  settle(error?: Error): void {
    this.#closed?.(error)
  }

  drain(options: Partial<DrainOptions> = {}): Promise<void> {
    const [server, connections]: [AnyServer, Connections] = [Object(this), Object(this)]
    const onCut = (count: number): void => this.note(`cut ${count}`)
    return closeServer(server, connections, { force: false, graceMs: 0, onCut, ...options })
  }
}

/** Waits for as many looks at the connections. */
async function looks(served: Served, count: number): Promise<void> {
  for (let look = 0; look < count; look++) await once(served, 'asked sessions.close')
  await new Promise(setImmediate)
}

const AT_ONCE = ['endAfterResponses', 'closeIdle', 'close']
const FORCED = ['endAfterResponses', 'close', 'destroyOpen']

describe('a server that is closed', () => {
  it('has nothing to do unless it listens', async () => {
    const served = Object.assign(new Served(), { listening: false })
    await served.drain()
    expect(served.calls).toEqual([])
  })

  it('closes idle connections once, and asks sessions to end', async () => {
    const served = new Served()
    const closed = served.drain()
    await once(served, 'asked close')
    expect(served.calls).toEqual(AT_ONCE)
    await looks(served, 2)
    served.settle()
    await closed
    expect(served.calls).toEqual([...AT_ONCE, 'sessions.close', 'sessions.close'])
  })

  it('closes idle and silent connections again and again with `idle`', async () => {
    const served = new Served()
    const closed = served.drain({ force: 'idle' })
    await once(served, 'asked close')
    expect(served.calls).toEqual(AT_ONCE)
    await looks(served, 2)
    served.settle()
    await closed
    const look = ['sessions.close', 'closeIdle', 'closeSilent']
    expect(served.calls).toEqual([...AT_ONCE, ...look, ...look])
  })

  it('cuts every connection at once, and those that come late, with `true`', async () => {
    const served = new Served()
    const closed = served.drain({ force: true })
    expect(served.calls).toEqual(FORCED)
    await looks(served, 1)
    served.settle()
    await closed
    expect(served.calls).toEqual([...FORCED, 'sessions.close', 'destroyOpen'])
  })

  it('may have no way to close idle connections', async () => {
    const served = new Served()
    Reflect.set(served, 'closeIdleConnections', undefined)
    const closed = served.drain({ force: 'idle' })
    await looks(served, 1)
    served.settle()
    await closed
    expect(served.calls).toEqual(['endAfterResponses', 'close', 'sessions.close', 'closeSilent'])
  })

  it('accepts no more only when no connection has come in a turn', async () => {
    const served = new Served()
    const closed = served.drain()
    for (let turn = 0; turn < 5; turn++) {
      served.emit('connection')
      await new Promise(setImmediate)
      expect(served.calls).not.toContain('close')
    }
    await once(served, 'asked close')
    served.settle()
    await closed
    expect(served.listenerCount('connection')).toBe(0)
  })

  it('rejects with the error of the server', async () => {
    const served = new Served()
    const closed = served.drain()
    await once(served, 'asked close')
    served.settle(new Error('not running'))
    await expect(closed).rejects.toThrow('not running')
  })

  it('has closed when another server of the app has closed it', async () => {
    for (const isEarly of [true, false]) {
      const served = new Served()
      const closed = served.drain()
      if (!isEarly) await once(served, 'asked close')
      served.listening = false
      served.emit('close')
      await closed
      expect(served.calls.includes('close')).toBe(!isEarly)
    }
  })

  it('cuts what is left after the grace period, and names their number', async () => {
    const served = new Served()
    const closed = served.drain({ graceMs: 30 })
    await once(served, 'asked destroyAll')
    served.settle()
    await closed
    const ends = served.calls.filter((call) => call !== 'sessions.close')
    expect(ends).toEqual([...AT_ONCE, 'cut 3', 'destroyAll'])
  })

  it('has closed soon after the cut, although it never says so', async () => {
    const served = new Served()
    await served.drain({ graceMs: 1 })
    expect(served.calls).toContain('destroyAll')
  })

  it('gives a server time to say that it has failed to close', async () => {
    const served = new Served()
    const closed = served.drain({ graceMs: 1 })
    await once(served, 'asked destroyAll')
    await looks(served, 2)
    served.settle(new Error('late'))
    await expect(closed).rejects.toThrow('late')
  })

  it('clears its timers', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    for (const graceMs of [1, 60_000]) {
      const served = new Served()
      const closed = served.drain({ graceMs })
      await once(served, graceMs === 1 ? 'asked destroyAll' : 'asked close')
      served.settle()
      await closed
    }
    expect(timers()).toBeLessThanOrEqual(before)
  })
})
