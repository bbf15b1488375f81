// Parsers of the application: how they are found, what they are given, how they fail.
import { Readable } from 'node:stream'
import { code } from '../harness/subject.ts'
import { tick } from '../harness/time.ts'
import { describeTransports, nodeTransports } from '../harness/transports.ts'

describeTransports('parsers: a catch-all of a child', ({ createApp, send, it, expect }) => {
  it('comes before a type that its parent adds later, and after one that it had before', async () => {
    const app = createApp()
    const as =
      (name: string) => (_request: unknown, _body: never, done: (error: null, value: string) => void) =>
        done(null, name)
    app.addContentTypeParser('text/early', { parseAs: 'string' }, as('early'))
    app.register(
      async (child) => {
        child.addContentTypeParser('*', { parseAs: 'string' }, as('catch-all'))
        child.post('/', (request) => ({ by: request.body }))
        child.register(async (inner) => void inner.post('/inner', (request) => ({ by: request.body })))
      },
      { prefix: '/child' },
    )
    app.after(() => {
      app.addContentTypeParser('text/late', { parseAs: 'string' }, as('late'))
      app.addContentTypeParser('application/json', { parseAs: 'string' }, as('other JSON'))
      app.post('/', (request) => ({ by: request.body }))
    })
    const ask = async (path: string, type: string): Promise<unknown> => {
      const headers = { 'content-type': type }
      return (await send(app, { method: 'POST', path, headers, body: '{"a":1}' })).json()
    }
    expect(await ask('/', 'text/late')).toEqual({ by: 'late' })
    expect(await ask('/child', 'text/late')).toEqual({ by: 'catch-all' })
    expect(await ask('/child/inner', 'text/late')).toEqual({ by: 'catch-all' })
    expect(await ask('/child', 'text/early')).toEqual({ by: 'early' })
    expect(await ask('/', 'application/json')).toEqual({ by: 'other JSON' })
    expect(await ask('/child', 'application/json')).toEqual({ by: { a: 1 } })
  })
})

