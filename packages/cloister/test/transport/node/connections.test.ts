import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNullLogger } from '../../../src/logging/logger.ts'
import { Connections } from '../../../src/transport/node/connections.ts'
import type { AnyServer } from '../../../src/transport/node/create-server.ts'
import type { SessionDeadlines } from '../../../src/transport/node/sessions.ts'
import { FakeResponse, FakeSession, FakeSocket } from './fakes.ts'

const NO_DEADLINES = { writeTimeout: 0, headersTimeout: 0, requestTimeout: 0, http2SessionTimeout: 0 }

class FakeServer extends EventEmitter {
  /** calls that ended in an error, as a server of the application's own making may */
  failure: Error | null = null
  closeIdleConnections(): void {
    this.emit('close idle')
    if (this.failure !== null) throw this.failure
  }
}

interface Watched {
  readonly connections: Connections
  readonly server: FakeServer
  readonly lines: unknown[]
}

function watch(
  deadlines: Partial<SessionDeadlines> = {},
  server = new FakeServer(),
  isHttp2 = false,
): Watched {
  const lines: unknown[] = []
  const logger = { ...createNullLogger(), info: (line: unknown) => void lines.push(line) }
  const connections = new Connections({ ...NO_DEADLINES, ...deadlines }, { logger, logHasThrown: false })
  const watched: AnyServer = Object(server)
  connections.watch(watched, isHttp2)
  return { connections, server, lines }
}

function connect(server: EventEmitter, event = 'connection'): FakeSocket {
  const socket = new FakeSocket()
  server.emit(event, socket)
  return socket
}

/** A request comes over a socket. */
function ask({ connections }: Watched, socket: FakeSocket): FakeResponse {
  const response = new FakeResponse()
  connections.open.get(socket.asSocket)?.begin(response.asResponse)
  return response
}

/** Which of the sockets are cut. */
const cut = (...sockets: readonly FakeSocket[]): boolean[] => sockets.map(({ destroyed }) => destroyed)

