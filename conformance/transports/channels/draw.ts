// Draws what clients send over one connection.
import type { Random } from '../../../packages/schema/test/validator/random.ts'
import { KINDS } from './noting-app.ts'

/** One request of a connection. */
export interface Drawn {
  readonly id: string
  /** the bytes of the request, in the pieces in which they are written */
  readonly pieces: readonly string[]
  /** whether the next one is written without waiting for the response */
  readonly isPipelined: boolean
}

/** One connection. */
export interface DrawnConnection {
  readonly requests: readonly Drawn[]
  /** how it ends: the last request asks for it, or the client leaves while the last one is handled */
  readonly end: 'close' | 'leaves'
  /** whether the engine serves all of its requests */
  readonly isUsual: boolean
}

const JSON_LINE = 'Content-Type: application/json'
const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

/** Lines and bodies of requests with a body. */
const BODIES: readonly (readonly [lines: readonly string[], body: string])[] = [
  [[JSON_LINE, 'Content-Length: 7'], '{"a":1}'],
  [[JSON_LINE, 'Transfer-Encoding: chunked'], chunked('{"a":1}')],
  [[JSON_LINE, 'Content-Length: 4'], '{"a"'],
  [['Content-Type: a/b', 'Content-Length: 1'], 'x'],
  [['Content-Length: 0'], ''],
  [[JSON_LINE, 'Content-Length: 1200'], `"${'a'.repeat(1198)}"`],
]
/** The next request cannot rely on the connection: whether the body is read depends on when it arrives. */
const LAST_BODIES: typeof BODIES = [
  ...BODIES,
  [[JSON_LINE, 'Content-Length: 2', 'Expect: 100-continue'], '{}'],
]
const METHODS = ['GET', 'GET', 'HEAD', 'POST', 'POST', 'OPTIONS', 'DELETE']
/** Lines of requests without one. */
const LINES: readonly (readonly string[])[] = [
  [],
  [],
  ['Cookie: a=b', 'Accept: text/html', 'X-Twice: 1', 'x-twice: 2'],
]
/** With these, the engine leaves a connection to Node. */
const UNUSUAL_METHODS = [...METHODS, 'PROPFIND']
const UNUSUAL_LINES = [...LINES, ['Upgrade: h2c'], ['Connection: keep-alive, X-A']]

function drawRequest(random: Random, id: string, isLast: boolean, isUsual: boolean, kind: string): Drawn {
  const method = random.pick(isUsual ? METHODS : UNUSUAL_METHODS)
  const [lines, body] =
    method === 'POST'
      ? random.pick(isLast ? LAST_BODIES : BODIES)
      : [random.pick(isUsual ? LINES : UNUSUAL_LINES), '']
  const close = isLast ? ['Connection: close'] : []
  const target = `/${kind}/${id}${random.chance(0.2) ? '?a=b' : ''}`
  const head = [`${method} ${target} HTTP/1.1`, 'Host: x', ...lines, ...close, '', ''].join('\r\n')
  const at = random.below(body.length + 1)
  const pieces = random.chance(0.3) ? [head + body.slice(0, at), body.slice(at)] : [head + body]
  return { id, pieces: pieces.filter((piece) => piece !== ''), isPipelined: random.chance(0.5) }
}

/** Draws a connection whose requests have ids from `first` on. */
export function drawConnection(random: Random, first: number): DrawnConnection {
  const end = random.chance(0.15) ? 'leaves' : 'close'
  const isUsual = random.chance(0.7)
  const kinds = KINDS.filter((kind) => kind !== 'waits')
  const count = 1 + random.below(5)
  const requests = Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1
    const kind = isLast && end === 'leaves' ? 'waits' : random.pick(kinds)
    return drawRequest(random, String(first + index), isLast && end === 'close', isUsual, kind)
  })
  return { requests, end, isUsual }
}
