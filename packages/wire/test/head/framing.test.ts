// The octets that decide how a request is framed and routed, one by one.
import { describe, expect, it } from 'vitest'
import {
  EXPECTS_CONTINUE,
  HAS_HOST,
  HAS_LENGTH,
  IS_CHUNKED,
  IS_INADMISSIBLE,
  NAMES_CONNECTION,
  SAYS_CLOSE,
  isHost,
} from '../../src/head/field-rules.ts'
import { joinFields, listFields, LowerNames } from '../../src/head/fields.ts'
import { HeadScanner } from '../../src/head/head-scanner.ts'
import { INCOMPLETE, MALFORMED, UNUSUAL } from '../../src/head/verdicts.ts'

interface Scanned {
  readonly scanner: HeadScanner
  readonly verdict: number
  readonly text: string
}

/** Scans a head that lies somewhere within the bytes that came. */
function scan(head: string, before = '', behind = ''): Scanned {
  const scanner = new HeadScanner()
  const text = before + head + behind
  const bytes = Buffer.from(text, 'latin1')
  return { scanner, text, verdict: scanner.scan(bytes, before.length, bytes.length) }
}

const withLines = (...lines: string[]): Scanned =>
  scan(['POST / HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n'))

describe('a request line', () => {
  const verdictOf = (line: string): number => scan(`${line}\r\nHost: x\r\n\r\n`).verdict

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'])(
    'has the method %s',
    (method) => {
      const { scanner, verdict } = scan(`${method} /a HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect([scanner.method, verdict > 0]).toEqual([method, true])
      for (let length = 1; length <= method.length; length++)
        expect(scan(method.slice(0, length)).verdict).toBe(INCOMPLETE)
      expect(verdictOf(`${method.slice(0, -1)} / HTTP/1.1`)).toBe(UNUSUAL)
      expect(verdictOf(`${method}X / HTTP/1.1`)).toBe(UNUSUAL)
      expect(verdictOf(`${method}\t/ HTTP/1.1`)).toBe(UNUSUAL)
    },
  )

  it('has a target of visible ASCII without a fragment', () => {
    for (let octet = 0; octet < 256; octet++) {
      if (octet === 32) continue
      const isTarget = octet > 32 && octet < 127 && octet !== 35
      const verdict = verdictOf(`GET /${String.fromCharCode(octet)} HTTP/1.1`)
      expect([octet, verdict > 0, verdict === UNUSUAL]).toEqual([octet, isTarget, !isTarget])
    }
  })

  it('has its target where it is written', () => {
    for (const target of ['/', '/a', '/a?b=c&d', '//x', '/\u007e'])
      for (const before of ['', 'GET / HTTP/1.1\r\n\r\n']) {
        const { scanner, text } = scan(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, before)
        expect(text.slice(scanner.targetStart, scanner.targetEnd)).toBe(target)
      }
    const { scanner, text } = scan('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(text.slice(scanner.targetStart, scanner.targetEnd)).toBe('*')
  })

  it.each([
    'OPTIONS x HTTP/1.1',
    'OPTIONS *x HTTP/1.1',
    'OPTIONS ** HTTP/1.1',
    'POST * HTTP/1.1',
    'GET  HTTP/1.1',
    'GET a HTTP/1.1',
  ])('is left to Node: %s', (line) => expect(verdictOf(line)).toBe(UNUSUAL))

  it('has one version, and one end', () => {
    const version = ' HTTP/1.1\r\n'
    for (let at = 0; at < version.length; at++) {
      expect(scan(`GET /${version.slice(0, at)}`).verdict).toBe(INCOMPLETE)
      const other = `${version.slice(0, at)}\u0007${version.slice(at + 1)}`
      const isInName = at > 0 && at < ' HTTP/'.length
      expect(scan(`GET /${other}Host: x\r\n\r\n`).verdict).toBe(isInName ? MALFORMED : UNUSUAL)
    }
  })

  it.each(['RTSP/1.0', 'ICE/1.0', 'HTTPS/1.1', 'http/1.1', 'a HTTP/1.1'])(
    'has the protocol HTTP: %s',
    (protocol) => {
      const { verdict, scanner } = scan(`GET / ${protocol}\r\nHost: x\r\n\r\n`)
      expect([verdict, scanner.fault.code]).toEqual([MALFORMED, 'HPE_INVALID_CONSTANT'])
    },
  )
})

describe('a field line', () => {
  it('has a name of token characters', () => {
    for (let octet = 0; octet < 256; octet++) {
      const character = String.fromCharCode(octet)
      if (character === ':') continue
      const { verdict, scanner } = withLines(`A${character}B: c`)
      const isToken = /[!#$%&'*+\-.^_`|~\w]/.test(character) && octet < 128
      expect([octet, verdict > 0]).toEqual([octet, isToken])
      if (!isToken) expect([verdict, scanner.fault.reason]).toEqual([MALFORMED, 'Invalid header token'])
    }
  })

  it('has a value without control characters', () => {
    for (let octet = 0; octet < 256; octet++) {
      if (octet === 13) continue
      const isValue = (octet >= 32 && octet !== 127) || octet === 9
      const { verdict } = withLines(`A: b${String.fromCharCode(octet)}c`)
      expect([octet, verdict > 0, verdict === MALFORMED]).toEqual([octet, isValue, !isValue])
    }
  })

  it('is incomplete up to its last octet', () => {
    const head = 'GET / HTTP/1.1\r\nHost: x\r\nA:  b \r\n\r\n'
    for (let length = 1; length < head.length; length++)
      expect([length, scan(head.slice(0, length)).verdict]).toEqual([length, INCOMPLETE])
    expect(scan(head, 'xyz', 'GET').verdict).toBe(3 + head.length)
  })

  it('is read up to the end of what has come, whatever lies behind it', () => {
    const heads = [
      'OPTIONS /a HTTP/1.1\r\nHost: x\r\nA:  b \r\n\r\n',
      'PATCH / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n',
    ]
    for (const head of heads) {
      const bytes = Buffer.from(`GET / HTTP/1.1\r\n\r\n${head}GET / HTTP/1.1\r\n`)
      const start = bytes.indexOf(head)
      const scanner = new HeadScanner()
      for (let length = 1; length < head.length; length++)
        expect([length, scanner.scan(bytes, start, start + length)]).toEqual([length, INCOMPLETE])
      expect(scanner.scan(bytes, start, start + head.length)).toBe(start + head.length)
    }
  })

  it('has its name and value without the white space around', () => {
    const { scanner, text } = withLines('A:b', 'B: \t c d \t', 'C:', 'D: \t', 'e:f:g')
    const fields = ['Host', 'x', 'A', 'b', 'B', 'c d', 'C', '', 'D', '', 'e', 'f:g']
    expect(listFields(scanner, text, 0)).toEqual(fields)
    const headers = { host: 'x', a: 'b', b: 'c d', c: '', d: '', e: 'f:g' }
    expect(joinFields(scanner, text, 0, new LowerNames())).toEqual(headers)
    const shifted = scan('GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\r\n', '12345')
    expect(listFields(shifted.scanner, shifted.text.slice(5), 5)).toEqual(['Host', 'x', 'A', 'b'])
    expect(joinFields(shifted.scanner, shifted.text.slice(5), 5, new LowerNames())).toEqual({
      host: 'x',
      a: 'b',
    })
  })

  it('ends with CR LF', () => {
    expect(withLines('A: b\rc').scanner.fault.reason).toBe('Missing expected LF after header value')
    const { verdict, scanner } = scan('GET / HTTP/1.1\r\nHost: x\r\n\rx')
    expect([verdict, scanner.fault.reason]).toEqual([MALFORMED, 'Missing expected LF after header value'])
  })

  it('is one of 2,048, or Node reads the request', () => {
    const lines = (count: number): string[] => Array.from({ length: count }, () => 'A: b')
    expect(withLines(...lines(2047)).verdict).toBeGreaterThan(0)
    expect(withLines(...lines(2048)).verdict).toBe(UNUSUAL)
  })

  it('keeps the lower case of 500 names of up to 64 characters, and has it of all others, too', () => {
    const names = new LowerNames()
    const longest = 'A'.repeat(64)
    for (let round = 0; round < 2; round++) {
      expect([names.of(longest), names.of(`${longest}A`)]).toEqual([longest.toLowerCase(), 'a'.repeat(65)])
      expect(names.of('X-Y')).toBe('x-y')
      if (round === 0) expect(names.size).toBe(2)
      for (let i = 0; i < 600; i++) expect(names.of(`X-${i}`)).toBe(`x-${i}`)
    }
    expect(names.size).toBe(500)
  })

  it.each([
    'age',
    'authorization',
    'content-type',
    'etag',
    'expires',
    'from',
    'if-modified-since',
    'if-unmodified-since',
    'last-modified',
    'location',
    'max-forwards',
    'proxy-authorization',
    'referer',
    'retry-after',
    'server',
    'user-agent',
  ])('counts once: %s', (name) => {
    const { scanner, text } = withLines(`${name}: 1`, `${name.toUpperCase()}: 2`)
    expect(joinFields(scanner, text, 0, new LowerNames())).toEqual({ host: 'x', [name]: '1' })
  })

  it('may have the name of a member of objects', () => {
    const { scanner, text } = withLines(
      'toString: 1',
      '__proto__: 2',
      'Set-Cookie: a',
      'set-cookie: b',
      'Set-Cookie: c',
    )
    const headers = joinFields(scanner, text, 0, new LowerNames())
    expect(Object.entries(headers)).toContainEqual(['tostring', '1'])
    expect(headers['set-cookie']).toEqual(['a', 'b', 'c'])
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
  })
})

