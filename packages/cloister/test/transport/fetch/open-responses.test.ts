import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FetchExchange } from '../../../src/transport/fetch/fetch-exchange.ts'
import { OpenResponses } from '../../../src/transport/fetch/open-responses.ts'
import { collectGarbage } from '../collect-garbage.ts'

/** A request with this signal itself; a `Request` would have one that follows it. */
function requestOf(signal: AbortSignal): Request {
  return Object({ url: 'http://a/', method: 'GET', headers: new Headers(), body: null, signal })
}

/** A request whose client can leave, with the number of those who listen for it. */
class Client {
  readonly #controller = new AbortController()
  readonly response = new FetchExchange(requestOf(this.#controller.signal), {})
  readonly #added = vi.spyOn(this.#controller.signal, 'addEventListener')
  readonly #removed = vi.spyOn(this.#controller.signal, 'removeEventListener')

  get listeners(): number {
    return this.#added.mock.calls.length - this.#removed.mock.calls.length
  }

  leave(reason: Error): void {
    this.#controller.abort(reason)
  }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

const gone = (cause: unknown): unknown =>
  expect.objectContaining({ code: 'ERR_STREAM_PREMATURE_CLOSE', cause })

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** The time after which a request is long. */
const LONG = 5

describe('a response that is not complete', () => {
  it('ends when its client disconnects, from the time on at which it is long', async () => {
    const [client, open] = [new Client(), new OpenResponses()]
    open.expect(client.response)
    vi.advanceTimersByTime(LONG - 1)
    expect(client.listeners).toBe(0)
    vi.advanceTimersByTime(1)
    expect(client.listeners).toBe(1)
    const reason = new Error('left')
    client.leave(reason)
    expect(client.response.outcome).toEqual(gone(reason))
  })

  it('ends when its client has left before it is long', () => {
    const [client, open] = [new Client(), new OpenResponses()]
    open.expect(client.response)
    const reason = new Error('left')
    client.leave(reason)
    vi.advanceTimersByTime(LONG)
    expect([client.response.outcome, client.listeners]).toEqual([gone(reason), 0])
  })

  it('listens for its client no longer once it is complete', async () => {
    const [client, open] = [new Client(), new OpenResponses()]
    open.expect(client.response)
    vi.advanceTimersByTime(LONG)
    client.response.end(null)
    await settle()
    expect(client.listeners).toBe(0)
  })

  it('never listens when it is complete before it is long', () => {
    const clients = Array.from({ length: 3 }, () => new Client())
    const open = new OpenResponses()
    for (const { response } of clients) open.expect(response)
    for (const { response } of clients) response.end(null)
    vi.advanceTimersByTime(LONG)
    expect(clients.map(({ listeners }) => listeners)).toEqual([0, 0, 0])
  })

  it('is waited for whenever it has begun', () => {
    const [first, second, open] = [new Client(), new Client(), new OpenResponses()]
    open.expect(first.response)
    vi.advanceTimersByTime(LONG)
    open.expect(second.response)
    vi.advanceTimersByTime(LONG)
    expect([first.listeners, second.listeners, vi.getTimerCount()]).toEqual([1, 1, 0])
  })

  it('is waited for when it has begun while the app closes', async () => {
    const [first, second, open] = [new Client(), new Client(), new OpenResponses()]
    open.expect(first.response)
    let isDrained = false
    const drained = open.drain(0).then(() => {
      isDrained = true
    })
    open.expect(second.response)
    first.response.end(null)
    await settle()
    expect(isDrained).toBe(false)
    second.response.end(null)
    await drained
  })

  it('takes one timer with the others of its time', () => {
    const open = new OpenResponses()
    for (let count = 0; count < 100; count++) open.expect(new Client().response)
    expect(vi.getTimerCount()).toBe(1)
  })

  it('is kept with any number of others of its time', () => {
    const clients = Array.from({ length: 300 }, () => new Client())
    const open = new OpenResponses()
    for (const { response } of clients) open.expect(response)
    vi.advanceTimersByTime(LONG)
    expect(clients.every(({ listeners }) => listeners === 1)).toBe(true)
  })
})

describe('complete responses', () => {
  /** Requests follow each other, and each gets its response at once. */
  function respondToMany(open: OpenResponses, count: number): WeakRef<FetchExchange>[] {
    return Array.from({ length: count }, () => {
      const { response } = new Client()
      open.expect(response)
      response.end(null)
      return new WeakRef(response)
    })
  }
  const kept = (refs: readonly WeakRef<FetchExchange>[]): number =>
    refs.filter((ref) => ref.deref() !== undefined).length

  it('are forgotten at once, also when others stay open', async () => {
    const open = new OpenResponses()
    const clients = Array.from({ length: 100 }, () => new Client())
    for (const { response } of clients) open.expect(response)
    const refs = respondToMany(open, 500)
    await collectGarbage()
    // The last one may still be on the stack.
    expect(kept(refs)).toBeLessThan(2)
    vi.advanceTimersByTime(LONG)
    expect(clients.every(({ listeners }) => listeners === 1)).toBe(true)
  })

  it('that were long leave no newer response forgotten', () => {
    const [long, open] = [new Client(), new OpenResponses()]
    open.expect(long.response)
    vi.advanceTimersByTime(LONG)
    const newer = [new Client(), new Client()]
    for (const { response } of newer) open.expect(response)
    long.response.end(null)
    vi.advanceTimersByTime(LONG)
    expect(newer.map(({ listeners }) => listeners)).toEqual([1, 1])
  })

  it('are forgotten in any order, and no other response is', () => {
    const order = fc.shuffledSubarray(Array.from({ length: 12 }, (_, at) => at))
    fc.assert(
      fc.property(order, (ended) => {
        const open = new OpenResponses()
        const clients = Array.from({ length: 12 }, () => new Client())
        for (const { response } of clients) open.expect(response)
        for (const at of ended) clients[at]?.response.end(null)
        vi.advanceTimersByTime(LONG)
        const listeners = clients.map((client) => client.listeners)
        expect(listeners).toEqual(clients.map((_, at) => (ended.includes(at) ? 0 : 1)))
      }),
    )
  })
})

describe('an app that closes', () => {
  /** Whether a promise is settled by now. */
  async function isSettled(promise: Promise<void>): Promise<boolean> {
    let settled = false
    void promise.then(() => (settled = true))
    await settle()
    return settled
  }

  it('waits for no response when none is open', async () => {
    const open = new OpenResponses()
    expect(await isSettled(open.drain(0))).toBe(true)
    const { response } = new Client()
    open.expect(response)
    response.end(null)
    expect(await isSettled(open.drain(0))).toBe(true)
    expect(vi.getTimerCount()).toBeLessThan(2)
  })

  it('waits for those that are open, for any time', async () => {
    const [first, second, open] = [new Client(), new Client(), new OpenResponses()]
    for (const { response } of [first, second]) open.expect(response)
    const drained = open.drain(0)
    vi.advanceTimersByTime(600_000)
    expect([await isSettled(drained), first.response.outcome]).toEqual([false, undefined])
    first.response.end(null)
    expect(await isSettled(drained)).toBe(false)
    second.response.end(null)
    expect(await isSettled(drained)).toBe(true)
  })

  it('aborts what is left after its grace', async () => {
    const [client, open] = [new Client(), new OpenResponses()]
    open.expect(client.response)
    const drained = open.drain(1000)
    vi.advanceTimersByTime(999)
    expect([await isSettled(drained), client.response.outcome]).toEqual([false, undefined])
    vi.advanceTimersByTime(1)
    expect(client.response.outcome).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
    expect(await isSettled(drained)).toBe(true)
  })

  it('clears its timers', async () => {
    const [client, open] = [new Client(), new OpenResponses()]
    open.expect(client.response)
    vi.advanceTimersByTime(LONG)
    const drained = open.drain(1000)
    client.response.end(null)
    await drained
    expect(vi.getTimerCount()).toBe(0)
  })
})
