import { HTTP1, HTTP2 } from '../../src/exchange/exchange.ts'
import { describe, expect, it } from 'vitest'
import { Admission, type Applicant } from '../../src/request/admission.ts'

const ADMITTED: readonly (string | number)[] = []

/** A request as a transport hands it over. */
function request(lines: readonly string[], parts: Partial<Applicant> = {}): Applicant {
  const header = (wanted: string): string | undefined =>
    lines.find((_value, at) => at % 2 === 1 && lines[at - 1]?.toLowerCase() === wanted)
  return {
    vettedLines: null,
    httpVersion: '1.1',
    protocol: HTTP1,
    method: 'GET',
    target: '/',
    headerLines: lines,
    header,
    ...parts,
  }
}

/** The code and status of the refusal; an empty list when the request is admitted. */
function verdict(applicant: Applicant, maxHeadersCount = 1000): readonly (string | number)[] {
  const refused = new Admission({ maxHeadersCount }).check(applicant)
  return refused === null ? ADMITTED : [refused.code, refused.statusCode]
}

describe('admission of versions', () => {
  it.each(['1.0', '1.1'])('takes HTTP/%s', (httpVersion) => {
    expect(verdict(request(['Host', 'a'], { httpVersion }))).toEqual(ADMITTED)
  })

  it.each(['0.9', '1.2', '2.0', '3.0', '11', ''])('refuses %j of a request line', (httpVersion) => {
    expect(verdict(request(['Host', 'a'], { httpVersion }))).toEqual(['CLO_ERR_HTTP_VERSION', 505])
  })

  it('takes HTTP/2.0 of a stream of HTTP/2 alone', () => {
    const stream = { httpVersion: '2.0', protocol: HTTP2 }
    expect(verdict(request([':authority', 'a'], stream))).toEqual(ADMITTED)
    expect(verdict(request([], { ...stream, httpVersion: '3.0' }))).toEqual(['CLO_ERR_HTTP_VERSION', 505])
  })
})

describe('admission of header lines', () => {
  const lines = (count: number): string[] => Array.from({ length: count }, () => ['a', '1']).flat()

  it('counts them', () => {
    expect(verdict(request(lines(3)), 3)).toEqual(ADMITTED)
    expect(verdict(request(lines(4)), 3)).toEqual(['CLO_ERR_HEADERS_TOO_MANY', 431])
    expect(verdict(request(lines(5000)), 0)).toEqual(ADMITTED)
  })

  it('takes the count of a transport that has held the request to the other rules', () => {
    expect(verdict(request(['Host', 'a/b'], { vettedLines: 3 }), 3)).toEqual(ADMITTED)
    expect(verdict(request(lines(4), { vettedLines: 4 }), 3)).toEqual(['CLO_ERR_HEADERS_TOO_MANY', 431])
  })
})

