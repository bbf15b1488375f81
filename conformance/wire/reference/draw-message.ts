// Random requests: well-formed ones, and ones with what a request should not have.
import type { Random } from '../../../packages/schema/test/validator/random.ts'

const METHODS = [
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'FOO',
  'get',
  'G\x01T',
  '',
]
const TARGETS = [
  '/',
  '/a?b=c',
  '/a%20b',
  '/%zz',
  '*',
  'http://other/x',
  '//x',
  '/a b',
  '/\x7f',
  '/\u00e9',
  'a',
  '/#f',
  '',
]
const VERSIONS = [
  ...Array.from({ length: 12 }, () => 'HTTP/1.1'),
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'http/1.1',
  'HTTP/1.1 ',
]
const LINE_ENDS = [...Array.from({ length: 14 }, () => '\r\n'), '\n', '\r', '\r\r\n', ' \r\n', '\r\n ']
const HOSTS = [
  'Host: x',
  'Host: x',
  'Host: x',
  'host:x',
  'HOST:\tx ',
  'Host : x',
  ' Host: x',
  'Host: a b',
  'Host:',
  'Host: x\r\nHost: x',
]
const FIELDS = [
  'A: b',
  'A:b',
  'A: b ',
  'A:	b	',
  'A:',
  'A : b',
  ': b',
  'A',
  'A: b\r\n c',
  'A: \0',
  'A: ',
  'A: ',
  'A\0: b',
  'A b: c',
  'X_y: 1',
  'A: b\r\nA: c',
  'Cookie: a=1\r\nCookie: b=2',
  'Content-Type: text/plain',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: x',
  'Connection: upgrade\r\nUpgrade: x',
  'TE: trailers',
  'Expect: 100-continue',
  'Expect: x',
  'Trailer: x',
  'Keep-Alive: 1',
  'Accept: */*',
  'constructor: x',
  '__proto__: y',
]
const LENGTHS = [
  '',
  '0000000000',
  '000000000000000000',
  '+',
  '-',
  '0',
  ' ',
  '\t',
  '0x',
  '_',
  '5, ',
  '1e',
  '\u00a0',
]
const CODINGS = [
  'chunked',
  'chunked',
  'chunked',
  'Chunked',
  'CHUNKED ',
  '\tchunked',
  'chunked, chunked',
  'gzip, chunked',
  'chunked;a=b',
  'xchunked',
  'identity',
  '',
  '"chunked"',
  'chunked\x00',
]
const SIZES = [
  '5',
  '5',
  '5',
  '05',
  '0x5',
  '5 ',
  ' 5',
  '5;a=b',
  '5;a="b"',
  '5\t',
  '+5',
  '5g',
  'A',
  '',
  'fffffffff',
  '0000000000005',
  '000000000005',
  '5;\x01',
  '5\n',
]
const AFTER_LAST_CHUNK = [
  '0\r\n\r\n',
  '0\r\n\r\n',
  '00\r\n\r\n',
  '0\r\nT: v\r\n\r\n',
  '0\r\nHost: v\r\n\r\n',
  '0\r\n\n',
  '0\n\n',
  '0\r\nT : v\r\n\r\n',
  '0\r\n',
  '',
]
const BYTES = ['\r', '\n', '\0', ' ', ':', '\t', '0', '\x80', '\xff', ';', ',']

/** A body with what says how long it is, now and then in a way that it should not. */
function randomBody(random: Random): { readonly fields: string[]; readonly body: string } {
  const kind = random.below(6)
  if (kind < 2) return { fields: [], body: random.chance(0.2) ? 'hello' : '' }
  const fields: string[] = []
  let body = 'hello'
  if (kind < 4 || random.chance(0.1)) {
    const odd = random.chance(0.3) ? random.pick(LENGTHS) : ''
    fields.push(
      `Content-Length: ${odd}${random.chance(0.85) ? 5 : random.below(9)}${random.chance(0.1) ? ' ' : ''}`,
    )
    if (random.chance(0.08)) fields.push(`Content-Length: ${random.pick(['5', '6'])}`)
  }
  if (kind >= 4) {
    fields.push(`Transfer-Encoding: ${random.chance(0.6) ? 'chunked' : random.pick(CODINGS)}`)
    const size = random.chance(0.6) ? '5' : random.pick(SIZES)
    body = `${size}\r\nhello${random.chance(0.9) ? '\r\n' : random.pick(LINE_ENDS)}`
    body += random.chance(0.6) ? '0\r\n\r\n' : random.pick(AFTER_LAST_CHUNK)
  }
  return { fields, body }
}

/** Draws one request, with its body. */
export function drawMessage(random: Random): string {
  const { fields, body } = randomBody(random)
  const usual = random.chance(0.5)
  const method = usual ? random.pick(['GET', 'POST', 'PUT']) : random.pick(METHODS)
  const target = usual ? '/a' : random.pick(TARGETS)
  const lines = [`${method} ${target} ${usual ? 'HTTP/1.1' : random.pick(VERSIONS)}`]
  if (random.chance(0.95)) lines.push(random.chance(0.7) ? 'Host: x' : random.pick(HOSTS))
  for (let i = random.below(3); i > 0; i--) lines.push(random.pick(FIELDS))
  lines.push(...fields)
  if (!random.chance(0.7)) lines.sort(() => random.next() - 0.5)
  const end = (): string => (random.chance(0.97) ? '\r\n' : random.pick(LINE_ENDS))
  let text = `${lines.map((line) => line + end()).join('')}${end()}${body}`
  for (let i = random.chance(0.15) ? 1 + random.below(2) : 0; i > 0; i--) {
    const at = random.below(text.length + 1)
    text =
      text.slice(0, at) + (random.chance(0.7) ? random.pick(BYTES) : '') + text.slice(at + random.below(2))
  }
  return text
}
