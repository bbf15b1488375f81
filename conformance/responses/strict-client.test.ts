// Faults planted for the strict client itself: a server that breaks a rule, and the name that the client gives to it.
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StrictClient } from './lanes.ts'
import type { End, SentRequest } from './strict-client.ts'

const DATE = 'Date: Sun, 22 Nov 2026 10:00:00 GMT'
const OK = `HTTP/1.1 200 OK\r\n${DATE}\r\n`
const WHOLE = `${OK}Content-Length: 5\r\n\r\nhello`
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
const INCOMPLETE = 'an incomplete response on an open connection'
const GET: SentRequest = { method: 'GET', version: '1.1', expects: false, connection: '' }
const OLD: SentRequest = { ...GET, version: '1.0' }

/** What a server writes, what it was asked, how it leaves, and what the client says. */
interface Row {
  readonly bytes: string
  readonly requests?: readonly SentRequest[]
  readonly end?: End
  readonly fault?: string
}

const ROWS: Readonly<Record<string, Row>> = {
  'two framings': {
    bytes: `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    fault: 'two framings',
  },
  'a length twice': {
    bytes: `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`,
    fault: 'Content-Length: ["5","5"]',
  },
  'a length that is none': {
    bytes: `${OK}Content-Length: +5\r\n\r\nhello`,
    fault: 'Content-Length: ["+5"]',
  },
  'a length that is too small': {
    bytes: `${OK}Content-Length: 3\r\n\r\nhello`,
    fault: 'bytes behind the last response: "lo"',
  },
  'a length that is too small, and a request behind': {
    bytes: `${OK}Content-Length: 3\r\n\r\nhello${WHOLE}`,
    requests: [GET, GET],
    fault: `no status line: "loHTTP/1.1 200 OK"`,
  },
  'a length that is too large': {
    bytes: `${OK}Content-Length: 9\r\n\r\nhello`,
    fault: INCOMPLETE,
  },
  'another coding than chunked': {
    bytes: `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    fault: 'Transfer-Encoding: ["gzip, chunked"]',
  },
  'content without any framing': {
    bytes: `${OK}\r\nhello`,
    fault: 'a content without framing on a connection that stays open',
  },
  'bytes behind the last response': {
    bytes: `${WHOLE}HTTP/1.1 200 OK`,
    fault: 'bytes behind the last response: "HTTP/1.1 200 OK"',
  },
  'bytes behind a response that closes the connection': {
    bytes: `${OK}Connection: close\r\nContent-Length: 5\r\n\r\nhello${WHOLE}`,
    requests: [GET, GET],
    fault: expect.stringMatching(/^bytes behind the last response/),
  },
  'an injected field': {
    bytes: `${OK}X-A: a\r\nX-Injected: 1\r\nContent-Length: 5\r\n\r\nhello`,
    fault: 'an injected field',
  },
  'a line that is no field': {
    bytes: `${OK}X A: a\r\nContent-Length: 5\r\n\r\nhello`,
    fault: 'no field line: "X A: a"',
  },
  'a line feed within a field': {
    bytes: `${OK}X-A: a\nb\r\nContent-Length: 5\r\n\r\nhello`,
    fault: 'no field line: "X-A: a\\nb"',
  },
  'a status that is none': { bytes: 'HTTP/1.1 99 x\r\n\r\n', fault: 'no status line: "HTTP/1.1 99 x"' },
  'a head that does not end': { bytes: OK, fault: 'a head that does not end' },
  'a date that is none': {
    bytes: 'HTTP/1.1 200 OK\r\nDate: today\r\nContent-Length: 0\r\n\r\n',
    fault: 'Date: ["today"]',
  },
  'no date': { bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', fault: 'Date: []' },
  'a chunk extension': { bytes: `${CHUNKED}5;x=1\r\nhello\r\n0\r\n\r\n`, fault: 'no chunk size: "5;x=1"' },
  'a chunk size that is none': {
    bytes: `${CHUNKED}0x5\r\nhello\r\n0\r\n\r\n`,
    fault: 'no chunk size: "0x5"',
  },
  'a chunk that is too long': {
    bytes: `${CHUNKED}3\r\nhello\r\n0\r\n\r\n`,
    fault: 'a chunk that does not end',
  },
  'chunks without an end': {
    bytes: `${CHUNKED}5\r\nhello\r\n`,
    fault: INCOMPLETE,
  },
  'a trailer of framing': {
    bytes: `${CHUNKED}5\r\nhello\r\n0\r\nContent-Length: 5\r\n\r\n`,
    fault: 'the trailer content-length',
  },
  'an injected trailer': {
    bytes: `${CHUNKED}0\r\nX-T: 1\r\nX-Injected: 1\r\n\r\n`,
    fault: 'an injected field',
  },
  '204 with a body': {
    bytes: `HTTP/1.1 204 No Content\r\n${DATE}\r\n\r\nhello`,
    fault: 'bytes behind the last response: "hello"',
  },
  '204 with a length': {
    bytes: `HTTP/1.1 204 No Content\r\n${DATE}\r\nContent-Length: 5\r\n\r\n`,
    fault: '204 with a length',
  },
  '304 with a coding': {
    bytes: `HTTP/1.1 304 Not Modified\r\n${DATE}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    fault: '304 with a coding',
  },
  'content of a response to HEAD': {
    bytes: WHOLE,
    requests: [{ ...GET, method: 'HEAD' }],
    fault: 'bytes behind the last response: "hello"',
  },
  'close and keep-alive together': {
    bytes: `${OK}Connection: close, keep-alive\r\nContent-Length: 0\r\n\r\n`,
    fault: 'close and keep-alive together',
  },
  'close with Keep-Alive': {
    bytes: `${OK}Connection: close\r\nKeep-Alive: timeout=5\r\nContent-Length: 0\r\n\r\n`,
    fault: 'Keep-Alive with close',
  },
  'an option of the connection that is none': {
    bytes: `${OK}Connection: x y\r\nContent-Length: 0\r\n\r\n`,
    fault: 'Connection: "x y"',
  },
  '100 that nobody asked for': {
    bytes: `HTTP/1.1 100 Continue\r\n\r\n${WHOLE}`,
    fault: '100 that nobody asked for',
  },
  '100 twice': {
    bytes: `HTTP/1.1 100 Continue\r\n\r\n`.repeat(2) + WHOLE,
    requests: [{ ...GET, expects: true }],
    fault: '100 twice',
  },
  'an interim response with a framing': {
    bytes: `HTTP/1.1 103 Early Hints\r\nContent-Length: 0\r\n\r\n${WHOLE}`,
    fault: '103 with a framing',
  },
  'an interim response within a content': {
    bytes: `${CHUNKED}5\r\nhello\r\nHTTP/1.1 100 Continue\r\n\r\n0\r\n\r\n`,
    fault: 'no chunk size: "HTTP/1.1 100 Continue"',
  },
  'an interim response behind the last one': {
    bytes: `${WHOLE}HTTP/1.1 103 Early Hints\r\n\r\n`,
    fault: expect.stringMatching(/^bytes behind the last response/),
  },
  'an interim response to HTTP/1.0': {
    bytes: `HTTP/1.1 103 Early Hints\r\n\r\n${OK}\r\nhello`,
    requests: [OLD],
    end: 'ended',
    fault: '103 to a client of HTTP/1.0',
  },
  'chunks for HTTP/1.0': {
    bytes: `${CHUNKED}0\r\n\r\n`,
    requests: [OLD],
    end: 'ended',
    fault: 'chunks for a client of HTTP/1.0',
  },
  'keep-alive for HTTP/1.0 that nobody asked for': {
    bytes: `${OK}Connection: keep-alive\r\nContent-Length: 0\r\n\r\n`,
    requests: [OLD],
    fault: 'keep-alive that nobody asked for',
  },
}

/** What is right, so that the client does not find too much. */
const RIGHT: Readonly<Record<string, Omit<Row, 'fault'>>> = {
  'a length': { bytes: WHOLE },
  'chunks with a trailer': { bytes: `${CHUNKED}5\r\nhello\r\n0\r\nX-T: 1\r\n\r\n` },
  'up to the end': { bytes: `${OK}Connection: close\r\n\r\nhello`, end: 'ended' },
  '100 that was asked for': {
    bytes: `HTTP/1.1 100 Continue\r\n\r\n${WHOLE}`,
    requests: [{ ...GET, expects: true }],
  },
  'two responses': { bytes: WHOLE + WHOLE, requests: [GET, GET] },
}

describe('the strict client', () => {
  let server: Server
  let row: Row = { bytes: '' }
  beforeAll(async () => {
    server = createServer((socket) => {
      const { bytes, end = 'open' } = row
      socket.on('error', () => {})
      socket.write(bytes, 'latin1', () => {
        if (end === 'ended') socket.end()
        if (end === 'reset') setTimeout(() => socket.resetAndDestroy(), 10)
      })
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void server.close())

  const read = async (given: Row): Promise<ReturnType<StrictClient['read']>> => {
    row = given
    const { bytes, requests = [GET], end = 'open' } = given
    const { port } = server.address() as AddressInfo
    const client = new StrictClient(connect(port, '127.0.0.1'))
    await client.until(() => client.bytes.length >= bytes.length && client.end === end)
    client.socket.destroy()
    return client.read(requests)
  }

  it.each(Object.entries(ROWS))('names %s', async (_name, given) => {
    const { faults } = await read(given)
    // What cannot be read on is incomplete too.
    expect(faults.slice(1).filter((fault) => fault !== INCOMPLETE)).toEqual([])
    expect(faults[0]).toEqual(given.fault)
  })

  it.each(Object.entries(RIGHT))('finds nothing in %s', async (_name, given) => {
    const { responses, faults } = await read(given)
    expect([faults, responses.map(({ isComplete }) => isComplete)]).toEqual([[], responses.map(() => true)])
    expect(responses).toHaveLength(given.requests?.length ?? 1)
  })

  it.each([
    ['a length', `${OK}Content-Length: 9\r\n\r\nhello`],
    ['chunks', `${CHUNKED}5\r\nhello\r\n`],
    ['the end of the connection', `${OK}Connection: close\r\n\r\nhello`],
  ])('takes no part for the whole when the connection is reset: %s', async (_name, bytes) => {
    const { responses } = await read({ bytes, end: 'reset' })
    expect(responses.map(({ isComplete }) => isComplete)).toEqual([false])
  })
})
