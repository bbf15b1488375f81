// When a request has a body, and what is said of one that has no type, no parser or no end.
import { Readable } from 'node:stream'
import type { App } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { code } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

const echo = (app: App, method: string): App =>
  app.route({ method, url: '/', handler: (request) => ({ body: request.body ?? 'no body' }) })

describeTransports('bodies: absent or empty', ({ createApp, send, it, unlessFetch, expect }) => {
  it('of length 0 and without a type are none', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const headers = { 'content-length': '0' }
      const response = await send(echo(createApp(), method), { method, path: '/', headers })
      expect([method, response.json()]).toEqual([method, { body: 'no body' }])
    }
  })

  it('in chunks without a type are refused', async () => {
    const headers = { 'transfer-encoding': 'chunked' }
    const response = await send(echo(createApp(), 'POST'), { method: 'POST', path: '/', headers, body: 'x' })
    expect([response.status, response.json()]).toMatchObject([415, { code: code('CTP_INVALID_MEDIA_TYPE') }])
  })

  it('in chunks with a type are read, of DELETE too', async () => {
    for (const method of ['POST', 'DELETE']) {
      const headers = { 'transfer-encoding': 'chunked', 'content-type': 'text/plain' }
      const response = await send(echo(createApp(), method), { method, path: '/', headers, body: 'text' })
      expect([method, response.json()]).toEqual([method, { body: 'text' }])
    }
  })

  unlessFetch('no Request of this method has a body')(
    'are not read by a not-found handler where the method has none',
    async () => {
      const app = createApp()
      app.setNotFoundHandler((_request, reply) => reply.code(404).send('no such thing'))
      const headers = { 'content-type': 'application/json', 'content-length': '4' }
      const response = await send(app, { method: 'GET', path: '/', headers, body: '{bad' })
      expect([response.status, response.text]).toEqual([404, 'no such thing'])
    },
  )

  it('stay unread by a not-found handler where no parser reads the type', async () => {
    const app = createApp()
    app.setNotFoundHandler((request, reply) => reply.code(404).send({ body: request.body ?? 'no body' }))
    const headers = { 'content-type': 'x/unknown' }
    const response = await send(app, { method: 'POST', path: '/', headers, body: 'text' })
    expect([response.status, response.json()]).toEqual([404, { body: 'no body' }])
  })
})

describeTransports(
  'bodies: sent with DELETE and OPTIONS without a type',
  ({ createApp, send, ours, expect }) => {
    const METHODS = ['DELETE', 'OPTIONS']
    const chunked = { 'transfer-encoding': 'chunked' }
    const schema = { body: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } }
    const handler = (request: { body: unknown }): object => ({ body: request.body ?? 'no body' })

    ours('the peers run the handler without the body')(
      'are refused like those of POST where the route has a body schema',
      async () => {
        for (const method of METHODS) {
          for (const headers of [{}, chunked]) {
            const app = createApp().route({ method, url: '/', schema, handler })
            const sent = await send(app, { method, path: '/', headers, body: Buffer.from('{"id":"x"}') })
            expect([method, sent.status, sent.json()]).toMatchObject([
              method,
              415,
              { code: code('CTP_INVALID_MEDIA_TYPE') },
            ])
            expect((await send(app, { method, path: '/' })).json()).toEqual({ body: 'no body' })
          }
        }
      },
    )

    ours('the peers run the handler without the body')('go to a catch-all parser', async () => {
      for (const method of METHODS) {
        for (const withSchema of [false, true]) {
          const app = createApp()
          app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) =>
            done(null, JSON.parse(String(text))),
          )
          app.route({ method, url: '/', ...(withSchema && { schema }), handler })
          const body = Buffer.from('{"id":5}')
          expect((await send(app, { method, path: '/', body })).json()).toEqual({ body: { id: 5 } })
          const bad = await send(app, { method, path: '/', body: Buffer.from('{"id":"x"}') })
          expect([method, bad.status]).toEqual([method, withSchema ? 400 : 200])
          expect((await send(app, { method, path: '/' })).json()).toEqual({ body: 'no body' })
        }
      }
    })

    ours('the peers read the empty body')('need none where a client names a type without one', async () => {
      for (const method of METHODS) {
        const app = createApp().route({ method, url: '/', schema, handler })
        const headers = { 'content-type': 'application/json' }
        expect((await send(app, { method, path: '/', headers })).json()).toEqual({ body: 'no body' })
      }
    })
  },
)

