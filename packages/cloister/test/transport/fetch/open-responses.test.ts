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

describe('a response that is not complete', () => {
  it('ends when its client disconnects, from the next turn on', async () => {
    const [client, open] = [new Client(), new OpenResponses()]
    open.expect(client.response)
    expect(client.listeners).toBe(0)
    vi.advanceTimersByTime(0)
    expect(client.listeners).toBe(1)
    const reason = new Error('left')
    client.leave(reason)
    expect(client.response.outcome).toEqual(gone(reason))
  })

  it('ends when its client has left in the turn of the request', () => {
    const [client, open] = [new Client(), new OpenResponses()]
    open.expect(client.response)
    const reason = new Error('left')
    client.leave(reason)
    vi.advanceTimersByTime(0)
    expect([client.response.outcome, client.listeners]).toEqual([gone(reason), 0])
  })

  it('listens for its client no longer once it is complete', async () => {
    const [client, open] = [new Client(), new OpenResponses()]
    open.expect(client.response)
    vi.advanceTimersByTime(0)
    client.response.end(null)
    await settle()
    expect(client.listeners).toBe(0)
  })

  it('never listens when it is complete in its own turn', () => {
    const clients = Array.from({ length: 3 }, () => new Client())
    const open = new OpenResponses()
    for (const { response } of clients) open.expect(response)
    for (const { response } of clients) response.end(null)
    vi.advanceTimersByTime(0)
    expect(clients.map(({ listeners }) => listeners)).toEqual([0, 0, 0])
  })

  it('is waited for in each turn', () => {
    const [first, second, open] = [new Client(), new Client(), new OpenResponses()]
    open.expect(first.response)
    vi.advanceTimersByTime(0)
    open.expect(second.response)
    vi.advanceTimersByTime(0)
    expect([first.listeners, second.listeners, vi.getTimerCount()]).toEqual([1, 1, 0])
  })

  it('takes one timer with the others of its turn', () => {
    const open = new OpenResponses()
    for (let count = 0; count < 100; count++) open.expect(new Client().response)
    expect(vi.getTimerCount()).toBe(1)
  })

  it('is kept with any number of others of its turn', () => {
    const clients = Array.from({ length: 300 }, () => new Client())
    const open = new OpenResponses()
    for (const { response } of clients) open.expect(response)
    vi.advanceTimersByTime(0)
    expect(clients.every(({ listeners }) => listeners === 1)).toBe(true)
  })
})

describe('responses of a turn that is long', () => {
  /** Requests follow each other, and each is answered at once. */
  function answerMany(open: OpenResponses, count: number): WeakRef<FetchExchange>[] {
    return Array.from({ length: count }, () => {
      const { response } = new Client()
      open.expect(response)
      response.end(null)
      return new WeakRef(response)
    })
  }

  it('are forgotten when they are complete', async () => {
    const open = new OpenResponses()
    const refs = answerMany(open, 500)
    await collectGarbage()
    const kept = refs.filter((ref) => ref.deref() !== undefined)
    expect(kept.length).toBeLessThan(70)
    // The next turn begins anew.
    vi.advanceTimersByTime(0)
    const more = answerMany(open, 500)
    await collectGarbage()
    expect(more.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(70)
  })

  it('are forgotten also when others of the turn stay open', async () => {
    const open = new OpenResponses()
    const clients = Array.from({ length: 100 }, () => new Client())
    for (const { response } of clients) open.expect(response)
    const refs = answerMany(open, 500)
    await collectGarbage()
    expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(200)
    vi.advanceTimersByTime(0)
    expect(clients.every(({ listeners }) => listeners === 1)).toBe(true)
  })

  it('are looked at a few times each, also when all of them stay open', () => {
    let looks = 0
    const open = new OpenResponses()
    const count = 5000
    for (let sent = 0; sent < count; sent++) {
      const { response } = new Client()
      Object.defineProperty(response, 'outcome', { get: () => void looks++ })
      open.expect(response)
    }
    expect(looks).toBeLessThan(count * 4)
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
    vi.advanceTimersByTime(0)
    const drained = open.drain(1000)
    client.response.end(null)
    await drained
    expect(vi.getTimerCount()).toBe(0)
  })
})
