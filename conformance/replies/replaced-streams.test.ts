// Streams that `onSend` hooks delay or replace, or that come too late: their failure ends no process, and nobody has to
// close them.
import { createReadStream } from 'node:fs'
import { PassThrough, pipeline, Readable } from 'node:stream'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { describeTransports } from '../harness/transports.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const chunkThen = (after: (stream: Readable) => void): Readable => {
  const stream = new Readable({ read() {} })
  stream.push('chunk')
  setImmediate(after, stream)
  return stream
}
const failing = (): Readable => chunkThen((stream) => stream.destroy(new Error('no such file')))
const failed = (): Readable => new Readable({ read() {} }).destroy(new Error('no such file'))
const open = (): Readable => chunkThen(() => {})

type OnSend = (request: Request, reply: Reply, payload: unknown) => unknown

describeTransports('replies: streams that hooks replace', ({ createApp, send, ours, overNode, expect }) => {
  const test = ours('the failure of a stream ends the process of the peers, and a replaced stream stays open')
  const appOf = (payload: () => unknown, onSend: OnSend, options: Record<string, unknown> = {}): App => {
    const app = createApp(options)
    app.addHook('onSend', onSend)
    app.get('/', (_request, reply) => reply.send(payload()))
    return app
  }

  test('a stream that fails while a hook waits is a 500', async () => {
    const app = appOf(failing, async (_request, _reply, payload) => {
      await pause(20)
      return payload
    })
    const response = await send(app, { path: '/' })
    expect([response.status, response.json()]).toMatchObject([500, { message: 'no such file' }])
  })

  test.each([
    ['text', () => 'text'],
    ['nothing', () => null],
    ['another stream', () => Readable.from(['other'])],
    ['a web stream', () => new Response('other').body],
  ])('a stream that a hook replaces by %s is closed', async (_name, other) => {
    const streams: Readable[] = []
    const app = appOf(
      () => {
        const stream = open()
        streams.push(stream)
        return stream
      },
      async () => other(),
    )
    expect((await send(app, { path: '/' })).status).toBe(200)
    await expect.poll(() => streams.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  test.each([
    ['web stream', (stream: ReadableStream) => stream],
    ['Response', (stream: ReadableStream) => new Response(stream)],
  ])('a %s that a hook replaces is cancelled', async (_name, wrap) => {
    let isCancelled = false
    const cancel = (): void => {
      isCancelled = true
    }
    const app = appOf(
      () => wrap(new ReadableStream({ cancel })),
      async () => 'text',
    )
    expect((await send(app, { path: '/' })).text).toBe('text')
    await expect.poll(() => isCancelled).toBe(true)
  })

  test('a stream of a hook whose time was over is closed, and its failure ends no process', async () => {
    for (const create of [open, failing]) {
      const streams: Readable[] = []
      const onSend = async (_request: Request, _reply: Reply, payload: unknown): Promise<unknown> => {
        if (payload !== 'text') return payload
        await pause(60)
        const stream = create()
        streams.push(stream)
        return stream
      }
      const app = createApp({ handlerTimeout: 30 })
      app.get('/', { onSend }, () => 'text')
      await send(app, { path: '/' })
      await expect.poll(() => streams.length > 0 && streams.every(({ destroyed }) => destroyed)).toBe(true)
    }
  })

  test.each([
    ['replaces it', 200, async () => 'text'],
    [
      'fails',
      500,
      async () => {
        throw new Error('refused')
      },
    ],
  ])('a stream of one hook is closed where the next one %s', async (_name, status, next) => {
    const stream = open()
    const app = createApp()
    app.addHook('onSend', async () => stream)
    app.addHook('onSend', next)
    app.get('/', () => 'payload')
    expect((await send(app, { path: '/' })).status).toBe(status)
    await expect.poll(() => stream.destroyed).toBe(true)
  })

  test.each([
    ['stream', (stream: ReadableStream) => Readable.fromWeb(Object(stream))],
    ['web stream', (stream: ReadableStream) => stream],
    ['Response', (stream: ReadableStream) => new Response(stream)],
  ])('a %s that a preSerialization hook returns is an error, and is closed', async (_name, wrap) => {
    let isCancelled = false
    const cancel = (): void => {
      isCancelled = true
    }
    const app = createApp()
    app.addHook('preSerialization', async () => wrap(new ReadableStream({ cancel })))
    app.get('/', () => ({ a: 1 }))
    const response = await send(app, { path: '/' })
    expect(response.status).toBe(500)
    expect(response.json()).toMatchObject({ message: expect.stringMatching(/from an onSend hook/) })
    await expect.poll(() => isCancelled).toBe(true)
  })

  test('a Response that is not sent, because a hook fails, is cancelled', async () => {
    let isCancelled = false
    const cancel = (): void => {
      isCancelled = true
    }
    const app = appOf(
      () => new Response(new ReadableStream({ cancel })),
      async () => {
        throw new Error('refused')
      },
    )
    expect((await send(app, { path: '/' })).status).toBe(500)
    await expect.poll(() => isCancelled).toBe(true)
  })

  test.each([
    ['after another payload', (reply: Reply, create: () => Readable) => reply.send('text').send(create())],
    [
      'from a handler that has sent',
      async (reply: Reply, create: () => Readable) => {
        void reply.send('text')
        return create()
      },
    ],
    [
      'from a handler whose time was over',
      async (_reply: Reply, create: () => Readable) => {
        await pause(60)
        return create()
      },
    ],
  ])('a stream that comes %s is closed, and its failure ends no process', async (name, respond) => {
    // What a promise has may fail before anybody else sees it.
    const creates = name === 'after another payload' ? [open, failing, failed] : [open, failing]
    for (const create of creates) {
      const streams: Readable[] = []
      const app = createApp({ handlerTimeout: 30 })
      app.get('/', (_request, reply) =>
        respond(reply, () => {
          const stream = create()
          streams.push(stream)
          return stream
        }),
      )
      expect([200, 503]).toContain((await send(app, { path: '/' })).status)
      await expect.poll(() => streams.map(({ destroyed }) => destroyed)).toEqual([true])
    }
  })

  overNode('hijack needs the objects of Node', test)(
    'a stream that a handler returns after hijack stays open: the handler may use it later',
    async () => {
      const stream = open()
      const app = createApp()
      app.get('/', async (_request, reply) => {
        reply.hijack()
        reply.raw.end('raw')
        return stream
      })
      expect((await send(app, { path: '/' })).text).toBe('raw')
      await pause(20)
      expect(stream.destroyed).toBe(false)
    },
  )

  test('hooks that return the stream they get add no listeners', async () => {
    const stream = Readable.from(['chunk'])
    const app = createApp()
    for (let n = 0; n < 12; n++) app.addHook('onSend', async (_request, _reply, payload) => payload)
    app.addHook('onSend', async (_request, _reply, payload) => {
      expect(payload).toBe(stream)
      expect(stream.listenerCount('error')).toBe(1)
    })
    app.get('/', (_request, reply) => reply.send(stream))
    expect((await send(app, { path: '/' })).text).toBe('chunk')
  })

  test('a stream that a hook wraps, or reads itself, is read to its end', async () => {
    const chunks: unknown[] = []
    const source = (): Readable =>
      Readable.from(
        (async function* () {
          for (const chunk of ['a', 'b', 'c']) {
            await pause(5)
            yield Buffer.from(chunk)
          }
        })(),
      )
    const wrap = async function* (payload: unknown): AsyncGenerator<unknown> {
      if (payload instanceof Readable) yield* payload
    }
    const wrapping = appOf(source, async (_request, _reply, payload) => Readable.from(wrap(payload)))
    expect((await send(wrapping, { path: '/' })).text).toBe('abc')
    const reading = appOf(source, async (_request, _reply, payload) => {
      if (payload instanceof Readable) payload.on('data', (chunk) => chunks.push(String(chunk)))
      return 'accepted'
    })
    expect((await send(reading, { path: '/' })).text).toBe('accepted')
    await expect.poll(() => chunks).toEqual(['a', 'b', 'c'])
  })

  test('a failure behind `pipe` is the failure of the response', async () => {
    const app = appOf(failing, async (_request, _reply, payload) =>
      payload instanceof Readable ? payload.pipe(new PassThrough()) : payload,
    )
    const response = await send(app, { path: '/' }).catch(() => null)
    expect(response === null || response.status === 500).toBe(true)
  })

  test('the failure of a stream that nobody reads is logged, and the response is another', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    const app = appOf(failing, async () => chunkThen((other) => setTimeout(() => other.push(null), 20)), {
      logger: { level: 'error', stream },
    })
    expect((await send(app, { path: '/' })).text).toBe('chunk')
    expect(lines).toEqual([expect.stringMatching(/no such file.*a stream that is not sent failed/)])
  })

  test.each([
    ['generator', () => (async function* () {})()],
    ['Blob', () => new Blob(['a'])],
  ])('a %s that a preSerialization hook returns is an error', async (_name, make) => {
    const app = createApp()
    app.addHook('preSerialization', async () => make())
    app.get('/', () => ({ a: 1 }))
    const response = await send(app, { path: '/' })
    expect([response.status, response.json()]).toMatchObject([
      500,
      { message: expect.stringMatching(/has no JSON/) },
    ])
  })

  test.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('the failure of a stream that is not sent with %s %i is logged once', async (method, status) => {
    for (const payload of [
      () => createReadStream('/there/is/no/such/file'),
      () => new ReadableStream({ start: (controller) => controller.error(new Error('no such file')) }),
      () => new ReadableStream({ cancel: () => Promise.reject(new Error('not closed')) }),
    ]) {
      const { stream, lines } = createLogSink()
      const app = createApp({ logger: { level: 'warn', stream }, exposeHeadRoutes: true })
      app.get('/', (_request, reply) => reply.code(status).send(payload()))
      expect((await send(app, { path: '/', method })).status).toBe(status)
      await expect.poll(() => lines.map(({ msg }) => msg)).toEqual(['a stream that is not sent failed'])
    }
  })

  test('a pipeline of a hook reports the failure of its source, also for HEAD', async () => {
    const app = createApp({ exposeHeadRoutes: true })
    const reported: unknown[] = []
    app.addHook('onSend', async (_request, _reply, payload) =>
      pipeline(Readable.from(payload), new PassThrough(), (error) => reported.push(error)),
    )
    const error = new Error('no such file')
    app.get('/', () => new ReadableStream({ start: (controller) => controller.error(error) }))
    expect((await send(app, { path: '/', method: 'HEAD' })).status).toBe(200)
    await expect.poll(() => reported).toEqual([error])
  })

  test('a stream that is sent and returned has one line for its failure', async () => {
    for (const method of ['HEAD', 'GET']) {
      const { stream, lines } = createLogSink()
      const app = createApp({ logger: { level: 'error', stream }, exposeHeadRoutes: true })
      app.get('/', async (_request, reply) => {
        const source = createReadStream('/there/is/no/such/file')
        reply.send(source)
        return source
      })
      await send(app, { path: '/', method }).catch(() => {})
      await expect.poll(() => lines.length).toBe(1)
      await pause(10)
      expect(lines).toHaveLength(1)
    }
  })

  test('the failure of a stream after its end is logged, and the response is whole', async () => {
    const { stream, lines } = createLogSink()
    const app = createApp({ logger: { level: 'warn', stream } })
    const late = { destroy: (_error: unknown, done: (error: Error) => void) => done(new Error('not closed')) }
    app.get('/', (_request, reply) => {
      const source = new Readable({ ...late, read() {} })
      source.push('whole')
      source.push(null)
      return reply.send(source)
    })
    expect((await send(app, { path: '/' })).text).toBe('whole')
    await expect.poll(() => lines.map(({ msg }) => msg)).toEqual(['a stream failed after its end'])
  })
})