describeTransports('bodies: custom parsers', ({ createApp, send, it, ours, line4, expect }) => {
  type Subject = ReturnType<typeof createApp>
  const echo = (app: Subject): Subject => app.post('/', (request) => ({ body: request.body }))
  const post = (app: Subject, type: string, body = 'a b'): ReturnType<typeof send> =>
    send(app, { method: 'POST', path: '/', headers: { 'content-type': type }, body })

  it('gives the stream to a parser without parseAs', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('x/stream', (_request, payload: Readable, done) => {
      let text = ''
      payload.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      payload.on('end', () => done(null, text.toUpperCase()))
      payload.on('error', done)
    })
    expect((await post(app, 'x/stream')).json()).toEqual({ body: 'A B' })
  })

  it('takes an async parser, with and without parseAs', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('x/async', async (_request, payload: Readable) => {
      let text = ''
      for await (const chunk of payload) text += String(chunk)
      return { text }
    })
    app.addContentTypeParser('x/string', { parseAs: 'string' }, async (_request, body: string) => {
      await tick()
      return body.split(' ')
    })
    expect((await post(app, 'x/async')).json()).toEqual({ body: { text: 'a b' } })
    expect((await post(app, 'x/string')).json()).toEqual({ body: ['a', 'b'] })
  })

  it('gives a string or a buffer as parseAs says', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('x/string', { parseAs: 'string' }, (_request, body, done) =>
      done(null, typeof body),
    )
    app.addContentTypeParser('x/buffer', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, Buffer.isBuffer(body)),
    )
    expect((await post(app, 'x/string')).json()).toEqual({ body: 'string' })
    expect((await post(app, 'x/buffer')).json()).toEqual({ body: true })
  })

  it('keeps characters whole when they arrive in pieces', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('x/string', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    expect((await post(app, 'x/string', '€'.repeat(40_000))).json()).toEqual({ body: '€'.repeat(40_000) })
  })

  it('gives the request', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('x/this', { parseAs: 'string' }, (request, _body, done) =>
      done(null, request.method),
    )
    expect((await post(app, 'x/this')).json()).toEqual({ body: 'POST' })
  })

  it('takes a list of types', async () => {
    const app = echo(createApp())
    app.addContentTypeParser(['x/one', 'x/two'], { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    expect((await post(app, 'x/one')).json()).toEqual({ body: 'a b' })
    expect((await post(app, 'x/two')).json()).toEqual({ body: 'a b' })
  })

  it('finds a type by pattern, the one that was added last first', async () => {
    const app = echo(createApp())
    app.addContentTypeParser(/^image\/.*/, { parseAs: 'string' }, (_request, _body, done) =>
      done(null, 'any image'),
    )
    app.addContentTypeParser(/^image\/png/, { parseAs: 'string' }, (_request, _body, done) =>
      done(null, 'png'),
    )
    expect((await post(app, 'image/png')).json()).toEqual({ body: 'png' })
    expect((await post(app, 'image/gif')).json()).toEqual({ body: 'any image' })
  })

  it('prefers a type that was written out to a pattern', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('image/png', { parseAs: 'string' }, (_request, _body, done) =>
      done(null, 'exact'),
    )
    app.addContentTypeParser(/^image\/png/, { parseAs: 'string' }, (_request, _body, done) =>
      done(null, 'pattern'),
    )
    expect((await post(app, 'image/png')).json()).toEqual({ body: 'exact' })
  })

  it('takes everything else, a body without a type included, when the type is *', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    expect((await post(app, 'x/anything')).json()).toEqual({ body: 'a b' })
    expect((await send(app, { method: 'POST', path: '/', body: 'raw' })).json()).toEqual({ body: 'raw' })
    expect((await post(app, 'application/json', '{"a":1}')).json()).toEqual({ body: { a: 1 } })
  })

  it('may be * more than once: the last one of a context, or of its nearest ancestor, parses', async () => {
    const app = createApp()
    const as =
      (name: string) => (_request: unknown, _body: unknown, done: (error: null, body: string) => void) =>
        done(null, name)
    app.addContentTypeParser('*', { parseAs: 'string' }, as('first'))
    app.register(async (child) => {
      child.addContentTypeParser('*', { parseAs: 'string' }, as('of child'))
      child.post('/child', (request) => ({ body: request.body }))
    })
    app.addContentTypeParser('*', { parseAs: 'string' }, as('second'))
    echo(app)
    expect((await post(app, 'x/anything')).json()).toEqual({ body: 'second' })
    const ofChild = await send(app, { method: 'POST', path: '/child', body: 'raw' })
    expect(ofChild.json()).toEqual({ body: 'of child' })
  })

  line4('5.x responds with 415 to what is no media type')(
    'takes what is no media type too when the type is *',
    async () => {
      const app = echo(createApp())
      app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
      expect((await post(app, 'weird')).json()).toEqual({ body: 'a b' })
    },
  )

  ours('a pattern of 4.x reads the header')('finds no type in what is no media type', async () => {
    const app = echo(createApp())
    for (const type of ['weird', 'x/y', /weird|x\/y/])
      app.addContentTypeParser(type, { parseAs: 'string' }, (_request, _body, done) => done(null, 'found'))
    expect((await post(app, 'x/y; a=b')).json()).toEqual({ body: 'found' })
    for (const type of ['weird', 'x/y; a=', 'x/y; a b', 'x/y z', 'application/json; a'])
      expect([type, (await post(app, type, '{}')).status]).toEqual([type, 415])
  })

  line4('5.x refuses such a key')('takes a part of a type for all types that have it within', async () => {
    const app = echo(createApp())
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('json', { parseAs: 'string' }, (_request, _body, done) => done(null, 'json'))
    expect((await post(app, 'application/json; charset=utf-8')).json()).toEqual({ body: 'json' })
    expect((await post(app, 'image/png')).status).toBe(415)
  })

  line4('5.x holds every pattern against the whole header')(
    'shows parameters to a pattern with a semicolon alone',
    async () => {
      const app = echo(createApp())
      app.removeAllContentTypeParsers()
      app.addContentTypeParser(/text\/plain/, { parseAs: 'string' }, (_request, _body, done) =>
        done(null, 'text'),
      )
      app.addContentTypeParser(/application\/json/, { parseAs: 'string' }, (_request, _body, done) =>
        done(null, 'json'),
      )
      app.addContentTypeParser(/^x\/y; *v=2$/, { parseAs: 'string' }, (_request, _body, done) =>
        done(null, 'two'),
      )
      expect((await post(app, 'text/plain; content-type="application/json"')).json()).toEqual({
        body: 'text',
      })
      expect((await post(app, 'x/y; v=2')).json()).toEqual({ body: 'two' })
    },
  )

  it('replaces the built-in JSON parser, and reuses it for another type', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, ['own', body]),
    )
    app.addContentTypeParser('x/json', { parseAs: 'string' }, app.getDefaultJsonParser('error', 'ignore'))
    app.addContentTypeParser('x/text', { parseAs: 'string' }, app.defaultTextParser)
    expect((await post(app, 'application/json', '{}')).json()).toEqual({ body: ['own', '{}'] })
    expect((await post(app, 'x/json', '{"a":1}')).json()).toEqual({ body: { a: 1 } })
    expect((await post(app, 'x/json', '{"__proto__":{}}')).status).toBe(400)
    expect((await post(app, 'x/text', 'abc')).json()).toEqual({ body: 'abc' })
  })

  it('removes one parser, a list, a pattern, or all', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('x/one', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.addContentTypeParser(/^y\//, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.removeContentTypeParser('x/one')
    app.removeContentTypeParser([/^y\//, 'text/plain'])
    expect([
      app.hasContentTypeParser('x/one'),
      app.hasContentTypeParser(/^y\//),
      app.hasContentTypeParser('text/plain'),
    ]).toEqual([false, false, false])
    expect(app.hasContentTypeParser('application/json')).toBe(true)
    expect((await post(app, 'text/plain')).status).toBe(415)
    const bare = echo(createApp())
    bare.removeAllContentTypeParsers()
    expect(bare.hasContentTypeParser('application/json')).toBe(false)
    expect((await post(bare, 'application/json', '{}')).status).toBe(415)
  })

  it('passes what a parser fails with to the error handler, with its status', async () => {
    const app = echo(createApp())
    app.setErrorHandler((error, _request, reply) =>
      reply.code(error.statusCode ?? 500).send({ message: error.message }),
    )
    app.addContentTypeParser('x/callback', { parseAs: 'string' }, (_request, _body, done) =>
      done(new Error('by callback')),
    )
    app.addContentTypeParser('x/async', { parseAs: 'string' }, async () => {
      throw Object.assign(new Error('by rejection'), { statusCode: 422 })
    })
    expect((await post(app, 'x/callback')).json()).toEqual({ message: 'by callback' })
    const rejected = await post(app, 'x/async')
    expect([rejected.status, rejected.json()]).toEqual([422, { message: 'by rejection' }])
  })

  ours('in the peers it is an uncaught exception')(
    'responds when a parser throws synchronously',
    async () => {
      const app = echo(createApp())
      app.addContentTypeParser('x/throws', { parseAs: 'string' }, (_request, _body, _done) => {
        throw new Error('at once')
      })
      const response = await post(app, 'x/throws')
      expect([response.status, response.json()]).toMatchObject([500, { message: 'at once' }])
    },
  )

  it('refuses parsers that cannot be', () => {
    const app = createApp()
    const add =
      (...call: unknown[]): (() => unknown) =>
      () =>
        Reflect.apply(app.addContentTypeParser, app, call)
    expect(add('application/json; charset=utf-8', 'not a function')).toThrow()
    expect(add('x/ok', {}, 'not a function')).toThrow(
      expect.objectContaining({ code: code('CTP_INVALID_HANDLER') }),
    )
    expect(add('', () => undefined)).toThrow(expect.objectContaining({ code: code('CTP_EMPTY_TYPE') }))
    expect(add(7, () => undefined)).toThrow(expect.objectContaining({ code: code('CTP_INVALID_TYPE') }))
    expect(add('x/ok', { parseAs: 'number' }, () => undefined)).toThrow(
      expect.objectContaining({ code: code('CTP_INVALID_PARSE_TYPE') }),
    )
    app.addContentTypeParser('x/once', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    expect(add('x/once', () => undefined)).toThrow(
      expect.objectContaining({ code: code('CTP_ALREADY_PRESENT') }),
    )
  })

  it('prefers a type with parameters for the bodies that have them all', async () => {
    const app = echo(createApp())
    for (const type of ['x/y; v=2; w=3', 'x/y; v=2', 'x/y', 'x/z; v=1'])
      app.addContentTypeParser(type, { parseAs: 'string' }, (_request, _body, done) => done(null, type))
    expect((await post(app, 'x/y; v=2')).json()).toEqual({ body: 'x/y; v=2' })
    expect((await post(app, 'x/y; v=2; w=3')).json()).toEqual({ body: 'x/y; v=2; w=3' })
    expect((await post(app, 'x/y; w=3')).json()).toEqual({ body: 'x/y' })
    expect((await post(app, 'x/y; v=1')).json()).toEqual({ body: 'x/y' })
    expect((await post(app, 'x/z; v=1')).json()).toEqual({ body: 'x/z; v=1' })
    for (const type of ['x/z', 'x/z; v=2', 'x/z; w=1']) expect((await post(app, type)).status).toBe(415)
  })

  ours('they compare the text')('takes parameters in any order and letter case', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('x/y; v=2; w=Three', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    expect((await post(app, 'x/y; W=three; V="2"; u=1')).json()).toEqual({ body: 'a b' })
  })

  it('finds a type without regard to letter case and parameters', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('application/vnd.own+json', { parseAs: 'string' }, (_request, _body, done) =>
      done(null, 'own'),
    )
    for (const type of [
      'application/vnd.own+json',
      'Application/Vnd.Own+JSON',
      'application/vnd.own+json; v=1',
    ]) {
      expect((await post(app, type)).json()).toEqual({ body: 'own' })
    }
  })
})

describeTransports(
  'parsers: a body that a hook has read',
  ({ createApp, send, it, ours, expect }) => {
    for (const type of ['application/json', 'x/streamed'])
      ours('they wait for ever')(
        `is an error of the application, which names the hook (${type})`,
        async () => {
          const app = createApp()
          app.addContentTypeParser('x/streamed', (_request, _body, done) => done(null, 'parsed'))
          app.addHook('onRequest', async function readsAll({ raw }) {
            for await (const chunk of Object(raw)) void chunk
          })
          app.post('/', () => 'handled')
          const headers = { 'content-type': type }
          const response = await send(app, { method: 'POST', path: '/', headers, body: '{"a":1}' })
          expect([response.status, response.json()]).toMatchObject([
            500,
            {
              code: code('CTP_BODY_CONSUMED'),
              message: expect.stringMatching(
                /POST \/.*onRequest hook 'readsAll', added at .*parsers\.test\.ts/,
              ),
            },
          ])
        },
      )

    it('may be replaced by a stream of the hook', async () => {
      const app = createApp()
      app.addContentTypeParser('x/streamed', async (_request, body: Readable) => {
        let text = ''
        for await (const chunk of body) text += String(chunk)
        return JSON.parse(text)
      })
      app.addHook('preParsing', async (_request, _reply, payload: Readable) => {
        let bytes = 0
        for await (const chunk of payload) bytes += chunk.length
        return Object.assign(Readable.from([`{"bytes":${bytes}}`]), { receivedEncodedLength: bytes })
      })
      app.post('/', ({ body }) => body)
      for (const type of ['application/json', 'x/streamed']) {
        const headers = { 'content-type': type }
        const response = await send(app, { method: 'POST', path: '/', headers, body: 'abc' })
        expect([response.status, response.json()]).toEqual([200, { bytes: 3 }])
      }
    })

    ours('they wait for ever')('is nothing where the body is empty', async () => {
      const app = createApp()
      app.addHook('onRequest', async ({ raw }) => {
        for await (const chunk of Object(raw)) void chunk
      })
      app.addContentTypeParser('x/streamed', (_request, _body, done) => done(null, ''))
      app.post('/', ({ body }) => ({ body: body ?? null }))
      for (const type of ['text/plain', 'x/streamed']) {
        const headers = { 'content-type': type, 'content-length': '0' }
        const response = await send(app, { method: 'POST', path: '/', headers })
        expect([response.status, response.json()]).toEqual([200, { body: '' }])
      }
    })
  },
  nodeTransports('the hook reads the raw request'),
)
