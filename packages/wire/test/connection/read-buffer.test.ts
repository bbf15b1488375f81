import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/index.ts'
import { get, serve } from '../lib/serve.ts'
import type { Served } from '../lib/serve.ts'

const NOISE = '!'.repeat(60_000)
const POST = 'POST /kept?q=1 HTTP/1.1\r\nHost: x\r\nX-Mine: kept\r\nContent-Type: text/kept\r\n'
const WHOLE = `${POST}Content-Length: 9\r\n\r\nmy secret`
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n9\r\nmy secret\r\n0\r\nX-Sum: kept\r\n\r\n`

type Collected = string | Buffer

function collect(exchange: Exchange, as: 'text' | 'bytes'): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): unknown => {
      reject(error)
      return error
    }
    exchange.collect(1_000_000, as, { receive: resolve, refuse })?.catch(() => {})
  })
}

async function readRaw({ raw }: Exchange): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of raw.request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

/** What an application keeps of a request while other connections are read, and reads later. */
const KEPT: Readonly<
  Record<string, (exchange: Exchange, others: () => Promise<void>) => Promise<unknown> | unknown>
> = {
  'target and headers': async (exchange, others) => {
    await others()
    return [
      exchange.target,
      exchange.header('content-type'),
      exchange.headers['x-mine'],
      exchange.headerLines[3],
    ]
  },
  'the raw request': async (exchange, others) => {
    await others()
    return [exchange.raw.request.url, exchange.raw.request.headers['x-mine']]
  },
  'a body that is read late as text': async (exchange, others) => {
    await others()
    return collect(exchange, 'text')
  },
  'a body that is read late as bytes': async (exchange, others) => {
    await others()
    return String(await collect(exchange, 'bytes'))
  },
  'bytes that were read at once': async (exchange, others) => {
    const bytes = await collect(exchange, 'bytes')
    await others()
    return String(bytes)
  },
  'a body that is streamed late': async (exchange, others) => {
    await others()
    return readRaw(exchange)
  },
  'pieces of a stream': async (exchange, others) => {
    const pieces: Buffer[] = []
    exchange.raw.request.on('data', (piece: Buffer) => pieces.push(piece))
    await once(exchange.raw.request, 'end')
    await others()
    return Buffer.concat(pieces).toString()
  },
}

const EXPECTED: Readonly<Record<string, unknown>> = {
  'target and headers': ['/kept?q=1', 'text/kept', 'kept', 'kept'],
  'the raw request': ['/kept?q=1', 'kept'],
}

/** Serves, and returns what fills the buffer with the bytes of another connection. */
async function serveBeside(
  handler: (exchange: Exchange, others: () => Promise<void>) => void,
): Promise<Served> {
  let other: Socket | null = null
  const others = async (): Promise<void> => {
    other ??= await served.open()
    other.write(`POST /noise HTTP/1.1\r\nHost: x\r\nContent-Length: ${NOISE.length}\r\n\r\n${NOISE}`)
    await once(other, 'data')
  }
  const served = await serve((exchange) => {
    if (exchange.target === '/noise') void collect(exchange, 'text').then(() => exchange.send(200, {}, 'x'))
    else handler(exchange, others)
  })
  return served
}

describe('the bytes of one connection', () => {
  for (const [what, keep] of Object.entries(KEPT)) {
    for (const [framing, request] of [
      ['with a length', WHOLE],
      ['chunked', CHUNKED],
    ] as const) {
      it(`never show in another: ${what}, ${framing}`, async () => {
        const seen: unknown[] = []
        const { ask } = await serveBeside(async (exchange, others) => {
          seen.push(await keep(exchange, others))
          exchange.send(200, { connection: 'close' }, 'done')
        })
        // At once; with the body behind the head; with the body in two pieces.
        const headEnd = request.indexOf('\r\n\r\n') + 4
        await ask(request)
        await ask([request.slice(0, headEnd), request.slice(headEnd)])
        await ask([request.slice(0, headEnd + 5), request.slice(headEnd + 5)])
        const expected = EXPECTED[what] ?? 'my secret'
        expect(seen).toEqual([expected, expected, expected])
      })
    }
  }

  it('never show in another: a body that nobody has read when the response was sent', async () => {
    const seen: string[] = []
    const { ask } = await serveBeside(async (exchange, others) => {
      const { request } = exchange.raw
      exchange.send(200, { connection: 'close' }, 'early')
      await others()
      for await (const piece of request) seen.push(String(piece))
    })
    await ask(WHOLE)
    await expect.poll(() => seen).toEqual(['my secret'])
  })

  it('never show in another: requests that wait for the one before', async () => {
    const seen: unknown[] = []
    const { ask } = await serveBeside(async (exchange, others) => {
      await others()
      seen.push([exchange.target, exchange.headers['x-mine']])
      exchange.send(200, {}, 'x')
    })
    const one = (target: string): string => get(target, 'X-Mine: kept')
    await ask(one('/1') + one('/2') + one('/3') + get('/4', 'Connection: close'))
    expect(seen).toEqual([
      ['/1', 'kept'],
      ['/2', 'kept'],
      ['/3', 'kept'],
      ['/4', undefined],
    ])
  })

  it('never show in another: the part of a head', async () => {
    const { open } = await serveBeside((exchange, others) => {
      if (exchange.target === '/go') void others().then(() => exchange.send(200, {}, 'gone'))
      else exchange.send(200, {}, `${exchange.target} ${String(exchange.headers['x-mine'])}`)
    })
    const [socket, go] = [await open(), await open()]
    socket.write('GET /part HTTP/1.1\r\nHost: x\r\nX-Mi')
    go.write(get('/go'))
    await once(go, 'data')
    socket.write('ne: kept\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).toMatch(/\/part kept$/)
    for (const one of [socket, go]) one.destroy()
  })

  it('never show in another: the bytes that listeners of clientError get', async () => {
    const { ask, server } = await serveBeside((exchange, others) => {
      void others().then(() => exchange.send(200, { connection: 'close' }, 'x'))
    })
    const packets: Buffer[] = []
    server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
      if (error.rawPacket !== undefined) packets.push(error.rawPacket)
      socket.destroy()
    })
    await ask('GET / HTTP/1.1\r\nHo st: x\r\n\r\n')
    await ask(get('/noise-follows'))
    expect(packets.map(String)).toEqual(['GET / HTTP/1.1\r\nHo st: x\r\n\r\n'])
  })

  it('go to those who listen to the data of the socket, to keep', async () => {
    const kept: Buffer[] = []
    const { ask, server } = await serveBeside((exchange, others) => {
      void others().then(() => exchange.send(200, { connection: 'close' }, 'x'))
    })
    server.on('connection', (socket: Socket) => {
      if (kept.length === 0) socket.on('data', (bytes: Buffer) => kept.push(bytes))
    })
    await ask(get('/counted'))
    expect(kept.map(String)).toEqual([get('/counted')])
  })

  it('go to Node with the connection, and on to what it is upgraded to', async () => {
    const { server, open } = await serveBeside((exchange) => exchange.send(200, {}, 'x'))
    server.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n')
      socket.on('data', (bytes: Buffer) => socket.write(bytes))
    })
    const socket = await open()
    socket.write(get('/', 'Upgrade: echo', 'Connection: Upgrade'))
    expect(String((await once(socket, 'data'))[0])).toContain('101')
    for (const text of ['one', 'two']) {
      socket.write(text)
      expect(String((await once(socket, 'data'))[0])).toBe(text)
    }
    socket.destroy()
  })
})
