import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { LengthError } from '@cloister/wire/message'
import { prematureClose, WAITING } from '@cloister/wire/message/internal'
import { EventStreams } from '../../../src/request/event-streams.ts'
import { HIJACKED, SENT, type ReplyState } from '../../../src/request/state.ts'
import type { PumpSettled } from '../../../src/exchange/streams.ts'
import { writeStream, writeWithTrailers } from '../../../src/request/stages/write-response.ts'
import { pump } from '../../../src/transport/streams/pump.ts'
import { kPlan, kReplyHeaders, kState } from '../../../src/symbols.ts'
import { FakeWriter, turns } from '../../fake-writer.ts'
import { OpenRequest } from '../open-reply.ts'

/** A reply whose content goes to a writer, with the lines that the log gets of its streams. */
class Streaming extends OpenRequest {
  readonly writer: FakeWriter
  readonly streamErrors: unknown[] = []
  readonly warnings: string[] = []
  readonly opened: unknown[] = []

  constructor(writer = new FakeWriter(), trailers: ReplyState[typeof kState]['trailers'] = null) {
    const app = {
      options: { writeTimeout: 0, errorCodePrefix: 'CLO_ERR_' },
      pump,
      contradictions: new Set(),
      eventStreams: new EventStreams(),
      logController: { streamError: (error: unknown) => void this.streamErrors.push(error) },
    }
    super({ app })
    this.writer = writer
    Object.assign(this.exchange, {
      open: (status: number, _headers: object, hasTrailers: boolean) => {
        this.opened.push([status, hasTrailers])
        return writer
      },
    })
    const { exchange } = this
    Object.defineProperty(exchange, 'turn', {
      get: () => (writer.hasBegun ? WAITING.next.begun : WAITING),
    })
    this.reply[kState].trailers = trailers
    Object.assign(this.reply, { statusCode: 201 })
    Object.assign(this.reply.log, { warn: (line: string) => void this.warnings.push(line) })
  }

  /** The exchange is over, for whatever reason. */
  settle(outcome: Error | null): void {
    for (const callback of this.exchange.finished) callback(outcome)
  }
}

const trailersOf = (value: string | Error): Map<string, () => Promise<string>> =>
  new Map([['x-end', () => (typeof value === 'string' ? Promise.resolve(value) : Promise.reject(value))]])

/** A pump that ends when the test says so, and what happened to it. */
const held = (streaming: Streaming): { readonly settled: PumpSettled; readonly stops: unknown[] } => {
  const stops: unknown[] = []
  let settled: PumpSettled = () => {}
  const { app } = streaming.reply[kPlan]
  Object.assign(app, {
    pump: (_source: unknown, _writer: unknown, callback: PumpSettled) => {
      settled = callback
      return (reason: unknown) => void stops.push(reason)
    },
  })
  writeStream(streaming.reply, new PassThrough())
  return { settled: (failure) => settled(failure), stops }
}

describe('a stream that is sent', () => {
  it('is written to its end, and ends the response', async () => {
    const streaming = new Streaming()
    const source = new PassThrough()
    writeStream(streaming.reply, source)
    source.end('ab')
    await turns()
    const { writer, opened } = streaming
    expect([writer.pieces, writer.isEnded, opened]).toEqual([['ab'], true, [[201, false]]])
    expect([streaming.failures, streaming.streamErrors]).toEqual([[], []])
  })

  it('is followed by its trailers, which the head names', async () => {
    const streaming = new Streaming(new FakeWriter(), trailersOf('1'))
    const source = new PassThrough()
    writeStream(streaming.reply, source)
    source.end('ab')
    await turns()
    expect([streaming.writer.trailers, streaming.opened]).toEqual([{ 'x-end': '1' }, [[201, true]]])
    expect(streaming.reply[kReplyHeaders]['trailer']).toBe('x-end')
  })

  it('becomes an error response when it fails before the first byte', async () => {
    const streaming = new Streaming()
    const source = new PassThrough()
    writeStream(streaming.reply, source)
    source.destroy(new Error('disk'))
    await turns()
    expect([streaming.failures, streaming.writer.isCut]).toEqual([[new Error('disk')], false])
  })

  it('cuts the connection when it fails later, and is logged once', async () => {
    const streaming = new Streaming()
    const source = new PassThrough()
    writeStream(streaming.reply, source)
    source.write('a')
    await turns()
    source.destroy(new Error('disk'))
    await turns()
    streaming.settle(prematureClose())
    expect([streaming.failures, streaming.writer.isCut]).toEqual([[], true])
    expect(streaming.streamErrors).toEqual([new Error('disk')])
  })

  it('is destroyed when the client goes away, and logged once', async () => {
    const streaming = new Streaming()
    const source = new PassThrough()
    writeStream(streaming.reply, source)
    const outcome = prematureClose()
    streaming.settle(outcome)
    await turns()
    expect([streaming.streamErrors, source.destroyed]).toEqual([[outcome], true])
  })

  it('is destroyed when another response has taken its place, and not logged', async () => {
    const streaming = new Streaming()
    const source = new PassThrough()
    writeStream(streaming.reply, source)
    streaming.settle(null)
    await turns()
    expect([streaming.streamErrors, streaming.failures, source.destroyed]).toEqual([[], [], true])
  })

  it('that is shorter than its length cuts the connection', async () => {
    const streaming = new Streaming(new FakeWriter({ by: 'length', length: '5', contradiction: null }))
    const source = new PassThrough()
    writeStream(streaming.reply, source)
    source.end('abc')
    await turns()
    expect([streaming.writer.isCut, streaming.writer.isEnded]).toEqual([true, false])
    expect(streaming.lines).toMatchObject([
      {
        level: 'error',
        err: { code: 'CLO_ERR_REP_LENGTH_MISMATCH', cause: expect.any(LengthError) },
        message: expect.stringMatching(/GET \/ .* 3 bytes.* is 5/),
      },
    ])
  })

  it('that is longer than its length becomes an error response when nothing of it is out', async () => {
    const streaming = new Streaming(new FakeWriter({ by: 'length', length: '2', contradiction: null }))
    const source = new PassThrough()
    writeStream(streaming.reply, source)
    source.end('abc')
    await turns()
    expect([streaming.writer.isCut, streaming.writer.pieces]).toEqual([false, []])
    expect(streaming.failures).toMatchObject([
      { code: 'CLO_ERR_REP_LENGTH_MISMATCH', message: expect.stringMatching(/GET \/ .* 3 bytes.* is 2/) },
    ])
  })

  it.each([null, { meet: vi.fn() }])(
    'is destroyed where the client has gone, and the reply is sent',
    (deadlines) => {
      const streaming = new Streaming()
      Object.assign(streaming.plan, { deadlines })
      Object.defineProperty(streaming.exchange, 'turn', { value: WAITING.next.gone })
      const source = new PassThrough()
      writeStream(streaming.reply, source)
      expect([source.destroyed, streaming.reply[kState].phase]).toEqual([true, SENT])
      if (deadlines !== null) expect(deadlines.meet).toHaveBeenCalledWith(streaming.reply)
    },
  )

  it('warns once for the route when its headers contradict it', () => {
    const writer = new FakeWriter({ by: 'chunked', length: null, contradiction: 'content-length is "x"' })
    const streaming = new Streaming(writer)
    writeStream(streaming.reply, new PassThrough())
    writeStream(streaming.reply, new PassThrough())
    expect(streaming.warnings).toEqual([expect.stringMatching(/^GET \/: content-length is "x"/)])
  })
})

