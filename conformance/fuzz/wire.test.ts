// What comes over a connection: heads and chunked bodies, as the engine of `@cloister/wire` reads them.
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { ChunkedDecoder } from '../../packages/wire/src/body/chunked.ts'
import { listFields } from '../../packages/wire/src/head/fields.ts'
import { HeadScanner } from '../../packages/wire/src/head/head-scanner.ts'
import { INCOMPLETE } from '../../packages/wire/src/head/verdicts.ts'
import { isPeer } from '../harness/subject.ts'
import { fuzz, fuzzGrowth } from './fuzz.ts'

const text = (alphabet: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { maxLength: 30 }).map((pieces) => pieces.join(''))

const PIECES = [
  ...'GET / HTTP/1.1|\r\n|\r\n|\n|\r|Host: x|Host: x\r\n|Content-Length: |Transfer-Encoding: |chunked'.split(
    '|',
  ),
  ...'5|0|;|,|: |:| |\t|\0|\u007f|\u0080|\u00ff|a|A-b|Connection: close|Expect: 100-continue'.split('|'),
]
const CHUNKS = '5\r\nhello\r\n|0\r\n\r\n|0\r\n|5|f|;|a=b|"|\\|\r\n|\r|\n|X: y\r\n|x|:| |\t|\0|\u00ff'.split(
  '|',
)

describe.skipIf(isPeer)('fuzz: heads', () => {
  const scan = (bytes: Buffer, length: number): { verdict: number; scanner: HeadScanner } => {
    const scanner = new HeadScanner()
    return { verdict: scanner.scan(bytes, 0, length), scanner }
  }
  const begin = fc.constantFrom('GET / HTTP/1.1\r\nHost: x\r\n', 'POST /a HTTP/1.1\r\nHost: x\r\n', '')
  const head = fc.tuple(begin, text(PIECES)).map((parts) => parts.join(''))

  fuzz(
    'head',
    'have one verdict, however they are cut, and fields that fit into their lines',
    head,
    (written) => {
      const bytes = Buffer.from(written, 'latin1')
      const { verdict, scanner } = scan(bytes, bytes.length)
      if (written === '') return
      let first = INCOMPLETE
      for (let length = 1; length <= bytes.length && first === INCOMPLETE; length++) {
        first = scan(bytes, length).verdict
      }
      expect([written, first]).toEqual([written, verdict])
      if (verdict <= 0) return
      const latin = bytes.toString('latin1')
      expect(latin.slice(0, verdict)).toMatch(/\r\n\r\n$/)
      const fields = listFields(scanner, latin, 0)
      const lines = fields.flatMap((name, at) => (at % 2 === 0 ? [`${name}:${fields[at + 1]}`] : []))
      for (const line of lines)
        expect(line).toMatch(/^[!#$%&'*+\-.^_`|~\w]+:(?:[^\0-\x08\n-\x1f\x7f]*[^\0- \x7f])?$/)
      // Nothing is lost, and nothing is in two fields: the lines are those that Node would split.
      const split = latin
        .slice(0, verdict - 4)
        .split('\r\n')
        .slice(1)
      expect(lines).toEqual(
        split.map((line) => line.replace(/^([^:]*):[ \t]*/, '$1:').replace(/[ \t]+$/, '')),
      )
    },
  )
  fuzzGrowth('head', (written) => {
    const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nA: ${written}`, 'latin1')
    return scan(bytes, bytes.length)
  })
})

/** What a decoder makes of pieces, one after the other: an error in its place. */
function decode(pieces: readonly string[]): unknown {
  const decoder = new ChunkedDecoder()
  let data = ''
  let behind = ''
  const target = {
    take: (bytes: Buffer, start: number, end: number): void => {
      data += bytes.toString('latin1', start, end)
    },
  }
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece, 'latin1')
      behind += bytes.toString('latin1', decoder.feed(bytes, 0, bytes.length, target))
    }
  } catch (error) {
    return [data, error instanceof Error ? error.message : error]
  }
  return [data, behind, decoder.trailers, decoder.isDone]
}

/** Longer sizes are refused. */
const MAX_DIGITS = 12

/** The data of a chunked body by the grammar of RFC 9112 section 7.1; undefined for bytes that do not begin with one. */
function dataOf(written: string): string | undefined {
  const token = "[!#$%&'*+\\-.^_`|~\\w]+"
  const quoted = '"(?:[\\t -!#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*"'
  const size = new RegExp(`([\\da-f]+)(?:;${token}(?:=(?:${token}|${quoted}))?)*\\r\\n`, 'iy')
  let data = ''
  for (;;) {
    const match = size.exec(written)
    if (match === null || (match[1] ?? '').length > MAX_DIGITS) return undefined
    const length = Number.parseInt(match[1] ?? '', 16)
    if (length === 0) break
    data += written.slice(size.lastIndex, size.lastIndex + length)
    if (written.slice(size.lastIndex + length, size.lastIndex + length + 2) !== '\r\n') return undefined
    size.lastIndex += length + 2
  }
  const trailers = new RegExp(`(?:${token}:[\\t -~\\x80-\\xff]*\\r\\n)*\\r\\n`, 'y')
  trailers.lastIndex = size.lastIndex
  return trailers.test(written) ? data : undefined
}

describe.skipIf(isPeer)('fuzz: chunked bodies', () => {
  fuzz(
    'chunked',
    'have the data that the grammar gives them, however they are cut',
    text(CHUNKS),
    (written) => {
      const whole = decode([written])
      const expected = dataOf(written)
      expect([written, decode(written.split(''))]).toEqual([written, whole])
      const isDone = Array.isArray(whole) && whole[3] === true
      if (isDone) expect([written, whole[0]]).toEqual([written, expected])
      // Trailers that frame are refused besides.
      else if (
        !/(?:length|encoding|host|connection|authorization|trailer|te|cookie|expect|upgrade|type|range|alive):/i.test(
          written,
        )
      )
        expect([written, expected]).toEqual([written, undefined])
    },
  )

  fuzzGrowth('chunked', (written) => decode([written]))
  fuzzGrowth('chunked', (written) => decode([`5;a="${written}`]))
})
