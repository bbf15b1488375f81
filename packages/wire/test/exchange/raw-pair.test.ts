import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { get, serve, statusesOf } from '../lib/serve.ts'

const CLOSE = 'Connection: close'

describe("Node's objects of an exchange", () => {
  it('are genuine, and the connection goes on after a response that they write', async () => {
    const { ask, attachment } = await serve((exchange) => {
      const { request, response } = exchange.raw
      expect([request instanceof IncomingMessage, response instanceof ServerResponse]).toEqual([true, true])
      expect([request.method, request.url, request.headers.host]).toEqual(['GET', exchange.target, 'x'])
      response.setHeader('X-One', '1')
      response.write(exchange.target)
      response.end('!')
    })
    const text = await ask(get('/a') + get('/b', CLOSE))
    expect(statusesOf(text)).toEqual([200, 200])
    expect(text).toMatch(/\/a[^]*X-One: 1[^]*\/b/)
    expect(attachment.counts.handedOver).toEqual({})
  })

  it('give their headers to a response of the exchange, and see its end', async () => {
    const events: string[] = []
    const { ask } = await serve((exchange) => {
      const { response } = exchange.raw
      response.setHeader('X-Raw', ['1', '2'])
      for (const name of ['finish', 'close']) response.on(name, () => events.push(name))
      exchange.send(201, { 'x-own': '3' }, 'x')
      expect([response.headersSent, response.writableEnded, response.statusCode]).toEqual([true, true, 201])
    })
    const text = await ask(get('/', CLOSE))
    expect(text).toMatch(/X-Raw: 1\r\nX-Raw: 2\r\nx-own: 3/)
    expect(events).toEqual(['finish', 'close'])
  })

  it('give headers whose names members of all objects have to a response of the exchange', async () => {
    const { ask } = await serve((exchange) => {
      for (const name of ['__proto__', 'constructor']) exchange.raw.response.setHeader(name, 'v')
      exchange.send(200, {}, 'x')
    })
    expect(await ask(get('/', CLOSE))).toMatch(/^HTTP\/1\.1 200 OK\r\n__proto__: v\r\nconstructor: v\r\n/)
  })

  it('write the content of an error behind a head without content that could not be written', async () => {
    const { ask } = await serve((exchange) => {
      const { response } = exchange.raw
      expect(() => response.writeHead(304, { 'x-a': '\0' })).toThrow('Invalid character')
      exchange.send(500, {}, 'failed')
    })
    expect(await ask(get('/', CLOSE))).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n[^]*\r\n\r\nfailed$/)
  })

  it('write the framing that is decided, whatever the letters of the headers', async () => {
    const { ask } = await serve((exchange) => {
      expect(exchange.raw.response.headersSent).toBe(false)
      const headers = { 'Content-Length': 'v', 'Transfer-Encoding': 'gzip', 'X-A': 'v' }
      const writer = exchange.open(200, headers)
      writer.write(Buffer.from('x'))
      writer.end()
    })
    const text = await ask(get('/', CLOSE))
    expect(text).not.toMatch(/content-length|gzip/i)
    expect(text).toMatch(/X-A: v\r\n[^]*transfer-encoding: chunked\r\n[^]*\r\n0\r\n\r\n$/i)
  })

  it('write the response themselves when a method was replaced', async () => {
    const { ask } = await serve((exchange) => {
      const { response } = exchange.raw
      const { writeHead } = response
      response.writeHead = ((status: number, headers: Record<string, string>) =>
        writeHead.call(response, status, { ...headers, 'x-late': '1' })) as typeof writeHead
      exchange.send(200, { 'content-type': 'text/plain' }, 'x')
    })
    expect(await ask(get('/a') + get('/b', CLOSE))).toMatch(
      /x-late: 1[^]*\r\n\r\nx[^]*x-late: 1[^]*\r\n\r\nx$/,
    )
  })

  it('read a body with back-pressure, and its trailers', async () => {
    const { open } = await serve(async (exchange) => {
      const { request, response } = exchange.raw
      let size = 0
      for await (const chunk of request) {
        size += (chunk as Buffer).length
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
      }
      response.end(`${size} ${request.trailers['x-sum'] ?? ''} ${request.complete}`)
    })
    const socket = await open()
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    for (let i = 0; i < 40; i++) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`)
    socket.write('0\r\nX-Sum: 9\r\n\r\n')
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    await once(socket, 'close')
    expect(text).toContain(`${40 * 65_536} 9 true`)
  })

  it('go on reading a body behind the end of the response', async () => {
    let size = 0
    const { open } = await serve((exchange) => {
      const { request, response } = exchange.raw
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      response.end('early')
    })
    const socket = await open()
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 600000\r\n\r\n')
    const [first] = await once(socket, 'data')
    expect(statusesOf(String(first))).toEqual([200])
    socket.write('x'.repeat(600_000))
    socket.write(get('/next', CLOSE))
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    await once(socket, 'close')
    expect([size, statusesOf(text)]).toEqual([600_000, [200]])
  })

  it('hear that the client has gone', async () => {
    const events: string[] = []
    const { open } = await serve((exchange) => {
      const { request, response } = exchange.raw
      request.on('aborted', () => events.push('aborted'))
      request.on('error', (error: Error & { code?: string }) => events.push(String(error.code)))
      response.on('close', () => events.push('close'))
    })
    const socket = await open()
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe`)
    setTimeout(() => socket.resetAndDestroy(), 20)
    while (events.length < 3) await new Promise((resolve) => setTimeout(resolve, 2))
    expect(events.toSorted()).toEqual(['ECONNRESET', 'aborted', 'close'])
  })

  it('look finished behind a response, unless the client goes before its last byte', async () => {
    const events: string[] = []
    const { ask, open } = await serve((exchange) => {
      const { response } = exchange.raw
      response.on('close', () => events.push(`${exchange.target} ${response.writableFinished}`))
      exchange.send(200, {}, Buffer.alloc(exchange.target === '/whole' ? 10 : 50_000_000))
    })
    await ask(get('/whole', CLOSE))
    const socket = await open()
    socket.write(get('/cut'))
    await once(socket, 'readable')
    socket.resetAndDestroy()
    while (events.length < 2) await new Promise((resolve) => setTimeout(resolve, 2))
    expect(events).toEqual(['/whole true', '/cut false'])
  })
})