describe('admission of targets', () => {
  it('takes * for OPTIONS alone, and names the method', () => {
    expect(verdict(request([], { target: '*', method: 'OPTIONS' }))).toEqual(ADMITTED)
    const refused = new Admission({ maxHeadersCount: 0 }).check(request([], { target: '*', method: 'PUT' }))
    expect([refused?.code, refused?.statusCode]).toEqual(['CLO_ERR_TARGET_INVALID', 400])
    expect(refused?.message).toContain('PUT')
    expect(verdict(request([], { target: '/*' }))).toEqual(ADMITTED)
  })

  const absolute = (authority: string, host?: string, parts: Partial<Applicant> = {}): Applicant =>
    request(host === undefined ? [] : ['Host', host], { target: `http://${authority}/x`, ...parts })

  it('takes a target in absolute form whose host is the Host, or is alone', () => {
    expect(verdict(absolute('a:81', 'a:81'))).toEqual(ADMITTED)
    expect(verdict(absolute('[::1]', '[::1]'))).toEqual(ADMITTED)
    expect(verdict(absolute('A.b', 'a.B'))).toEqual(ADMITTED)
    expect(verdict(absolute('a', undefined, { httpVersion: '1.0' }))).toEqual(ADMITTED)
    for (const target of ['https://a', 'HTTPS://a?b', 'http://a/http://b'])
      expect(verdict(request(['Host', 'a'], { target }))).toEqual(ADMITTED)
  })

  it('refuses a target whose host is not the Host', () => {
    for (const [authority, host] of [
      ['b', 'a'],
      ['a:80', 'a'],
      ['a', 'a:80'],
      ['a', ''],
    ] as const)
      expect(verdict(absolute(authority, host))).toEqual(['CLO_ERR_HOST_AMBIGUOUS', 400])
  })

  it('refuses a target that is neither a path nor a URL with a valid host', () => {
    const invalid = ['CLO_ERR_TARGET_INVALID', 400]
    for (const authority of ['u@a', 'a b', ':80', '', 'a:99999', '[::1', 'a\\@b', 'a,a'])
      expect(verdict(absolute(authority, 'a'))).toEqual(invalid)
    for (const target of ['', 'a', 'a/b', 'a:80', '?a', '#', 'ftp://a/', 'http:/a', 'http://a/#b', '**'])
      expect(verdict(request(['Host', 'a'], { target }))).toEqual(invalid)
  })

  it('holds a request to the other rules too, whatever its target', () => {
    const target = 'http://a/x'
    expect(verdict(request(['Host', 'a', 'Host', 'a'], { target }))).toEqual(['CLO_ERR_HOST_AMBIGUOUS', 400])
    const stars = { target: '*', method: 'OPTIONS' }
    expect(verdict(request(['Host', 'a/b'], stars))).toEqual(['CLO_ERR_HOST_INVALID', 400])
  })

  it('says what is wrong with a target or a coding', () => {
    const messageOf = (applicant: Applicant): string | undefined =>
      new Admission({ maxHeadersCount: 0 }).check(applicant)?.message
    expect(messageOf(request([], { target: 'a' }))).toContain('neither a path nor a URL')
    expect(messageOf(request(['Transfer-Encoding', 'gzip']))).toContain("is not 'chunked', once")
    const old = { httpVersion: '1.0' }
    expect(messageOf(request(['Transfer-Encoding', 'chunked'], old))).toContain('needs HTTP/1.1')
  })

  it('refuses a target of HTTP/2 in absolute form, since HTTP/2 has a field for the host', () => {
    const stream = { httpVersion: '2.0', protocol: HTTP2 }
    expect(verdict(absolute('a', 'a', stream))).toEqual(['CLO_ERR_TARGET_INVALID', 400])
  })
})

describe('admission of hosts', () => {
  it('takes one valid Host, in any letter case', () => {
    for (const name of ['Host', 'host', 'HOST']) {
      expect(verdict(request([name, 'a']))).toEqual(ADMITTED)
      expect(verdict(request([name, 'a/b']))).toEqual(['CLO_ERR_HOST_INVALID', 400])
    }
  })

  it('refuses a second Host, also an equal one', () => {
    for (const host of ['a', 'b'])
      expect(verdict(request(['Host', 'a', 'x', 'y', 'host', host]))).toEqual(['CLO_ERR_HOST_AMBIGUOUS', 400])
  })

  it('reads no other field as a Host', () => {
    for (const name of ['Hosts', 'Hos', 'From', 'Hosu', 'X-Host', 'Transfer-Encodinh'])
      expect(verdict(request([name, 'a/b', name, 'c/d']))).toEqual(ADMITTED)
  })

  it('checks each Host, whichever was valid before', () => {
    const admission = new Admission({ maxHeadersCount: 0 })
    const codes = ['a', 'a', 'b/', 'b/', 'a', ''].map(
      (host) => admission.check(request(['Host', host]))?.code,
    )
    const invalid = 'CLO_ERR_HOST_INVALID'
    expect(codes).toEqual([undefined, undefined, invalid, invalid, undefined, undefined])
  })

  it('refuses an authority of HTTP/2 that is not the Host', () => {
    const stream = { httpVersion: '2.0', protocol: HTTP2 }
    const ambiguous = ['CLO_ERR_HOST_AMBIGUOUS', 400]
    expect(verdict(request([':authority', 'a', 'host', 'b'], stream))).toEqual(ambiguous)
    expect(verdict(request([':authority', 'a.B', 'host', 'A.b'], stream))).toEqual(ADMITTED)
    expect(verdict(request([':authority', 'a', 'host', 'a'], stream))).toEqual(ADMITTED)
    expect(verdict(request([':authority', 'a'], stream))).toEqual(ADMITTED)
    expect(verdict(request(['host', 'a'], stream))).toEqual(ADMITTED)
    expect(verdict(request([':authority', 'a/b'], stream))).toEqual(['CLO_ERR_HOST_INVALID', 400])
    // Such a field of HTTP/1.1 is no authority.
    expect(verdict(request([':authority', 'a', 'host', 'b'], { httpVersion: '1.0' }))).toEqual(ADMITTED)
  })
})

