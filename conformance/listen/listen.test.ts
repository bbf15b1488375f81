// Listening: where, how it is told, what goes wrong.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import * as http from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { callMember } from '../call-member.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { code } from '../harness/subject.ts'
import { ours, since5, useApps } from '../harness/transports.ts'

function get(url: string | http.RequestOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(
        typeof url === 'string' ? { ...urlParts(url), agent: false } : { ...url, agent: false },
        (incoming) => {
          let text = ''
          incoming.setEncoding('utf8')
          incoming.on('data', (chunk: string) => {
            text += chunk
          })
          incoming.on('end', () => resolve(text))
        },
      )
      .on('error', reject)
  })
}

function urlParts(text: string): http.RequestOptions {
  const { hostname, port, pathname } = new URL(text)
  return { host: hostname.replace(/^\[|\]$/g, ''), port, path: pathname }
}

describe('listen: where', () => {
  const createApp = useApps()

  it('listens on a free port and resolves with the address', async () => {
    const app = createApp()
    app.get('/', () => 'here')
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await get(`${address}/`)).toBe('here')
    expect(app.listeningOrigin).toBe(address)
    expect(app.addresses()).toEqual([expect.objectContaining({ address: '127.0.0.1', family: 'IPv4' })])
    expect(app.server.listening).toBe(true)
  })

  it('calls back with the address', async () => {
    const app = createApp()
    const [error, address] = await new Promise<[Error | null, string]>((resolve) => {
      void app.listen({ port: 0, host: '127.0.0.1' }, (problem, where) => resolve([problem, where]))
    })
    expect([error, address]).toEqual([null, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)])
  })

  it('listens on localhost when no host is given, on each of its addresses', async () => {
    const app = createApp()
    app.get('/', () => 'here')
    await app.listen({ port: 0 })
    const { port } = app.server.address() as AddressInfo
    for (const { address } of app.addresses())
      expect(await get({ host: address, port, path: '/' })).toBe('here')
    expect(await get(`http://localhost:${port}/`)).toBe('here')
  })

  it('closes every address of localhost', async () => {
    const app = createApp()
    app.get('/', () => 'here')
    await app.listen({ port: 0 })
    const { port } = app.server.address() as AddressInfo
    const addresses = app.addresses()
    await app.close()
    for (const { address } of addresses)
      await expect(get({ host: address, port, path: '/' })).rejects.toThrow()
  })

  it('listens on a path', async () => {
    const app = createApp()
    app.get('/', () => 'here')
    const socketPath = join(tmpdir(), `conformance-${randomUUID()}.sock`)
    await app.listen({ path: socketPath })
    expect(await get({ socketPath, path: '/' })).toBe('here')
  })

  it('listens on a free port when no options are given', async () => {
    const app = createApp()
    await app.listen()
    expect((app.server.address() as AddressInfo).port).toBeGreaterThan(0)
  })

  it('does not listen with a signal that was aborted, and calls nobody back', async () => {
    const app = createApp()
    const closed = new Promise((resolve) => {
      app.addHook('onClose', async () => resolve(true))
    })
    let calls = 0
    void app.listen({ port: 0, host: '127.0.0.1', signal: AbortSignal.abort() }, () => calls++)
    expect(await closed).toBe(true)
    await app.close()
    expect([calls, app.server.listening]).toEqual([0, false])
  })

  since5('4.x never settles')(
    'resolves to no address when its signal was aborted before it, or while the app boots',
    async () => {
      const early = createApp()
      expect(await early.listen({ port: 0, signal: AbortSignal.abort() })).toBeUndefined()
      const app = createApp()
      const controller = new AbortController()
      const listening = app.listen({ port: 0, host: '127.0.0.1', signal: controller.signal })
      controller.abort()
      expect(await listening).toBeUndefined()
      expect(app.server.listening).toBe(false)
    },
  )

  it('throws at once when its signal is none', () => {
    const app = createApp()
    expect(() => app.listen({ port: 0, signal: {} }, () => undefined)).toThrow(
      expect.objectContaining({ code: code('LISTEN_OPTIONS_INVALID') }),
    )
  })

  it('takes the signal of a library', async () => {
    const app = createApp()
    const listeners: (() => void)[] = []
    const signal = {
      aborted: false,
      addEventListener: (_name: string, listener: () => void) => void listeners.push(listener),
      removeEventListener: () => undefined,
    }
    const closed = new Promise((resolve) => {
      app.addHook('onClose', async () => resolve(true))
    })
    await app.listen({ port: 0, host: '127.0.0.1', signal })
    for (const listener of listeners) listener()
    expect(await closed).toBe(true)
  })

  ours('the peer takes a free port, or names a socket after it')('refuses a port that is none', async () => {
    const app = createApp()
    await expect(callMember(app, 'listen', '-1')).rejects.toMatchObject({
      code: code('LISTEN_OPTIONS_INVALID'),
    })
  })

  it('stops when its signal is aborted', async () => {
    const app = createApp()
    const controller = new AbortController()
    let closed = false
    app.addHook('onClose', async () => {
      closed = true
    })
    await app.listen({ port: 0, host: '127.0.0.1', signal: controller.signal })
    const gone = new Promise((resolve) => {
      app.server.once('close', resolve)
    })
    controller.abort()
    await gone
    await app.close()
    expect(closed).toBe(true)
  })

  it('logs where it listens, with the text of the application', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    const address = await app.listen({
      port: 0,
      host: '127.0.0.1',
      listenTextResolver: (where: string) => `open at ${where}`,
    })
    expect(await sink.line(`open at ${address}`)).toBeDefined()
  })
})

