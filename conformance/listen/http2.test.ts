// HTTP/2 in clear text, and both versions on one port with TLS.
import { Readable } from 'node:stream'
import { describeTransports } from '../harness/transports.ts'

describeTransports(
  'listen: HTTP/2',
  ({ createApp, send, it, ours, since5, expect }) => {
    it('sends JSON, text and bytes', async () => {
      const app = createApp()
      app.get('/json', () => ({ a: 1 }))
      app.get('/text', () => 'text')
      app.get('/bytes', async () => Buffer.from('bytes'))
      expect((await send(app, { path: '/json' })).json()).toEqual({ a: 1 })
      expect((await send(app, { path: '/text' })).headers['content-type']).toBe('text/plain; charset=utf-8')
      expect((await send(app, { path: '/bytes' })).text).toBe('bytes')
    })

    it('parses and validates bodies', async () => {
      const app = createApp()
      const body = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
      app.post('/', { schema: { body } }, (request) => request.body)
      expect((await send(app, { method: 'POST', path: '/', body: { n: '7' } })).json()).toEqual({ n: 7 })
      expect((await send(app, { method: 'POST', path: '/', body: {} })).status).toBe(400)
    })

    it('shows the authority as the host', async () => {
      const app = createApp()
      app.get('/', (request) => [request.hostname, request.protocol, request.raw.httpVersion])
      expect((await send(app, { path: '/' })).json()).toEqual([
        expect.stringContaining('127.0.0.1'),
        'http',
        '2.0',
      ])
    })

    ours('the peers show it as the host')(
      'no authority with user information reaches a handler',
      async () => {
        const app = createApp()
        const hosts: string[] = []
        app.get('/', (request) => hosts.push(request.host))
        // Newer versions of Node reset the stream; 20 leaves the request to the app.
        const refused = await send(app, { path: '/', headers: { ':authority': 'bank.example@x' } }).catch(
          () => null,
        )
        if (refused !== null) expect(refused.json()).toMatchObject({ code: 'CLO_ERR_HOST_INVALID' })
        expect((await send(app, { path: '/', headers: { ':authority': 'x' } })).status).toBe(200)
        expect(hosts).toEqual(['x'])
      },
    )

    it('streams', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => void reply.type('text/plain').send(Readable.from(['a', 'b'])))
      expect((await send(app, { path: '/' })).text).toBe('ab')
    })

    ours('an error of Node ends the process of the peers')(
      'leaves out the fields of a connection of HTTP/1.1',
      async () => {
        const app = createApp()
        const names = 'connection http2-settings keep-alive proxy-connection te transfer-encoding upgrade'
        app.get('/:name', ({ params }, reply) => reply.header(params['name'] ?? '', 'close').send('text'))
        for (const name of names.split(' ')) {
          const { status, headers, text } = await send(app, { path: `/${name}` })
          expect([name, status, headers[name], text]).toEqual([name, 200, undefined, 'text'])
        }
      },
    )

    ours('an error of Node ends the process of the peers')(
      'responds with 500 for a list of which HTTP/2 takes one value, whoever sets it',
      async () => {
        const app = createApp()
        const list = ['"a"', '"b"']
        app.get('/text', (_request, reply) => reply.header('etag', list).send('text'))
        app.get('/stream', (_request, reply) => reply.header('etag', list).send(Readable.from(['a'])))
        app.get('/raw', (_request, reply) => {
          reply.raw.setHeader('etag', list)
          return 'text'
        })
        for (const path of ['/text', '/stream', '/raw']) {
          const { status, json } = await send(app, { path })
          expect([path, status, json()]).toMatchObject([path, 500, { code: 'CLO_ERR_REP_INVALID_HEADER' }])
        }
      },
    )

    it('sends responses to HEAD, 404s and errors', async () => {
      const app = createApp()
      app.get('/', () => 'x')
      app.get('/broken', () => {
        throw new Error('broken')
      })
      expect((await send(app, { method: 'HEAD', path: '/' })).text).toBe('')
      expect((await send(app, { path: '/nowhere' })).status).toBe(404)
      expect((await send(app, { path: '/broken' })).json()).toMatchObject({ message: 'broken' })
    })

    since5('4.x ends the stream without them')('sends trailers', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        reply.trailer('x-end', async () => 'reached')
        return 'x'
      })
      expect((await send(app, { path: '/' })).trailers).toMatchObject({ 'x-end': 'reached' })
    })

    const payloads: Readonly<Record<string, () => unknown>> = {
      text: () => 'text',
      JSON: () => ({ a: 1 }),
      bytes: () => Buffer.from('bytes'),
      'a stream': () => Readable.from(['a', 'b']),
      'a web stream': () => new Blob(['web']).stream(),
      nothing: () => undefined,
    }
    for (const [kind, payload] of Object.entries(payloads)) {
      since5('4.x ends the stream without them')(
        `CVE-2026-92081: outlives trailers behind ${kind}, and a trailer that fails`,
        async () => {
          const app = createApp()
          app.get('/', (_request, reply) => {
            reply.trailer('x-end', async () => 'reached')
            return reply.send(payload())
          })
          app.get('/fails', (_request, reply) => {
            reply.trailer('x-end', async () => {
              throw new Error('broken')
            })
            return reply.send(payload())
          })
          const sent = await send(app, { path: '/' })
          expect([sent.status, sent.trailers]).toMatchObject([200, { 'x-end': 'reached' }])
          expect((await send(app, { path: '/fails' })).status).toBe(200)
          expect((await send(app, { method: 'HEAD', path: '/' })).status).toBe(200)
        },
      )
    }
  },
  ['http2'],
)
