import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNullLogger } from '../../../src/logging/logger.ts'
import { Sessions } from '../../../src/transport/node/sessions.ts'
import type { SessionDeadlines } from '../../../src/transport/node/sessions.ts'
import { FakeSession, FakeStream } from './fakes.ts'

const CANCEL = 8
const NO_DEADLINES = { writeTimeout: 0, headersTimeout: 0, requestTimeout: 0, http2SessionTimeout: 0 }

interface Watched {
  readonly sessions: Sessions
  readonly session: FakeSession
  /** what was cut, as the log lines say */
  readonly seen: string[]
  /** Time goes by, and the deadlines are looked at. */
  look(ms?: number): void
}

function watch(deadlines: Partial<SessionDeadlines>): Watched {
  const seen: string[] = []
  const info = (line: unknown): void => void seen.push(/its (\w+) is cut$/.exec(String(line))?.[1] ?? '')
  const logs = { logger: { ...createNullLogger(), info }, logHasThrown: false }
  const sessions = new Sessions({ ...NO_DEADLINES, ...deadlines }, logs)
  const session = new FakeSession()
  add(sessions, session)
  const look = (ms = 0): void => {
    vi.advanceTimersByTime(ms)
    sessions.sweep(performance.now())
  }
  return { sessions, session, seen, look }
}

function add(sessions: Sessions, session: FakeSession): void {
  const given: ServerHttp2Session = Object(session)
  sessions.add(given)
}

/** A request of a stream, which an app reads or not. */
function request({ sessions }: Watched, stream: unknown, isRead: boolean): { codes: unknown[] } {
  const incoming = Object.assign(new EventEmitter(), { stream })
  const codes: unknown[] = []
  if (isRead) incoming.on('error', (error: object) => codes.push(Reflect.get(error, 'code')))
  const message: IncomingMessage = Object(incoming)
  sessions.addRequest(message)
  return { codes }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(5000)
})
afterEach(() => void vi.useRealTimers())

describe('a session without streams', () => {
  it('is asked to end after its time, and then cut', () => {
    const { session, look } = watch({ http2SessionTimeout: 1000 })
    look(999)
    expect(session.calls).toEqual([])
    look(1)
    expect(session.calls).toEqual(['close'])
    look(1000)
    expect(session.calls).toEqual(['close', 'destroy'])
  })

  it('has its time from the end of its last stream on', () => {
    const { session, look } = watch({ http2SessionTimeout: 1000 })
    const [first, second] = [session.open(), session.open()]
    look(700)
    first.end()
    look(700)
    second.end()
    look(999)
    expect(session.calls).toEqual([])
    look(1)
    expect(session.calls).toEqual(['close'])
  })

  it('stays without such a time', () => {
    const { session, look } = watch({ writeTimeout: 10, headersTimeout: 10, requestTimeout: 10 })
    look(600_000)
    expect([session.calls, session.pings]).toEqual([[], []])
  })
})

describe('a session whose client reads nothing', () => {
  it('is cut, with a word to the log before', () => {
    const { session, seen, look } = watch({ writeTimeout: 3000 })
    session.open({ writableLength: 10 })
    session.open()
    for (const ms of [0, 2999]) look(ms)
    expect([session.calls, seen]).toEqual([[], []])
    look(1)
    expect([session.calls, seen]).toEqual([['destroy'], ['connection']])
  })

  it.each([
    ['its window changes', (session: FakeSession) => Object.assign(session.state, { remoteWindowSize: 8 })],
    ['its queue changes', (session: FakeSession) => Object.assign(session.state, { outboundQueueSize: 8 })],
    ['bytes go out', (session: FakeSession) => (session.socket = { _handle: { bytesWritten: 10 } })],
  ])('goes on when %s', (_what, change) => {
    const { session, look } = watch({ writeTimeout: 3000 })
    session.open({ writableLength: 200_000 })
    for (const ms of [0, 2000]) look(ms)
    change(session)
    for (const ms of [0, 2999]) look(ms)
    expect(session.calls).toEqual([])
    look(1)
    expect(session.calls).toEqual(['destroy'])
  })

  it.each([[null], [undefined], ['text'], [{}], [{ bytesWritten: 'many' }]])(
    'is cut as well when its socket has %j for a handle',
    (_handle) => {
      const { session, look } = watch({ writeTimeout: 3000 })
      session.socket = { _handle }
      session.open({ writableLength: 10 })
      for (const ms of [0, 3000]) look(ms)
      expect(session.calls).toEqual(['destroy'])
    },
  )

  it('goes on while there is nothing for it to read', () => {
    const { session, look } = watch({ writeTimeout: 3000 })
    session.open()
    for (const ms of [0, 600_000]) look(ms)
    expect(session.calls).toEqual([])
  })

  it('goes on for any time without a deadline', () => {
    const { session, look, seen } = watch({})
    const stream = session.open({ writableLength: 10 })
    for (const ms of [0, 600_000, 1]) look(ms)
    expect([session.calls, session.pings, stream.codes, seen]).toEqual([[], [], [], []])
  })
})

