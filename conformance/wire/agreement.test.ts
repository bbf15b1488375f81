// What one engine takes for a request, the other takes for the same request: otherwise a message could hide in another
// one, behind a proxy that reads it as Node does. Random messages go to both; refusing more than Node is allowed.
import { describe, expect } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import { ours, useApps } from '../harness/transports.ts'
import { addEcho, understand } from './echo-app.ts'
import type { Understood } from './echo-app.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const MESSAGES = Number(process.env['CLOISTER_MESSAGES'] ?? 1500)
const AT_ONCE = 20
/** A second request on each connection: it is answered only where both agree on the end of the first. */
const LAST = 'GET /last HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n'

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
const LENGTHS = ['', '+', '-', '0', ' ', '\t', '0x', '_', '5, ', '1e', '\u00a0']
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
  '5;\x01',
  '5\n',
]
const AFTER_LAST_CHUNK = [
  '0\r\n\r\n',
  '0\r\n\r\n',
  '00\r\n\r\n',
  '0\r\nT: v\r\n\r\n',
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

function randomMessage(random: Random): Buffer {
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
  return Buffer.from(text + LAST, 'latin1')
}

/** Whether all that one engine accepted was understood by the other, as far as that one read on. */
function agree(one: Understood, other: Understood): boolean {
  if (one.fault !== null) return false
  return one.accepted.every((body, index) =>
    index < other.accepted.length ? body === other.accepted[index] : other.isLast,
  )
}

describe('the engine beside node:http', () => {
  const createApp = useApps({ logger: false })

  ours('the peers have one engine')(
    `accepts nothing that Node understands in another way (CLOISTER_SEED=${SEED})`,
    async () => {
      const own = addEcho(createApp({ transport: 'auto' }))
      const nodes = addEcho(createApp({ transport: 'node' }))
      const random = new Random(SEED)
      const differences: string[] = []
      let accepted = 0
      const compare = async (bytes: Buffer): Promise<void> => {
        const [mine, theirs] = await Promise.all([understand(own, bytes), understand(nodes, bytes)])
        accepted += mine.accepted.length
        if (agree(mine, theirs)) return
        differences.push(
          `${JSON.stringify(bytes.toString('latin1').replace(LAST, '<LAST>'))}\n  ${mine.fault ?? mine.accepted.join(' ')}\n  ${theirs.accepted.join(' ')}`,
        )
      }
      for (let done = 0; done < MESSAGES; done += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => compare(randomMessage(random))))
      }
      expect(differences.slice(0, 5)).toEqual([])
      expect(own).toMatchObject({ transport: { name: 'wire' } })
      // Messages that all are refused would prove nothing.
      expect(accepted / MESSAGES).toBeGreaterThan(0.25)
    },
  )
})
