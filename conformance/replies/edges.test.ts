// Edges of responding: HEAD and 304 with streams, Response in onSend, trailers that fail, late headers.
import { PassThrough, Readable, Transform } from 'node:stream'
import { createLogSink } from '../harness/log-lines.ts'
import { createGate, tick } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'
import type { Test } from '../harness/transports.ts'

describeTransports(
  'replies: edges',
  ({ createApp, send, transport, it, ours, since5, unlessFetch, expect }) => {
    const withTrailers = (test: Test = it): Test => unlessFetch('no Response has trailers', test)

    it('responds to HEAD for a stream without a body', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => void reply.type('text/plain').send(Readable.from(['a', 'b'])))
      const response = await send(app, { method: 'HEAD', path: '/' })
      expect([response.status, response.text]).toEqual([200, ''])
    })

    it('responds to HEAD with the length of the response to GET, whatever the handler says', async () => {
      const app = createApp()
      const wrong = { 'content-length': '3' }
      app.get('/text', (_request, reply) => reply.headers(wrong).send('a text'))
      app.get('/bytes', (_request, reply) => reply.headers(wrong).send(Buffer.from('bytes')))
      app.get('/error', () => {
        throw Object.assign(new Error('no'), { statusCode: 429, headers: wrong })
      })
      const onSend = async (_request: unknown, _reply: unknown, payload: unknown): Promise<string> =>
        `${String(payload)}, and more`
      app.get('/longer', { onSend }, (_request, reply) => reply.headers(wrong).send('abc'))
      for (const path of ['/text', '/bytes', '/error', '/longer']) {
        const got = await send(app, { path })
        const head = await send(app, { method: 'HEAD', path })
        expect([path, head.status, head.headers['content-length']]).toEqual([
          path,
          got.status,
          String(got.bytes.length),
        ])
      }
    })

    ours('the peers write UTF-8 if the content is text')(
      'sends a header beyond ASCII as Latin-1, whatever the content is',
      async () => {
        const app = createApp()
        const contents = { text: 'text', json: { a: 1 }, umlaut: 'é', bytes: Buffer.from('bytes') }
        for (const [name, content] of Object.entries(contents))
          app.get(`/${name}`, (_request, reply) => reply.header('x-name', 'José').send(content))
        for (const name of Object.keys(contents)) {
          // Over a socket, Node's code writes the head with the text.
          const isOfNode = transport === 'socket' && name !== 'bytes'
          const expected = isOfNode ? Buffer.from('José').toString('latin1') : 'José'
          expect([name, (await send(app, { path: `/${name}` })).headers['x-name']]).toEqual([name, expected])
        }
      },
    )

    it('keeps the length of a handler for HEAD that has no content', async () => {
      const app = createApp()
      app.head('/', (_request, reply) => void reply.header('content-length', '1000').send())
      expect((await send(app, { method: 'HEAD', path: '/' })).headers['content-length']).toBe('1000')
    })

    it('lets onSend replace a payload by a stream', async () => {
      const app = createApp()
      app.addHook('onSend', async () => Readable.from(['from ', 'onSend']))
      app.get('/', () => 'original')
      expect((await send(app, { path: '/' })).text).toBe('from onSend')
    })

    it('lets onSend replace a payload by bytes', async () => {
      const app = createApp()
      app.addHook('onSend', async () => Buffer.from('bytes'))
      app.get('/', () => 'original')
      const response = await send(app, { path: '/' })
      expect([response.text, response.headers['content-length']]).toEqual(['bytes', '5'])
    })

    it('gives onSend the stream that a handler sends', async () => {
      const app = createApp()
      const seen: boolean[] = []
      app.addHook('onSend', async (_request, _reply, payload: unknown) => {
        seen.push(payload instanceof Readable)
        return payload
      })
      app.get('/', (_request, reply) => void reply.send(Readable.from(['x'])))
      await send(app, { path: '/' })
      expect(seen).toEqual([true])
    })

    it('gives onSend the serialized payload and the final status', async () => {
      const app = createApp()
      const seen: unknown[] = []
      app.addHook('onSend', async (_request, reply, payload) => {
        seen.push(reply.statusCode, payload)
        return payload
      })
      app.get('/', (_request, reply) => void reply.code(202).send({ a: 1 }))
      await send(app, { path: '/' })
      expect(seen).toEqual([202, '{"a":1}'])
    })

    it('lets onSend change the status', async () => {
      const app = createApp()
      app.addHook('onSend', async (_request, reply, payload) => {
        reply.code(418)
        return payload
      })
      app.get('/', () => 'x')
      expect((await send(app, { path: '/' })).status).toBe(418)
    })

    withTrailers()('sends a response without the trailer whose function fails', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        reply.trailer('x-bad', (_reply, _payload, done) => done(new Error('no trailer')))
        reply.trailer('x-good', (_reply, _payload, done) => done(null, 'good'))
        return 'x'
      })
      const response = await send(app, { path: '/' })
      expect([response.text, response.trailers['x-good']]).toEqual(['x', 'good'])
    })

    withTrailers(ours('4.x and 5.x log nothing, or at debug'))(
      'warns of a trailer whose function fails, by name',
      async () => {
        const sink = createLogSink()
        const app = createApp({ logger: { stream: sink.stream } })
        app.get('/', (_request, reply) => {
          reply.trailer('x-called', (_reply, _payload, done) => done(new Error('called back')))
          reply.trailer('x-rejected', async () => Promise.reject(new Error('rejected')))
          reply.trailer('x-thrown', () => {
            throw new Error('thrown')
          })
          return 'x'
        })
        expect((await send(app, { path: '/' })).text).toBe('x')
        for (const [name, message] of [
          ['x-called', 'called back'],
          ['x-rejected', 'rejected'],
          ['x-thrown', 'thrown'],
        ]) {
          const line = await sink.line(`the trailer '${name}' failed and is left out`)
          expect(line).toMatchObject({ level: 40, err: { message } })
        }
      },
    )

    withTrailers(ours('in 4.x and 5.x the client waits until its own timeout'))(
      'leaves out a trailer whose function gives no value within writeTimeout, and logs it',
      async () => {
        const sink = createLogSink()
        const app = createApp({ writeTimeout: 50, logger: { stream: sink.stream } })
        app.get('/', (_request, reply) =>
          reply
            .trailer('x-mute', (_reply, _payload, _done) => undefined)
            .trailer('x-kept', async () => 'k')
            .send('x'),
        )
        const response = await send(app, { path: '/' })
        expect([response.text, response.trailers]).toEqual(['x', { 'x-kept': 'k' }])
        const { msg } = await sink.line(/^the trailer 'x-mute' is left out/)
        expect(msg).toContain('within 50 ms (writeTimeout)')
      },
    )

    withTrailers(ours('the peers end the response with the stream, before its content'))(
      'sends trailers behind what a stream pipes in its own way',
      async () => {
        class Doubled extends PassThrough {
          override pipe<T extends NodeJS.WritableStream>(target: T, options?: { end?: boolean }): T {
            const doubling = new Transform({
              transform: (chunk, _encoding, done) => setImmediate(done, null, Buffer.concat([chunk, chunk])),
            })
            return super.pipe(doubling).pipe(target, options)
          }
        }
        const app = createApp()
        app.get('/', (_request, reply) => {
          const source = new Doubled()
          source.end('ab')
          return reply
            .type('text/plain')
            .trailer('x-sum', async () => 'sum')
            .send(source)
        })
        const response = await send(app, { path: '/' })
        expect([response.text, response.trailers]).toEqual(['abab', { 'x-sum': 'sum' }])
      },
    )

    ours('in the peers it is an exception that ends the process')(
      'responds with 500 for a stream that yields what is no text and no bytes',
      async () => {
        const app = createApp()
        app.get('/', async () => Readable.from([{ a: 1 }]))
        const response = await send(app, { path: '/' })
        expect([response.status, response.json()]).toMatchObject([
          500,
          { code: 'CLO_ERR_REP_INVALID_PAYLOAD_TYPE' },
        ])
      },
    )

    ours('the peers announce both')('never sends a length beside a transfer coding', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => void reply.header('transfer-encoding', 'chunked').send('abc'))
      app.get('/bytes', (_request, reply) => {
        reply.header('transfer-encoding', 'chunked').send(Buffer.from('abc'))
      })
      for (const path of ['/', '/bytes']) {
        const { headers, text } = await send(app, { path })
        expect([text, headers['content-length'], headers['transfer-encoding']]).toEqual([
          'abc',
          '3',
          undefined,
        ])
      }
    })

    withTrailers(ours('the peers respond with 500'))(
      'sends no trailers where there is no content to follow',
      async () => {
        const app = createApp()
        app.get('/', (_request, reply) => {
          reply.trailer('x-sum', (_reply, _payload, done) => done(null, 'sum'))
          reply.code(204).send()
        })
        const response = await send(app, { path: '/' })
        expect([response.status, response.text, response.headers['trailer']]).toEqual([204, '', undefined])
      },
    )

    it('sends a large string and a large buffer whole', async () => {
      const app = createApp()
      const large = 'é'.repeat(600_000)
      app.get('/string', () => large)
      app.get('/buffer', async () => Buffer.from(large))
      expect((await send(app, { path: '/string' })).text.length).toBe(large.length)
      expect((await send(app, { path: '/buffer' })).bytes.length).toBe(large.length * 2)
    })

    it('counts the bytes, not the characters, of a body', async () => {
      const app = createApp()
      app.get('/', () => ({ a: '€' }))
      expect((await send(app, { path: '/' })).headers['content-length']).toBe('11')
    })

    it('sends what a nested thenable resolves to', async () => {
      const app = createApp()
      app.get('/', () => ({ then: (resolve: (value: unknown) => void) => resolve({ thenable: true }) }))
      expect((await send(app, { path: '/' })).json()).toEqual({ thenable: true })
    })

    it('sends the error of a handler that awaited', async () => {
      const app = createApp()
      app.get('/', async () => {
        await tick()
        throw Object.assign(new Error('later'), { statusCode: 422 })
      })
      const response = await send(app, { path: '/' })
      expect([response.status, response.json()]).toMatchObject([422, { message: 'later' }])
    })

    it('responds with 500 for a value that JSON cannot hold', async () => {
      const app = createApp()
      app.get('/circle', () => {
        const circle: Record<string, unknown> = {}
        circle['self'] = circle
        return circle
      })
      app.get('/bigint', () => ({ n: 1n }))
      for (const path of ['/circle', '/bigint']) expect((await send(app, { path })).status).toBe(500)
    })

    it('calls toJSON of what is sent', async () => {
      const app = createApp()
      app.get('/', () => ({ at: new Date(0), own: { toJSON: () => 'own' } }))
      expect((await send(app, { path: '/' })).json()).toEqual({ at: '1970-01-01T00:00:00.000Z', own: 'own' })
    })

    since5('4.x logs and leaves the client waiting')('ends a response whose web stream fails', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        const web = new ReadableStream({
          start(controller) {
            controller.error(new Error('broken source'))
          },
        })
        return reply.type('text/plain').send(web)
      })
      const outcome = await send(app, { path: '/' }).then(
        ({ status }) => status,
        () => 'cut',
      )
      expect([500, 'cut']).toContain(outcome)
    })

    it('passes a long response through in pieces, in order', async () => {
      const app = createApp()
      const pieces = Array.from({ length: 200 }, (_, index) => `${index},`)
      app.get('/', (_request, reply) => void reply.type('text/plain').send(Readable.from(pieces)))
      expect((await send(app, { path: '/' })).text).toBe(pieces.join(''))
    })

    ours('the peers respond or cut, depending on timing')(
      'responds with 500 when preSerialization makes undefined of nothing it knows',
      async () => {
        const app = createApp()
        app.addHook('preSerialization', async () => Symbol('not JSON'))
        app.get('/', () => ({ a: 1 }))
        expect((await send(app, { path: '/' })).status).toBe(500)
      },
    )
  },
)

describeTransports('replies: many at once', ({ createApp, send, it, expect }) => {
  it('keeps requests apart whose responses come in another order', async () => {
    const app = createApp()
    const gates = [createGate(), createGate(), createGate()]
    app.decorateRequest('mark', '')
    app.addHook('onRequest', async (request) => {
      request['mark'] = request.url
    })
    app.get('/:n', async (request) => {
      const n = Number(request.params['n'])
      await gates[n]?.promise
      return { mark: request['mark'], n }
    })
    const responses = [0, 1, 2].map((n) => send(app, { path: `/${n}` }))
    await tick()
    for (const n of [2, 0, 1]) gates[n]?.open()
    for (const [n, response] of responses.entries())
      expect((await response).json()).toEqual({ mark: `/${n}`, n })
  })
})