describe('a session of half a head', () => {
  it('is asked for a sign of life, and cut without one', () => {
    const { session, seen, look } = watch({ headersTimeout: 1000 })
    session.open()
    look(999)
    expect(session.pings).toHaveLength(0)
    look(1)
    look(999)
    expect([session.pings.length, session.calls]).toEqual([1, []])
    look(1)
    expect([session.pings.length, session.calls, seen]).toEqual([1, ['destroy'], ['session']])
  })

  it('goes on when its client acknowledges', () => {
    const { session, look } = watch({ headersTimeout: 1000 })
    session.open()
    look(1000)
    vi.advanceTimersByTime(500)
    session.pings[0]?.(null)
    look(999)
    expect([session.pings.length, session.calls]).toEqual([1, []])
    look(1)
    look(1000)
    expect([session.pings.length, session.calls]).toEqual([2, ['destroy']])
  })

  it('goes on when its client opens a stream', () => {
    const { session, look } = watch({ headersTimeout: 1000 })
    session.open()
    look(1000)
    session.open()
    look(999)
    expect(session.calls).toEqual([])
  })

  it('is cut when the question cannot be sent', () => {
    const { session, look } = watch({ headersTimeout: 1000 })
    session.open()
    look(1000)
    session.pings[0]?.(new Error('cancelled'))
    look(1000)
    expect(session.calls).toEqual(['destroy'])
  })

  it('is asked nothing once it closes, also if it was asked before: its responses come to their end', () => {
    const { session, look } = watch({ headersTimeout: 1000 })
    session.open()
    look(1000)
    session.closed = true
    session.pings[0]?.(new Error('cancelled'))
    look(1000)
    look(1000)
    expect([session.pings.length, session.calls]).toEqual([1, []])
  })

  it('is asked nothing once it is destroyed', () => {
    const { session, look } = watch({ headersTimeout: 1000 })
    session.open()
    session.destroyed = true
    look(1000)
    expect(session.pings).toHaveLength(0)
  })
})

describe('a body that does not arrive', () => {
  const late = ['CLO_ERR_CTP_BODY_TIMEOUT']

  it('fails in time for who reads it', () => {
    const watched = watch({ requestTimeout: 1000 })
    const stream = watched.session.open()
    const { codes } = request(watched, stream, true)
    watched.look(999)
    expect(codes).toEqual([])
    watched.look(1)
    expect([codes, stream.codes, watched.session.calls]).toEqual([late, [], []])
  })

  it('ends its stream when nothing reads it', () => {
    const watched = watch({ requestTimeout: 1000 })
    const [unread, unknown] = [watched.session.open(), watched.session.open()]
    request(watched, unread, false)
    watched.look(999)
    expect(unread.codes).toEqual([])
    watched.look(1)
    expect([unread.codes, unknown.codes]).toEqual([[CANCEL], [CANCEL]])
  })

  it('ends its stream within a response that has begun', () => {
    const watched = watch({ requestTimeout: 1000 })
    const stream = watched.session.open({ headersSent: true })
    const { codes } = request(watched, stream, true)
    watched.look(1000)
    expect([codes, stream.codes]).toEqual([[], [CANCEL]])
  })

  it.each(['readableEnded', 'endAfterHeaders', 'closed'])('is none when it has ended: %s', (state) => {
    const watched = watch({ requestTimeout: 1000 })
    const stream = watched.session.open({ [state]: true })
    const { codes } = request(watched, stream, true)
    watched.look(1000)
    expect([codes, stream.codes]).toEqual([[], []])
  })

  it('has any time without a deadline', () => {
    const watched = watch({ writeTimeout: 1000 })
    const stream = watched.session.open()
    const { codes } = request(watched, stream, true)
    watched.look(600_000)
    expect([codes, stream.codes]).toEqual([[], []])
  })

  it('concerns no request without a stream of these sessions', () => {
    const watched = watch({ requestTimeout: 1000 })
    for (const stream of [undefined, null, 'text', new FakeStream()])
      expect(request(watched, stream, true).codes).toEqual([])
    watched.look(1000)
    expect(watched.session.calls).toEqual([])
  })
})

