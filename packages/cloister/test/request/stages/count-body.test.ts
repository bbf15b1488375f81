import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { ByteStream } from '../../../src/exchange/streams.ts'
import { OPEN, SENT } from '../../../src/request/state.ts'
import type { ReplyPhase, ReplyState } from '../../../src/request/state.ts'
import { countBody } from '../../../src/request/stages/read-body.ts'
import { kExchange, kPlan, kState } from '../../../src/symbols.ts'

/** A reply that notes what it fails with, and whether its connection ends. */
class Reply {
  readonly failures: unknown[] = []
  endings = 0

  constructor(phase: ReplyPhase = OPEN, errorCodePrefix = 'CLO_ERR_') {
    const fail = (_reply: unknown, error: unknown): void => void this.failures.push(error)
    const exchange = { endConnection: () => this.endings++ }
    const plan = { app: { options: { errorCodePrefix } }, fail }
    Object.assign(this, { [kExchange]: exchange, [kState]: { phase }, [kPlan]: plan })
  }

  count(stream: ByteStream, limit: number): void {
    const state: ReplyState = Object(this)
    countBody(state, stream, limit)
  }
}

interface Read {
  readonly stream: Readable
  readonly events: unknown[]
}

/** A stream that is held to a limit, and what its reader gets. */
function hold(reply: Reply, limit: number, stream: Readable = new Readable({ read() {} })): Read {
  const events: unknown[] = []
  stream.on('error', (error: object) => events.push(Reflect.get(error, 'code')))
  reply.count(stream, limit)
  stream.on('data', (piece) => events.push(String(piece)))
  stream.on('end', () => events.push('end'))
  return { stream, events }
}

const turn = (): Promise<unknown> => new Promise(setImmediate)
const TOO_LARGE = 'CLO_ERR_CTP_BODY_TOO_LARGE'
const failure = (code = TOO_LARGE): unknown => expect.objectContaining({ code, statusCode: 413 })

describe('a body that its parser reads', () => {
  it('arrives as a whole up to its limit', async () => {
    const reply = new Reply()
    const { stream, events } = hold(reply, 6)
    for (const piece of ['abc', Buffer.from('def'), null]) stream.push(piece)
    await turn()
    await turn()
    expect([events, reply.failures, reply.endings]).toEqual([['abc', 'def', 'end'], [], 0])
  })

  it('is refused above its limit: it never ends, and neither does the connection go on', async () => {
    const reply = new Reply()
    const { stream, events } = hold(reply, 6)
    for (const piece of ['abc', 'defg', 'more', null]) stream.push(piece)
    await turn()
    await turn()
    expect([events, reply.failures, reply.endings]).toEqual([[TOO_LARGE, 'abc'], [failure()], 1])
  })

  it('is counted in bytes', async () => {
    const reply = new Reply()
    const { stream } = hold(reply, 4)
    stream.push('616263', 'hex')
    expect(reply.failures).toEqual([])
    stream.push('ä')
    expect(reply.failures).toHaveLength(1)
    const typed = new Reply()
    hold(typed, 4).stream.push(new Uint8Array(5))
    expect(typed.failures).toHaveLength(1)
  })

  it('counts nothing that is neither text nor bytes', () => {
    const reply = new Reply()
    const { stream } = hold(reply, 1, new Readable({ objectMode: true, read() {} }))
    for (const value of [{ byteLength: 9 }, { byteLength: 9 }]) stream.push(value)
    expect(reply.failures).toEqual([])
  })

  it('is counted with what has arrived before', () => {
    const buffered = (): Readable => {
      const stream = new PassThrough()
      stream.write('abcd')
      return stream
    }
    const within = new Reply()
    const { stream } = hold(within, 4, buffered())
    expect(within.failures).toEqual([])
    stream.push('e')
    expect(within.failures).toEqual([failure()])
    const above = new Reply()
    const { stream: refused, events } = hold(above, 3, buffered())
    expect([above.failures, above.endings, events]).toEqual([[failure()], 1, [TOO_LARGE]])
    refused.push('e')
    expect(above.failures).toHaveLength(1)
  })

  it('holds its sender up when its reader is slow, and not when it was refused', () => {
    const reply = new Reply()
    const stream = new Readable({ highWaterMark: 2, read() {} }).on('error', () => {})
    reply.count(stream, 4)
    const results = ['a', 'bc', 'd', 'e', 'f'].map((piece) => stream.push(piece))
    expect(results).toEqual([true, false, false, true, true])
    expect(stream.readableLength).toBe(4)
  })

  it('is refused without a second response when there is one', () => {
    const reply = new Reply(SENT)
    const { stream, events } = hold(reply, 1)
    stream.push('ab')
    expect([events, reply.failures, reply.endings]).toEqual([[TOO_LARGE], [], 0])
  })

  it('is refused also when nothing listens to its errors', () => {
    const reply = new Reply()
    const stream = new Readable({ read() {} })
    reply.count(stream, 1)
    stream.push('ab')
    expect(reply.failures).toEqual([failure()])
  })

  it('is refused with the prefix of the app', () => {
    const reply = new Reply(OPEN, 'MY_')
    const { stream, events } = hold(reply, 1)
    stream.push('ab')
    expect([events, reply.failures]).toEqual([['MY_CTP_BODY_TOO_LARGE'], [failure('MY_CTP_BODY_TOO_LARGE')]])
  })
})

describe('a stream of a hook', () => {
  it('is left alone when nothing can be pushed to it', () => {
    const stream: ByteStream = Object({ readableLength: 100 })
    const reply = new Reply()
    reply.count(stream, 1)
    expect([reply.failures, Object.keys(stream)]).toEqual([[], ['readableLength']])
  })

  it('is counted from nothing when it does not say what it has', () => {
    const pushed: unknown[] = []
    const push = (chunk: unknown): boolean => pushed.push(chunk) > 0
    const stream: ByteStream = Object({ push, listenerCount: () => 0 })
    const reply = new Reply()
    reply.count(stream, 2)
    for (const chunk of ['ab', 'c']) stream.push?.(chunk)
    expect([pushed, reply.failures]).toEqual([['ab'], [failure()]])
  })
})