describe('what fields say', () => {
  const flagsOf = (...lines: string[]): number => withLines(...lines).scanner.flags & ~HAS_HOST

  it('is nothing without fields, and nothing of the head before', () => {
    const scanner = new HeadScanner()
    const first = Buffer.from(
      'POST / HTTP/1.1\r\nHost: a/b\r\nContent-Length: 7\r\nContent-Type: a/b\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n',
    )
    scanner.scan(first, 0, first.length)
    const { serial } = scanner
    expect(scanner.flags).toBe(
      HAS_HOST | IS_INADMISSIBLE | HAS_LENGTH | NAMES_CONNECTION | SAYS_CLOSE | EXPECTS_CONTINUE,
    )
    expect([scanner.bodyLength, first.toString('latin1', scanner.typeStart, scanner.typeEnd)]).toEqual([
      7,
      'a/b',
    ])
    const second = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    scanner.scan(second, 0, second.length)
    const { flags, bodyLength, typeStart, typeEnd, fieldCount } = scanner
    expect({ flags, bodyLength, typeStart, typeEnd, fieldCount }).toEqual({
      flags: HAS_HOST,
      bodyLength: 0,
      typeStart: 0,
      typeEnd: 0,
      fieldCount: 1,
    })
    expect(scanner.serial).toBe(serial + 1)
  })

  it('has the first Content-Type', () => {
    const { scanner, text } = withLines('Content-Type: text/plain', 'Content-Type: application/json')
    expect(text.slice(scanner.typeStart, scanner.typeEnd)).toBe('text/plain')
  })

  it.each([
    ['0', 0],
    ['5', 5],
    ['007', 7],
    [`${'0'.repeat(40)}7`, 7],
    ['0'.repeat(40), 0],
    ['1234567890', 1_234_567_890],
    ['999999999999999', 999_999_999_999_999],
  ])('has the length %s', (written, length) => {
    const { scanner, verdict } = withLines(`Content-Length: ${written}`)
    expect([verdict > 0, scanner.bodyLength, scanner.flags]).toEqual([true, length, HAS_HOST | HAS_LENGTH])
  })

  it.each([
    '1000000000000000',
    '01000000000000000',
    '1/',
    '1:',
    '/1',
    ':1',
    '1 2',
    'x',
    '1,1',
    '-1',
    '\u00b2',
  ])('has no length %j', (written) => {
    const { scanner, verdict } = withLines(`Content-Length: ${written}`)
    expect([verdict, scanner.fault.reason]).toEqual([MALFORMED, 'Invalid character in Content-Length'])
  })

  it('is the same in any letter case, and never what only begins so', () => {
    expect(flagsOf('CONTENT-LENGTH: 1')).toBe(HAS_LENGTH)
    expect(flagsOf('transfer-ENCODING: CHUNKED')).toBe(IS_CHUNKED)
    expect(flagsOf('connection: CLOSE')).toBe(NAMES_CONNECTION | SAYS_CLOSE)
    expect(flagsOf('Connection: Keep-Alive')).toBe(NAMES_CONNECTION)
    expect(withLines('Connection: keep-alive').verdict).toBeGreaterThan(0)
    expect(flagsOf('expect: 100-CONTINUE')).toBe(EXPECTS_CONTINUE)
    for (const other of [
      'Content-Lengtg',
      'Content-Lengths',
      'Transfer-Encodinf',
      'Connectiom',
      'Expecu',
      'Hosu',
      'Upgradf',
    ])
      expect([other, flagsOf(`${other}: close`)]).toEqual([other, 0])
    for (const line of [
      'Connection: closed',
      'Connection: clos',
      'Expect: 100-continu',
      'Transfer-Encoding: chunke',
    ])
      expect([line, withLines(line).verdict]).toEqual([line, UNUSUAL])
  })

  it('is no length where there is white space alone', () => {
    for (const line of ['Content-Length:', 'Content-Length: '])
      expect([line, withLines(line).verdict]).toEqual([line, MALFORMED])
  })

  it('is left to Node where the white space is not one blank', () => {
    for (const line of ['Content-Length:5', 'Content-Length: 5', 'Connection:close', 'Expect:100-continue'])
      expect([line, withLines(line).verdict > 0]).toEqual([line, true])
    for (const value of ['  5', '\t5', '5 ', ' 5 ', ' 5\t'])
      expect([value, withLines(`Content-Length:${value}`).verdict]).toEqual([value, UNUSUAL])
    for (const line of ['Connection:  close', 'Expect: 100-continue ', 'Transfer-Encoding:  chunked'])
      expect([line, withLines(line).verdict]).toEqual([line, UNUSUAL])
    expect(scan('GET / HTTP/1.1\r\nHost:  x\r\n\r\n').verdict).toBe(UNUSUAL)
    expect(withLines('Content-Type:  a/b ').verdict).toBeGreaterThan(0)
  })

  it('is refused twice', () => {
    expect(withLines('Connection: close', 'Connection: close').verdict).toBe(UNUSUAL)
    expect(withLines('Transfer-Encoding: chunked', 'Content-Length: 0').verdict).toBe(MALFORMED)
    expect(withLines('Content-Length: 0', 'Transfer-Encoding: chunked').verdict).toBe(MALFORMED)
    expect(flagsOf('Host: x')).toBe(IS_INADMISSIBLE)
  })

  it.each(['Upgrade: x', 'Upgrade:', 'Proxy-Connection: x'])('is left to Node: %s', (line) => {
    expect(withLines(line).verdict).toBe(UNUSUAL)
  })
})