describe('one stream that its client does not read', () => {
  /** The session itself goes on. */
  function lookAt({ session, look }: Watched, times: readonly number[]): void {
    for (const ms of times) {
      session.state = { remoteWindowSize: performance.now(), outboundQueueSize: 0 }
      look(ms)
    }
  }

  it('is cancelled in time, and no other of its session', () => {
    const watched = watch({ writeTimeout: 3000 })
    const [unread, other] = [watched.session.open({ writableLength: 65_536 }), watched.session.open()]
    lookAt(watched, [1, 2999])
    expect(unread.codes).toEqual([])
    lookAt(watched, [1])
    expect([unread.codes, other.codes]).toEqual([[CANCEL], []])
    expect([watched.seen, watched.session.calls]).toEqual([['stream'], []])
  })

  it('has more time when more of it is to be read', () => {
    const watched = watch({ writeTimeout: 3000 })
    const stream = watched.session.open({ writableLength: 65_537 })
    lookAt(watched, [1, 2000, 2000, 1999])
    expect(stream.codes).toEqual([])
    lookAt(watched, [1])
    expect(stream.codes).toEqual([CANCEL])
  })

  it('goes on when some of it was read, or nothing waits', () => {
    const watched = watch({ writeTimeout: 3000 })
    const stream = watched.session.open({ writableLength: 10 })
    lookAt(watched, [1, 2000])
    stream.writableLength = 9
    lookAt(watched, [1, 2000])
    stream.writableLength = 0
    lookAt(watched, [1, 60_000, 60_000])
    expect(stream.codes).toEqual([])
  })

  it('gets no more time because the app writes more', () => {
    const watched = watch({ writeTimeout: 3000 })
    const stream = watched.session.open({ writableLength: 65_536 })
    const handle = { bytesWritten: 65_536 }
    Object.assign(stream, { [Symbol('kHandle')]: handle })
    lookAt(watched, [1, 2000])
    stream.writableLength = 500_000
    lookAt(watched, [999])
    expect(stream.codes).toEqual([])
    lookAt(watched, [1])
    expect(stream.codes).toEqual([CANCEL])
  })

  it('has its time again when a write is taken as a whole', () => {
    const watched = watch({ writeTimeout: 3000 })
    const stream = watched.session.open({ writableLength: 65_536 })
    const handle = { bytesWritten: 65_536 }
    Object.assign(stream, { [Symbol('kHandle')]: handle })
    lookAt(watched, [1, 2999])
    handle.bytesWritten += 100
    lookAt(watched, [1, 2999])
    expect(stream.codes).toEqual([])
    lookAt(watched, [1])
    expect(stream.codes).toEqual([CANCEL])
  })

  it('goes on once it is over', () => {
    const watched = watch({ writeTimeout: 3000, requestTimeout: 3000 })
    const stream = watched.session.open({ writableLength: 10 })
    stream.end()
    lookAt(watched, [1, 60_000])
    expect([stream.codes, watched.seen]).toEqual([[], []])
  })

  it('goes on for any time without a writeTimeout', () => {
    const watched = watch({ requestTimeout: 1000 })
    const stream = watched.session.open({ writableLength: 10, endAfterHeaders: true })
    lookAt(watched, [1, 600_000])
    expect(stream.codes).toEqual([])
  })
})

describe('the sessions of an app', () => {
  it('are known before the server takes their first request', () => {
    const watched = watch({ requestTimeout: 1000 })
    const session = new FakeSession()
    const codes: unknown[][] = []
    session.on('stream', (stream) => codes.push(request(watched, stream, true).codes))
    add(watched.sessions, session)
    session.open()
    watched.look(1000)
    expect(codes).toEqual([['CLO_ERR_CTP_BODY_TIMEOUT']])
  })

  it('are all looked at, asked to end, and cut', () => {
    const { sessions, session, look } = watch({ http2SessionTimeout: 1000 })
    const other = new FakeSession()
    add(sessions, other)
    look(1000)
    sessions.close()
    sessions.destroy()
    for (const { calls } of [session, other]) expect(calls).toEqual(['close', 'close', 'destroy'])
  })

  it('are forgotten when they close', () => {
    const { sessions, session } = watch({})
    session.emit('close')
    sessions.close()
    sessions.destroy()
    expect(session.calls).toEqual([])
  })
})
