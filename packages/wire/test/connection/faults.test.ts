// Every state of a connection meets every way in which it can end.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/index.ts'
import type { Connection } from '../../src/connection/connection.ts'
import { Engine } from '../../src/connection/engine.ts'
import { get, serve, statusesOf } from '../lib/serve.ts'

const BIG = 'x'.repeat(1_000_000)

/** Everything that a case looks at. */
interface Bench {
  readonly engine: Engine
  readonly client: Socket
  /** the connection as the server has it */
  readonly connection: () => Connection
  /** what the client has read */
  readonly text: () => string
  /** handlers that wait, so that they can respond */
  readonly waiting: Exchange[]
  readonly begun: Exchange[]
  readonly outcomes: (Error | null)[]
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 2, timeout: 10_000 }).toBe(true)
}

async function prepare(): Promise<Bench> {
  const waiting: Exchange[] = []
  const begun: Exchange[] = []
  const outcomes: (Error | null)[] = []
  const { server, attachment } = await serve((exchange) => {
    begun.push(exchange)
    exchange.onFinished((error) => outcomes.push(error))
    const receiver = { receive: () => exchange.send(200, {}, 'read'), refuse: (error: unknown) => error }
    if (exchange.method === 'POST') exchange.collect(1000, 'text', receiver)?.catch(() => {})
    else if (exchange.target === '/wait') waiting.push(exchange)
    else exchange.send(200, {}, exchange.target === '/big' ? BIG : 'hello')
  })
  if (!(attachment instanceof Engine)) throw new Error('the attachment is the engine')
  const { port } = server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.on('error', () => {})
  let text = ''
  client.on('data', (bytes: Buffer) => (text += bytes.toString('latin1', 0, 40)))
  await once(client, 'connect')
  await until(() => attachment.connections.size === 1)
  const [first] = attachment.connections
  if (first === undefined) throw new Error('the server has no connection')
  return {
    engine: attachment,
    client,
    connection: () => first,
    text: () => text,
    waiting,
    begun,
    outcomes,
  }
}

/** How a connection gets into each state. */
const REACH: Readonly<Record<string, (bench: Bench) => void>> = {
  new: () => {},
  idle: ({ client }) => void client.write(get('/')),
  head: ({ client }) => void client.write('GET / HT'),
  body: ({ client }) => void client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhel'),
  response: ({ client }) => void client.write(get('/wait')),
  stalled: ({ client }) => {
    client.pause()
    client.write(get('/big').repeat(40))
  },
  lingering: ({ client }) => void client.write(get('/', 'Connection: close')),
}

/** What happens to it. */
const FAULTS: Readonly<Record<string, (bench: Bench) => void>> = {
  'a reset': ({ client }) => void client.resetAndDestroy(),
  'the end of its input': ({ client }) => void client.end(),
  'an error of its socket': ({ connection }) => void connection().socket.destroy(new Error('broken')),
  'a timeout of its socket': ({ connection }) => void connection().socket.setTimeout(5),
  'its deadline': ({ engine: { server } }) => {
    server.headersTimeout = 30
    server.requestTimeout = 30
    server.keepAliveTimeout = 1
  },
  'close()': ({ engine: { server } }) => void server.close(),
  'closeIdleConnections()': ({ engine: { server } }) => server.closeIdleConnections(),
  'closeAllConnections()': ({ engine: { server } }) => server.closeAllConnections(),
}

/**
 * The faults that leave a connection open in some states, until the response is out and the client leaves. A client
 * that ends its side before it has the response gets none, as with `node:http`.
 */
const STAYS: Readonly<Record<string, readonly string[]>> = {
  'the end of its input': ['stalled'],
  'its deadline': ['response', 'stalled'],
  'close()': ['new', 'head', 'body', 'response', 'stalled'],
  'closeIdleConnections()': ['new', 'head', 'body', 'response', 'stalled'],
}

/** The faults that get a response, by state. */
const STATUSES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'the end of its input': { head: 400, body: 400 },
  'its deadline': { new: 408, head: 408, body: 408 },
}

async function leave({ client, waiting }: Bench): Promise<void> {
  for (const exchange of waiting) exchange.send(200, {}, 'late')
  client.resume()
  if (waiting.length > 0) await once(client, 'data')
  client.destroy()
}

describe.each(Object.keys(REACH))('a connection in the state %s', (state) => {
  it.each(Object.keys(FAULTS))('survives %s, and releases everything', async (fault) => {
    const bench = await prepare()
    const { engine, connection, begun, outcomes } = bench
    REACH[state]?.(bench)
    await until(() => connection().state.name === state)
    FAULTS[fault]?.(bench)
    if (STAYS[fault]?.includes(state) === true) {
      for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve, 20))
      expect([connection().state.name, connection().socket.destroyed]).toEqual([state, false])
      await leave(bench)
    } else bench.client.resume()
    if (state === 'lingering') setTimeout(() => bench.client.end(), 20)
    await until(() => connection().socket.destroyed && connection().state.name === 'gone')
    expect([engine.connections.size, connection().exchange]).toEqual([0, null])
    // Each request has one outcome, whatever happens.
    await until(() => outcomes.length === begun.length)
    const refused = STATUSES[fault]?.[state]
    if (refused !== undefined) {
      await until(() => statusesOf(bench.text()).at(-1) === refused)
    }
    bench.client.destroy()
    if (fault === 'close()') return
    // The next client may be slow to begin.
    engine.server.headersTimeout = 60_000
    engine.server.requestTimeout = 60_000
    const next = connect((engine.server.address() as AddressInfo).port, '127.0.0.1')
    next.write(get('/', 'Connection: close'))
    expect(statusesOf(String((await once(next, 'data'))[0]))).toEqual([200])
    next.destroy()
  })
})
