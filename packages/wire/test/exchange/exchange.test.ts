import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/index.ts'
import { FieldError } from '../../src/index.ts'
import { get, serve, statusesOf } from '../lib/serve.ts'

const CLOSE = 'Connection: close'

describe('an exchange', () => {
  it('refuses headers that could begin a line of their own, and writes nothing of them', async () => {
    const errors: unknown[] = []
    const { ask } = await serve((exchange) => {
      for (const headers of [{ 'x-a': 'a\r\nx-b: 1' }, { 'x a': '1' }, { 'x-a': 'ü€' }]) {
        try {
          exchange.send(200, headers, 'x')
        } catch (error) {
          errors.push(error)
        }
      }
      exchange.send(500, {}, 'refused')
    })
    const text = await ask(get('/', CLOSE))
    expect(statusesOf(text)).toEqual([500])
    expect(errors.filter((error) => error instanceof FieldError)).toHaveLength(3)
  })

  it('writes the headers of each response, whatever the earlier ones had, and refuses them as before', async () => {
    const values = fc.constantFrom('a', 'b', 'é', 'a'.repeat(2000), 'not\nvalid')
    const drawn = fc.array(fc.record({ 'x-a': values, 'X-A': values, 'set-cookie': values }), {
      minLength: 60,
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(drawn, async (responses) => {
        const left = [...responses]
        const { ask } = await serve((exchange) => {
          const headers = left.shift() ?? {}
          const isValid = !Object.values(headers).includes('not\nvalid')
          if (isValid) exchange.send(200, { ...headers }, '')
          else expect(() => exchange.send(200, headers, '')).toThrow(FieldError)
          if (!isValid) exchange.send(400, {}, '')
        })
        const requests = responses.map((_, index) =>
          index === responses.length - 1 ? get('/', CLOSE) : get('/'),
        )
        const heads = (await ask(requests.join(''))).split('\r\n\r\n')
        for (const [index, headers] of responses.entries()) {
          const isValid = !Object.values(headers).includes('not\nvalid')
          const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
          expect(heads[index]?.split('\r\n').slice(0, isValid ? 4 : 1)).toEqual(
            isValid ? ['HTTP/1.1 200 OK', ...lines] : ['HTTP/1.1 400 Bad Request'],
          )
        }
      }),
      { numRuns: 10 },
    )
  })

  it('reads one header as it reads all of them, before and after these, and between other heads', async () => {
    const names = [
      'content-encoding',
      'sec-ch-ua-mobile',
      'x-a',
      'x-b',
      'host',
      'cookie',
      'set-cookie',
      'user-agent',
      'constructor',
    ]
    const seen: unknown[] = []
    const kept: Exchange[] = []
    const read = (exchange: Exchange): unknown[] => names.map((name) => exchange.header(name))
    const { ask } = await serve((exchange) => {
      if (exchange.target === '/first') kept.push(exchange)
      else for (const first of kept) seen.push(read(first))
      seen.push(read(exchange))
      const all = names.map((name) =>
        Object.hasOwn(exchange.headers, name) ? exchange.headers[name] : undefined,
      )
      expect(read(exchange)).toEqual(all.map((value) => (Array.isArray(value) ? value.join(', ') : value)))
      exchange.send(200, {}, 'x')
    })
    const lines = [
      'Content-ENCODING: gzip',
      'X-A: 1',
      'x-a: 2',
      'Cookie: a=1',
      'cookie: b=2',
      'Set-Cookie: c',
      'set-cookie: d',
      'User-Agent: e',
      'user-agent: f',
    ]
    await ask(get('/first', ...lines, CLOSE))
    await ask(get('/second', 'Sec-CH-UA-Mobile: ?0', 'Content-Encodings: 1', CLOSE))
    const first = ['gzip', undefined, '1, 2', undefined, 'x', 'a=1; b=2', 'c, d', 'e', undefined]
    const second = [undefined, '?0', undefined, undefined, 'x', undefined, undefined, undefined, undefined]
    expect(seen).toEqual([first, first, second])
  })

  it('has one head: a second writer is an error once the first has begun', async () => {
    const codes: unknown[] = []
    const { ask } = await serve((exchange) => {
      const writer = exchange.open(200, {})
      writer.write(Buffer.from('first'))
      try {
        exchange.open(404, {}).write(Buffer.from('second'))
      } catch (error) {
        codes.push(Reflect.get(Object(error), 'code'))
      }
      writer.end()
    })
    const text = await ask(get('/', CLOSE))
    expect(statusesOf(text)).toEqual([200])
    expect(text).toMatch(/\r\n\r\n5\r\nfirst\r\n0\r\n\r\n$/)
    expect(codes).toEqual(['WIRE_RESPONSE_SENT'])
  })

  it('adds the length of the content in bytes', async () => {
    const contents = [
      '',
      'ascii',
      'ü€😀',
      'x'.repeat(5000),
      'ü'.repeat(5000),
      Buffer.from('bytes'),
      Buffer.alloc(20_000),
    ]
    const { ask } = await serve((exchange) =>
      exchange.send(200, {}, contents[Number(exchange.target.slice(1))] ?? null),
    )
    for (const [index, content] of contents.entries()) {
      const text = await ask(get(`/${index}`, CLOSE))
      const [head = '', ...body] = text.split('\r\n\r\n')
      const bytes = Buffer.from(body.join('\r\n\r\n'), 'latin1')
      expect(Number(/content-length: (\d+)/.exec(head)?.[1])).toBe(Buffer.byteLength(content))
      expect(bytes.equals(Buffer.from(content))).toBe(true)
    }
  })

  it('writes a content piece by piece, with trailers, as fast as the client reads', async () => {
    let wasFull = false
    const { open } = await serve((exchange) => {
      const sink = exchange.openSink(200, { trailer: 'x-sum' })
      const piece = Buffer.alloc(100_000, 97)
      let left = 100
      const write = (): void => {
        while (left > 0) {
          left--
          if (sink.write(piece)) continue
          wasFull = true
          sink.once('drain', write)
          return
        }
        sink.addTrailers({ 'x-sum': '7' })
        sink.end()
      }
      write()
    })
    const socket = await open()
    socket.write(get('/', CLOSE))
    let size = 0
    let end = ''
    socket.on('data', (bytes: Buffer) => {
      size += bytes.length
      end = (end + bytes.toString('latin1')).slice(-20)
    })
    await once(socket, 'close')
    expect(wasFull).toBe(true)
    expect(size).toBeGreaterThan(10_000_000)
    expect(end).toMatch(/\r\n0\r\nx-sum: 7\r\n\r\n$/)
  })

  it('sends what was written of a response that is cut, without a last chunk', async () => {
    let written = 0
    const { ask } = await serve((exchange) => {
      const sink = exchange.openSink(200, {})
      while (sink.write('some content')) written++
      exchange.abort()
    })
    const text = await ask(get('/'))
    expect(written).toBeGreaterThan(10)
    expect(text.split('some content').length).toBeGreaterThan(10)
    expect(text).not.toContain('0\r\n\r\n')
  })

  it('cuts a response that does not have its declared length', async () => {
    const { ask } = await serve((exchange) => {
      const sink = exchange.openSink(200, { 'content-length': '5' })
      sink.on('error', () => {})
      sink.end(exchange.target === '/long' ? 'too long' : 'ab')
    })
    for (const target of ['/long', '/short']) {
      const text = await ask([get(target), get('/next')])
      expect([target, text.split('\r\n\r\n')[1] ?? '']).not.toEqual([target, 'too l'])
      expect(statusesOf(text).length).toBeLessThan(2)
    }
  })

  it('reports once when it is over, and not within send', async () => {
    const steps: unknown[] = []
    const { ask, open } = await serve((exchange: Exchange) => {
      exchange.onFinished((error) => steps.push(error?.message ?? 'finished'))
      if (exchange.target === '/wait') return
      exchange.send(200, {}, 'x')
      steps.push('sent')
    })
    await ask(get('/', CLOSE))
    expect(steps).toEqual(['sent', 'finished'])
    steps.length = 0
    const socket = await open()
    socket.write(get('/wait'))
    setTimeout(() => socket.resetAndDestroy(), 20)
    while (steps.length < 1) await new Promise((resolve) => setTimeout(resolve, 2))
    expect(steps).toEqual(['Premature close'])
  })

  it('reports its end also while a client reads slowly', async () => {
    const outcomes: unknown[] = []
    const { ask, open } = await serve((exchange) => {
      exchange.send(200, {}, Buffer.alloc(4_000_000, 97))
      exchange.onFinished((error) => outcomes.push(error))
    })
    await ask(get('/', CLOSE))
    const socket = await open()
    socket.write(get('/'))
    await once(socket, 'readable')
    socket.resume()
    while (outcomes.length < 2) await new Promise((resolve) => setTimeout(resolve, 2))
    expect(outcomes).toEqual([null, null])
  })

  it('writes interim responses before the final one', async () => {
    const { ask } = await serve((exchange) => {
      exchange.inform(103, { link: '</a.css>; rel=preload' })
      exchange.send(200, {}, 'x')
    })
    const text = await ask(get('/', CLOSE))
    expect(text).toMatch(/^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a.css>; rel=preload\r\n\r\nHTTP\/1\.1 200/)
  })

  it('has no content in responses to HEAD, but its length', async () => {
    const { ask } = await serve((exchange) => exchange.send(200, {}, 'hello'))
    const text = await ask(`HEAD / HTTP/1.1\r\nHost: x\r\n\r\n${get('/', CLOSE)}`)
    expect(statusesOf(text)).toEqual([200, 200])
    expect(text.match(/content-length: 5/g)).toHaveLength(2)
    expect(text.match(/hello/g)).toHaveLength(1)
  })

  it('refuses a request whose Host is ambiguous, and ends the connection', async () => {
    const { ask } = await serve((exchange) => exchange.send(200, {}, 'x'))
    expect(statusesOf(await ask([get('/', 'Host: y'), get('/')]))).toEqual([400])
  })
})
