// Ways around the schema that do not lie in the bytes: routes added for the author, hooks, other contexts.
import { describeTransports } from '../harness/transports.ts'

const SCHEMA = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }

describeTransports('the schema of a route holds', ({ createApp, send, it, expect, line4 }) => {
  it('for the HEAD route that comes with a GET route', async () => {
    const app = createApp()
    app.get('/:n', { schema: { params: SCHEMA, querystring: SCHEMA, headers: SCHEMA } }, () => 'ran')
    const good = { method: 'HEAD', path: '/1?n=1', headers: { n: '1' } }
    expect((await send(app, good)).status).toBe(200)
    expect((await send(app, { ...good, path: '/x?n=1' })).status).toBe(400)
    expect((await send(app, { ...good, path: '/1' })).status).toBe(400)
    expect((await send(app, { ...good, headers: {} })).status).toBe(400)
  })

  it('for every method of a route with several', async () => {
    const app = createApp()
    app.route({ method: ['POST', 'PUT'], path: '/', schema: { body: SCHEMA }, handler: () => 'ran' })
    for (const method of ['POST', 'PUT']) {
      expect((await send(app, { method, path: '/', body: { n: 1 } })).text).toBe('ran')
      expect((await send(app, { method, path: '/', body: {} })).status).toBe(400)
    }
  })

  it('for paths with a trailing slash and in other letters, where the router takes them', async () => {
    const app = createApp({ ignoreTrailingSlash: true, caseSensitive: false })
    app.post('/orders', { schema: { body: SCHEMA } }, () => 'ran')
    for (const path of ['/orders', '/orders/', '/ORDERS', '/%6frders']) {
      expect((await send(app, { method: 'POST', path, body: { n: 1 } })).text).toBe('ran')
      expect((await send(app, { method: 'POST', path, body: {} })).status).toBe(400)
    }
  })

  it('when a preParsing hook replaces the payload', async () => {
    const app = createApp()
    const { Readable } = await import('node:stream')
    app.addHook('preParsing', async () => Readable.from([Buffer.from('{"n":"x"}')]))
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    const headers = { 'content-type': 'application/json', 'content-length': '9' }
    expect((await send(app, { method: 'POST', path: '/', headers, body: '{"n":123}' })).status).toBe(400)
  })

  it('when a preValidation hook is asynchronous', async () => {
    const app = createApp()
    app.addHook('preValidation', async () => {
      await Promise.resolve()
    })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, { method: 'POST', path: '/', body: {} })).status).toBe(400)
  })

  it('when all parsers were removed', async () => {
    const app = createApp()
    app.removeAllContentTypeParsers()
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, { method: 'POST', path: '/', body: { n: 1 } })).status).toBe(415)
    expect((await send(app, { method: 'POST', path: '/' })).status).toBe(400)
  })

  for (const made of [undefined, null, 0, false, '', []]) {
    it(`when a parser makes ${JSON.stringify(made) ?? 'undefined'} of the body`, async () => {
      const app = createApp()
      app.addContentTypeParser('application/x-own', { parseAs: 'string' }, (_request, _body, done) => {
        done(null, made)
      })
      app.post('/', { schema: { body: SCHEMA } }, () => 'never')
      const headers = { 'content-type': 'application/x-own' }
      expect((await send(app, { method: 'POST', path: '/', headers, body: 'x' })).status).toBe(400)
    })
  }

  it('when a parser hands over the stream', async () => {
    const app = createApp()
    app.addContentTypeParser('application/octet-stream', (_request, payload, done) => {
      done(null, payload)
    })
    app.post('/', { schema: { body: { ...SCHEMA, required: ['n'] } } }, () => 'never')
    const headers = { 'content-type': 'application/octet-stream' }
    expect((await send(app, { method: 'POST', path: '/', headers, body: '{"n":1}' })).status).toBe(400)
  })

  line4('5.x runs the handler on it')('when an asynchronous validator resolves to { error }', async () => {
    const app = createApp()
    const validatorCompiler = () => async () => ({ error: new Error('refused') })
    app.post('/', { schema: { body: SCHEMA }, validatorCompiler }, () => 'never')
    expect((await send(app, { method: 'POST', path: '/', body: { n: 1 } })).status).toBe(400)
  })

  it('when the body is set in onRequest before it is parsed', async () => {
    const app = createApp()
    app.addHook('onRequest', (request, _reply, done) => {
      request.body = { n: 1 }
      done()
    })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, { method: 'POST', path: '/', body: { n: 'x' } })).status).toBe(400)
  })

  it('when a hook takes the params away, also where a method needs no body', async () => {
    const app = createApp()
    app.addHook('preValidation', async (request) => {
      Reflect.set(request, 'params', undefined)
    })
    app.route({
      method: ['GET', 'DELETE'],
      url: '/:n',
      schema: { params: SCHEMA },
      handler: () => 'never',
    })
    for (const method of ['GET', 'DELETE']) {
      expect((await send(app, { method, path: '/1' })).status).toBe(400)
    }
  })

  it('in the context that it was written in and in a prefixed one', async () => {
    const app = createApp()
    app.register(
      async (child) => {
        child.post('/', { schema: { body: SCHEMA } }, () => 'ran')
      },
      { prefix: '/v1' },
    )
    expect((await send(app, { method: 'POST', path: '/v1', body: {} })).status).toBe(400)
    expect((await send(app, { method: 'POST', path: '/v1/', body: {} })).status).toBe(400)
  })
})