describe('listen: what goes wrong', () => {
  const createApp = useApps()

  it('rejects, or calls back, when the port is in use', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve)
    })
    const { port } = taken.address() as AddressInfo
    await expect(createApp().listen({ port, host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
    const error = await new Promise((resolve) => {
      void createApp().listen({ port, host: '127.0.0.1' }, resolve)
    })
    expect(error).toMatchObject({ code: 'EADDRINUSE' })
    await new Promise((resolve) => {
      taken.close(resolve)
    })
  })

  it('takes the port that an app before it gives back, without waiting for its close', async () => {
    let port = 0
    for (let count = 0; count < 10; count++) {
      const app = createApp()
      app.get('/', () => 'ok')
      await app.listen({ port, host: '127.0.0.1' })
      const address = app.server.address()
      port = typeof address === 'object' && address !== null ? address.port : 0
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ok')
      void app.close()
    }
  })

  ours('the peers pass the error of Node on')('names the port in use and the way out', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve)
    })
    const { port } = taken.address() as AddressInfo
    await expect(createApp().listen({ port, host: '127.0.0.1' })).rejects.toThrow(String(port))
    await new Promise((resolve) => {
      taken.close(resolve)
    })
  })

  ours('the peers pass the error of Node on')(
    'names the way out for the socket of a killed process, and for a folder that is missing',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cloister-socket-'))
      try {
        const left = join(folder, 'left.sock')
        const program = `net.createServer().listen(${JSON.stringify(left)}, () => process.kill(process.pid, 'SIGKILL'))`
        await new Promise((resolve) => {
          execFile(process.execPath, ['-e', program], resolve)
        })
        const advice = {
          code: 'EADDRINUSE',
          message: expect.stringContaining('remove the file if none does'),
        }
        await expect(createApp().listen({ path: left })).rejects.toMatchObject(advice)
        const missing = join(folder, 'missing', 'app.sock')
        await expect(createApp().listen({ path: missing })).rejects.toThrow(`the folder of ${missing}`)
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )

  it('refuses to listen twice', async () => {
    const app = createApp()
    await app.listen({ port: 0, host: '127.0.0.1' })
    await expect(app.listen({ port: 0, host: '127.0.0.1' })).rejects.toMatchObject({
      code: code('REOPENED_SERVER'),
    })
  })

  it('refuses options that cannot be', async () => {
    const app = createApp()
    const wrong: unknown = { port: -1 }
    await expect(Promise.resolve(Reflect.apply(app.listen, app, [wrong]))).rejects.toThrow()
  })
})