describe('a Host as octets', () => {
  const judge = (host: string): boolean => {
    const bytes = Buffer.from(`a:1${host}:b`, 'latin1')
    return isHost(bytes, 3, bytes.length - 2)
  }

  it.each([
    '',
    'a',
    'A.b-c_d~9',
    "a!$&'()*+;=",
    'a%2F',
    '1.2.3.4',
    '[::1]',
    '[v1.a:b]',
    '[ABCD::]',
    '[::ffff:1.2.3.4]',
  ])('is %j, with and without a port', (host) => {
    for (const port of ['', ':', ':0', ':65535', ':00080', ':9', ':9090'])
      expect([host + port, judge(host + port)]).toEqual([host + port, true])
    for (const port of [':65536', ':99999999999999999999', ':x', ':1:', ':-1', ':/', '::', ':1 '])
      expect([host + port, judge(host + port)]).toEqual([host + port, false])
  })

  it.each([
    '[\t::1]',
    '[::1\t]',
    'a b',
    'a/b',
    'a@b',
    'a,b',
    'a%2',
    'a%zz',
    'höst',
    'aé',
    '%zz',
    'x[::1]',
    '[::1',
    '::1',
    '[]',
    '[::zz]',
    '[::1]x',
    '[::1]]',
    '[zz::1]',
    '[fe80::1%25eth0]',
    '[v.a]',
    '[v1.]',
    '[v1.a/b]',
    '[xv1.a]',
    '[1.2.3.4]',
  ])('is not %j', (host) => {
    expect(judge(host)).toBe(false)
  })
})
