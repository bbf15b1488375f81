import { client, StreamError, type Events } from '@cloister/client'
import { follow, type FollowedEvent, type FollowOptions, type Interruption } from '@cloister/client/follow'
import { ReplyError } from '@cloister/client/query'
import { describe, expect, expectTypeOf, it } from 'vitest'

interface Api {
  'GET /numbers/:key': { params: { key: string }; replies: { 200: Events<{ n: number }> } }
}

type Item = FollowedEvent<{ n: number }>

const QUICK: FollowOptions = { delayMs: 1 }
const numbersOf = (items: readonly Item[]): unknown[] => items.map((item) => (item.gap ? 'gap' : item.data.n))

type Respond = () => Response | Promise<Response>

const headers = { 'content-type': 'text/event-stream' }
const events = (text: string) => () => new Response(text, { headers })
const status =
  (code: number, fields = {}) =>
  () =>
    Response.json({ statusCode: code, error: 'x', message: 'x' }, { status: code, headers: fields })

/** Follows a server that sends these responses, and then 204. */
async function followAll(responses: readonly Respond[], options: FollowOptions = {}, signal?: AbortSignal) {
  const sent: (string | null)[] = []
  const interruptions: Interruption[] = []
  const left = [...responses]
  const api = client<Api>(async (request) => {
    sent.push(request.headers.get('last-event-id'))
    return (await left.shift()?.()) ?? new Response(null, { status: 204 })
  })
  const items: Item[] = []
  const onInterruption = (interruption: Interruption): void => void interruptions.push(interruption)
  const input = { params: { key: 'a' }, signal: signal ?? null, headers: { 'Last-Event-ID': 'own' } }
  const end = await (async () => {
    for await (const item of follow(api, 'GET /numbers/:key', input, {
      ...QUICK,
      onInterruption,
      ...options,
    }))
      items.push(item)
  })().catch((error: unknown) => error)
  return { sent, interruptions, items, end }
}

describe('a followed route', () => {
  it('is opened again behind its last id, until the status is 204', async () => {
    const { sent, items, end } = await followAll([
      events('id: 1\ndata: {"n":1}\n\nid: 2\n\n'),
      events('data: {"n":2}\n\n'),
      events('id: 2\ndata: {"n":0}\n\nid: 3\ndata: {"n":3}\n\nid: 4\ndata: {"n"'),
    ])
    expect(sent).toEqual(['own', '2', '2', '3'])
    expect(numbersOf(items)).toEqual([1, 2, 3])
    expect(items.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(end).toBeUndefined()
  })

  it('begins behind the id that is given', async () => {
    const { sent } = await followAll([events('data: {"n":1}\n\n')], { after: '7' })
    expect(sent).toEqual(['7', '7'])
  })

  it.each([400, 401, 404, 410])('ends at the status %i', async (code) => {
    const { end, sent } = await followAll([events(''), status(code), events('')])
    expect(end).toBeInstanceOf(ReplyError)
    expect(end).toMatchObject({ route: 'GET /numbers/:key', reply: { status: code } })
    expect(sent).toHaveLength(2)
  })

  it.each([408, 425, 429, 500, 503])('is opened again after the status %i', async (code) => {
    const { end, interruptions } = await followAll([events(''), status(code), status(code)])
    expect(end).toBeUndefined()
    expect(interruptions.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(interruptions[1]?.error).toBeInstanceOf(ReplyError)
  })

  it('ends with the error of the first connection', async () => {
    expect((await followAll([status(503), events('')])).end).toBeInstanceOf(ReplyError)
    const broken = new TypeError('fetch failed')
    expect((await followAll([() => Promise.reject(broken)])).end).toBe(broken)
    expect((await followAll([() => Response.json({})])).end).toMatchObject({
      message: 'GET /numbers/:key: the response is no event stream',
    })
  })

  it('ends with the error of its handler if it refuses the client, and else is opened again', async () => {
    const failing = (code: number): Respond =>
      events(`event: error\ndata: {"statusCode":${code},"error":"x","message":"m"}\n\n`)
    expect((await followAll([failing(403)])).end).toBeInstanceOf(StreamError)
    const { end, interruptions } = await followAll([failing(503)])
    expect(end).toBeUndefined()
    expect(interruptions[0]?.error).toBeInstanceOf(StreamError)
  })

  it('waits twice as long after each failure, and as the server says', async () => {
    const refused = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))
    const { interruptions } = await followAll(
      [events('retry: 2\n\n'), refused, refused, refused, status(503, { 'retry-after': '0.02' }), events('')],
      { maxDelayMs: 8 },
    )
    const [first, second, third, fourth, fifth, last] = interruptions.map(({ delayMs }) => delayMs)
    const leasts = [
      [first, 2],
      [second, 4],
      [third, 8],
      [fourth, 8],
      [last, 2],
    ]
    for (const [delay, least] of leasts) {
      expect(delay).toBeGreaterThanOrEqual(least ?? 0)
      expect(delay).toBeLessThanOrEqual((least ?? 0) * 1.5)
    }
    expect(fifth).toBe(20)
  })

  it('ends when its signal is aborted, also while it waits', async () => {
    const controller = new AbortController()
    const { end, sent } = await followAll(
      [events('')],
      { delayMs: 1e9, onInterruption: () => setTimeout(() => controller.abort()) },
      controller.signal,
    )
    expect(end).toBeUndefined()
    expect(sent).toHaveLength(1)
  })

  it('has the data of its route, and gaps without data', () => {
    const api = client<Api>('http://localhost')
    const items = follow(api, 'GET /numbers/:key', { params: { key: 'a' } })
    expectTypeOf(items).toEqualTypeOf<AsyncGenerator<Item, void>>()
  })
})