describe('listen: servers of the application', () => {
  const createApp = useApps({ forceCloseConnections: false })

  it('uses the server that serverFactory makes', async () => {
    let seen = 0
    const app = createApp({
      serverFactory: (handle: (raw: IncomingMessage, response: ServerResponse) => void) =>
        http.createServer((raw, response) => {
          seen += 1
          handle(raw, response)
        }),
    })
    app.get('/', () => 'through')
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    expect([await get(`${address}/`), seen]).toEqual(['through', 1])
  })

  it('does not close a server that the application listens with itself', async () => {
    const own = http.createServer()
    const app = createApp({
      serverFactory: (handle: (raw: IncomingMessage, response: ServerResponse) => void) =>
        own.on('request', handle),
    })
    app.get('/', () => 'own server')
    await app.ready()
    await new Promise<void>((resolve) => {
      own.listen(0, '127.0.0.1', resolve)
    })
    const { port } = own.address() as AddressInfo
    expect(await get(`http://127.0.0.1:${port}/`)).toBe('own server')
    await app.close()
    expect(own.listening).toBe(true)
    await new Promise((resolve) => {
      own.close(resolve)
    })
  })

  for (const listens of [true, false])
    it(`leaves no listeners of closed apps on a server that they share, ${listens ? 'after listen' : 'without listen'}`, async () => {
      const shared = http.createServer()
      const count = (): unknown => {
        const names = shared.eventNames().map(String).toSorted()
        return names.map((name) => `${name} ${shared.listenerCount(name)}`)
      }
      const before = count()
      for (let round = 0; round < 3; round++) {
        const app = createApp({ serverFactory: () => shared })
        await app.ready()
        if (listens) await app.listen({ port: 0, host: '127.0.0.1' })
        await app.close()
        expect(count()).toEqual(before)
      }
    })

  it('leaves no listeners of closed apps on a server that goes on for the next app', async () => {
    const shared = http.createServer()
    const close = shared.close.bind(shared)
    Object.assign(shared, { close: (done: () => void) => done() })
    const listeners = (): number[] => shared.eventNames().map((name) => shared.listenerCount(name))
    const counts: number[][] = []
    for (let round = 0; round < 3; round++) {
      const app = createApp({ serverFactory: () => shared })
      if (round === 1) Object.assign(shared, { listen: () => shared.emit('listening') })
      await app.listen({ port: 0, host: '127.0.0.1' })
      await app.close()
      counts.push(listeners())
    }
    expect(counts).toEqual([counts[0], counts[0], counts[0]])
    await new Promise((resolve) => {
      close(resolve)
    })
  })

  it('passes options to the server of Node', async () => {
    const app = createApp({ http: { maxHeaderSize: 2048 } })
    app.get('/', () => 'x')
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const status = await new Promise((resolve, reject) => {
      http
        .get(`${address}/`, { agent: false, headers: { 'x-long': 'x'.repeat(3000) } }, (incoming) => {
          incoming.resume()
          resolve(incoming.statusCode)
        })
        .on('error', reject)
    })
    expect(status).toBe(431)
  })

  it('sets the timeouts of the server', async () => {
    const app = createApp({
      keepAliveTimeout: 1234,
      requestTimeout: 2345,
      connectionTimeout: 3456,
      maxRequestsPerSocket: 7,
    })
    await app.ready()
    expect([
      app.server.keepAliveTimeout,
      app.server.requestTimeout,
      app.server.timeout,
      app.server.maxRequestsPerSocket,
    ]).toEqual([1234, 2345, 3456, 7])
  })
})
