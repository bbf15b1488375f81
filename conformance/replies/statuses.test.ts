// Which headers and content a response has by its status, its method and the kind of its payload.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createLogSink } from '../harness/log-lines.ts'
import { code } from '../harness/subject.ts'
import { describeTransports, nodeTransports } from '../harness/transports.ts'

const ALL = ['in-process', 'socket', 'http2', 'memory', 'fetch'] as const
const KINDS = ['text', 'value', 'bytes', 'stream', 'nothing'] as const

const createPayload = (kind: string | undefined): unknown => {
  if (kind === 'text') return 'text'
  if (kind === 'value') return { a: 1 }
  if (kind === 'bytes') return Buffer.from('bytes')
  if (kind === 'empty') return ''
  if (kind === 'no bytes') return Buffer.alloc(0)
  return kind === 'stream' ? Readable.from(['stream']) : undefined
}

describeTransports(
  'replies: statuses without content',
  ({ createApp, send, it, ours, since5, expect }) => {
    ours('4.x and 5.x keep the type of what they drop')(
      'drops type, length and content of a payload that was given for 204',
      async () => {
        const app = createApp()
        app.get('/:kind', (request, reply) => {
          reply.code(204).headers({ 'content-type': 'text/html', 'content-length': '5', 'x-kept': 'k' })
          reply.send(createPayload(request.params['kind']))
        })
        for (const kind of KINDS) {
          const { status, text, headers } = await send(app, { path: `/${kind}` })
          expect([status, text, headers['x-kept']]).toEqual([204, '', 'k'])
          expect([headers['content-type'], headers['content-length']]).toEqual([undefined, undefined])
        }
      },
    )

    it('keeps the type and the length that were set for 304, which describe the content that the client has', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        reply.code(304).headers({ 'content-type': 'text/html', 'content-length': '5' }).send()
      })
      const { status, text, headers } = await send(app, { path: '/' })
      expect([status, text]).toEqual([304, ''])
      expect([headers['content-type'], headers['content-length']]).toEqual(['text/html', '5'])
    })

    ours('4.x and 5.x send a length')('makes up no length for a 304', async () => {
      const app = createApp()
      app.get('/:kind', (request, reply) => {
        reply.code(304).send(createPayload(request.params['kind']))
      })
      for (const kind of KINDS) {
        const { status, text, headers } = await send(app, { path: `/${kind}` })
        expect([status, text, headers['content-length']]).toEqual([304, '', undefined])
      }
    })

    since5('4.x waits for it, or leaves it open')('destroys a stream that is not sent', async () => {
      const app = createApp()
      const sources: Readable[] = []
      app.route({
        method: ['GET', 'HEAD'],
        url: '/:status',
        handler: (request, reply) => {
          const source = Readable.from(['unread'])
          sources.push(source)
          reply.code(Number(request.params['status'])).send(source)
        },
      })
      await send(app, { path: '/204' })
      await send(app, { path: '/304' })
      await send(app, { method: 'HEAD', path: '/200' })
      expect(sources.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
    })
  },
  ALL,
)