describe('admission of the lines of HTTP/2', () => {
  const stream = { httpVersion: '2.0', protocol: HTTP2 }

  it.each([
    ['a second Host', ['host', 'a', 'host', 'b'], 'CLO_ERR_HOST_AMBIGUOUS'],
    ['a Host that is none', ['host', 'a/b'], 'CLO_ERR_HOST_INVALID'],
    ['an unknown coding', ['transfer-encoding', 'gzip'], 'CLO_ERR_TRANSFER_CODING_INVALID'],
  ])('refuses %s, with and without an authority', (_what, lines, code) => {
    expect(verdict(request(lines, stream))).toEqual([code, 400])
    expect(verdict(request([':authority', 'a', ...lines], stream))[1]).toBe(400)
  })

  it('refuses a second Host beside the same authority', () => {
    const lines = [':authority', 'a', 'host', 'a', 'host', 'b']
    expect(verdict(request(lines, stream))).toEqual(['CLO_ERR_HOST_AMBIGUOUS', 400])
  })
})

describe('admission of transfer codings', () => {
  const name = 'Transfer-Encoding'
  const invalid = ['CLO_ERR_TRANSFER_CODING_INVALID', 400]
  const unknown = ['CLO_ERR_TRANSFER_CODING_UNKNOWN', 501]

  it('takes none of HTTP/1.0', () => {
    for (const coding of ['chunked', 'gzip, chunked', 'identity', ''])
      expect(verdict(request([name, coding], { httpVersion: '1.0' }))).toEqual(invalid)
  })

  it.each(['chunked', 'Chunked', 'CHUNKED', ' chunked', 'chunked\t'])('takes %j', (coding) => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()])
      expect(verdict(request([written, coding]))).toEqual(ADMITTED)
  })

  it.each([
    'gzip, chunked',
    'gzip,chunked',
    'GZip , Chunked',
    'x-y\t,\tchunked',
    "a!#$%&'*+.^_`|~-9,  chunked",
  ])('has no decoder for %j', (coding) => {
    expect(verdict(request([name, coding]))).toEqual(unknown)
  })

  it.each([
    '',
    ' ',
    'gzip',
    'identity',
    'chunke',
    'chunkedd',
    'xchunked',
    'chunked, gzip',
    'gzip, chunked, gzip',
    'gzip, gzip, chunked',
    ',chunked',
    ', chunked',
    'gzip, chunkedx',
    'gzip, xchunked',
    'a b, chunked',
    '"gzip", chunked',
    'gzip; q=1, chunked',
    '\u000bchunked ,',
  ])('refuses %j', (coding) => {
    expect(verdict(request([name, coding]))).toEqual(invalid)
  })

  it('refuses a second one', () => {
    expect(verdict(request([name, 'chunked', name, 'chunked']))).toEqual(invalid)
    expect(verdict(request([name, 'chunked', 'x', 'y', name.toLowerCase(), 'gzip, chunked']))).toEqual(
      invalid,
    )
  })

  it('refuses a line without a value', () => {
    expect(verdict(request([name]))).toEqual(invalid)
  })

  it('reads no other field as a coding', () => {
    for (const other of [
      'Transfer-Encodin',
      'Transfer-Encodings',
      'Transfer-Encodinh',
      'Xransfer-Encoding',
      'TE',
    ])
      expect(verdict(request([other, 'gzip', other, 'gzip']))).toEqual(ADMITTED)
  })

  it('goes on with the lines behind it', () => {
    expect(verdict(request([name, 'chunked', 'Host', 'a/b']))).toEqual(['CLO_ERR_HOST_INVALID', 400])
    expect(verdict(request(['Host', 'a', name, 'gzip']))).toEqual(invalid)
  })
})