const TYPES = ['application/json', 'text/plain', 'x/string', 'x/buffer', 'x/stream', 'x/unknown']

describeTransports(
  'bodies: held back by a client that expects 100',
  ({ createApp, send, ours, expect, transport }) => {
    ours('the peers ask for the body')(
      'are neither asked for nor parsed where no route matches',
      async () => {
        const app = createApp({ strict: true })
        const seen: unknown[] = []
        const parse = (
          _request: unknown,
          body: unknown,
          done: (error: null, body: unknown) => void,
        ): void => {
          seen.push('parsed')
          done(null, body)
        }
        for (const parseAs of ['string', 'buffer'] as const)
          app.addContentTypeParser(`x/${parseAs}`, { parseAs }, parse)
        app.addContentTypeParser('x/stream', parse)
        app.addHook('onSend', async (request) => void seen.push(request.body))
        for (const type of TYPES) {
          const head = ['POST / HTTP/1.1', 'Host: x', 'Expect: 100-continue', `Content-Type: ${type}`]
          const lines = [...head, 'Content-Length: 2000000', 'Content-Encoding: gzip', '', '']
          const headers = { expect: '100-continue', 'content-type': type, 'content-encoding': 'gzip' }
          const { status } =
            transport === 'in-process'
              ? await send(app, { method: 'POST', path: '/', headers, body: 'x'.repeat(2_000_000) })
              : await rawSocket(app, lines.join('\r\n'))
          expect([type, status, seen.splice(0)]).toEqual([type, 404, [undefined]])
        }
      },
    )
  },
  ['in-process', 'socket'],
)

describeTransports('bodies: refusals', ({ createApp, send, ours, expect }) => {
  ours('the peers have other words')('name the type that no parser reads', async () => {
    const headers = { 'content-type': 'x/unknown; a=b' }
    const response = await send(echo(createApp(), 'POST'), { method: 'POST', path: '/', headers, body: 'x' })
    expect([response.status, response.json()]).toMatchObject([
      415,
      { message: expect.stringContaining('x/unknown') },
    ])
  })

  ours('the peers do not ask for one')('name the method that must say a type', async () => {
    const app = echo(createApp(), 'QUERY')
    const response = await send(app, { method: 'QUERY', path: '/', body: 'x' })
    expect(response.json()).toMatchObject({ message: expect.stringContaining('QUERY') })
  })
})

describeTransports(
  'bodies: injected streams',
  ({ createApp, it, since5, expect }) => {
    const headers = { 'content-type': 'text/plain' }

    since5('4.x waits for them')('are refused by their length before they are read', async () => {
      const app = echo(createApp({ bodyLimit: 10 }), 'POST')
      const payload = new Readable({ read() {} })
      const response = await app.inject({
        url: '/',
        method: 'POST',
        headers: { ...headers, 'content-length': '11' },
        payload,
      })
      expect(response.statusCode).toBe(413)
    })

    it('that fail give their Error the status 400, for error handlers to read', async () => {
      const app = echo(createApp(), 'POST')
      const seen: unknown[] = []
      app.addHook('preParsing', async () => {
        const stream = new Readable({ read: () => void stream.destroy(new Error('broken')) })
        return stream
      })
      app.setErrorHandler((error, _request, reply) => {
        seen.push(error.statusCode, error.message)
        return reply.send(error)
      })
      const response = await app.inject({ url: '/', method: 'POST', headers, payload: 'x' })
      expect([response.statusCode, ...seen]).toEqual([400, 400, 'broken'])
    })
  },
  ['in-process'],
)
