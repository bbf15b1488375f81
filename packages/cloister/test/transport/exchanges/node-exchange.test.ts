import { HTTP1, HTTP2 } from '../../../src/exchange/exchange.ts'
import { EventEmitter } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { NodeExchange } from '../../../src/transport/raw/node-exchange.ts'

interface Parts {
  readonly request?: object
  readonly response?: object
}

/** An exchange over objects with the parts given, as user code may bring them. */
function over({ request = {}, response = {} }: Parts): NodeExchange {
  const [given, received]: [IncomingMessage, ServerResponse] = [
    Object(Object.assign(new EventEmitter(), { headers: {} }, request)),
    Object(Object.assign(new EventEmitter(), response)),
  ]
  return new NodeExchange(given, received, false)
}

/** An exchange over a response of Node without a connection. */
function overResponse(request: object = {}): { exchange: NodeExchange; response: ServerResponse } {
  const response = new ServerResponse(Object.assign(new IncomingMessage(new Socket()), request))
  const given: IncomingMessage = Object({ headers: {}, ...request })
  return { response, exchange: new NodeExchange(given, response, false) }
}

describe('an exchange of a request that user code brings', () => {
  it('needs neither method, target, lines nor socket', () => {
    const exchange = over({})
    const { method, target, originalTarget, headerLines, peer } = exchange
    expect([method, target, originalTarget, headerLines]).toEqual(['GET', '/', '/', []])
    expect(peer).toEqual({ address: undefined, port: undefined, isEncrypted: false })
    expect(() => exchange.onTimeout(() => {})).not.toThrow()
  })

  it.each([
    [{ encrypted: true }, true],
    [{ encrypted: false }, false],
    [{}, false],
  ])('knows from its socket whether it is encrypted: %j', (parts, isEncrypted) => {
    const socket = { remoteAddress: '::1', remotePort: 9, ...parts }
    expect(over({ request: { socket } }).peer).toEqual({ address: '::1', port: 9, isEncrypted })
  })

  it('has ended when its response has, or is destroyed', () => {
    const states = [
      { writableEnded: false, destroyed: false },
      { writableEnded: true, destroyed: false },
      { writableEnded: false, destroyed: true },
    ].map((response) => over({ response }).turn.isOver)
    expect(states).toEqual([false, true, true])
  })

  it('says what to use where its response has no early hints', () => {
    const exchange = over({})
    expect(() => exchange.sendEarlyHints({ link: 'a' })).toThrow(
      expect.objectContaining({
        code: 'CLO_ERR_TRANSPORT_UNSUPPORTED',
        message: expect.stringMatching(/reply\.writeEarlyHints.*Link headers/),
      }),
    )
  })

  it('sends early hints to no client of HTTP/1.0, and calls back', async () => {
    const sent: string[] = []
    const writeEarlyHints = (): void => void sent.push('hints')
    for (const httpVersion of ['1.0', '1.1'])
      await new Promise<void>((resolve) => {
        const exchange = over({ request: { httpVersion }, response: { writeEarlyHints } })
        exchange.sendEarlyHints({ link: '</a>' })
        if (httpVersion === '1.0') exchange.sendEarlyHints({ link: '</a>' }, resolve)
        else resolve()
      })
    expect(sent).toEqual(['hints'])
  })

  it('has a header of several lines as one text', () => {
    const exchange = over({ request: { headers: { 'x-a': ['1', '2'], 'x-b': '3' } } })
    expect(['x-a', 'x-b', 'x-c'].map((name) => exchange.header(name))).toEqual(['1, 2', '3', undefined])
  })

  it('has no length of a body that comes in chunks', () => {
    const headers = { 'content-length': '3', 'transfer-encoding': 'chunked' }
    const { framing, bodyLength } = over({ request: { headers } })
    expect([framing, bodyLength]).toEqual(['chunked', null])
  })
})

describe('an exchange over HTTP/2', () => {
  const stream = new EventEmitter()

  it('is known by the stream of its request', () => {
    const exchanges = [over({ request: { stream } }), over({})]
    expect(exchanges.map(({ protocol }) => protocol)).toEqual([HTTP2, HTTP1])
  })

  it.each([
    [1, ''],
    [2, undefined],
  ])('gets no reason phrase when a head cannot be written (HTTP/%i)', (httpVersionMajor, phrase) => {
    const { exchange, response } = overResponse({ httpVersionMajor, httpVersion: `${httpVersionMajor}.0` })
    // As Node does, before it looks at the headers.
    response.writeHead = () => {
      throw new Error('bad')
    }
    expect(() => exchange.send(299, {}, null)).toThrow('bad')
    expect(response.statusMessage).toBe(phrase)
  })
})

describe('the response of an exchange', () => {
  it('keeps its head when a stream follows one that is out', () => {
    const { exchange, response } = overResponse({ httpVersionMajor: 1 })
    response.writeHead(201)
    response.flushHeaders()
    exchange.open(500, { 'x-late': '1' }, false).write(Buffer.from('abc'))
    expect([response.statusCode, response.hasHeader('x-late')]).toEqual([201, false])
  })

  it('keeps its connection when it has begun, or is complete', () => {
    const begun = overResponse({ httpVersionMajor: 1 })
    begun.response.shouldKeepAlive = true
    begun.response.writeHead(200)
    begun.response.flushHeaders()
    begun.exchange.endConnection()
    const complete = overResponse({ httpVersionMajor: 1 })
    complete.response.end()
    complete.exchange.abort()
    expect([begun.response.shouldKeepAlive, complete.response.destroyed]).toEqual([true, false])
  })

  it('was not aborted when it was complete before its connection failed', () => {
    const response = { writableFinished: false, closed: false }
    const exchange = over({ response })
    const outcomes: unknown[] = []
    exchange.onFinished((outcome) => outcomes.push(outcome))
    Object.assign(exchange.response, { writableFinished: true })
    exchange.response.emit('error', new Error('late'))
    expect(outcomes).toEqual([null])
  })

  it('was not aborted when it has ended, although nothing says that its client has read it', () => {
    const exchange = over({ response: { writableFinished: false } })
    const outcomes: unknown[] = []
    exchange.onFinished((outcome) => outcomes.push(outcome))
    exchange.response.emit('finish')
    expect(outcomes).toEqual([null])
  })

  it('ends with `finish` when it is one of a plugin, and something else listens for that', () => {
    const given = new ServerResponse(new IncomingMessage(new Socket()))
    given.on('finish', () => {})
    const outcomes: unknown[] = []
    over({})
      .over(null, given)
      .onFinished((outcome) => outcomes.push(outcome))
    given.emit('finish')
    expect(outcomes).toEqual([null])
  })

  it('has no content for HEAD, also where its end would write it', () => {
    const ends: unknown[][] = []
    const response = { writeHead() {}, end: (...content: unknown[]) => ends.push(content) }
    for (const method of ['HEAD', 'GET']) over({ request: { method }, response }).send(200, {}, 'abc')
    expect(ends).toEqual([[], ['abc']])
  })

  it('is cut with the error that it is aborted with', () => {
    const errors: unknown[] = []
    const exchange = over({ response: { destroy: (error: unknown) => errors.push(error) } })
    const error = new Error('cut')
    exchange.abort(error)
    expect(errors).toEqual([error])
  })
})
