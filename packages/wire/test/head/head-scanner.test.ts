import { describe, expect, it } from 'vitest'
import { joinFields, listFields, LowerNames } from '../../src/head/fields.ts'
import {
  EXPECTS_CONTINUE,
  HAS_LENGTH,
  IS_CHUNKED,
  IS_INADMISSIBLE,
  SAYS_CLOSE,
} from '../../src/head/field-rules.ts'
import { HeadScanner } from '../../src/head/head-scanner.ts'
import { INCOMPLETE, MALFORMED, UNUSUAL } from '../../src/head/verdicts.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')

function scan(text: string): { scanner: HeadScanner; verdict: number; bytes: Buffer } {
  const scanner = new HeadScanner()
  const bytes = bytesOf(text)
  return { scanner, bytes, verdict: scanner.scan(bytes, 0, bytes.length) }
}

/** The verdict on a head with these field lines. */
const verdictOn = (...lines: string[]): number =>
  scan(['GET / HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n')).verdict

const faultOf = (...lines: string[]): string => {
  const { scanner, verdict } = scan(['POST / HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n'))
  return verdict === MALFORMED ? scanner.fault.reason : `verdict ${verdict}`
}

describe('the scanner of heads', () => {
  it('reads method, target and fields of an ordinary request, and where its head ends', () => {
    const text = 'PATCH /a?b=%20c HTTP/1.1\r\nHost: example.com\r\nX-One:  two words \r\nEmpty:\r\n\r\nbody'
    const { scanner, verdict } = scan(text)
    expect(text.slice(verdict)).toBe('body')
    expect([scanner.method, text.slice(scanner.targetStart, scanner.targetEnd)]).toEqual([
      'PATCH',
      '/a?b=%20c',
    ])
    expect(listFields(scanner, text, 0)).toEqual(['Host', 'example.com', 'X-One', 'two words', 'Empty', ''])
  })

  it('joins lines of one name as Node does', () => {
    const lines = [
      'A: 1',
      'a: 2',
      'Cookie: x',
      'Cookie: y',
      'Set-Cookie: p',
      'Set-Cookie: q',
      'Age: 3',
      'Age: 4',
    ]
    const text = ['GET / HTTP/1.1', 'Host: x', ...lines, 'Constructor: c', '', ''].join('\r\n')
    const { scanner } = scan(text)
    expect(joinFields(scanner, text, 0, new LowerNames())).toEqual({
      host: 'x',
      a: '1, 2',
      cookie: 'x; y',
      'set-cookie': ['p', 'q'],
      age: '3',
      constructor: 'c',
    })
  })

  it('comes to the same verdict however the bytes are cut', () => {
    const heads = [
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'DELETE /a HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n',
      'PUT / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n\r\n',
      'GET / HTTP/1.0\r\nHost: x\r\n\r\n',
      'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\n\n',
    ]
    for (const head of heads) {
      const whole = scan(head).verdict
      const cut = Array.from({ length: head.length }, (_, length) => scan(head.slice(0, length + 1)).verdict)
      expect([head, cut.find((verdict) => verdict !== INCOMPLETE)]).toEqual([head, whole])
    }
  })

  it.each([
    ['a method that is none of ours', 'BREW / HTTP/1.1\r\n'],
    ['a method in lower case', 'get / HTTP/1.1\r\n'],
    ['another version', 'GET / HTTP/1.0\r\n'],
    ['an absolute target', 'GET http://x/ HTTP/1.1\r\n'],
    ['* as the target of a GET', 'GET * HTTP/1.1\r\n'],
    ['a fragment', 'GET /a#b HTTP/1.1\r\n'],
    ['a target that is not ASCII', 'GET /\xe9 HTTP/1.1\r\n'],
    ['two spaces', 'GET  / HTTP/1.1\r\n'],
    ['a bare line feed', 'GET / HTTP/1.1\n'],
    ['an empty line before the request', '\r\nGET / HTTP/1.1\r\n'],
  ])('hands a request line with %s to Node', (_, line) => {
    expect(scan(`${line}Host: x\r\n\r\n`).verdict).toBe(UNUSUAL)
  })

  it('takes * as the target of OPTIONS', () => {
    expect(scan('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n').verdict).toBeGreaterThan(0)
  })

  it.each([
    ['Upgrade: websocket'],
    ['Connection: upgrade'],
    ['Connection: keep-alive, te'],
    ['Proxy-Connection: close'],
    ['Expect: 200-ok'],
    ['Transfer-Encoding: gzip, chunked'],
    ['Content-Length:  5'],
    ['Content-Length: 5 '],
    ['Transfer-Encoding:\tchunked'],
  ])('hands a request with "%s" to Node', (line) => {
    expect(verdictOn(line)).toBe(UNUSUAL)
  })

  it.each([
    ['Invalid header token', ['A : 1']],
    ['Invalid header token', [' folded']],
    ['Invalid header token', [': 1']],
    ['Invalid header token', ['no colon']],
    ['Invalid header token', ['na(me: 1']],
    ['Invalid header value char', ['A: a\0b']],
    ['Invalid header value char', ['A: a\x7f']],
    ['Invalid header value char', ['A: a\nB: 1']],
    ['Missing expected LF after header value', ['A: a\rB: 1']],
    ['Invalid character in Content-Length', ['Content-Length: 5a']],
    ['Invalid character in Content-Length', ['Content-Length: +5']],
    ['Invalid character in Content-Length', ['Content-Length:']],
    ['Invalid character in Content-Length', ['Content-Length: 5, 5']],
    ['Invalid character in Content-Length', ['Content-Length: 9999999999999999']],
    ['Content-Length already present', ['Content-Length: 5', 'Content-Length: 5']],
    [
      "Content-Length can't be present with Transfer-Encoding",
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    ],
    [
      "Content-Length can't be present with Transfer-Encoding",
      ['Transfer-Encoding: chunked', 'Content-Length: 5'],
    ],
    ['Invalid Transfer-Encoding', ['Transfer-Encoding:']],
    ['Invalid Transfer-Encoding', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
  ])('refuses with "%s": %j', (reason, lines) => {
    expect(faultOf(...lines)).toBe(reason)
  })

  it('refuses a request that names no host', () => {
    expect(scan('GET / HTTP/1.1\r\nA: 1\r\n\r\n').scanner.fault.reason).toBe('Missing Host header')
  })

  it('marks a request whose Host is not one host', () => {
    for (const hosts of ['Host: a\r\nHost: a', 'Host: a/b', 'Host: a,b', 'Host: a:65536', 'Host: [::zz]']) {
      const { scanner, verdict } = scan(`GET / HTTP/1.1\r\n${hosts}\r\n\r\n`)
      expect([hosts, verdict > 0, scanner.flags & IS_INADMISSIBLE]).toEqual([hosts, true, IS_INADMISSIBLE])
    }
  })

  it('knows how a body is framed, and what the client wants of the connection', () => {
    const flagsOf = (line: string): number =>
      scan(`POST / HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`).scanner.flags
    expect(flagsOf('Transfer-Encoding: Chunked') & IS_CHUNKED).toBe(IS_CHUNKED)
    expect(flagsOf('content-length: 12') & HAS_LENGTH).toBe(HAS_LENGTH)
    expect(flagsOf('Connection: Close') & SAYS_CLOSE).toBe(SAYS_CLOSE)
    expect(flagsOf('Connection: keep-alive') & SAYS_CLOSE).toBe(0)
    expect(flagsOf('Expect: 100-Continue') & EXPECTS_CONTINUE).toBe(EXPECTS_CONTINUE)
  })
})
