import fc from 'fast-check'
import { once } from 'node:events'
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Turn, TurnEvent } from '@cloister/wire/message'
import { WAITING } from '@cloister/wire/message/internal'
import { MemoryExchange } from '../../../../../conformance/harness/memory/memory-exchange.ts'
import { MemoryResponse } from '../../../../../conformance/harness/memory/memory-response.ts'
import type { ContentWriter, Exchange } from '../../../src/exchange/exchange.ts'
import { FetchExchange } from '../../../src/transport/fetch/fetch-exchange.ts'
import { OpenResponses } from '../../../src/transport/fetch/open-responses.ts'
import { NodeExchange } from '../../../src/transport/raw/node-exchange.ts'
import { Client, head, LANES } from './lanes.ts'

/** An open exchange, whose client can leave. */
interface Open {
  readonly exchange: Exchange
  readonly leave: () => void
  readonly close: () => Promise<void>
}

type Begin = () => Promise<Open>

const overLane =
  (create: (typeof LANES)[number][1]): Begin =>
  async () => {
    let release = (): void => undefined
    const client = await new Promise<Client & { exchange?: Exchange }>((resolve) => {
      const made: Client & { exchange?: Exchange } = new Client(create, async (exchange) => {
        made.exchange = exchange
        resolve(made)
        await new Promise<void>((done) => (release = done))
      })
      void made.write(head('GET /'))
    })
    const { exchange } = client
    if (exchange === undefined) throw new Error('no exchange has come')
    const close = async (): Promise<void> => {
      release()
      client.leave()
      await client.received()
    }
    return { exchange, leave: () => client.leave(), close }
  }

const overHttp2: Begin = async () => {
  const server = createHttp2Server()
  const came = new Promise<Exchange>((resolve) => {
    server.on('request', (request, response) => {
      resolve(new NodeExchange(Object(request), Object(response), false))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  const stream = session.request({ ':path': '/' })
  stream.on('error', () => {})
  stream.resume()
  const exchange = await came
  const close = async (): Promise<void> => {
    session.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { exchange, leave: () => stream.close(constants.NGHTTP2_CANCEL), close }
}

const overFetch: Begin = async () => {
  const controller = new AbortController()
  const request = new Request('http://localhost/', { signal: controller.signal })
  const exchange = new FetchExchange(request, {})
  const settled = exchange.settled()
  settled.then(
    (response) => void response.text().catch(() => undefined),
    () => undefined,
  )
  new OpenResponses().keep(exchange)
  return { exchange, leave: () => controller.abort(), close: async () => undefined }
}

const inMemory: Begin = async () => {
  const request = { method: 'GET', target: '/', headerLines: ['host', 'a'], body: new Uint8Array() }
  const response = new MemoryResponse()
  const exchange = new MemoryExchange(request, response)
  return { exchange, leave: () => exchange.abort(), close: async () => undefined }
}

const TRANSPORTS: readonly (readonly [name: string, begin: Begin])[] = [
  ...LANES.map(([name, create]) => [name, overLane(create)] as const),
  ['HTTP/2', overHttp2],
  ['fetch', overFetch],
  ['memory', inMemory],
]

/** Something that an application or a client does, and the event that it is for the table. */
const ACTS = {
  'sends a whole response': 'completed',
  'writes content': 'begun',
  'ends the content': 'completed',
  'cuts the response': 'gone',
  'loses its client': 'gone',
} as const satisfies Record<string, TurnEvent>

type Act = keyof typeof ACTS

const isAct = (name: string): name is Act => name in ACTS

/** Does something as often as its turn allows it, as the framework does. */
function act(what: Act, { exchange, leave }: Open, content: { writer: ContentWriter | null }): boolean {
  const { turn } = exchange
  if (what === 'loses its client') leave()
  else if (what === 'cuts the response') exchange.abort()
  else if (what === 'sends a whole response') {
    if (turn.mayBegin || turn.isGone) exchange.send(200, {}, 'whole')
    if (!turn.mayBegin) return false
  } else if (what === 'writes content') {
    content.writer ??= turn.mayBegin ? exchange.open(200, { 'content-type': 'text/plain' }, false) : null
    content.writer?.write(Buffer.from('piece'))
    return content.writer !== null
  } else {
    if (content.writer === null) return false
    content.writer.end(null)
  }
  return true
}

/** `sent` becomes `over` when the connection goes on, which only the transport knows. */
const known = ({ name }: Turn): string => (name === 'over' ? 'sent' : name)

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate)
}

it.each(TRANSPORTS)(
  'an exchange over %s is in the row that the table of turns gives',
  async (_name, begin) => {
    const names = Object.keys(ACTS).filter(isAct)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }), async (acts) => {
        const open = await begin()
        const content = { writer: null }
        let turn = WAITING
        const outcomes: unknown[] = []
        open.exchange.onFinished((outcome) => outcomes.push(outcome === null))
        for (const what of acts) {
          const before = turn
          if (act(what, open, content) && !turn.isOver) turn = turn.next[ACTS[what]]
          // The connection tells later that its client has left.
          for (let wait = 0; wait < 50 && known(open.exchange.turn) !== known(turn); wait++) await settle()
          expect([before.name, what, known(open.exchange.turn)]).toEqual([before.name, what, known(turn)])
        }
        if (turn.isOver) {
          for (let wait = 0; wait < 50 && outcomes.length === 0; wait++) await settle()
          expect(outcomes).toEqual([turn.isComplete])
        }
        await open.close()
      }),
      { numRuns: 60 },
    )
  },
)
