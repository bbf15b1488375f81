// TLS: HTTPS, HTTP/2 over TLS, and both versions on one port.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import * as http2 from 'node:http2'
import * as https from 'node:https'
import { connect as connectRaw } from 'node:net'
import { connect, createSecureContext, type SecureContext } from 'node:tls'
import { describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { END_HEADERS, frame, PREFACE, TYPE } from '../harness/http2-frames.ts'
import { listenOnce } from '../harness/send.ts'
import { isPeer } from '../harness/subject.ts'
import { tick } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'

// A key for these tests alone: it protects nothing.
const read = (name: string): string =>
  readFileSync(new URL(`fixtures/localhost-test-only.${name}.pem`, import.meta.url), 'utf8')
const key = read('key')
const cert = read('cert')

async function getHttps(app: App): Promise<string> {
  const { address, port } = await listenOnce(app)
  return new Promise((resolve, reject) => {
    https
      .get(
        { host: address, port, path: '/', ca: cert, servername: 'localhost', agent: false },
        (incoming) => {
          let text = ''
          incoming.on('data', (chunk: Buffer) => {
            text += chunk.toString()
          })
          incoming.on('end', () => resolve(text))
        },
      )
      .on('error', reject)
  })
}

async function getHttp2(app: App): Promise<string> {
  const { address, port } = await listenOnce(app)
  const session = http2.connect(`https://${address}:${port}`, { ca: cert, servername: 'localhost' })
  return new Promise((resolve, reject) => {
    session.on('error', reject)
    const stream = session.request({ ':path': '/' })
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    stream.on('error', reject)
    stream.on('end', () => {
      session.close()
      resolve(text)
    })
  })
}

const tell = (app: App): App => app.get('/', (request) => `${request.protocol} ${request.raw.httpVersion}`)

describe('listen: TLS', () => {
  const createApp = useApps({ forceCloseConnections: false })

  it.each(['node', 'auto'])('serves HTTPS (transport: %s), and says so in its address', async (transport) => {
    const app = tell(createApp({ ...(isPeer ? {} : { transport }), https: { key, cert } }))
    expect(await app.listen({ port: 0, host: '127.0.0.1' })).toMatch(/^https:/)
    expect(await getHttps(app)).toBe('https 1.1')
  })

  it('serves HTTP/2 over TLS', async () => {
    const app = tell(createApp({ http2: true, https: { key, cert } }))
    expect(await getHttp2(app)).toBe('https 2.0')
  })

  it('serves both versions on one port when it may fall back', async () => {
    const app = tell(createApp({ http2: true, https: { key, cert, allowHTTP1: true } }))
    expect(await getHttp2(app)).toBe('https 2.0')
    expect(await getHttps(app)).toBe('https 1.1')
  })

  ours('the peers say nothing')(
    'without a certificate, a warning names what is missing; no warning if one comes by another way',
    async () => {
      const heard: string[] = []
      const hear = (warning: { readonly code?: string; readonly message: string }): void => {
        if (warning.code === 'CLO_WRN_CERTIFICATE_MISSING') heard.push(warning.message)
      }
      process.on('warning', hear)
      const context = createSecureContext({ key, cert })
      const select = (_name: string, done: (error: null, chosen: SecureContext) => void): void =>
        done(null, context)
      try {
        for (const [options, missing] of [
          [{ https: true }, "'key' and 'cert'"],
          [{ https: { key: undefined, cert } }, "'key'"],
          [{ https: { key } }, "'cert'"],
          [{ http2: true, https: { allowHTTP1: true } }, "'key' and 'cert'"],
        ] as const) {
          const app = tell(createApp(options))
          await expect(getHttps(app)).rejects.toThrow(/handshake|socket disconnected|ECONNRESET/)
          await tick()
          expect(heard.splice(0)).toEqual([expect.stringContaining(`has no ${missing}, so`)])
        }
        for (const http2 of [true, false]) {
          const selecting = tell(createApp({ http2, https: { allowHTTP1: true, SNICallback: select } }))
          expect(await getHttps(selecting)).toBe('https 1.1')
          const later = tell(createApp({ http2, https: http2 ? { allowHTTP1: true } : true }))
          Reflect.apply(Reflect.get(later.server, 'setSecureContext'), later.server, [{ key, cert }])
          expect(await getHttps(later)).toBe('https 1.1')
        }
        await tick()
        expect(heard).toEqual([])
      } finally {
        process.off('warning', hear)
      }
    },
  )

  it('ends idle HTTP/2 sessions after http2SessionTimeout', async () => {
    const app = tell(createApp({ http2: true, https: { key, cert }, http2SessionTimeout: 30 }))
    const { address, port } = await listenOnce(app)
    const session = http2.connect(`https://${address}:${port}`, { ca: cert, servername: 'localhost' })
    await new Promise((resolve, reject) => {
      session.on('error', reject)
      session.on('close', resolve)
    })
    expect(session.destroyed).toBe(true)
  })

  ours('the peer waits for their clients, or for http2SessionTimeout')(
    'ends idle HTTP/2 sessions when it closes',
    async () => {
      const app = tell(createApp({ http2: true, https: { key, cert } }))
      const { address, port } = await listenOnce(app)
      const session = http2.connect(`https://${address}:${port}`, { ca: cert, servername: 'localhost' })
      const ended = new Promise((resolve) => {
        session.on('close', resolve)
      })
      await new Promise((resolve) => {
        session.on('connect', resolve)
      })
      await app.close()
      await ended
      expect(session.destroyed).toBe(true)
    },
  )

  ours('the peer has the defaults of Node, and no limit of idle connections')(
    'has the deadlines and limits of HTTP/1.1 for the clients that fall back',
    async () => {
      const app = createApp({
        http2: true,
        https: { key, cert, allowHTTP1: true },
        headersTimeout: 100,
        requestTimeout: 200,
        keepAliveTimeout: 300,
        maxRequestsPerSocket: 2,
      })
      tell(app).post('/', () => 'read')
      const { address, port } = await listenOnce(app)
      /** Sends something, and returns the statuses that come before the server ends the connection. */
      const exchange = async (sent: string): Promise<string[]> => {
        const socket = connect({ host: address, port, ca: cert, servername: 'localhost' })
        socket.write(sent)
        let text = ''
        for await (const chunk of socket) text += String(chunk)
        return text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []
      }
      const get = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'
      const body = 'host: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{'
      const all = [
        'GET / HTTP/1.1\r\nhost',
        `POST / HTTP/1.1\r\n${body}`,
        get,
        get.repeat(3),
        'GET / HTTP/1.1\r\n\r\n',
      ]
      expect(await Promise.all(all.map(exchange))).toEqual([
        ['408'],
        ['408'],
        ['200'],
        ['200', '200', '503'],
        ['400'],
      ])
    },
  )

  ours('the peer waits for two minutes').each([false, true])(
    'ends a connection without a handshake after headersTimeout (http2: %s)',
    async (http2) => {
      const app = tell(createApp({ http2, https: { key, cert }, headersTimeout: 200 }))
      const { address, port } = await listenOnce(app)
      const socket = connectRaw({ host: address, port })
      socket.resume()
      await once(socket, 'close')
    },
  )

  ours('the peer has no limit')('limits streams also when other settings of HTTP/2 are set', async () => {
    const limits: (number | undefined)[] = []
    for (const settings of [{ initialWindowSize: 100_000 }, { maxConcurrentStreams: 300 }, undefined]) {
      const app = tell(createApp({ http2: true, https: { key, cert, settings } }))
      const { address, port } = await listenOnce(app)
      const session = http2.connect(`https://${address}:${port}`, { ca: cert, servername: 'localhost' })
      await once(session, 'remoteSettings')
      limits.push(session.remoteSettings.maxConcurrentStreams)
      session.close()
    }
    expect(limits).toEqual([128, 300, 128])
  })

  it('CVE-2021-22883: ends a connection that speaks no HTTP/2, and serves others', async () => {
    const app = tell(createApp({ http2: true, https: { key, cert, unknownProtocolTimeout: 100 } }))
    const { address, port } = await listenOnce(app)
    const ends = Array.from({ length: 20 }, async (_none, index) => {
      // Some name another protocol, some none.
      const offer = index % 2 === 0 ? {} : { ALPNProtocols: ['http/1.1'] }
      const socket = connect({ host: address, port, ca: cert, servername: 'localhost', ...offer })
      socket.on('error', () => {})
      socket.resume()
      await new Promise((resolve) => {
        socket.on('close', resolve)
      })
    })
    await Promise.all(ends)
    expect(await getHttp2(app)).toBe('https 2.0')
  })

  it('CVE-2025-59465: outlives a head of HTTP/2 that cannot be decompressed, whatever the client does then', async () => {
    const app = tell(createApp({ http2: true, https: { key, cert }, http2SessionTimeout: 200 }))
    const { address, port } = await listenOnce(app)
    const head = frame(TYPE.headers, END_HEADERS, 1, Buffer.alloc(400, 0xff))
    const first = Buffer.concat([Buffer.from(PREFACE), frame(TYPE.settings, 0, 0), head])
    for (let round = 0; round < 20; round++) {
      const socket = connect({
        host: address,
        port,
        ca: cert,
        servername: 'localhost',
        ALPNProtocols: ['h2'],
      })
      socket.on('error', () => {})
      socket.resume()
      const closed = new Promise((resolve) => {
        socket.on('close', resolve)
      })
      await new Promise((resolve) => {
        socket.on('secureConnect', resolve)
      })
      socket.write(first)
      if (round % 2 === 0) setImmediate(() => socket.destroy())
      await closed
    }
    expect(await getHttp2(app)).toBe('https 2.0')
  })

  it('keeps keys out of its configuration', async () => {
    const app = createApp({ https: { key, cert, allowHTTP1: true } })
    expect(JSON.stringify(app.initialConfig)).not.toContain('PRIVATE KEY')
  })
})
