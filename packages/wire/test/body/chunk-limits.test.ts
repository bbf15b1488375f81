// What a chunked body may be made of, octet by octet, and how much of it.
import { describe, expect, it } from 'vitest'
import { ChunkedDecoder } from '../../src/body/chunked.ts'

/** The data and the trailers of a body; the reason of the refusal, or 'incomplete'. */
function read(body: string): unknown {
  const decoder = new ChunkedDecoder()
  let data = ''
  const target = {
    take(bytes: Buffer, start: number, end: number): void {
      data += bytes.toString('latin1', start, end)
    },
  }
  const bytes = Buffer.from(body, 'latin1')
  try {
    const at = decoder.feed(bytes, 0, bytes.length, target)
    if (!decoder.isDone) return 'incomplete'
    expect(at).toBe(bytes.length)
    return [data, ...(decoder.trailers ?? [])]
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

const isRefused = (body: string): boolean => /Parse Error/.test(String(read(body)))
const END = '\r\n0\r\n\r\n'

describe('the size of a chunk', () => {
  it('has hexadecimal digits alone, in both letter cases', () => {
    for (let octet = 0; octet < 256; octet++) {
      const digit = String.fromCharCode(octet)
      const size = /[\da-f]/i.test(digit) ? Number.parseInt(digit, 16) : -1
      if (size > 0)
        expect([digit, read(`${digit}\r\n${'x'.repeat(size)}${END}`)]).toEqual([digit, ['x'.repeat(size)]])
      if (size < 0) expect([octet, isRefused(`${digit}\r\n`)]).toEqual([octet, true])
      const isBehind = size >= 0 || digit === '\r' || digit === ';'
      expect([octet, isRefused(`0${digit}`)]).toEqual([octet, !isBehind])
    }
  })

  it('has at most twelve digits, without the zeros before them', () => {
    expect(read(`10\r\n${'x'.repeat(16)}${END}`)).toEqual(['x'.repeat(16)])
    expect(read(`0000000000a0\r\n${'x'.repeat(160)}${END}`)).toEqual(['x'.repeat(160)])
    expect(read('000000000000\r\n\r\n')).toEqual([''])
    expect(read(`${'0'.repeat(40)}a0\r\n${'x'.repeat(160)}${END}`)).toEqual(['x'.repeat(160)])
    expect(read(`${'0'.repeat(40)}\r\n\r\n`)).toEqual([''])
    expect(read('000ffffffffffff\r\nx')).toBe('incomplete')
    expect(isRefused('0001000000000000')).toBe(true)
  })

  it('has twelve zeros before its digits, and 16,384 more of them in a body', () => {
    expect(read(`${'0'.repeat(12 + 16_384)}1\r\nx${END}`)).toEqual(['x'])
    expect(isRefused('0'.repeat(12 + 16_385))).toBe(true)
    const chunks = (zeros: number): string => `${'0'.repeat(zeros)}1\r\nx\r\n`.repeat(16_385)
    expect(read(`${chunks(12)}0\r\n\r\n`)).toEqual(['x'.repeat(16_385)])
    expect(isRefused(chunks(13))).toBe(true)
  })

  it('begins anew with each chunk', () => {
    const many = '1\r\nx\r\n'.repeat(50)
    expect(read(`${many}0\r\n\r\n`)).toEqual(['x'.repeat(50)])
    expect(read(`00000000000a\r\n0123456789\r\n00000000000a\r\n0123456789${END}`)).toEqual([
      '0123456789'.repeat(2),
    ])
  })
})

describe('the data of a chunk', () => {
  it('may have any octet', () => {
    const all = Array.from({ length: 256 }, (_, octet) => String.fromCharCode(octet)).join('')
    expect(read(`100\r\n${all}${END}`)).toEqual([all])
  })

  it('ends with CR LF', () => {
    for (const end of ['\n', '\r', 'x', '\rx', '\n\r', '0\r\n'])
      expect([end, isRefused(`1\r\na${end}0\r\n\r\n`)]).toEqual([end, true])
  })
})

describe('the extensions of a chunk', () => {
  it.each(['a', 'a=b', 'a;b', 'a=b;c=d', 'a=""', 'a="b c\t;\\"\\\\"', 'a="\u00ff"', 'a="b";c'])(
    'may be %j',
    (text) => {
      expect(read(`1;${text}\r\nx${END}`)).toEqual(['x'])
    },
  )

  it.each([
    '',
    ';',
    'a=',
    'a==',
    '=a',
    'a=b=c',
    'a="',
    'a="\r\n"',
    'a="\u007f"',
    'a="\0"',
    'a="\\\r"',
    'a="\\\u007f"',
  ])('may not be %j', (text) => expect(read(`1;${text}\r\nx${END}`)).not.toEqual(['x']))

  it.each([' a', 'a b', 'a= b', 'a=b ', 'a="b"c', 'a="b" ', 'a=b"c"', 'a\n', '"a"', 'a=b\u00ff', 'a\u00ff'])(
    'are refused: %j',
    (text) => expect(isRefused(`1;${text}\r\nx${END}`)).toBe(true),
  )

  it('have 16,384 octets in a body, whatever chunk they belong to', () => {
    const most = (more: number): string =>
      `1;${'a'.repeat(16_000)}\r\nx\r\n1;${'b'.repeat(382 + more)}\r\nx${END}`
    expect(read(most(0))).toEqual(['xx'])
    expect(isRefused(most(1))).toBe(true)
  })
})

describe('the trailers of a body', () => {
  it('are fields, as they were written', () => {
    expect(read('0\r\nX-Sum: \t12 \r\nEmpty:\r\nb:c:d\r\n\r\n')).toEqual([
      '',
      'X-Sum',
      '12',
      'Empty',
      '',
      'b',
      'c:d',
    ])
    expect(read('0\r\nA: \u00ff\t~\r\n\r\n')).toEqual(['', 'A', '\u00ff\t~'])
  })

  it.each([
    'Authorization',
    'Connection',
    'Content-Encoding',
    'Content-Length',
    'Content-Range',
    'Content-Type',
    'Cookie',
    'Expect',
    'Host',
    'Keep-Alive',
    'Proxy-Connection',
    'Set-Cookie',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'uPGRADE',
  ])('are never %s', (name) => {
    expect(isRefused(`0\r\n${name}: x\r\n\r\n`)).toBe(true)
    expect(read(`0\r\nX${name}: x\r\n\r\n`)).toEqual(['', `X${name}`, 'x'])
  })

  it.each([
    ':',
    ': a',
    'a',
    ' a: b',
    'a : b',
    'a\t:b',
    'a(: b',
    'a: \0',
    'a: \u007f',
    'a: b\n',
    'a: b\rc',
    'a\u00e9: b',
  ])('are refused: %j', (line) => expect(isRefused(`0\r\n${line}\r\n\r\n`)).toBe(true))

  it('have 8,192 octets in a body, names and values together', () => {
    const most = (more: number): string =>
      `0\r\n${'a'.repeat(4000)}:${'b'.repeat(4000)}\r\nc:${'d'.repeat(189 + more)}\r\n\r\n`
    expect(read(most(0))).toHaveLength(5)
    expect(isRefused(most(1))).toBe(true)
  })

  it('end with an empty line', () => {
    expect(read('0\r\n\r')).toBe('incomplete')
    for (const end of ['\n', '\rx', '\r\r\n', ' \r\n'])
      expect([end, isRefused(`0\r\n${end}`)]).toEqual([end, true])
    expect(isRefused('0\r\na: b\r\n\n')).toBe(true)
    expect(isRefused('0\n')).toBe(true)
  })
})
