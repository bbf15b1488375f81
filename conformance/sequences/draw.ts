// Draws what a client does on one connection, and what the app does with each request.
import { PATH_HOOKS } from '../harness/path-hooks.ts'
import type { Random } from '../../packages/schema/test/validator/random.ts'

/** What the body of a request is. The last four reach their handler as a stream. */
const BODIES = [
  'valid',
  'invalid',
  'no JSON',
  'too large',
  'of an unknown type',
  'left unread',
  'read in part',
  'read whole',
  'read after the response',
] as const

/** What a handler does. */
const HANDLERS = [
  'returns text',
  'returns an object',
  'returns bytes',
  'sends at the next turn',
  'sends later',
  'is too late',
  'streams',
  'streams later',
  'streams, and fails at once',
  'streams, and fails later',
  'streams for the web',
  'sends trailers',
  'sends hints first',
  'returns much',
  'streams much',
  'sends no content',
  'sends what is not modified',
  'throws',
  'rejects later',
  'calls not found',
  'hijacks',
  'hijacks, and ends later',
  'ends the raw response',
] as const

/** What a hook does instead of going on. */
const STOPS = ['throws', 'rejects later', 'sends', 'sends later', 'hijacks'] as const

/** A hook that ends the path of its request. */
export interface Stop {
  readonly at: (typeof PATH_HOOKS)[number]
  readonly how: (typeof STOPS)[number]
}

/** One request. */
export interface Asked {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS'
  readonly body: (typeof BODIES)[number] | 'none'
  /** more than the buffers of a connection hold */
  readonly isLong: boolean
  /** chunks that are broken end the connection */
  readonly framing: 'length' | 'chunks' | 'chunks and trailers' | 'broken chunks'
  readonly expects: boolean
  readonly closes: boolean
  /** asks for another protocol, which the app does not have */
  readonly upgrades: boolean
  readonly handler: (typeof HANDLERS)[number]
  readonly stop: Stop | null
  /** a function that fails beside the path */
  readonly fails: 'nothing' | 'the error handler' | 'onError' | 'onResponse'
  /** how the client writes it */
  readonly pieces: 'one' | 'two' | 'bytes'
  /** the client sends the body when the response has come, or after a while */
  readonly sendsBodyLater: boolean
  /** the client does not wait for the response to the request before */
  readonly isPipelined: boolean
}

/** One connection. */
export interface Case {
  readonly requests: readonly Asked[]
  /** what the client does when it has sent all */
  readonly client: 'waits' | 'half-closes' | 'resets'
  /** the app closes when the client has sent this request; -1 for never */
  readonly closesAt: number
}

/** Draws a connection. */
export function drawCase(random: Random): Case {
  const requests = Array.from({ length: 1 + random.below(8) }, () => drawRequest(random))
  return {
    requests,
    client: random.pick(['waits', 'waits', 'waits', 'waits', 'half-closes', 'resets']),
    closesAt: random.chance(0.1) ? random.below(requests.length) : -1,
  }
}

function drawRequest(random: Random): Asked {
  const method = random.pick(['GET', 'GET', 'HEAD', 'POST', 'POST', 'POST', 'DELETE', 'OPTIONS'] as const)
  const hasBody = method === 'POST' || (method !== 'GET' && method !== 'HEAD' && random.chance(0.3))
  const body = hasBody ? random.pick([...BODIES, 'valid', 'valid'] as const) : 'none'
  return {
    method,
    body,
    // What an application reads in part holds the connection, until `writeTimeout` ends it.
    isLong: body !== 'none' && body !== 'read in part' && random.chance(0.12),
    framing: random.chance(0.04)
      ? 'broken chunks'
      : random.pick(['length', 'length', 'chunks', 'chunks and trailers']),
    expects: hasBody && random.chance(0.1),
    closes: random.chance(0.04),
    upgrades: !hasBody && random.chance(0.04),
    handler: random.pick(HANDLERS),
    stop: random.chance(0.25) ? drawStop(random) : null,
    fails: random.chance(0.1) ? random.pick(['the error handler', 'onError', 'onResponse']) : 'nothing',
    pieces: random.pick(['one', 'one', 'one', 'two', 'bytes']),
    sendsBodyLater: hasBody && random.chance(0.2),
    isPipelined: random.chance(0.4),
  }
}

function drawStop(random: Random): Stop {
  const at = random.pick(PATH_HOOKS)
  // Hooks that get a payload replace it, and send nothing.
  const mayBoth = at !== 'preSerialization' && at !== 'onSend' && at !== 'preParsing'
  return { at, how: random.pick(mayBoth ? STOPS : STOPS.slice(0, 2)) }
}

/** Whether the handler gets its body as a stream. */
export function isStreamed({ body }: Asked): boolean {
  return body === 'left unread' || body.startsWith('read')
}

/** Whether a request breaks the rules of HTTP/1. */
export function isBroken({ body, framing }: Asked): boolean {
  return body !== 'none' && framing === 'broken chunks'
}
