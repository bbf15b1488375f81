import { EventEmitter, once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Deferred } from '../../../src/transport/streams/body-reader.ts'
import type {
  BodyReceiver,
  ContentWriter,
  Exchange,
  ResponseHeaders,
} from '../../../src/exchange/exchange.ts'
import { retarget } from '../../../src/exchange/node-access.ts'
import type { NodeAccess } from '../../../src/exchange/node-access.ts'
import { Client, head, LANES } from './lanes.ts'
import type { Handle } from './lanes.ts'

const PLAIN = 'GET /a?b=c'
const TYPE = { 'content-type': 'text/plain' }

/** The status line and the fields of a response, by lower-case name, without its date. */
function parse(text: string): { status: string; fields: Record<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n')
  const [status = '', ...lines] = text.slice(0, end).split('\r\n')
  const fields = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  delete fields['date']
  return { status, fields, body: text.slice(end + 4) }
}

/** Writes a content and its trailers. */
function write(
  writer: ContentWriter,
  content: string | null,
  trailers: Record<string, string> | null = null,
): void {
  if (content !== null) writer.write(Buffer.from(content))
  writer.end(trailers)
}

/** What reading a body has led to, once its promise is settled. */
async function read(
  exchange: Exchange,
  as: 'text' | 'bytes',
  replacement: Readable | null = null,
  limit = 100,
): Promise<unknown> {
  let outcome: unknown
  const receiver: BodyReceiver = {
    receive: (content) => void (outcome = content),
    refuse: (error) => error,
    consumed: () => new Error('consumed'),
  }
  const wait = async (): Promise<void> => void (await exchange.readBody(replacement, limit, as, receiver))
  await wait().catch((error: unknown) => (outcome = Object(error).code))
  return outcome
}

function nodeOf(exchange: Exchange): NodeAccess {
  if (exchange.node === null) throw new Error('the exchange has no objects of Node')
  return exchange.node
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
}

