import { describe, expect, it } from 'vitest'
import { ChunkedDecoder } from '../../src/body/chunked.ts'

interface Decoded {
  readonly data: string
  readonly behind: string
  readonly trailers: readonly string[] | null
  readonly isDone: boolean
}

/** Decodes pieces one after the other, as they would come. */
function decode(pieces: readonly string[]): Decoded {
  const decoder = new ChunkedDecoder()
  let data = ''
  let behind = ''
  const target = {
    take(bytes: Buffer, start: number, end: number): void {
      data += bytes.toString('latin1', start, end)
    },
  }
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1')
    const at = decoder.feed(bytes, 0, bytes.length, target)
    behind += bytes.toString('latin1', at)
  }
  return { data, behind, trailers: decoder.trailers, isDone: decoder.isDone }
}

const BODY = '5;a=b;c="d\\"e";f\r\nhello\r\n00a\r\n, world 2!\r\n0\r\nX-Sum: 12 \r\nEmpty:\r\n\r\n'
const EXPECTED = {
  data: 'hello, world 2!',
  trailers: ['X-Sum', '12', 'Empty', ''],
  isDone: true,
}

describe('the decoder of chunked bodies', () => {
  it('reads data, extensions and trailers, and does not read what is behind', () => {
    expect(decode([`${BODY}GET /`])).toEqual({ ...EXPECTED, behind: 'GET /' })
  })

  it('reads the same wherever the bytes are cut', () => {
    for (let at = 1; at < BODY.length; at++) {
      expect(decode([BODY.slice(0, at), BODY.slice(at)])).toEqual({ ...EXPECTED, behind: '' })
    }
    expect(decode(BODY.split(''))).toEqual({ ...EXPECTED, behind: '' })
  })

  it('takes blanks and tabs alone for the white space around a trailer', () => {
    expect(decode(['0\r\nX: \t\u00a0a\u00a0 \r\n\r\n']).trailers).toEqual(['X', '\u00a0a\u00a0'])
  })

  it.each([
    ['no size', '\r\n'],
    ['a sign', '+5\r\nhello\r\n'],
    ['a prefix', '0x5\r\nhello\r\n'],
    ['white space behind the size', '5 \r\nhello\r\n'],
    ['white space before the size', ' 5\r\nhello\r\n'],
    ['a bare line feed behind the size', '5\nhello\r\n'],
    ['a size that is too large', 'fffffffffffff\r\n'],
    ['data that is longer than its size', '5\r\nhello!\r\n'],
    ['a bare line feed behind the data', '5\r\nhello\n0\r\n\r\n'],
    ['an extension without a name', '5;=b\r\nhello\r\n'],
    ['a line feed in an extension', '5;a=b\nc\r\nhello\r\n'],
    ['a quoted value that is not alone', '5;a="b"c\r\nhello\r\n'],
    ['a trailer with a blank in its name', '0\r\nX : 1\r\n\r\n'],
    ['a trailer without a name', '0\r\n: 1\r\n\r\n'],
    ['a trailer with a control character', '0\r\nX: \0\r\n\r\n'],
    ['a trailer that frames', '0\r\nContent-Length: 5\r\n\r\n'],
    ['a trailer that authenticates', '0\r\nauthorization: x\r\n\r\n'],
    ['a bare line feed at the end', '0\r\n\n'],
    ['extensions without end', `5;${'a'.repeat(20_000)}`],
    ['trailers without end', `0\r\n${'a'.repeat(9000)}`],
  ])('refuses %s, however it is cut', (_, body) => {
    expect(() => decode([body])).toThrow(/Parse Error/)
    expect(() => decode(body.split(''))).toThrow(/Parse Error/)
  })
})
