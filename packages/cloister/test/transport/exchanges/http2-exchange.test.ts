// Exchanges over Node's HTTP/2 server, on the loopback.
import { once } from 'node:events'
import { connect, createServer, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { NodeExchange } from '../../../src/transport/raw/node-exchange.ts'

const INTERNAL_ERROR = 2
const sessions: ClientHttp2Session[] = []
const servers: ReturnType<typeof createServer>[] = []

afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** Sends a head, and gives the stream of the client with the exchange of the server. */
async function open(
  headers: object,
  endStream: boolean,
): Promise<{ client: ClientHttp2Stream; exchange: NodeExchange }> {
  const server = createServer()
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  const session = connect(`http://127.0.0.1:${port}`)
  sessions.push(session)
  const came = once(server, 'request')
  const client = session.request({ ':path': '/', ...headers }, { endStream })
  client.on('error', () => {})
  const [request, response]: [IncomingMessage, ServerResponse] = Object(await came)
  return { client, exchange: new NodeExchange(request, response, false) }
}

const closed = (client: ClientHttp2Stream): Promise<void> =>
  new Promise((resolve) => void client.once('close', resolve))

const post = { ':method': 'POST' }

describe('the body of an exchange over HTTP/2', () => {
  it('may come without a field that announces it', async () => {
    expect((await open(post, false)).exchange.framing).toBe('chunked')
    expect((await open(post, true)).exchange.framing).toBe('none')
    const counted = await open({ ...post, 'content-length': '3' }, false)
    expect(counted.exchange.framing).toBe('length')
  })

  it.each([{}, { expect: '100-continue' }])(
    'is kept for a hook that waits, also if its client leaves meanwhile: %j',
    async (more) => {
      const { exchange, client } = await open({ ...post, ...more }, false)
      exchange.watchStream()
      const gone = once(exchange.response, 'close')
      client.end('abc')
      await once(client, 'finish')
      client.close()
      await gone
      expect(exchange.request.read()?.toString()).toBe('abc')
    },
  )
})

describe('a response over HTTP/2', () => {
  it('is cut by an error of its stream, so that no client takes it as complete', async () => {
    const { exchange, client } = await open({}, true)
    const writer = exchange.open(200, {}, false)
    writer.write(Buffer.from('part'))
    await once(client, 'response')
    exchange.abort()
    await closed(client)
    expect(client.rstCode).toBe(INTERNAL_ERROR)
  })

  it('that has not begun is destroyed', async () => {
    const { exchange, client } = await open({}, true)
    exchange.abort()
    await closed(client)
    expect(exchange.turn.isGone).toBe(true)
  })

  it('is over when the application has ended it after its client had gone', async () => {
    const { exchange, client } = await open({}, true)
    const { response } = exchange
    const gone = once(response, 'close')
    client.close()
    await gone
    expect(exchange.turn.isComplete).toBe(false)
    response.end('late')
    expect(exchange.turn.isComplete).toBe(true)
  })

  it('tells of a write after its end, and of no other failure of its stream', async () => {
    const { exchange, client } = await open({}, true)
    const errors: unknown[] = []
    exchange.onResponseError((error) => void errors.push(Object(error).code))
    const { response } = exchange
    const stream: NodeJS.EventEmitter = Reflect.get(response, 'stream')
    stream.emit('error', Object.assign(new Error('reset'), { code: 'ERR_HTTP2_STREAM_ERROR' }))
    stream.emit('error', Object.assign(new Error('late'), { code: 'ERR_STREAM_WRITE_AFTER_END' }))
    expect(errors).toEqual(['ERR_STREAM_WRITE_AFTER_END'])
    client.destroy()
  })
})
