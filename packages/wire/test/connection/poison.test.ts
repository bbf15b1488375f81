// The bytes of the shared read buffer are overwritten after each read, in all tests (scripts/lib/poison-read-buffer.ts).
// Here faults are planted that this has to find.
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/index.ts'
import { Engine } from '../../src/connection/engine.ts'
import { get, serve, statusesOf } from '../lib/serve.ts'
import type { Served } from '../lib/serve.ts'

const CLOSE = 'Connection: close'
const PIECES = ['GET /whole HT', `TP/1.1\r\nHost: x\r\n${CLOSE}\r\n\r\n`]

async function serveBy(
  handler: (exchange: Exchange, engine: Engine) => void,
): Promise<Served & { engine: Engine }> {
  const served = await serve((exchange) => {
    const { engine } = exchange.connection
    if (!(engine instanceof Engine)) throw new Error('the connection is one of the engine')
    handler(exchange, engine)
  })
  const { attachment } = served
  if (!(attachment instanceof Engine)) throw new Error('the attachment is the engine')
  return { ...served, engine: attachment }
}

describe('poison in the shared read buffer', () => {
  it('overwrites what was read, as soon as the read is over', async () => {
    const kept: Buffer[] = []
    const { open } = await serveBy((exchange, { readBuffer }) => {
      kept.push(readBuffer.bytes.subarray(0, exchange.method.length))
      expect(kept.map(String)).toEqual(['GET'])
      exchange.send(200, {}, 'x')
    })
    const socket = await open()
    socket.write(get('/'))
    await once(socket, 'data')
    expect(kept).toEqual([Buffer.alloc(3, 0xdb)])
    socket.destroy()
  })

  it('spares what is copied', async () => {
    const { ask } = await serveBy((exchange) => exchange.send(200, {}, exchange.target))
    expect(await ask(PIECES)).toMatch(/\r\n\r\n\/whole$/)
  })

  it('finds the part of a head that is kept without a copy', async () => {
    const { ask, engine } = await serveBy((exchange) => exchange.send(200, {}, exchange.target))
    engine.readBuffer.own = (bytes, start, end) => bytes.subarray(start, end)
    expect(statusesOf(await ask(PIECES))).toEqual([400])
  })

  it('finds a pipelined request that is kept without a copy', async () => {
    const { ask, engine } = await serveBy((exchange) => {
      setTimeout(() => exchange.send(200, {}, exchange.target), 5)
    })
    const requests = get('/a') + get('/b', CLOSE)
    expect(statusesOf(await ask(requests))).toEqual([200, 200])
    engine.readBuffer.own = (bytes, start, end) => bytes.subarray(start, end)
    expect(statusesOf(await ask(requests))).toEqual([200, 400])
  })
})
