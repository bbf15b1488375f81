import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Exchange } from '../../src/index.ts'
import { get, serve, statusesOf } from '../lib/serve.ts'

const CLOSE = 'Connection: close'
const hello = (exchange: Exchange): void =>
  void exchange.send(200, { 'content-type': 'text/plain' }, exchange.target)

/** Responds with the body of the request. */
const echo = (exchange: Exchange): void => {
  const receiver = {
    receive: (content: string | Buffer) => exchange.send(200, {}, String(content)),
    refuse: (error: unknown) => error,
  }
  exchange.collect(1_000_000, 'text', receiver)?.catch(() => {})
}

describe('a connection', () => {
  it('serves one request after the other', async () => {
    const { ask } = await serve(hello)
    const text = await ask([get('/a'), get('/b'), get('/c', CLOSE)])
    expect(statusesOf(text)).toEqual([200, 200, 200])
    expect(text).toMatch(/\/a[^]*\/b[^]*\/c$/)
  })

  it('responds to pipelined requests in order, also when the responses are late', async () => {
    let delay = 3
    const { ask } = await serve((exchange) => {
      setTimeout(() => hello(exchange), delay--)
    })
    const text = await ask(get('/a') + get('/b') + get('/c', CLOSE))
    expect([...text.matchAll(/\r\n\r\n(\/\w)/g)].map((match) => match[1])).toEqual(['/a', '/b', '/c'])
  })

  it('serves a request the same wherever its bytes are cut', async () => {
    const { ask } = await serve(echo)
    const request = `POST /a HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`
    for (let at = 1; at < request.length; at += 3) {
      const text = await ask([request.slice(0, at), request.slice(at)])
      expect([at, text.slice(-6)]).toEqual([at, '\r\n\r\nhi'])
    }
    expect(await ask(request.split(''))).toMatch(/\r\n\r\nhi$/)
  })

  it('takes nothing behind a request that closes the connection', async () => {
    const { ask } = await serve(hello)
    expect(statusesOf(await ask(get('/a', CLOSE) + get('/b')))).toEqual([200])
  })

  it('refuses malformed bytes after the responses that are due', async () => {
    const { ask } = await serve((exchange) => {
      setTimeout(() => hello(exchange), 2)
    })
    expect(statusesOf(await ask(`${get('/a')}GET / HTTP/1.1\r\nHost : x\r\n\r\n`))).toEqual([200, 400])
  })

  it('does not respond twice when the body of a request breaks behind its response', async () => {
    const { open } = await serve(hello)
    const socket = await open()
    socket.write('POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n')
    const [response] = await once(socket, 'data')
    expect(statusesOf(String(response))).toEqual([200])
    const more: unknown[] = []
    socket.on('data', (bytes) => more.push(bytes))
    socket.write('zz\r\n')
    await once(socket, 'close')
    expect(more).toEqual([])
  })

  it('hands an unusual request to Node, with all that follows', async () => {
    const { ask, attachment } = await serve(hello)
    const text = await ask(get('/a') + get('/b', 'Proxy-Connection: keep-alive') + get('/c', CLOSE))
    expect(text).toMatch(/\/a[^]*by node[^]*by node/)
    expect(attachment.counts.handedOver).toEqual({ 'Proxy-Connection': 1 })
  })

  it.each([
    ['method', 'LINK / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['target', 'GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['target', 'GET /\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['version', 'GET / HTTP/1.0\r\nHost: x\r\n\r\n'],
    ['Upgrade', get('/', 'Upgrade: a')],
    ['Connection', get('/', 'Connection: x-a')],
    ['Expect', get('/', 'Expect: more')],
    ['Transfer-Encoding', get('/', 'Transfer-Encoding: gzip, chunked')],
    ['white space around a value', get('/', 'Content-Length:  0')],
    ['number of fields', get('/', Array.from({ length: 2050 }, () => 'a:').join('\r\n'))],
    ['size of the head', get('/', `a: ${'a'.repeat(20_000)}`)],
  ])('counts why it hands connections to Node: %s', async (reason, bytes) => {
    const { open, attachment, server } = await serve(hello)
    server.on('upgrade', (_request, socket) => socket.destroy())
    const socket = await open()
    socket.on('error', () => {})
    socket.end(bytes)
    await once(socket.resume(), 'close')
    expect(attachment.counts.handedOver).toEqual({ [reason]: 1 })
  })

  it.each([
    ['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'],
    ['Connection: keep-alive, Upgrade', 'Upgrade: websocket'],
    ['Upgrade: TLS/1.0'],
    ['Connection: upgrade'],
  ])(
    'ignores a request for another protocol that nobody takes, and serves the next: %s',
    async (...lines) => {
      const { ask, attachment } = await serve(echo)
      const upload = `POST /b HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\nContent-Length: 2\r\n\r\nhi`
      const text = await ask(get('/a', lines.join('\r\n')) + upload + get('/c', 'Connection: Upgrade, close'))
      expect(statusesOf(text)).toEqual([200, 200, 200])
      expect(text).toMatch(/\r\n\r\nhiHTTP/)
      expect(attachment.counts.handedOver).toEqual({})
    },
  )

  it('asks a client to go on when its body is read, and not when it is refused before', async () => {
    const head = 'POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n'
    const reading = await serve(echo)
    const socket = await reading.open()
    socket.write(`${head}${CLOSE}\r\n\r\n`)
    expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('hi')
    expect(statusesOf(String((await once(socket, 'data'))[0]))).toEqual([200])
    const refusing = await serve((exchange) => exchange.send(413, {}, null))
    const text = await refusing.ask(`${head}\r\n`)
    expect(statusesOf(text)).toEqual([413])
    expect(text).toContain('Connection: close')
  })

  it('hands requests to Node while others observe its objects', async () => {
    const { ask, server } = await serve(hello)
    expect(await ask(get('/a', CLOSE))).toContain('/a')
    server.on('request', () => {})
    expect(await ask(get('/a', CLOSE))).toContain('by node')
  })

  it('ends silent and slow connections at their deadlines', async () => {
    const { ask, server, open } = await serve(hello)
    server.headersTimeout = 40
    server.requestTimeout = 40
    server.keepAliveTimeout = 0
    expect(statusesOf(await ask(''))).toEqual([408])
    expect(statusesOf(await ask('GET / HT'))).toEqual([408])
    expect(statusesOf(await ask('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe'))).toEqual([200])
    const kept = await open()
    kept.write(get('/a'))
    await once(kept, 'data')
    server.keepAliveTimeout = 1
    kept.resume()
    await once(kept, 'close')
  })

  it('forgets connections that Node has got when they end, also without deadlines', async () => {
    const [started, stopped] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
    onTestFinished(() => void vi.restoreAllMocks())
    const { ask, server } = await serve(hello)
    server.headersTimeout = 0
    server.requestTimeout = 0
    expect(await ask('GET / HTTP/1.0\r\nHost: x\r\n\r\n')).toContain('by node')
    const timer: unknown = started.mock.results.at(-1)?.value
    await expect.poll(() => stopped.mock.calls.map(([one]) => one)).toContain(timer)
  })

  it('responds with 503 to requests above the limit of the connection', async () => {
    const { server, open } = await serve(hello)
    server.maxRequestsPerSocket = 2
    const dropped: unknown[] = []
    server.on('dropRequest', (request) => dropped.push(request.url))
    const socket = await open()
    const responses: string[] = []
    for (const target of ['/a', '/b', '/c']) {
      socket.write(get(target))
      responses.push(String((await once(socket, 'data'))[0]))
    }
    expect(responses.flatMap(statusesOf)).toEqual([200, 200, 503])
    expect(responses.map((text) => /Connection: [\w-]+/.exec(text)?.[0])).toEqual([
      'Connection: keep-alive',
      'Connection: close',
      'Connection: close',
    ])
    expect(dropped).toEqual(['/c'])
  })

  it('closes idle connections, and no others, when the server asks for it', async () => {
    const waiting: Exchange[] = []
    const { server, open } = await serve((exchange) => {
      if (exchange.target === '/wait') waiting.push(exchange)
      else hello(exchange)
    })
    const [idle, busy] = [await open(), await open()]
    idle.write(get('/a'))
    await once(idle, 'data')
    busy.write(get('/wait'))
    const connected = await new Promise((resolve) => {
      server.getConnections((_error, count) => resolve(count))
    })
    expect(connected).toBe(2)
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    const closed = once(idle.resume(), 'close')
    server.closeIdleConnections()
    await closed
    waiting[0]?.send(200, {}, 'still here')
    expect(String((await once(busy, 'data'))[0])).toContain('still here')
  })
})