describe('a stream and its exchange', () => {
  it.each([[null], [{ thrown: new Error('disk') }]])(
    'end once: what the pump says behind the end of the exchange counts no more (%j)',
    async (failure) => {
      const streaming = new Streaming()
      const { settled, stops } = held(streaming)
      streaming.settle(null)
      settled(failure)
      await turns()
      expect([streaming.writer.isEnded, streaming.writer.isCut, streaming.failures]).toEqual([
        false,
        false,
        [],
      ])
      expect([stops, streaming.streamErrors]).toEqual([[null], []])
    },
  )

  it('end once: the end of the exchange behind that of the pump stops and logs nothing', async () => {
    const streaming = new Streaming()
    const { settled, stops } = held(streaming)
    settled(null)
    settled({ thrown: new Error('again') })
    streaming.settle(prematureClose())
    await turns()
    expect([streaming.writer.isEnded, stops, streaming.streamErrors, streaming.failures]).toEqual([
      true,
      [],
      [],
      [],
    ])
  })
})

describe('the end of a stream', () => {
  it('ends the response in the same turn', () => {
    const streaming = new Streaming()
    held(streaming).settled(null)
    expect(streaming.writer.isEnded).toBe(true)
  })

  it('ends the response also where the handler has taken it over, and not that of another one', () => {
    for (const phase of [HIJACKED, SENT] as const) {
      const streaming = new Streaming()
      const { settled } = held(streaming)
      streaming.enter(phase)
      settled(null)
      expect([phase, streaming.writer.isEnded]).toEqual([phase, phase === HIJACKED])
    }
  })

  it.each([
    ['has begun', WAITING.next.begun, [[expect.objectContaining({ message: 'disk' }), true]]],
    ['has no client any more', WAITING.next.gone, []],
  ])('by an error is observed where the response %s', (_name, turn, observed) => {
    const streaming = new Streaming()
    const failed: unknown[] = []
    Object.assign(streaming.request[kState], {
      observer: { failed: (...told: unknown[]) => failed.push(told) },
    })
    const { settled } = held(streaming)
    Object.defineProperty(streaming.exchange, 'turn', { value: turn })
    settled({ thrown: new Error('disk') })
    expect([streaming.writer.isCut, failed]).toEqual([true, observed])
  })
})

describe('the trailers of a response', () => {
  it('come with a warning when the headers contradict the framing', () => {
    const writer = new FakeWriter({ by: 'chunked', length: null, contradiction: 'content-length is "x"' })
    const streaming = new Streaming(writer, trailersOf('1'))
    writeWithTrailers(streaming.reply, 'text')
    expect(streaming.warnings).toHaveLength(1)
  })

  it('follow a content that is there as a whole', async () => {
    const streaming = new Streaming(new FakeWriter(), trailersOf('1'))
    writeWithTrailers(streaming.reply, 'für')
    await turns()
    expect([streaming.writer.pieces, streaming.writer.trailers]).toEqual([['für'], { 'x-end': '1' }])
  })

  it('are left out when they cannot be made, and the response ends', async () => {
    const streaming = new Streaming(new FakeWriter(), trailersOf(new Error('bad')))
    writeWithTrailers(streaming.reply, null)
    await turns()
    expect([streaming.writer.trailers, streaming.writer.isEnded]).toEqual([{}, true])
  })
})