describe.each(LANES)('an exchange over %s', (lane, create) => {
  const send = async (bytes: string, handle: Handle): Promise<string> => {
    const client = new Client(create, handle)
    await client.write(bytes)
    return await client.received()
  }

  /** What a test sees of an exchange, to which it responds itself or not. */
  const look = async (bytes: string, see: (exchange: Exchange) => unknown): Promise<unknown> => {
    let seen: unknown
    await send(bytes, async (exchange) => {
      seen = await see(exchange)
      if (!exchange.turn.isOver) exchange.send(200, {}, null)
    })
    return seen
  }

  /** The response to a request. */
  const received = async (
    handle: Handle,
    bytes = head(PLAIN),
  ): Promise<{ status: string; fields: Record<string, string>; body: string }> =>
    parse(await send(bytes, handle))

  it('has the request as it came', async () => {
    const seen = await look(head(PLAIN, 'X-A: 1', 'x-a: 2'), (exchange) => ({
      method: exchange.method,
      targets: [exchange.target, exchange.originalTarget],
      version: [exchange.httpVersion, exchange.protocol.isMultiplexed],
      lines: exchange.headerLines.slice(0, 2),
      count: exchange.headerLines.length,
      vetted: exchange.vettedLines,
      fields: ['x-a', 'host', 'x-none'].map((name) => exchange.header(name)),
      headers: exchange.headers['x-a'],
    }))
    expect(seen).toEqual({
      method: 'GET',
      targets: ['/a?b=c', '/a?b=c'],
      version: ['1.1', false],
      lines: ['Host', 'a'],
      count: 8,
      vetted: lane === 'the wire' ? 4 : null,
      fields: ['1, 2', 'a', undefined],
      headers: '1, 2',
    })
  })

  it('passes a request that its transport finds at fault to admission', async () => {
    const seen = await look('GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n', (exchange) => {
      exchange.endConnection()
      return [exchange.header('host'), exchange.vettedLines]
    })
    expect(seen).toEqual(['a/b', null])
  })

  it('joins the lines of a cookie that is set, as the header of a request', async () => {
    const lines = ['Set-Cookie: a=1', 'Set-Cookie: b=2']
    const seen = await look(head(PLAIN, ...lines), (exchange) => [
      exchange.header('set-cookie'),
      exchange.headers['set-cookie'],
    ])
    expect(seen).toEqual(['a=1, b=2', ['a=1', 'b=2']])
  })

  it('knows its client, and what it supports', async () => {
    const seen = await look(head(PLAIN), ({ peer, ...rest }) => {
      const { address, port, isEncrypted } = peer
      return [address, typeof port, isEncrypted, typeof rest]
    })
    expect(seen).toEqual(['127.0.0.1', 'number', false, 'object'])
    const supports = await look(head(PLAIN), (exchange) => [
      exchange.protocol.hasTrailers,
      exchange.protocol.hasContentOf205,
    ])
    expect(supports).toEqual([true, true])
  })

  it.each([
    [head(PLAIN), 'none', null],
    [`${head('POST /', 'Content-Length: 3')}abc`, 'length', 3],
    [`${head('POST /', 'Transfer-Encoding: chunked')}0\r\n\r\n`, 'chunked', null],
  ])('knows how its body ends: %j', async (bytes, framing, length) => {
    expect(await look(bytes, (exchange) => [exchange.framing, exchange.bodyLength])).toEqual([
      framing,
      length,
    ])
  })

  it('reads its body, as text or as bytes', async () => {
    const bytes = `${head('POST /', 'Content-Length: 4')}f\u00c3\u00bcr`
    const latin1 = Buffer.from(bytes, 'latin1').toString()
    expect(await look(latin1, (exchange) => read(exchange, 'text'))).toBe('für')
    expect(await look(latin1, (exchange) => read(exchange, 'bytes'))).toEqual(Buffer.from('für'))
  })

  it('makes objects of Node over node:http alone, and takes lines that are checked before as long as there are none', async () => {
    const seen = await look(`${head('POST /', 'Content-Length: 3')}abc`, async (exchange) => {
      await read(exchange, 'text')
      const { madeRequest } = nodeOf(exchange)
      const before = exchange.takesLines
      void nodeOf(exchange).response
      return [madeRequest === null, before, exchange.takesLines]
    })
    expect(seen).toEqual(lane === 'the wire' ? [true, true, false] : [false, false, false])
  })

  it('reads what a hook has put in place of its body', async () => {
    const bytes = `${head('POST /', 'Content-Length: 3')}abc`
    const seen = await look(bytes, (exchange) => {
      const replacement = Object.assign(new PassThrough(), { receivedEncodedLength: 3 })
      replacement.end('replaced')
      return read(exchange, 'text', replacement)
    })
    expect(seen).toBe('replaced')
    const piece = await look(bytes, (exchange) => read(exchange, 'bytes', Readable.from(['abc'])))
    expect(piece).toEqual(Buffer.from('abc'))
  })

  it('goes on where a body ends that a hook has put in place, at once', async () => {
    const seen = await look(`${head('POST /', 'Content-Length: 3')}abc`, (exchange) => {
      const calls: string[] = []
      const replacement = new PassThrough()
      const receiver = {
        receive: () => void calls.push('received'),
        refuse: (error: unknown) => error,
        consumed: () => new Error('consumed'),
      }
      const reading: Deferred = Object(exchange.readBody(replacement, 9, 'text', receiver))
      reading.then(
        () => calls.push('goes on'),
        () => calls.push('fails'),
      )
      replacement.emit('data', 'abc')
      replacement.emit('end')
      return [...calls]
    })
    expect(seen).toEqual(['received', 'goes on'])
  })

  it('fails when its client disconnects before the end of the body', async () => {
    const seen: unknown[] = []
    const client = new Client(create, async (exchange) => {
      const receiver = {
        receive() {},
        refuse: (error: unknown) => error,
        consumed: () => new Error('consumed'),
      }
      const reading = (async () => exchange.readBody(null, 99, 'text', receiver))()
      client.leave()
      await reading.catch((error: unknown) => {
        const { code, cause } = Object(error)
        seen.push(code, cause instanceof Error)
      })
    })
    await client.write(`${head('POST /', 'Content-Length: 9')}abc`)
    await client.received()
    expect(seen).toEqual(['CLO_ERR_CTP_BODY_ABORTED', true])
  })

  it('reads its body when a hook has given it back, or the raw request is known', async () => {
    const bytes = `${head('POST /', 'Content-Length: 3')}abc`
    const given = (exchange: Exchange): Readable => Object(exchange.bodyStream)
    expect(await look(bytes, (exchange) => read(exchange, 'text', given(exchange)))).toBe('abc')
    const known = await look(bytes, async (exchange) => {
      const pieces: unknown[] = []
      exchange.bodyStream.on('data', (piece) => pieces.push(String(piece)))
      const text = await read(exchange, 'text')
      return [text, pieces]
    })
    expect(known).toEqual(['abc', ['abc']])
  })

  it('refuses a body above its limit', async () => {
    const bytes = `${head('POST /', 'Transfer-Encoding: chunked')}4\r\nabcd\r\n0\r\n\r\n`
    const seen = await look(bytes, (exchange) => {
      exchange.endConnection()
      return read(exchange, 'text', null, 3)
    })
    expect(seen).toBe('CLO_ERR_CTP_BODY_TOO_LARGE')
  })

  it('sends a whole response, with its length', async () => {
    const text = await received((exchange) => exchange.send(201, { ...TYPE, 'x-list': ['1', '2'] }, 'für'))
    expect([text.status, Buffer.from(text.body, 'latin1').toString()]).toEqual([
      'HTTP/1.1 201 Created',
      'für',
    ])
    expect(text.fields).toMatchObject({ 'content-length': '4', ...TYPE, connection: 'close' })
    const bytes = await received((exchange) => exchange.send(200, {}, Buffer.from('abc')))
    expect([bytes.body, bytes.fields['content-length']]).toEqual(['abc', '3'])
    const wrong = await received((exchange) => exchange.send(200, { 'content-length': '9' }, 'abc'))
    expect([wrong.body, wrong.fields['content-length']]).toEqual(['abc', '3'])
  })

  it('never sends a length beside a transfer coding', async () => {
    const { fields, body } = await received((exchange) =>
      exchange.send(200, { 'transfer-encoding': 'chunked' }, 'abc'),
    )
    expect([fields['transfer-encoding'], fields['content-length'], body]).toEqual([undefined, '3', 'abc'])
  })

  it('sends no content to HEAD, with the length that there would be', async () => {
    const bytes = head('HEAD /')
    const own = await received((exchange) => exchange.send(200, {}, 'abc'), bytes)
    expect([own.fields['content-length'], own.body]).toEqual(['3', ''])
    const given = await received((exchange) => exchange.send(200, { 'content-length': '9' }, 'abc'), bytes)
    expect([given.fields['content-length'], given.body]).toEqual(['9', ''])
  })

  it('sends a response without content', async () => {
    const { status, body } = await received((exchange) => exchange.send(204, {}, null))
    expect([status, body]).toEqual(['HTTP/1.1 204 No Content', ''])
  })

  const INVALID: ResponseHeaders = { ...TYPE, 'x-bad': 'a\nb' }
  const writes: readonly (readonly [string, (exchange: Exchange) => unknown])[] = [
    ['a whole response', (exchange) => exchange.send(299, INVALID, 'x')],
    ['a stream', (exchange) => exchange.open(299, INVALID, false)],
    ['trailers', (exchange) => exchange.open(299, INVALID, true)],
    ['early hints', (exchange) => exchange.sendEarlyHints({ link: 'a\nb' })],
  ]
  it.each(writes)(
    'explains a header that cannot be written, and can still respond: %s',
    async (_what, attempt) => {
      const explained = { code: 'CLO_ERR_REP_INVALID_HEADER' }
      const { status, fields } = await received((exchange) => {
        expect(() => attempt(exchange)).toThrow(expect.objectContaining(explained))
        expect(exchange.turn.hasBegun).toBe(false)
        exchange.send(500, {}, null)
      })
      expect([status, fields['x-bad']]).toEqual(['HTTP/1.1 500 Internal Server Error', undefined])
    },
  )

  it('blames no header for content that is neither text nor bytes', async () => {
    const { status } = await received((exchange) => {
      const attempt = (): unknown => exchange.send(200, { ...TYPE, 'x-none': undefined }, Object(5))
      expect(attempt).toThrow(expect.objectContaining({ code: expect.stringMatching(/^ERR_/) }))
      exchange.send(500, {}, null)
    })
    expect(status).toBe('HTTP/1.1 500 Internal Server Error')
  })

  it('sends a stream', async () => {
    const headers = { ...TYPE, 'x-none': undefined }
    const { status, fields, body } = await received((exchange) =>
      write(exchange.open(201, headers, false), 'abc'),
    )
    expect([status, fields['content-type'], fields['x-none']]).toEqual([
      'HTTP/1.1 201 Created',
      'text/plain',
      undefined,
    ])
    expect(body).toContain('abc')
  })

  it('sends a stream of known length as it is', async () => {
    const { fields, body } = await received((exchange) =>
      write(exchange.open(200, { ...TYPE, 'content-length': '3' }, false), 'abc'),
    )
    expect([fields['content-length'], fields['transfer-encoding'], body]).toEqual(['3', undefined, 'abc'])
  })

  it('sends a stream with trailers, in chunks', async () => {
    const headers = { ...TYPE, 'content-length': '3', trailer: 'x-sum' }
    const { fields, body } = await received((exchange) =>
      write(exchange.open(200, headers, true), 'abc', { 'x-sum': '1' }),
    )
    expect([fields['transfer-encoding'], fields['content-length']]).toEqual(['chunked', undefined])
    expect(body).toBe('3\r\nabc\r\n0\r\nx-sum: 1\r\n\r\n')
  })

  it.each([
    ['abc', '3\r\nabc\r\n0\r\nx-sum: 1\r\n\r\n'],
    [null, '0\r\nx-sum: 1\r\n\r\n'],
  ])('sends trailers behind %j, in chunks', async (content, expected) => {
    const headers = { ...TYPE, 'content-length': '3', trailer: 'x-sum' }
    const { fields, body } = await received((exchange) =>
      write(exchange.open(200, headers, true), content, { 'x-sum': '1' }),
    )
    expect([fields['transfer-encoding'], fields['content-length'], body]).toEqual([
      'chunked',
      undefined,
      expected,
    ])
  })

  it('sends early hints before its response', async () => {
    let isWritten = false
    const text = await send(head(PLAIN), async (exchange) => {
      exchange.sendEarlyHints({ link: '</a>; rel=preload' }, () => (isWritten = true))
      await turns()
      exchange.send(200, {}, 'abc')
    })
    expect(text).toMatch(/^HTTP\/1\.1 103 Early Hints\r\nlink: <\/a>; rel=preload\r\n\r\nHTTP\/1\.1 200 OK/i)
    expect(isWritten).toBe(true)
  })

  it('sends no early hints within its response, and calls back', async () => {
    const written: string[] = []
    const text = await send(head(PLAIN), async (exchange) => {
      const writer = exchange.open(200, TYPE, false)
      writer.write(Buffer.from('abc'))
      exchange.sendEarlyHints({ link: '</a>' })
      exchange.sendEarlyHints({ link: '</a>' }, () => written.push('late'))
      await turns()
      writer.end()
    })
    expect(text).not.toMatch(/ 103 |link/i)
    expect(written).toEqual(['late'])
  })

  it('can be cut within its response: what was written is sent, where its length says that more would come', async () => {
    const length = 4 * 1024 * 1024
    const further = (exchange: Exchange): Exchange =>
      nodeOf(exchange).over(new IncomingMessage(new Socket()), null)
    const same = (exchange: Exchange): Exchange => exchange
    for (const [how, pick, cut] of [
      ['by its writer', same, (writer: ContentWriter) => writer.cut()],
      ['by itself', same, (_writer: ContentWriter, exchange: Exchange) => exchange.abort()],
      ['with a further request', further, (_writer: ContentWriter, exchange: Exchange) => exchange.abort()],
    ] as const) {
      const outcomes: unknown[] = []
      const { body } = await received((given) => {
        const exchange = pick(given)
        exchange.onFinished((outcome) => outcomes.push(outcome?.code))
        const writer = exchange.open(200, { ...TYPE, 'content-length': String(2 * length) }, false)
        writer.write(Buffer.alloc(length, 'a'))
        cut(writer, exchange)
      })
      expect([how, body.length, outcomes]).toEqual([how, length, ['ERR_STREAM_PREMATURE_CLOSE']])
    }
  })

  it('ends its connection when it is asked to', async () => {
    const { fields } = await received((exchange) => {
      exchange.endConnection()
      exchange.send(200, {}, 'abc')
    }, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(fields['connection']).toBe('close')
  })

  it('knows how far its response is', async () => {
    const states: unknown[] = []
    await send(head(PLAIN), async (exchange) => {
      const note = (): void => void states.push(exchange.turn.name)
      note()
      const writer = exchange.open(200, TYPE, false)
      writer.write(Buffer.from('abc'))
      await turns()
      note()
      writer.end()
      await turns()
      note()
    })
    expect(states).toEqual(['waiting', 'writing', expect.stringMatching('sent|over')])
  })

  it('calls back when it is complete', async () => {
    const calls: unknown[] = []
    let finished: Promise<unknown> = Promise.resolve()
    await send(head(PLAIN), (exchange) => {
      finished = new Promise((resolve) => exchange.onFinished(resolve))
      exchange.onFinished((outcome) => calls.push(outcome))
      exchange.send(200, {}, 'abc')
    })
    await finished
    await turns()
    expect(calls).toEqual([null])
  })

  it.each([
    ['its client leaves', (_exchange: Exchange, client: Client) => client.leave()],
    ['it is aborted', (exchange: Exchange) => exchange.abort()],
  ])('calls back once when %s', async (_what, end) => {
    const outcomes: unknown[] = []
    const over = new EventEmitter()
    const client = new Client(create, (exchange) => {
      exchange.onFinished((outcome) => {
        outcomes.push([outcome?.code, exchange.turn.isGone])
        over.emit('over')
      })
      end(exchange, client)
    })
    const ended = once(over, 'over')
    await client.write(head(PLAIN))
    await ended
    await client.received()
    await turns()
    expect([client.text, outcomes]).toEqual(['', [['ERR_STREAM_PREMATURE_CLOSE', true]]])
  })

  it('calls back when its connection times out, while it is open', async () => {
    const calls: string[] = []
    await send(head(PLAIN), (exchange) => {
      exchange.onTimeout(() => {
        calls.push('timeout')
        exchange.send(408, {}, null)
      })
      const socket: Socket = Object(nodeOf(exchange).socket)
      socket.setTimeout(5)
    })
    expect(calls).toEqual(['timeout'])
  })

  it('removes its listener for a timeout', async () => {
    const counts: number[] = []
    await send(head(PLAIN), async (exchange) => {
      const socket: Socket = Object(nodeOf(exchange).socket)
      counts.push(socket.listenerCount('timeout'))
      exchange.onTimeout(() => {})
      const finished = new Promise((resolve) => exchange.onFinished(resolve))
      exchange.send(200, {}, null)
      await finished
      counts.push(socket.listenerCount('timeout'))
    })
    expect(counts[1]).toBe(counts[0])
  })

  it('keeps the target as it came when another one takes its place', async () => {
    const seen = await look(head(PLAIN), (exchange) => {
      retarget(exchange, '/other')
      const { target, originalTarget, method } = exchange
      const raw: IncomingMessage = Object(nodeOf(exchange).request)
      return [target, originalTarget, method, raw.url]
    })
    expect(seen).toEqual(['/other', '/a?b=c', 'GET', '/other'])
    const again = await look(head(PLAIN), (exchange) => {
      retarget(exchange, '/b')
      retarget(exchange, '/c')
      const { target, originalTarget } = exchange
      return [target, originalTarget]
    })
    expect(again).toEqual(['/c', '/a?b=c'])
    const known = await look(head(PLAIN), (exchange) => {
      const raw: IncomingMessage = Object(nodeOf(exchange).request)
      retarget(exchange, '/d')
      return raw.url
    })
    expect(known).toBe('/d')
  })

  it('has the objects of Node, and knows whether its response was taken', async () => {
    const seen = await look(head(PLAIN), (exchange) => {
      const node = nodeOf(exchange)
      const before = [node.isTaken, node.madeRequest === null]
      const { request, response } = node
      return [
        before,
        node.isTaken,
        request instanceof IncomingMessage,
        response instanceof ServerResponse,
        node.madeRequest === request,
      ]
    })
    expect(seen).toEqual([[false, lane === 'the wire'], true, true, true, true])
  })

  it('has the status and the headers of a response that was taken', async () => {
    const { status, fields } = await received((exchange) => {
      const node = nodeOf(exchange)
      const response: ServerResponse = Object(node.response)
      response.setHeader('X-Own', '1')
      node.response.statusCode = 202
      expect([node.response.statusCode, node.response.getHeader('x-own')]).toEqual([202, '1'])
      expect({ ...node.response.getHeaders() }).toEqual({ 'x-own': '1' })
      expect(() => exchange.send(202, { 'x-bad': 'a\nb' }, null)).toThrow(
        expect.objectContaining({ code: 'CLO_ERR_REP_INVALID_HEADER' }),
      )
      exchange.send(node.response.statusCode, {}, 'abc')
    })
    expect([status, fields['x-own']]).toEqual(['HTTP/1.1 202 Accepted', '1'])
  })

  it('takes errors of a response that was taken', async () => {
    const errors: unknown[] = []
    await send(head(PLAIN), async (exchange) => {
      const node = nodeOf(exchange)
      const response: ServerResponse = Object(node.response)
      node.onResponseError((error) => errors.push(Object(error).code))
      response.end('abc')
      response.write('late')
      await turns()
    })
    expect(errors).toEqual(['ERR_STREAM_WRITE_AFTER_END'])
  })

  it('may go on with another request, whose method and target may change', async () => {
    const seen = await look(head(PLAIN), (exchange) => {
      const raw = new IncomingMessage(new Socket())
      Object.assign(raw, { method: 'PUT', url: '/b' })
      const replaced = nodeOf(exchange).over(raw, null)
      const first = [replaced.method, replaced.target, replaced.originalTarget]
      Object.assign(raw, { method: 'PATCH', url: '/c' })
      const second = [replaced.method, replaced.target]
      Object.assign(raw, { method: undefined, url: undefined })
      return [first, second, [replaced.method, replaced.target], nodeOf(replaced).request === raw]
    })
    expect(seen).toEqual([['PUT', '/b', '/a?b=c'], ['PATCH', '/c'], ['GET', '/'], true])
  })

  it('goes on with another request over the same response, which is not taken, and calls back with it', async () => {
    const outcomes: [string, unknown][] = []
    const { body } = await received((exchange) => {
      exchange.onFinished((outcome) => outcomes.push(['first', outcome]))
      const replaced = nodeOf(exchange).over(new IncomingMessage(new Socket()), null)
      replaced.onFinished((outcome) => outcomes.push(['replaced', outcome]))
      outcomes.push(['taken', nodeOf(replaced).isTaken])
      replaced.send(200, {}, 'abc')
    })
    expect([body, Object.fromEntries(outcomes)]).toEqual([
      'abc',
      { taken: false, first: null, replaced: null },
    ])
  })

  it('may go on with another response, which counts as taken and ends when it has finished', async () => {
    const outcomes: unknown[] = []
    const seen = await look(head(PLAIN), (exchange) => {
      const own = new ServerResponse(new IncomingMessage(new Socket()))
      own.on('finish', () => {})
      const replaced = nodeOf(exchange).over(null, own)
      const { isTaken } = nodeOf(replaced)
      replaced.send(202, {}, null)
      replaced.onFinished((outcome) => outcomes.push(outcome))
      own.emit('finish')
      return [isTaken, own.statusCode, own.writableEnded, replaced.target, replaced.originalTarget]
    })
    expect([seen, outcomes]).toEqual([[true, 202, true, '/a?b=c', '/a?b=c'], [null]])
  })
})
