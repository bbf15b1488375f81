// Bodies of HTTP/2 within which a client leaves: Node ends them, so a reader could take what came as the whole body.
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:http2'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { listenOnce } from '../harness/send.ts'
import { useApps } from '../harness/transports.ts'

const READERS: Readonly<Record<string, (body: Readable) => Promise<string>>> = {
  'by its events': (body) =>
    new Promise((resolve, reject) => {
      let all = ''
      body.on('data', (chunk) => (all += String(chunk)))
      body.once('end', () => resolve(all))
      body.once('error', reject)
    }),
  'by iteration': text,
  'through another stream': (body) => text(pipeline(body, new PassThrough(), () => {})),
}

/** The code of a listener's error, and that of Node's functions, which listen for `aborted` too. */
const CUT = /^(?:ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/

describe.each(Object.entries(READERS))('a body of HTTP/2, read %s', (_way, read) => {
  const createApp = useApps({ http2: true })

  const CASES = ['parser', 'handler'].flatMap((place) => ['session', 'stream'].map((end) => [place, end]))

  it.each(CASES)(
    'fails in the %s if its client leaves within it, by the end of its %s',
    async (place, end) => {
      const app = createApp()
      const steps = new EventEmitter()
      const start = (body: unknown): void => {
        const result = read(body as Readable).catch((error: unknown) => error)
        steps.emit('begun', { result })
      }
      app.addContentTypeParser('x/stream', (_request, payload, done) => {
        if (place === 'parser') start(payload)
        else done(null, payload)
      })
      app.post('/', ({ body }, reply) => {
        start(body)
        void reply.hijack()
      })
      const begun = once(steps, 'begun')
      const session = connect(`http://127.0.0.1:${(await listenOnce(app)).port}`)
      session.on('error', () => {})
      const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'x/stream' })
      stream.on('error', () => {})
      stream.write('abc')
      const [{ result }] = await begun
      // Node's client resets a destroyed stream with the code of no error.
      if (end === 'session') session.destroy()
      else stream.destroy()
      expect(await result).toMatchObject({ code: expect.stringMatching(CUT) })
      session.destroy()
    },
  )
})

describe('a body of HTTP/2 that the framework reads', () => {
  const createApp = useApps({ http2: true })

  it('reaches no handler if its client leaves within it, with whatever code', async () => {
    const app = createApp()
    const bodies: unknown[] = []
    const preParsing = async (): Promise<void> => {
      await wait(50)
    }
    for (const hooks of [{}, { preParsing }])
      app.post(`/${Object.keys(hooks).join('')}`, hooks, ({ body }) => bodies.push(body))
    const session = connect(`http://127.0.0.1:${(await listenOnce(app)).port}`)
    session.on('error', () => {})
    for (const path of ['/', '/preParsing'])
      for (const type of ['text/plain', 'application/json']) {
        const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': type })
        stream.on('error', () => {})
        stream.write('123')
        await wait(20)
        stream.destroy()
      }
    const last = session.request({ ':method': 'POST', ':path': '/preParsing', 'content-type': 'text/plain' })
    last.end('whole')
    await once(last, 'response')
    expect(bodies).toEqual(['whole'])
    session.destroy()
  })

  it.each([{}, { expect: '100-continue' }])(
    'reaches its handler if its client leaves behind it, while a hook waits: %j',
    async (more) => {
      const app = createApp()
      const left = new EventEmitter()
      const bodies: unknown[] = []
      const preParsing = async (): Promise<void> => {
        left.emit('waits')
        await once(left, 'left')
      }
      app.post('/', { preParsing }, ({ body }) => bodies.push(body))
      const session = connect(`http://127.0.0.1:${(await listenOnce(app)).port}`)
      const waits = once(left, 'waits')
      const headers = { ':method': 'POST', ':path': '/', 'content-type': 'text/plain', ...more }
      const stream = session.request(headers)
      stream.on('error', () => {})
      stream.end('whole')
      await Promise.all([once(stream, 'finish'), waits])
      await wait(20)
      stream.close()
      await wait(20)
      left.emit('left')
      await vi.waitFor(() => expect(bodies).toEqual(['whole']))
      session.destroy()
    },
  )
})

describe('a request of HTTP/2', () => {
  const createApp = useApps({ http2: true })

  it('is watched once, however often a plugin puts other objects in the place of those of Node', async () => {
    const app = createApp()
    const counts: number[] = []
    const replaceAll = (request: object, reply: object): void => {
      for (const target of [request, reply]) {
        const raw: object = Reflect.get(target, 'raw')
        Reflect.set(target, 'raw', new Proxy(raw, { get: (on, name) => Reflect.get(on, name) }))
      }
    }
    app.addHook('preHandler', async (request, reply) => {
      // The first replacement may watch the response.
      replaceAll(request, reply)
      const emitters: EventEmitter[] = [Reflect.get(request.raw, 'stream'), request.raw, reply.raw]
      const count = (): number => {
        const listeners = emitters.flatMap((one) => one.eventNames().map((name) => one.listenerCount(name)))
        return listeners.reduce((sum, more) => sum + more, 0)
      }
      counts.push(count())
      for (let i = 0; i < 12; i++) Reflect.set(request, 'raw', new Proxy(request.raw, {}))
      counts.push(count())
    })
    app.post('/', () => 'done')
    const session = connect(`http://127.0.0.1:${(await listenOnce(app)).port}`)
    const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' })
    stream.end('{}')
    expect(await text(stream)).toBe('done')
    session.close()
    expect(counts[1]).toBe(counts[0])
  })
})
