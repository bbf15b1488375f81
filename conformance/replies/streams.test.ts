// Streams as payloads: what is refused, what is announced, and what the log says where they fail.
import { Readable } from 'node:stream'
import { createLogSink } from '../harness/log-lines.ts'
import { code } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

describeTransports('replies: streams', ({ createApp, send, since5, ours, overNode, unlessFetch, expect }) => {
  since5('4.x has no web streams')('refuses a web stream that has a reader', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      const source = new ReadableStream()
      source.getReader()
      return reply.send(source)
    })
    const answer = await send(app, { path: '/' })
    expect([answer.status, answer.json()]).toMatchObject([500, { code: code('REP_READABLE_STREAM_LOCKED') }])
  })

  unlessFetch('no Response has trailers', since5('4.x loses them'))(
    'announces the trailers that follow a stream',
    async () => {
      const app = createApp()
      app.get('/', (_request, reply) => reply.trailer('x-end', async () => 'e').send(Readable.from(['text'])))
      const { headers, trailers } = await send(app, { path: '/' })
      expect([headers['trailer'], trailers]).toEqual(['x-end', { 'x-end': 'e' }])
    },
  )

  overNode('writes to the raw response', ours('the words differ'))(
    'warns where the head was sent through the raw response',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      app.get('/', (_request, reply) => {
        reply.raw.writeHead(202)
        reply.raw.write('head and ')
        return reply.send(Readable.from(['stream']))
      })
      const answer = await send(app, { path: '/' })
      expect([answer.status, answer.text]).toEqual([202, 'head and stream'])
      expect(await sink.line(/headers were sent already/)).toMatchObject({ level: 40 })
    },
  )

  ours('4.x and 5.x log it at another level')('logs once why a stream failed that had begun', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    app.get('/', (_request, reply) => {
      const source = async function* (): AsyncGenerator<string> {
        yield await Promise.resolve('begun')
        throw new Error('broken source')
      }
      return reply.send(Readable.from(source()))
    })
    await expect(send(app, { path: '/' })).rejects.toThrow()
    await sink.line(/./)
    const failures = sink.lines.filter(({ err }) => Object(err).message === 'broken source')
    expect(failures.map(({ msg }) => msg)).toEqual([
      'response terminated with an error with headers already sent',
    ])
  })
})
