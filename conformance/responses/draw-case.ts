// Random cases: what the client sends on one connection, and how the application behaves for each request.
import type { Random } from '../../packages/schema/test/validator/random.ts'

/** The kinds of payload that a handler gives. */
export const PAYLOADS = [
  'text',
  'empty text',
  'bytes',
  'object',
  'undefined',
  'null',
  'stream',
  'stream of many chunks',
  'stream that pipes itself',
  'stream that fails at once',
  'stream that fails later',
  'late stream',
  'late stream that cannot be destroyed',
  'web stream',
  'web stream that fails later',
  'blob',
  'response',
  'response of a stream',
  'fetched plain',
  'fetched chunked',
  'fetched gzip',
  'fetched deflate',
  'never-ending stream',
  'hijacked',
] as const

/** A kind of payload. */
export type Payload = (typeof PAYLOADS)[number]

/** Faults that are injected into streams which are not those of the handler. */
export type StreamFault = 'none' | 'request' | 'response'

/** One request and what its handler does. */
export interface Behaviour {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS'
  readonly connection: '' | 'close' | 'keep-alive' | 'Keep-Alive, x'
  readonly expects: boolean
  /** when the body of a POST comes, and how it is framed */
  readonly body: 'none' | 'at once' | 'later' | 'chunked' | 'chunked later'
  /** whether the handler gets a parsed body, or a stream that it reads or leaves */
  readonly reads: 'parsed' | 'never' | 'before' | 'after'
  readonly status: number
  readonly payload: Payload
  readonly sends: 'return' | 'send' | 'later' | 'late'
  readonly headers: readonly (readonly [name: string, value: unknown])[]
  readonly rawHeaders: readonly (readonly [name: string, value: unknown])[]
  readonly rawStatus: unknown
  readonly rawMessage: string | undefined
  readonly hints: Record<string, unknown> | undefined
  readonly hintsAfter: boolean
  readonly trailers: readonly (readonly [name: string, value: unknown])[]
  /** writes on the raw response behind `send` */
  readonly writesBehind: boolean
  /** the stream that fails while the handler is at work: that of the raw request, or of the raw response */
  readonly fails: StreamFault
}

/** One connection. */
export interface Case {
  readonly version: '1.0' | '1.1'
  readonly requests: readonly Behaviour[]
  readonly isPipelined: boolean
  /** what the client does beside: it waits, or ends its side behind the last request, or goes away */
  readonly client: 'waits' | 'ends' | 'aborts'
}

const EVIL = 'x\r\nX-Injected: 1'

const FIELDS: readonly (readonly [name: string, values: readonly unknown[]])[] = [
  [
    'content-length',
    ['0', '3', 3, '5', 5000, '-1', 'NaN', NaN, '+5', '5, 5', ['5', '5'], ['5', '6'], '5.0', '0x5', '', ' 5'],
  ],
  ['Content-Length', ['5', '4']],
  [
    'transfer-encoding',
    ['chunked', 'gzip', 'identity', 'gzip, chunked', 'Chunked', '', ['chunked', 'chunked'], ' chunked'],
  ],
  [
    'connection',
    [
      'close',
      'keep-alive',
      'close, keep-alive',
      '',
      'upgrade',
      'x',
      'closed',
      ['close', 'x'],
      ',',
      'Close',
      'x y',
    ],
  ],
  ['keep-alive', ['timeout=5', 'x']],
  ['date', ['Sun, 06 Nov 1994 08:49:37 GMT', 'x', ['a', 'b'], '']],
  ['trailer', ['x-t', '']],
  ['upgrade', ['websocket']],
  ['te', ['trailers']],
  ['content-type', ['text/plain', EVIL]],
  ['content-encoding', ['x-drawn']],
  ['x-a', ['b', EVIL, 'a\0b', 'a\nb', 'é', '\u2028', ['a', 'b'], ['a', EVIL], 5, '']],
  ['x a', ['b']],
  ['x\r\nX-Injected: 1\r\na', ['b']],
  ['set-cookie', ['a=b', ['a=b', 'c=d']]],
]

const RAW_STATUSES: readonly unknown[] = [
  200,
  201,
  204,
  304,
  500,
  0,
  99,
  100,
  101,
  199,
  600,
  999,
  1000,
  -1,
  NaN,
  200.5,
  '200',
  '201',
  '',
  'abc',
  '200 OK\r\nX-Injected: 1',
  null,
  Infinity,
  {},
  [204],
  true,
]
const MESSAGES = ['Fine', '', 'a\r\nX-Injected: 1', 'a\0b', '\u2028', 'é']
const HINTS: readonly Record<string, unknown>[] = [
  { link: '</a.css>; rel=preload' },
  { link: ['</a.css>; rel=preload', '</b.css>; rel=preload'], 'x-id': 'a' },
  { link: '</a.css>; rel=preload', 'x-id': EVIL },
  { link: '</a.css>; rel=preload', 'x\r\nX-Injected: 1\r\na': 'b' },
  { link: '</a.css>; rel=preload', 'content-length': '5' },
  { link: '</a.css>; rel=preload', 'transfer-encoding': 'chunked' },
]
const TRAILERS: readonly (readonly [name: string, value: unknown])[] = [
  ['x-t', 'v'],
  ['x-t', EVIL],
  ['x-u', undefined],
  ['x-v', 5],
]

function some<Item>(random: Random, chance: number, draw: () => Item): Item[] {
  const items: Item[] = []
  while (items.length < 3 && random.chance(chance)) items.push(draw())
  return items
}

function drawField(random: Random): readonly [string, unknown] {
  const [name, values] = random.pick(FIELDS)
  return [name, random.pick(values)]
}

function drawBehaviour(random: Random): Behaviour {
  const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'OPTIONS'] as const)
  const hasBody = method === 'POST'
  const maybe = <Value>(chance: number, draw: () => Value): Value | undefined =>
    random.chance(chance) ? draw() : undefined
  return {
    method,
    connection: random.pick(['', '', '', 'close', 'keep-alive', 'Keep-Alive, x']),
    expects: hasBody && random.chance(0.3),
    body: hasBody ? random.pick(['at once', 'at once', 'later', 'chunked', 'chunked later']) : 'none',
    reads: hasBody ? random.pick(['parsed', 'never', 'before', 'after']) : 'parsed',
    status: random.pick([200, 200, 200, 200, 201, 204, 205, 206, 304, 404, 500, 503]),
    payload: random.pick(PAYLOADS),
    sends: random.pick(['return', 'return', 'send', 'later', 'later', 'late']),
    headers: some(random, 0.3, () => drawField(random)),
    rawHeaders: some(random, 0.2, () => drawField(random)),
    rawStatus: maybe(0.08, () => random.pick(RAW_STATUSES)),
    rawMessage: maybe(0.06, () => random.pick(MESSAGES)),
    hints: maybe(0.08, () => random.pick(HINTS)),
    hintsAfter: random.chance(0.1),
    trailers: some(random, 0.06, () => random.pick(TRAILERS)),
    writesBehind: random.chance(0.03),
    fails: random.chance(0.04) ? random.pick(['request', 'response'] as const) : 'none',
  }
}

/** Draws one connection. */
export function drawCase(random: Random): Case {
  const count = random.pick([1, 1, 2, 2, 3])
  return {
    version: random.chance(0.12) ? '1.0' : '1.1',
    requests: Array.from({ length: count }, () => drawBehaviour(random)),
    isPipelined: random.chance(0.5),
    client: random.pick(['waits', 'waits', 'waits', 'waits', 'waits', 'waits', 'ends', 'aborts']),
  }
}