beforeEach(() => {
  vi.stubGlobal('setImmediate', (run: () => void) => run())
  // Not `setImmediate`: a test that ends with real timers would leave the fake one to the next file.
  vi.useFakeTimers({
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the connections of a server', () => {
  it('are counted while they are open', () => {
    const { connections, server } = watch()
    const [first, second] = [connect(server), connect(server)]
    expect([connections.open.size, connections.open.has(first.asSocket)]).toEqual([2, true])
    first.emit('close')
    expect([...connections.open.keys()]).toEqual([second])
  })

  it('are looked at by one timer, as long as there are any', () => {
    const { server } = watch()
    expect(vi.getTimerCount()).toBe(0)
    const [first, second] = [connect(server), connect(server)]
    expect(vi.getTimerCount()).toBe(1)
    first.emit('close')
    vi.advanceTimersByTime(1000)
    expect(vi.getTimerCount()).toBe(1)
    second.emit('close')
    vi.advanceTimersByTime(1000)
    expect(vi.getTimerCount()).toBe(0)
    connect(server)
    expect(vi.getTimerCount()).toBe(1)
  })

  it('keep no process alive', () => {
    vi.useRealTimers()
    const { server } = watch()
    const held = process.getActiveResourcesInfo()
    const socket = connect(server)
    expect(process.getActiveResourcesInfo()).toEqual(held)
    socket.emit('close')
  })

  it('are cut when their client does not close within a second of a refusal', () => {
    const watched = watch()
    const [refused, other] = [connect(watched.server), connect(watched.server)]
    watched.connections.open.get(refused.asSocket)?.refuse(new Error('bad'), () => {})
    vi.advanceTimersByTime(1000)
    expect(cut(refused, other)).toEqual([false, false])
    vi.advanceTimersByTime(1000)
    expect(cut(refused, other)).toEqual([true, false])
    expect(watched.lines).toEqual([])
  })

  it('are cut, with a line in the log, when their client reads nothing for writeTimeout', () => {
    const watched = watch({ writeTimeout: 3000 })
    const [stalled, reading, idle] = [
      connect(watched.server),
      connect(watched.server),
      connect(watched.server),
    ]
    for (const socket of [stalled, reading]) {
      ask(watched, socket)
      socket.writableLength = 10
    }
    for (let seconds = 0; seconds < 3; seconds++) {
      reading.bytesWritten++
      vi.advanceTimersByTime(1000)
    }
    expect(cut(stalled, reading, idle)).toEqual([false, false, false])
    reading.bytesWritten++
    vi.advanceTimersByTime(1000)
    expect(cut(stalled, reading, idle)).toEqual([true, false, false])
    expect(watched.lines).toEqual([
      'a client has read nothing of its response for 3000 ms (writeTimeout); its connection is cut',
    ])
  })

  it('wait for their clients for any time without a writeTimeout', () => {
    const watched = watch()
    const socket = connect(watched.server)
    ask(watched, socket)
    socket.writableLength = 10
    vi.advanceTimersByTime(600_000)
    expect([cut(socket), watched.lines]).toEqual([[false], []])
  })

  it('keep nothing of a request whose response was sent', () => {
    const watched = watch()
    const socket = connect(watched.server)
    const release = vi.spyOn(Object(watched.connections.open.get(socket.asSocket)), 'release')
    vi.advanceTimersByTime(1000)
    expect(release).toHaveBeenCalledOnce()
  })

  it('have their sessions looked at with them', () => {
    const watched = watch({ http2SessionTimeout: 2000 }, new FakeServer(), true)
    const session = new FakeSession()
    connect(watched.server)
    watched.server.emit('session', session)
    vi.advanceTimersByTime(1999)
    expect(session.calls).toEqual([])
    vi.advanceTimersByTime(1)
    expect(session.calls).toEqual(['close'])
  })
})

describe('sessions of HTTP/2 that are cut', () => {
  /** A session is open for three seconds, with a stream. */
  function lines(deadlines: Partial<SessionDeadlines>): unknown[] {
    const watched = watch(deadlines, new FakeServer(), true)
    const session = new FakeSession()
    connect(watched.server)
    watched.server.emit('session', session)
    session.open({ writableLength: 10 })
    vi.advanceTimersByTime(3000)
    expect(session.calls).toEqual(['destroy'])
    return watched.lines
  }

  it('are logged when their client reads nothing', () => {
    const line = 'a client has read nothing of its response for 2000 ms (writeTimeout); its connection is cut'
    expect(lines({ writeTimeout: 2000 })).toEqual([line])
  })

  it('are logged when their client sends half a head', () => {
    expect(lines({ headersTimeout: 1000 })).toEqual([
      expect.stringContaining('a client has acknowledged no PING for 1000 ms (headersTimeout)'),
    ])
  })
})

describe('a server that closes its idle connections', () => {
  it('does not cut those whose response is on its way', () => {
    const watched = watch()
    const { server } = watched
    const [busy, idle] = [connect(server), connect(server)]
    ask(watched, busy)
    server.on('close idle', () => {
      for (const socket of [busy, idle]) socket.destroy()
    })
    server.closeIdleConnections()
    expect(cut(busy, idle)).toEqual([false, true])
    busy.destroy()
    expect(cut(busy)).toEqual([true])
  })

  it('gives them back when it fails', () => {
    const watched = watch()
    const busy = connect(watched.server)
    ask(watched, busy)
    watched.server.failure = new Error('of its own making')
    expect(() => watched.server.closeIdleConnections()).toThrow('of its own making')
    busy.destroy()
    expect(cut(busy)).toEqual([true])
  })

  it('may be one that cannot', () => {
    const server = new FakeServer()
    Reflect.set(server, 'closeIdleConnections', undefined)
    expect(() => watch({}, server)).not.toThrow()
    expect(server.closeIdleConnections).toBeUndefined()
  })
})

describe('connections of an app that closes', () => {
  it('are cut when nothing has come for half a second', () => {
    const { connections, server } = watch()
    const [silent, heard] = [connect(server), connect(server)]
    heard.bytesRead = 1
    vi.advanceTimersByTime(500)
    connections.closeSilent()
    expect(cut(silent, heard)).toEqual([false, false])
    vi.advanceTimersByTime(1)
    connections.closeSilent()
    expect(cut(silent, heard)).toEqual([true, false])
  })

  it('end with the responses that are due', () => {
    const watched = watch()
    const responses = [connect(watched.server), connect(watched.server)].map((socket) => ask(watched, socket))
    watched.connections.endAfterResponses()
    expect(responses.map(({ shouldKeepAlive }) => shouldKeepAlive)).toEqual([false, false])
  })

  it('are cut at once, those of HTTP/2 with their sessions', () => {
    const plain = watch()
    const open = connect(plain.server)
    plain.connections.destroyOpen()
    expect(cut(open)).toEqual([true])
    const http2 = watch({}, new FakeServer(), true)
    const session = new FakeSession()
    http2.server.emit('session', session)
    const carrier = connect(http2.server)
    http2.connections.destroyOpen()
    expect([cut(carrier), session.calls]).toEqual([[false], ['destroy']])
  })

  it('are cut with TLS by the socket of TLS, unless it carries HTTP/2', () => {
    const { server, connections } = watch({}, Object.assign(new FakeServer(), { setSecureContext() {} }))
    const [carrier, secure, h2] = [connect(server), new FakeSocket(), new FakeSocket()]
    h2.alpnProtocol = 'h2'
    for (const socket of [secure, h2]) server.emit('secureConnection', socket)
    connections.destroyOpen()
    expect(cut(carrier, secure, h2)).toEqual([false, true, false])
  })

  it('are cut in the end, whatever they are', () => {
    const { server, connections } = watch({}, new FakeServer(), true)
    const session = new FakeSession()
    server.emit('session', session)
    const carrier = connect(server)
    connections.destroyAll()
    expect([cut(carrier), session.calls]).toEqual([[true], ['destroy']])
  })
})
