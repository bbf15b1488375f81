// What a request takes is given back, however it ends: sockets, timers and listeners are counted before and after.
import { once } from 'node:events'
import * as http2 from 'node:http2'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { listenOnce } from '../harness/send.ts'
import { never } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'

const REQUESTS_PER_ENDING = 700
const AT_ONCE = 25
const MAX_LOOKS = 200

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const CLOSE = 'Connection: close\r\n'
const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n'

/** Ways in which a request ends: what is sent, and when the client leaves, if it does. */
const ENDINGS: readonly (readonly [name: string, bytes: string, leave?: 'at once' | 'on data' | 'soon'])[] = [
  ['served', get('/', CLOSE)],
  ['not found', get('/nowhere', CLOSE)],
  ['failed', get('/fails', CLOSE)],
  ['streamed', get('/stream', CLOSE)],
  ['pipelined', get('/') + get('/stream') + get('/', CLOSE)],
  ['refused: too large', `${POST}Content-Length: 9999\r\n\r\n`],
  ['refused: no request', 'NOT HTTP\r\n\r\n'],
  ['refused: Host', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'],
  ['refused: chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ['timed out', get('/never', CLOSE)],
  ['left: connected', '', 'at once'],
  ['left: in the head', 'GET / HTTP/1.1\r\nHo', 'soon'],
  ['left: in the body', `${POST}Content-Length: 9\r\n\r\nab`, 'soon'],
  ['left: before the response', get('/never'), 'soon'],
  ['left: in the response', get('/mute'), 'on data'],
]

function createSubject(createApp: (options?: Record<string, unknown>) => App): App {
  const app = createApp({ handlerTimeout: 30, bodyLimit: 1000 })
  app.addHook('onResponse', async () => {})
  app.addHook('onRequestAbort', async () => {})
  app.addHook('onTimeout', async () => {})
  app.get('/', () => ({ a: 1 }))
  app.post('/', (request) => request.body)
  app.get('/fails', async () => {
    throw new Error('on purpose')
  })
  app.get('/never', () => never())
  app.get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(['a', 'b'])))
  app.get('/mute', (_request, reply) => {
    const source = new Readable({ read() {} })
    source.push('a')
    return reply.type('text/plain').send(source)
  })
  return app
}

function sendOne(port: number, bytes: string, leave: string | undefined): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (bytes !== '') socket.write(bytes)
      if (leave === 'at once') socket.destroy()
      if (leave === 'soon') setTimeout(() => socket.resetAndDestroy(), 2)
    })
    socket.on('data', () => {
      if (leave === 'on data') socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}

/** Sends a number of requests, several at a time. */
async function sendMany(count: number, send: () => Promise<void>): Promise<void> {
  let sent = 0
  const lane = async (): Promise<void> => {
    while (sent < count) {
      sent++
      await send()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

const listenersOf = (emitter: NodeJS.EventEmitter): number =>
  emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)

/** What the process holds: handles and timers by kind, and the listeners of the server and the process. */
function countHeld(app: App): Record<string, number> {
  const held: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) held[kind] = (held[kind] ?? 0) + 1
  return { ...held, server: listenersOf(app.server), process: listenersOf(process) }
}

/** Waits until nothing is held that was not held before. The wait itself holds nothing while it looks. */
async function expectNothingHeld(app: App, before: Record<string, number>): Promise<void> {
  let more: unknown[] = []
  for (let look = 0; look < MAX_LOOKS; look++) {
    await sleep(50)
    more = Object.entries(countHeld(app)).filter(([kind, count]) => count > (before[kind] ?? 0))
    if (more.length === 0) return
  }
  expect(more).toEqual([])
}

describe('listen: nothing is left of a request', () => {
  const createApp = useApps()
  const test = ours('the peers have no deadline for handlers, or none that ends')

  for (const [name, bytes, leave] of ENDINGS) {
    test(`that ends so: ${name}`, async () => {
      const app = createSubject(createApp)
      const { port } = await listenOnce(app)
      const before = countHeld(app)
      await sendMany(REQUESTS_PER_ENDING, () => sendOne(port, bytes, leave))
      await expectNothingHeld(app, before)
    })
  }

  test('on the socket of a connection that is kept', async () => {
    const app = createSubject(createApp)
    const { port } = await listenOnce(app)
    const opened = once(app.server, 'connection')
    const socket = connect(port, '127.0.0.1')
    const [served] = await opened
    const before = listenersOf(Object(served))
    for (let count = 0; count < 6; count++) {
      socket.write(get('/'))
      await once(socket, 'data')
    }
    await vi.waitFor(() => expect(listenersOf(Object(served))).toBe(before))
    socket.destroy()
  })

  it('over HTTP/2, complete, failed and aborted', async () => {
    const app = createSubject((options) => createApp({ ...options, http2: true }))
    const { port } = await listenOnce(app)
    const before = countHeld(app)
    const session = http2.connect(`http://127.0.0.1:${port}`)
    const paths = ['/', '/fails', '/stream', '/mute']
    let turn = 0
    await sendMany(REQUESTS_PER_ENDING, async () => {
      const path = paths[turn++ % paths.length] ?? '/'
      const stream = session.request({ ':path': path })
      stream.on('error', () => {})
      const closed = once(stream, 'close')
      stream.on('data', () => {
        if (path === '/mute') stream.close(http2.constants.NGHTTP2_CANCEL)
      })
      stream.end()
      await closed
    })
    session.close()
    await once(session, 'close')
    await expectNothingHeld(app, before)
  })

  it('over HTTP/2, with a session for each, closed or left', async () => {
    const app = createSubject((options) => createApp({ ...options, http2: true }))
    const { port } = await listenOnce(app)
    const before = countHeld(app)
    let turn = 0
    await sendMany(200, async () => {
      const session = http2.connect(`http://127.0.0.1:${port}`)
      session.on('error', () => {})
      const closed = once(session, 'close')
      const isLeft = turn++ % 2 === 0
      const stream = session.request({ ':path': isLeft ? '/mute' : '/' })
      stream.on('error', () => {})
      stream.on('data', () => {
        if (isLeft) session.destroy()
        else session.close()
      })
      await closed
    })
    await expectNothingHeld(app, before)
  })
})

describe('listen: nothing is kept of a request', () => {
  const createApp = useApps()

  ours('the peers are not measured')('by a connection that waits for its next one', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const app = createApp()
    const kept: WeakRef<object>[] = []
    app.addHook('onResponse', async () => {})
    app.post('/', async (request, reply) => {
      kept.push(new WeakRef(request), new WeakRef(reply), new WeakRef(Object(request.body)))
      kept.push(new WeakRef(request.raw), new WeakRef(reply.raw))
      return { sent: true }
    })
    const { port } = await listenOnce(app)
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'))
    const responses = sockets.map((socket) => once(socket, 'data'))
    for (const socket of sockets) socket.write(`${head}Content-Length: 7\r\n\r\n{"a":1}`)
    await Promise.all(responses)
    let left = kept.length
    for (let look = 0; look < 40 && left > 0; look++) {
      await sleep(100)
      collect()
      left = kept.filter((held) => held.deref() !== undefined).length
    }
    for (const socket of sockets) socket.destroy()
    expect([kept.length, left]).toEqual([100, 0])
  })
})