/** Ways to wait for a body that has no bytes; none of them takes the `null` of its end. */
const WAITS: Record<string, (request: IncomingMessage) => void> = {
  'a listener of readable that reads nothing': (request) => void request.on('readable', () => {}),
  'a listener of readable that reads': (request) => void request.on('readable', () => request.read()),
  'a read of nothing': (request) => process.nextTick(() => request.read(0)),
  'a listener of data': (request) => void request.on('data', () => {}),
}
const EMPTY = ['GET / HTTP/1.1\r\nHost: x\r\n', 'Transfer-Encoding: chunked\r\n', 'Content-Length: 0\r\n']
  .map((line, index) => (index === 0 ? line : `POST / HTTP/1.1\r\nHost: x\r\n${line}`))
  .map((head) => `${head}${CLOSE}\r\n\r\n${head.includes('chunked') ? '0\r\n\r\n' : ''}`)

describe.each(Object.entries(WAITS))('a request without bytes, for %s', (_name, wait) => {
  it.each(EMPTY)('ends as it does on node:http: %j', async (text) => {
    const take = (request: IncomingMessage, response: ServerResponse): void => {
      const events: string[] = []
      for (const name of ['end', 'close']) request.on(name, () => events.push(name))
      wait(request)
      setTimeout(() => response.end(events.join(' ')), 10)
    }
    const { ask } = await serve(({ raw }) => take(raw.request, raw.response))
    const plain = createServer(take).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const { port } = plain.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(text)
    let byNode = ''
    for await (const bytes of socket) byNode += String(bytes)
    plain.close()
    const eventsIn = (response: string): string => response.slice(response.indexOf('\r\n\r\n'))
    expect(eventsIn(byNode)).toContain('end')
    expect(eventsIn(await ask(text))).toBe(eventsIn(byNode))
  })
})