describeTransports(
  'replies: statuses with content',
  ({ createApp, send, it, ours, since5, overNode, unlessFetch, expect }) => {
    ours('4.x and 5.x name a length that does not come')(
      'says of a 205 what comes: a length of 0 where the protocol has no content with it',
      async () => {
        const app = createApp()
        app.get('/:kind', (request, reply) => {
          reply.code(205).send(createPayload(request.params['kind']))
        })
        for (const kind of ['text', 'value', 'bytes', 'nothing']) {
          const { text, headers } = await send(app, { path: `/${kind}` })
          expect([kind, headers['content-length']]).toEqual([kind, String(text.length)])
        }
      },
    )

    it('sends a length of 0 for nothing', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => void reply.send())
      const { status, text, headers } = await send(app, { path: '/' })
      expect([status, text, headers['content-length']]).toEqual([200, '', '0'])
    })

    since5('4.x has no Response')('sends a length of 0 for a Response without a body', async () => {
      const app = createApp()
      app.get('/', async () => new Response(null, { status: 202, headers: { 'x-own': 'yes' } }))
      const { status, text, headers } = await send(app, { path: '/' })
      expect([status, text, headers['content-length'], headers['x-own']]).toEqual([202, '', '0', 'yes'])
    })

    it('responds to HEAD with the length of what GET would send', async () => {
      const app = createApp()
      app.get('/:kind', (request, reply) => void reply.send(createPayload(request.params['kind'])))
      const lengths = { text: '4', value: '7', bytes: '5', empty: '0', 'no bytes': '0', nothing: '0' }
      for (const [kind, length] of Object.entries(lengths)) {
        const { text, headers } = await send(app, { method: 'HEAD', path: `/${encodeURIComponent(kind)}` })
        expect([kind, text, headers['content-length']]).toEqual([kind, '', length])
      }
    })

    it('makes up no length for HEAD on a route of its own that sends nothing', async () => {
      const app = createApp()
      app.head('/', (_request, reply) => void reply.send())
      const { status, headers } = await send(app, { method: 'HEAD', path: '/' })
      expect([status, headers['content-length']]).toEqual([200, undefined])
    })

    overNode('sets the status of the raw response')(
      'sends the status that was set on the raw response',
      async () => {
        const app = createApp()
        app.get('/', (_request, reply) => {
          reply.raw.statusCode = 418
          reply.send('tea')
        })
        const { status, text } = await send(app, { path: '/' })
        expect([status, text]).toEqual([418, 'tea'])
      },
    )

    unlessFetch('no Response has trailers', since5('4.x frames them as in HTTP/1.1, over HTTP/2 too'))(
      'sends trailers after nothing',
      async () => {
        const app = createApp()
        app.get('/', (_request, reply) => {
          reply.trailer('x-sum', (_reply, _payload, done) => done(null, '0')).send()
        })
        const { text, headers, trailers } = await send(app, { path: '/' })
        expect([text, trailers]).toEqual(['', { 'x-sum': '0' }])
        expect(headers['content-length']).toBeUndefined()
      },
    )

    since5('in 4.x it is an unhandled rejection')(
      'names the type of a payload that cannot be sent',
      async () => {
        const app = createApp()
        app.addHook('onSend', async () => 7)
        app.get('/', () => 'x')
        const { status, json } = await send(app, { path: '/' })
        expect([status, json()]).toMatchObject([
          500,
          { code: code('REP_INVALID_PAYLOAD_TYPE'), message: expect.stringContaining('number') },
        ])
      },
    )

    it('logs nothing but the request and its end, whatever is sent', async () => {
      for (const kind of KINDS) {
        const sink = createLogSink()
        const app = createApp({ logger: { stream: sink.stream } })
        app.get('/', (_request, reply) => void reply.send(createPayload(kind)))
        await send(app, { path: '/' })
        await sink.line('request completed')
        const ofRequest = sink.lines.filter(({ reqId }) => reqId !== undefined)
        expect([kind, ...ofRequest.map(({ msg }) => msg)]).toEqual([
          kind,
          'incoming request',
          'request completed',
        ])
      }
    })
  },
  ALL,
)

const WRITERS: Readonly<Record<string, (raw: ServerResponse, status: number, ended: () => void) => unknown>> =
  {
    'a head and a content': (raw, status, ended) =>
      raw.writeHead(status, { 'x-own': 'a' }).end('content', ended),
    'a content alone': (raw, status, ended) => {
      raw.setHeader('x-own', 'a').statusCode = status
      raw.end(Buffer.from('content'), ended)
    },
    'a content in pieces': (raw, status, ended) => {
      raw.writeHead(status, { 'x-own': 'a' })
      raw.write('con', 'latin1', () => raw.end('tent', 'latin1', ended))
    },
    'a content before its end': (raw, status, ended) => {
      raw.setHeader('x-own', 'a').statusCode = status
      raw.write('content')
      raw.end(ended)
    },
  }
const MESSAGES = [
  ['GET', 200],
  ['HEAD', 200],
  ['GET', 204],
  ['GET', 304],
  ['HEAD', 500],
] as const

describeTransports(
  'replies: what the application writes on the raw response',
  ({ createApp, send, since5, expect }) => {
    for (const [what, write] of Object.entries(WRITERS)) {
      since5('4.x writes it to requests in the process')(
        `has no content where method or status has none, and an end: ${what}`,
        async () => {
          for (const [method, status] of MESSAGES) {
            const app = createApp()
            const ended = new Promise<void>((resolve) => {
              app.route({
                method: ['GET', 'HEAD'],
                url: '/',
                handler: (_request, reply) => write(reply.hijack().raw, status, resolve),
              })
            })
            const sent = await send(app, { method, path: '/' })
            const hasContent = method === 'GET' && status === 200
            expect([method, sent.status, sent.text, sent.headers['x-own']]).toEqual([
              method,
              status,
              hasContent ? 'content' : '',
              'a',
            ])
            await ended
          }
        },
      )
    }
  },
  nodeTransports('the application writes on the raw response'),
)
