// Used without the framework, the public members refuse what HTTP forbids, whatever a handler does.
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FieldError, StatusError } from '../src/index.ts'
import type { Exchange } from '../src/index.ts'
import { get, serve, statusesOf } from './lib/serve.ts'

const CLOSE = 'Connection: close'

/** What a function throws. */
function thrownBy(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

describe('an exchange without the framework', () => {
  it.each([204, 304])('writes no content and no length of its own with %i', async (status) => {
    const { ask } = await serve((exchange) => {
      if (exchange.target === '/next') exchange.send(200, {}, 'next')
      else exchange.send(status, { 'transfer-encoding': 'chunked' }, 'a content that must not go out')
    })
    const text = await ask(get('/') + get('/next', CLOSE))
    expect(statusesOf(text)).toEqual([status, 200])
    expect(text.split('\r\n\r\n')[0]).not.toMatch(/content-length|transfer-encoding/i)
    expect(text).toMatch(/\r\n\r\nHTTP\/1\.1 200 [^]*\r\n\r\nnext$/)
  })

  it('writes one length, in whatever letters it is given', async () => {
    const { ask } = await serve((exchange) => {
      exchange.send(200, { 'Content-Length': '2', 'CONTENT-length': 7 }, 'hello')
    })
    const text = await ask(get('/', CLOSE))
    expect(text.match(/content-length: .*/gi)).toEqual(['content-length: 5'])
  })

  it('sends one response: a second one is an error of the handler', async () => {
    const codes: unknown[] = []
    const codeOf = (run: () => unknown): unknown => Object(thrownBy(run)).code
    const { ask } = await serve((exchange) => {
      exchange.send(200, {}, exchange.target)
      codes.push(
        codeOf(() => exchange.send(200, {}, 'second')),
        codeOf(() => exchange.openSink(200, {})),
      )
      const writer = exchange.open(200, {})
      writer.write(Buffer.from('second'))
      writer.end()
      exchange.inform(103, { link: '</a.css>' })
    })
    const text = await ask(get('/a') + get('/b', CLOSE))
    expect(statusesOf(text)).toEqual([200, 200])
    expect(text).not.toContain('second')
    expect(new Set(codes)).toEqual(new Set(['WIRE_RESPONSE_SENT']))
  })

  it('refuses statuses that are none, and writes nothing of them', async () => {
    const errors: unknown[] = []
    const { ask } = await serve((exchange) => {
      for (const status of [0, 99, 100, 199, 1000, NaN, 200.5])
        errors.push(
          thrownBy(() => exchange.send(status, {}, 'x')),
          thrownBy(() => exchange.open(status, {})),
        )
      errors.push(thrownBy(() => exchange.open(200, { 'x-a': 'a\r\nb: c' })))
      exchange.send(500, {}, 'refused')
    })
    expect(statusesOf(await ask(get('/', CLOSE)))).toEqual([500])
    expect(errors.filter((error) => error instanceof StatusError)).toHaveLength(14)
    expect(errors.at(-1)).toBeInstanceOf(FieldError)
  })

  it('aborts nothing but itself', async () => {
    const kept: Exchange[] = []
    const { ask } = await serve((exchange) => {
      kept[0]?.abort()
      kept.push(exchange)
      exchange.send(200, {}, exchange.target)
    })
    expect(statusesOf(await ask([get('/a'), get('/b'), get('/c', CLOSE)]))).toEqual([200, 200, 200])
  })

  it('writes, resumes and continues nothing once its connection has gone on', async () => {
    const kept: Exchange[] = []
    const { ask } = await serve((exchange) => {
      for (const old of kept) {
        old.sendContinue()
        old.inform(103, { link: '</a.css>' })
        old.pause()
        old.endConnection()
        thrownBy(() => old.send(200, {}, 'late'))
      }
      kept.push(exchange)
      exchange.send(200, {}, exchange.target)
    })
    const text = await ask([get('/a'), get('/b'), get('/c'), get('/d', CLOSE)])
    expect(statusesOf(text)).toEqual([200, 200, 200, 200])
    expect(text).not.toContain('late')
  })

  it('owns the bytes of its body also where its handler throws', async () => {
    const lost: unknown[] = []
    const note = (error: unknown): void => void lost.push(error)
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', note)
    onTestFinished(() => {
      process.off('uncaughtException', note)
      for (const one of listeners) process.on('uncaughtException', one)
    })
    const thrown: Exchange[] = []
    const { open } = await serve((exchange) => {
      if (exchange.target === '/other') {
        exchange.send(200, {}, 'x')
        return
      }
      thrown.push(exchange)
      throw new Error('a handler without a framework')
    })
    const [first, other] = [await open(), await open()]
    first.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nmy secret')
    await expect.poll(() => lost.length).toBe(1)
    other.write(get('/other', 'Authorization: Bearer of-another-client'))
    await once(other, 'data')
    const [exchange] = thrown
    let body = ''
    void exchange?.collect(100, 'text', {
      receive: (text) => (body = String(text)),
      refuse: (error) => error,
    })
    expect(body).toBe('my secret')
    for (const socket of [first, other]) socket.destroy()
  })
})
