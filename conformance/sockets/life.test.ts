import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { LANES, connect, useSocketApps } from './client.ts'

const create = useSocketApps()
const KIB = 1024

describe.each(Object.entries(LANES))('the life of a WebSocket (%s)', (_lane, options) => {
  it('ends with its handler', async () => {
    const { app } = await create(options)
    app.ws('/', async (socket) => {
      for await (const message of socket) if (message === 'bye') break
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.send('stay')
    client.send('bye')
    expect(await client.closed).toBe('1000')
  })

  it('ends with 1001 when the app closes, however long its handler takes', async () => {
    const { app } = await create({ ...options, forceCloseConnections: 'idle' })
    const ends: unknown[] = []
    app.ws('/', async (socket) => {
      await socket.send('ready')
      for await (const _ of socket);
      ends.push(await socket.closed, socket.signal.aborted)
    })
    const origin = await app.listen({ port: 0 })
    const clients = await Promise.all([connect(origin, '/'), connect(origin, '/')])
    await Promise.all(clients.map((client) => client.next()))
    await app.close()
    const end = '1001 the server is closing'
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([end, end])
    const seen = { code: 1001, reason: 'the server is closing' }
    expect(ends).toEqual([seen, true, seen, true])
  })

  it('holds back a handler whose client does not read', async () => {
    const { app } = await create(options)
    let sent = 0
    let most = 0
    app.ws('/', async (socket) => {
      const message = 'x'.repeat(64 * KIB)
      for (;;) {
        await socket.send(message)
        sent++
        most = Math.max(most, socket.bufferedAmount)
      }
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.socket.pause()
    let before = -1
    await vi.waitFor(
      async () => {
        const now = sent
        const isSame = now === before
        before = now
        expect(isSame && now > 0).toBe(true)
      },
      { timeout: 20_000, interval: 300 },
    )
    expect(most).toBeLessThan(192 * KIB)
    client.socket.resume()
    await vi.waitFor(() => expect(sent).toBeGreaterThan(before + 20), { timeout: 20_000 })
    client.socket.terminate()
  })
})

describe('the life of a WebSocket', () => {
  it('is cut where nobody awaits what is sent, and the client does not read', async () => {
    const { app, lines } = await create()
    const failures: unknown[] = []
    let most = 0
    app.ws('/', { maxBuffered: 256 * KIB }, async (socket) => {
      while (!socket.signal.aborted) {
        socket.send('x'.repeat(64 * KIB)).catch((error: unknown) => failures.push(error))
        most = Math.max(most, socket.bufferedAmount)
        await sleep(1)
      }
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.socket.pause()
    await vi.waitFor(() => expect(JSON.stringify(lines)).toContain('maxBuffered'), { timeout: 20_000 })
    expect(most).toBeLessThan(400 * KIB)
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0))
    expect(failures[0]).toMatchObject({ code: 'CLO_ERR_SOCKET_CLOSED' })
    client.socket.terminate()
  })

  it('has no more messages in flight than the handler can take, and the client waits', async () => {
    const { app } = await create()
    let go = (): void => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const seen: unknown[] = []
    app.ws('/', { maxQueued: 2 }, async (socket) => {
      await gate
      for await (const message of socket) {
        seen.push(message)
        if (seen.length === 40) await socket.send('all')
      }
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    const message = 'x'.repeat(900 * KIB)
    for (let n = 0; n < 40; n++) client.send(message)
    // 36 MB do not fit in the buffers of two sockets.
    let before = -1
    await vi.waitFor(
      () => {
        const now = client.socket._socket.bytesWritten - client.socket._socket.writableLength
        const isSame = now === before
        before = now
        expect(isSame).toBe(true)
      },
      { timeout: 20_000, interval: 300 },
    )
    expect(client.socket._socket.writableLength).toBeGreaterThan(10_000 * KIB)
    go()
    expect(await client.next()).toBe('all')
    client.socket.terminate()
  })

  it.each([
    [{ maxMessagesPerSecond: 10 }, 'message 11: more than 10 messages in a second (maxMessagesPerSecond)'],
    [
      { maxBytesPerSecond: 1000 },
      /^1008 message \d+: more than 1000 bytes in a second \(maxBytesPerSecond\)$/,
    ],
  ])('is closed when a client sends more in a second than the route admits: %j', async (limits, reason) => {
    const { app } = await create()
    let seen = 0
    app.ws('/', { ...limits, maxQueued: 100 }, async (socket) => {
      for await (const _message of socket) seen++
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    for (let n = 0; n < 30; n++) client.send('x'.repeat(98))
    expect(await client.closed).toEqual(
      typeof reason === 'string' ? `1008 ${reason}` : expect.stringMatching(reason),
    )
    expect(seen).toBe(10)
  })

  it('ends a handler that sends without end when its connection is gone', async () => {
    const { app } = await create()
    let sent = 0
    const failed = new Promise((resolve) => {
      app.ws('/', async (socket, request) => {
        request.socket.destroy()
        try {
          for (; sent < 50_000; sent++) await socket.send('x')
          resolve('all were sent')
        } catch (error) {
          resolve(Reflect.get(Object(error), 'code'))
        }
      })
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    expect(await failed).toBe('CLO_ERR_SOCKET_CLOSED')
    expect(sent).toBeLessThan(100)
    await client.closed
  })

  it('is cut when a client does not respond to pings, and goes on where it does', async () => {
    const { app, lines } = await create()
    app.ws('/', { pingInterval: 40 }, async (socket) => socket.closed)
    const origin = await app.listen({ port: 0 })
    const alive = await connect(origin, '/')
    let pings = 0
    alive.socket.on('ping', () => pings++)
    const silent = await connect(origin, '/', { autoPong: false })
    expect(await silent.closed).toBe('1006')
    await vi.waitFor(() => expect(pings).toBeGreaterThan(3))
    expect(alive.socket.readyState).toBe(1)
    expect(JSON.stringify(lines)).toContain('pingInterval')
    alive.socket.terminate()
  })

  it('goes on where a pong has arrived, and the process was too busy to read it', async () => {
    const { app, lines } = await create()
    app.ws('/', { pingInterval: 40 }, async (socket) => socket.closed)
    const { socket } = await connect(await app.listen({ port: 0 }), '/')
    let pings = 0
    // The client has sent its pong before this event.
    socket.on('ping', () => {
      pings++
      const end = performance.now() + 100
      while (performance.now() < end);
    })
    await vi.waitFor(() => expect(pings).toBeGreaterThan(2))
    expect(socket.readyState).toBe(1)
    expect(JSON.stringify(lines)).not.toContain('pingInterval')
    socket.terminate()
  })

  it('ends the loop and the signal of its handler when the client goes, and is no failure', async () => {
    const { app, lines } = await create()
    const ended = new Promise<unknown>((resolve) => {
      app.ws('/', async (socket) => {
        const aborted = once(socket.signal, 'abort')
        for await (const message of socket) await socket.send(message)
        await aborted
        resolve(await socket.closed)
        await socket.send('too late')
      })
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.send(1)
    expect(await client.next()).toBe(1)
    client.socket.terminate()
    expect(await ended).toEqual({ code: 1006, reason: '' })
    await sleep(10)
    expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([])
  })

  it('ends with 1011 when the handler fails, with the reason in the log alone', async () => {
    const { app, lines } = await create()
    app.ws('/', async () => {
      throw new Error('secret')
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    expect(await client.closed).toBe('1011 the handler failed')
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'GET /: the handler failed: secret' }),
    )
  })

  it('ends with the code and the reason of the application, as much of it as fits', async () => {
    const { app } = await create()
    const wrong: unknown[] = []
    app.ws('/', async (socket) => {
      try {
        socket.close(1002)
      } catch (error) {
        wrong.push(error)
      }
      socket.close(4000, 'é'.repeat(100))
      await socket.closed
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    expect(await client.closed).toBe(`4000 ${'é'.repeat(61)}`)
    expect(wrong).toEqual([expect.objectContaining({ code: 'CLO_ERR_SOCKET_CLOSE_CODE' })])
  })

  it.each([
    [['gone', 'away'], '4000 gone,away'],
    [new Error('gone'), '4000 gone'],
    [{ length: 5 }, '4000 [object Object]'],
  ])('ends also with a reason that is no text: %j', async (reason, close) => {
    const { app } = await create()
    app.ws('/', async (socket) => {
      Reflect.apply(socket.close, socket, [4000, reason])
      await socket.closed
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    expect(await client.closed).toBe(close)
  })

  it('outlasts the deadlines of requests', async () => {
    const { app } = await create({
      handlerTimeout: 50,
      requestTimeout: 100,
      connectionTimeout: 60,
      writeTimeout: 60,
    })
    app.ws('/', async (socket, { signal }) => {
      for await (const message of socket) await socket.send([message, signal.aborted])
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    await sleep(300)
    client.send('still')
    expect(await client.next()).toEqual(['still', false])
    client.socket.close()
  })
})

describe('a WebSocket route', () => {
  it.each([
    [{ maxPayload: 0 }, /'maxPayload' must be .*got 0/],
    [{ origins: 'all' }, /'origins' must be/],
    [{ maxQueud: 5 }, /unknown option 'maxQueud'.*maxQueued/],
    [{ schema: { body: {} } }, /'schema.body' is no part of a WebSocket route.*'schema.incoming'/],
  ])('with options that are wrong is refused: %j', async (options, message) => {
    const { app } = await create()
    expect(() => app.ws('/', options as never, async () => {})).toThrow(message)
  })

  it('takes no generator for its handler, which nothing would run', async () => {
    const { app } = await create()
    async function* handler(): AsyncGenerator<unknown, void> {
      yield 'lost'
    }
    expect(() => app.ws('/', {}, handler as never)).toThrow(/socket\.send\(\)/)
  })

  it('is there for no other method, and takes no path twice', async () => {
    const { app } = await create()
    app.ws('/', async () => {})
    expect(() => app.get('/', () => 'x')).toThrow(/already declared/)
    await app.ready()
    expect((await app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(404)
  })

  it('is explained with its schemas and limits', async () => {
    const { app } = await create()
    const shared = app.addSchema({ $id: 'text', type: 'string' })
    shared.ws('/', { maxQueued: 4, schema: { incoming: { $ref: 'text#' } } }, async function chat() {})
    shared.get('/plain', () => 'plain')
    await app.ready()
    expect(app.explain('GET', '/')).toMatchObject({
      handler: 'chat',
      socket: {
        incoming: { key: 'text#', by: 'engine' },
        outgoing: null,
        maxPayload: 1_048_576,
        maxQueued: 4,
        maxMessagesPerSecond: 0,
        maxBytesPerSecond: 0,
        maxBuffered: 1_048_576,
        pingInterval: 30_000,
        origins: [],
        protocols: [],
      },
    })
    expect(app.explain('GET', '/plain')).toMatchObject({ socket: null })
  })
})
