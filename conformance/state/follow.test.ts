// The client follows a topic, while connections are cut and processes come and go.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { client, type Events } from '@cloister/client'
import { follow, type FollowedEvent, type FollowOptions, type Interruption } from '@cloister/client/follow'
import { memoryState, type State } from '@cloister/state'
import { topics } from '@cloister/state/topics'
import { cloister, sse } from 'cloister'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'

interface Api {
  'GET /numbers/:key': { params: { key: string }; replies: { 200: Events<{ n: number }> } }
}

type Item = FollowedEvent<{ n: number }>

const NUMBER = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } as const
const RESPONSE = { 200: { content: { 'text/event-stream': { schema: NUMBER } } } } as const
const QUICK: FollowOptions = { delayMs: 1 }

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

/** A process of an app with a topic. */
async function startApp(state: State, port = 0) {
  const app = await cloister().register(topics, { state })
  const numbers = app.topic('numbers/:key', { schema: NUMBER })
  app.get('/numbers/:key', { schema: { response: RESPONSE } }, async function* (request) {
    const { params, lastEventId, signal } = request
    yield sse({ retry: 1 })
    for await (const event of numbers.subscribe(params, { after: lastEventId, signal })) yield sse(event)
  })
  open.push(app)
  const url = await app.listen({ port, host: '127.0.0.1' })
  return { app, numbers, port: Number(new URL(url).port) }
}

/** Passes connections on to a port, and cuts them. */
class Proxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** a connection is cut behind so many bytes of its response; `null` for none */
  cutAfter: () => number | null = () => null

  private constructor(targetPort: number) {
    this.#server = createServer((near) => {
      const far = connect(targetPort, '127.0.0.1')
      let left = this.cutAfter() ?? Infinity
      const cut = (): void => {
        near.destroy()
        far.destroy()
      }
      for (const socket of [near, far]) {
        this.#sockets.add(socket)
        socket.on('error', cut).on('close', cut)
      }
      near.pipe(far)
      far.on('data', (bytes) => {
        const part = bytes.subarray(0, left)
        left -= part.length
        if (left > 0) near.write(part)
        else near.write(part, cut)
      })
    })
  }

  static async before(targetPort: number): Promise<Proxy> {
    const proxy = new Proxy(targetPort)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    open.push(proxy)
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.cut()
    this.#server.close()
  }
}

/** Follows until an item is the last one. */
async function readUntil(url: string, isLast: (item: Item) => boolean, options: FollowOptions) {
  const controller = new AbortController()
  const items: Item[] = []
  const input = { params: { key: 'a' }, signal: controller.signal }
  for await (const item of follow(client<Api>(url), 'GET /numbers/:key', input, options)) {
    items.push(item)
    if (isLast(item)) break
  }
  return items
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1))
}

const numbersOf = (items: readonly Item[]): unknown[] => items.map((item) => (item.gap ? 'gap' : item.data.n))
const isNumber =
  (n: number) =>
  (item: Item): boolean =>
    !item.gap && item.data.n === n

describe('a followed route of a topic', () => {
  it('has each event once, in order, through a proxy that cuts connections after any byte', async () => {
    const { numbers, port } = await startApp(memoryState())
    const proxy = await Proxy.before(port)
    const begin = await numbers.publish({ key: 'a' }, { n: 0 })
    const count = 40
    for (let n = 1; n <= count; n++) await numbers.publish({ key: 'a' }, { n })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 1500 }), { maxLength: 12 }), async (cuts) => {
        const left = [...cuts]
        proxy.cutAfter = () => left.pop() ?? null
        // The first connection has to succeed.
        left.push(1000)
        const items = await readUntil(proxy.url, isNumber(count), { ...QUICK, after: begin })
        expect(numbersOf(items)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
      }),
      { numRuns: 20 },
    )
  })

  it('has each event once while processes come and go, and says what ended each connection', async () => {
    const state = memoryState()
    let process = await startApp(state)
    const { port } = process
    const interruptions: Interruption[] = []
    const publisher = (await startApp(state)).numbers
    const begin = await publisher.publish({ key: 'a' }, { n: 0 })
    let hasBegun = false
    const isLast = (item: Item): boolean => {
      hasBegun = true
      return isNumber(60)(item)
    }
    const reading = readUntil(`http://127.0.0.1:${port}`, isLast, {
      ...QUICK,
      maxDelayMs: 20,
      after: begin,
      onInterruption: (interruption) => interruptions.push(interruption),
    })
    for (let n = 1; n <= 60; n++) {
      await publisher.publish({ key: 'a' }, { n })
      if (n % 20 !== 10) continue
      // The first connection has to succeed.
      await until(() => hasBegun)
      const known = interruptions.length
      if (n === 30) process.app.server.closeAllConnections()
      await process.app.close()
      await until(() => interruptions.length > known)
      process = await startApp(state, port)
    }
    expect(numbersOf(await reading)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
    expect(interruptions.length).toBeGreaterThanOrEqual(3)
    expect(interruptions.some(({ error }) => error instanceof TypeError)).toBe(true)
  })

  it('has a gap for an id that the topic does not know', async () => {
    const { numbers, port } = await startApp(memoryState())
    await numbers.publish({ key: 'a' }, { n: 1 })
    const items = await readUntil(`http://127.0.0.1:${port}`, isNumber(1), { after: 'elsewhere' })
    expect(numbersOf(items)).toEqual(['gap', 1])
  })
})
