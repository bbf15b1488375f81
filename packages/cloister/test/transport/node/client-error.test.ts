import { describe, expect, it } from 'vitest'
import { createNullLogger } from '../../../src/logging/logger.ts'
import type { Logger } from '../../../src/logging/logger.ts'
import { sendClientError, statusOf } from '../../../src/transport/node/client-error.ts'
import type { ClientError } from '../../../src/transport/node/client-error.ts'
import { FakeSocket } from './fakes.ts'

const errorWith = (code?: string): ClientError =>
  Object.assign(new Error('what the parser says'), code === undefined ? {} : { code })

interface Setup {
  readonly socket?: FakeSocket
  readonly problemDetails?: boolean | 'accepted'
  readonly logger?: Logger
}

/** What is written to the socket: the lines of the head, and the body. */
function refuse(error: ClientError, setup: Setup = {}): { head: string[]; body: string; calls: string[] } {
  const { socket = new FakeSocket(), problemDetails = false, logger = createNullLogger() } = setup
  sendClientError(error, socket.asSocket, { logger, logHasThrown: false, options: { problemDetails } })
  const written = socket.calls[0]?.replace('end ', '') ?? ''
  const [head = '', body = ''] = written.split('\r\n\r\n')
  return { head: head.split('\r\n'), body, calls: socket.calls }
}

describe('bytes that are no request', () => {
  it.each([
    ['HPE_INVALID_METHOD', 400, 'Bad Request', 'Client Error'],
    [undefined, 400, 'Bad Request', 'Client Error'],
    ['toString', 400, 'Bad Request', 'Client Error'],
    [
      'HPE_HEADER_OVERFLOW',
      431,
      'Request Header Fields Too Large',
      'Exceeded maximum allowed HTTP header size',
    ],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, 'Payload Too Large', 'Client Error'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'Request Timeout', 'Client Timeout'],
  ])('have the code %s and the status %i', (code, statusCode, reason, message) => {
    const { head, body } = refuse(errorWith(code))
    expect([head[0], JSON.parse(body)]).toEqual([
      `HTTP/1.1 ${statusCode} ${reason}`,
      { error: reason, message, statusCode },
    ])
    expect(statusOf(errorWith(code))).toBe(statusCode)
  })

  it('get a response that is whole, and closes the connection', () => {
    const { head, body } = refuse(errorWith())
    const fields = head
      .slice(1)
      .map((line) => line.replace(/\d\d:\d\d:\d\d/, 'time').replace(/: \w{3}, .*/, ': date'))
    expect(fields).toEqual([
      'Date: date',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ])
  })

  it.each([true, 'accepted'] as const)('are sent as a problem with problemDetails: %j', (problemDetails) => {
    const { head, body } = refuse(errorWith(), { problemDetails })
    expect(head).toContain('Content-Type: application/problem+json; charset=utf-8')
    const problem = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'Client Error' }
    expect(JSON.parse(body)).toEqual(problem)
  })

  it('get no response behind a request that closes the connection', () => {
    expect(refuse(errorWith('HPE_CLOSED_CONNECTION')).calls).toEqual(['end'])
  })

  it('are left alone when the client has reset the connection, or it is gone', () => {
    expect(refuse(errorWith('ECONNRESET')).calls).toEqual([])
    const socket = Object.assign(new FakeSocket(), { destroyed: true })
    expect(refuse(errorWith(), { socket }).calls).toEqual([])
  })

  it('end a connection that cannot be written to', () => {
    const socket = Object.assign(new FakeSocket(), { writable: false })
    expect(refuse(errorWith(), { socket }).calls).toEqual(['destroy'])
  })

  it('are logged, and get a response although the logger throws', () => {
    const lines: unknown[] = []
    const trace = (...line: unknown[]): void => {
      lines.push(line)
      throw new Error('the log is full')
    }
    const err = errorWith()
    const { head } = refuse(err, { logger: { ...createNullLogger(), trace } })
    expect(lines).toEqual([[{ err }, 'client error']])
    expect(head[0]).toBe('HTTP/1.1 400 Bad Request')
  })
})
