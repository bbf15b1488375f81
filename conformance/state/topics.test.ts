// Topics in event streams, lines and sockets of two apps over one state.
import { memoryState, type State } from '@cloister/state'
import { topics, type Topic } from '@cloister/state/topics'
import { cloister, sse } from 'cloister'
import { describe, expect as expectAlone, it as alone } from 'vitest'
import type { App, Request } from '../harness/app-shape.ts'
import { registerPlugin } from '../harness/register-plugin.ts'
import type { SentResponse } from '../harness/send.ts'
import { describeTransports } from '../harness/transports.ts'
import { connect, LANES, useSocketApps } from '../sockets/client.ts'

const PRICE = { type: 'object', required: ['bid'], properties: { bid: { type: 'number' } } } as const
const EVENTS = 'text/event-stream'
const LINES = 'application/x-ndjson'

/** A state in memory that counts who waits for signals. */
function watched(): { state: State; waiting: () => number } {
  const state = memoryState()
  const wake = state.wake.bind(state)
  let waiting = 0
  state.wake = async (log, listener) => {
    const stop = await wake(log, listener)
    waiting += 1
    return () => {
      waiting -= 1
      stop()
    }
  }
  return { state, waiting: () => waiting }
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Replaces what differs from run to run. */
const withoutIds = (text: string): string =>
  text.replaceAll(/^id: [\w-]{12}\.@?[\d-]+$/gm, 'id: …').replaceAll(/^:\n\n/gm, '')

describeTransports('topics', ({ createApp, send, it, expect }) => {
  const start = async (state: State): Promise<{ app: App; prices: Topic }> => {
    const app = createApp()
    await registerPlugin(app, topics, { state })
    const declare: unknown = Reflect.get(app, 'topic')
    if (typeof declare !== 'function') throw new Error('there is no app.topic')
    const prices: Topic = Reflect.apply(declare, app, ['prices/:symbol', { schema: PRICE }])
    const content = { [EVENTS]: { schema: PRICE }, [LINES]: { schema: PRICE } }
    app.get(
      '/prices/:symbol',
      { schema: { response: { 200: { content } } } },
      async function* (request: Request) {
        const { params, headers, signal } = request
        const after = headers['last-event-id']?.toString()
        if (!(signal instanceof AbortSignal)) throw new Error('there is no signal')
        for await (const event of prices.subscribe(params, { after, signal })) {
          if (headers['accept'] !== LINES) yield sse(event)
          else if (event.event === 'message') yield event.data
        }
      },
    )
    await app.ready()
    return { app, prices }
  }

  /** Subscribes, lets something happen, closes the app, and returns the response. */
  const streamOf = async (
    { state, waiting }: ReturnType<typeof watched>,
    headers: Record<string, string>,
    happens: (prices: Topic) => Promise<unknown>,
  ): Promise<SentResponse> => {
    const { app, prices } = await start(state)
    const response = send(app, { path: '/prices/X', headers })
    await until(() => waiting() === 1)
    await happens(prices)
    // The response begins before the app closes.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await app.close()
    expect(waiting()).toBe(0)
    return response
  }

  it('are event streams of what any app publishes, with ids, and end with the app', async () => {
    const watching = watched()
    const { prices } = await start(watching.state)
    const { text } = await streamOf(watching, {}, async (own) => {
      await prices.publish({ symbol: 'Y' }, { bid: 0 })
      await prices.publish({ symbol: 'X' }, { bid: 1, secret: 'hidden' })
      await own.publish({ symbol: 'X' }, { bid: 2 })
    })
    expect(withoutIds(text)).toBe(
      'id: …\n\nevent: message\nid: …\ndata: {"bid":1}\n\nevent: message\nid: …\ndata: {"bid":2}\n\nretry: 1000\n\n',
    )
    expect(new Set(text.match(/^id: .*$/gm)).size).toBe(3)
  })

  it('send a client that comes back what it missed, from another app', async () => {
    const watching = watched()
    const first = await streamOf(watching, {}, async () => {})
    const [, begin = ''] = /^id: (.*)$/m.exec(first.text) ?? []
    const { text } = await streamOf(watching, { 'last-event-id': begin }, async () => {})
    expect(withoutIds(text)).toBe('retry: 1000\n\n')
    const { prices } = await start(watching.state)
    const id = await prices.publish({ symbol: 'X' }, { bid: 1 })
    await prices.publish({ symbol: 'X' }, { bid: 2 })
    const behind = async (after: string): Promise<string> =>
      withoutIds((await streamOf(watching, { 'last-event-id': after }, async () => {})).text)
    const two = 'event: message\nid: …\ndata: {"bid":2}\n\n'
    const one = two.replace('2', '1')
    expect(await behind(begin)).toBe(`${one}${two}retry: 1000\n\n`)
    expect(await behind(id)).toBe(`${two}retry: 1000\n\n`)
    const foreign = await prices.publish({ symbol: 'Y' }, { bid: 9 })
    expect(await behind(foreign)).toBe(`event: gap\ndata:\n\n${one}${two}retry: 1000\n\n`)
  })

  it('are lines', async () => {
    const { text } = await streamOf(watched(), { accept: LINES }, async (prices) => {
      await prices.publish({ symbol: 'X' }, { bid: 1 })
      await prices.publish({ symbol: 'X' }, { bid: 2 })
    })
    expect(text).toBe('{"bid":1}\n{"bid":2}\n')
  })
})

describe.each(Object.entries(LANES))('sockets over %s', (_name, lane) => {
  const createSockets = useSocketApps()

  alone('have the messages of a topic from any app, and close with the app', async () => {
    const state = memoryState()
    const publisher = await cloister().register(topics, { state })
    const notes = publisher.topic('rooms/:room', { schema: PRICE })
    const { app: bare } = await createSockets(lane)
    const app = await bare.register(topics, { state })
    const own = app.topic('rooms/:room', { schema: PRICE })
    app.ws('/rooms/:room', { schema: { incoming: false, outgoing: PRICE } }, async (socket, { params }) => {
      for await (const event of own.subscribe(params, { signal: socket.signal })) {
        if (event.event === 'message') await socket.send(event.data)
        else await socket.send({ bid: 0 })
      }
    })
    const client = await connect(await app.listen({ port: 0 }), '/rooms/blue')
    expectAlone(await client.next()).toEqual({ bid: 0 })
    await notes.publish({ room: 'red' }, { bid: 1 })
    await notes.publish({ room: 'blue' }, { bid: 2 })
    expectAlone(await client.next()).toEqual({ bid: 2 })
    await app.close()
    expectAlone(await client.closed).toMatch(/^1001/)
  })
})
