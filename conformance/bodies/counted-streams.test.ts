// The limit of a parser that reads its stream itself, over streams that hooks put in place of the body.
import { Readable } from 'node:stream'
import type { App } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { code } from '../harness/subject.ts'
import { createGate, tick } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

const POST = { method: 'POST', path: '/', headers: { 'content-type': 'x/stream' }, body: 'sent' }

/** Adds a parser with a limit of 10 bytes for the stream that a hook puts in place of the body. */
function addRoute(app: App, stream: unknown): App {
  app.addContentTypeParser('x/stream', { bodyLimit: 10 }, (_request, payload, done) => done(null, payload))
  app.addHook('preParsing', async () => stream)
  return app.post('/', async (request) => {
    let text = ''
    for await (const chunk of Object(request.body)) text += String(chunk)
    return { text }
  })
}

const streamOf = (...chunks: readonly [chunk: string, encoding?: BufferEncoding][]): Readable => {
  const stream = new Readable({ read() {} })
  for (const [chunk, encoding] of chunks) stream.push(chunk, encoding)
  return stream
}

describeTransports('bodies: streams of hooks held to a limit', ({ createApp, send, ours, expect }) => {
  const hold = ours('the peers do not touch streams')

  hold('may hold as many bytes as the limit before they are read, and no more', async () => {
    const whole = streamOf(['x'.repeat(10)])
    whole.push(null)
    expect((await send(addRoute(createApp(), whole), POST)).json()).toEqual({ text: 'x'.repeat(10) })
    const refused = await send(addRoute(createApp(), streamOf(['x'.repeat(6)], ['x'.repeat(5)])), POST)
    expect([refused.status, refused.json()]).toMatchObject([413, { code: code('CTP_BODY_TOO_LARGE') }])
  })

  hold('are counted in bytes, also where they hand over texts', async () => {
    const pushing = async (...chunk: [string, BufferEncoding?]): Promise<number> => {
      const stream = streamOf()
      const app = addRoute(createApp(), stream)
      app.addHook('preValidation', async () => {
        stream.push(...chunk)
        stream.push(null)
      })
      return (await send(app, POST)).status
    }
    expect(await pushing('é'.repeat(5))).toBe(200)
    expect(await pushing('é'.repeat(6))).toBe(413)
    expect(await pushing('00'.repeat(10), 'hex')).toBe(200)
    expect(await pushing('00'.repeat(11), 'hex')).toBe(413)
  })

  hold('tell their reader once, whatever comes after', async () => {
    const stream = streamOf()
    const errors: unknown[] = []
    stream.on('error', (error) => errors.push(Reflect.get(error, 'code')))
    const app = addRoute(createApp(), stream)
    app.addHook('preValidation', async () => {
      for (const chunk of ['x'.repeat(11), 'y', null]) stream.push(chunk)
    })
    expect((await send(app, POST)).status).toBe(413)
    expect(errors).toEqual([code('CTP_BODY_TOO_LARGE')])
  })

  hold('change nothing about a request whose response was sent before', async () => {
    const sink = createLogSink()
    const stream = streamOf()
    const app = createApp({ logger: { stream: sink.stream } })
    app.addContentTypeParser('x/stream', { bodyLimit: 10 }, (_request, _payload, done) => done(null))
    app.addHook('preParsing', async () => stream)
    const pushed = createGate<boolean>()
    app.addHook('onResponse', async () => pushed.open(stream.push('x'.repeat(11))))
    app.post('/', () => 'done')
    const response = await send(app, POST)
    await pushed.promise
    await tick()
    expect([response.status, response.text]).toEqual([200, 'done'])
    expect(sink.lines.filter(({ level }) => Number(level) > 30)).toEqual([])
  })

  hold('need not be streams of Node', async () => {
    const chunks = {
      pipe: () => undefined,
      on: () => undefined,
      async *[Symbol.asyncIterator]() {
        yield await Promise.resolve('of my own')
      },
    }
    expect((await send(addRoute(createApp(), chunks), POST)).json()).toEqual({ text: 'of my own' })
  })
})
