import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

const CONTENT = {
  content: {
    'application/json': {
      schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
    },
    'text/plain': { schema: { type: 'string', maxLength: 3 } },
  },
}

function addRoute(app: App, body: object = CONTENT): App {
  return app.post('/', { schema: { body } }, (request) => ({ seen: request.body }))
}

describeBehind('body schemas per content type', ({ createApp, send, it, expect, ours, line4 }) => {
  const post = { method: 'POST', path: '/' }

  it('applies the schema of the type that was sent', async () => {
    const app = addRoute(createApp())
    const json = { 'content-type': 'application/json' }
    const text = { 'content-type': 'text/plain' }
    expect((await send(app, { ...post, headers: json, body: '{"n":"5"}' })).json()).toEqual({
      seen: { n: 5 },
    })
    expect((await send(app, { ...post, headers: json, body: '{"n":"x"}' })).status).toBe(400)
    expect((await send(app, { ...post, headers: text, body: 'abc' })).json()).toEqual({ seen: 'abc' })
    expect((await send(app, { ...post, headers: text, body: 'abcd' })).status).toBe(400)
  })

  ours('the peers require the body')('lets a request come without a body that is not required', async () => {
    const app = addRoute(createApp(), { ...CONTENT, required: false })
    expect((await send(app, post)).json()).toEqual({})
    const headers = { 'content-type': 'application/json' }
    expect((await send(app, { ...post, headers, body: '{"n":"x"}' })).status).toBe(400)
    const other = { 'content-type': 'text/html' }
    expect((await send(app, { ...post, headers: other, body: 'x' })).status).toBe(415)
    expect((await send(addRoute(createApp(), { ...CONTENT, required: true }), post)).status).toBe(400)
  })

  it('reads the type without its parameters and in any letter case', async () => {
    const app = addRoute(createApp())
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset=utf-8',
      'Application/JSON',
      'APPLICATION/JSON; Charset=UTF-8',
    ]) {
      const headers = { 'content-type': type }
      const good = await send(app, { ...post, headers, body: '{"n":"5"}' })
      expect([type, good.status, good.text]).toEqual([type, 200, '{"seen":{"n":5}}'])
      expect((await send(app, { ...post, headers, body: '{"n":"x"}' })).status).toBe(400)
    }
  })

  line4('5.x has no shortened form')('takes the shortened form', async () => {
    const app = addRoute(createApp(), {
      content: { 'application/json': { schema: { n: { type: 'integer' } } } },
    })
    expect((await send(app, { ...post, body: { n: '5' } })).json()).toEqual({ seen: { n: 5 } })
    expect((await send(app, { ...post, body: { n: 'x' } })).status).toBe(400)
  })

  it('takes a $ref to a shared schema', async () => {
    const app = createApp().addSchema({ $id: 'n', type: 'object', properties: { n: { type: 'integer' } } })
    addRoute(app, { content: { 'application/json': { schema: { $ref: 'n#' } } } })
    expect((await send(app, { ...post, body: { n: '5' } })).json()).toEqual({ seen: { n: 5 } })
    expect((await send(app, { ...post, body: { n: 'x' } })).status).toBe(400)
  })

  it('refuses an entry without a schema', async () => {
    const app = createApp()
    const define = async (): Promise<void> => {
      addRoute(app, { content: { 'application/json': {} } })
      await app.ready()
    }
    await expect(define()).rejects.toThrow('application/json')
  })

  ours('the peers let the body pass unvalidated')(
    'responds with 415 to a type that the map does not list',
    async () => {
      const app = addRoute(createApp(), { content: { 'application/json': { schema: { type: 'object' } } } })
      const response = await send(app, { ...post, headers: { 'content-type': 'text/plain' }, body: 'abc' })
      expect(response.status).toBe(415)
    },
  )

  ours('the peers let no body pass unvalidated')('responds with 400 to no body at all', async () => {
    const app = addRoute(createApp())
    expect((await send(app, post)).status).toBe(400)
    expect((await send(app, { ...post, headers: { 'content-type': 'application/json' } })).status).toBe(400)
  })

  ours('the peers let no body pass unvalidated')(
    'names the types of the map where there is no body',
    async () => {
      const response = await send(addRoute(createApp()), post)
      expect(response.json()).toMatchObject({
        code: 'CLO_ERR_ROUTE_MISSING_CONTENT',
        message: expect.stringContaining('application/json, text/plain'),
      })
    },
  )

  ours('the peers let the body pass unvalidated')(
    'names the type that the map does not list, and responds with 415 to a body without a type',
    async () => {
      const app = createApp()
      app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
      addRoute(app)
      const response = await send(app, { ...post, headers: { 'content-type': 'text/html' }, body: 'x' })
      expect([response.status, response.json()]).toMatchObject([
        415,
        { message: expect.stringContaining('text/html') },
      ])
      expect((await send(app, { ...post, body: 'x' })).status).toBe(415)
    },
  )

  ours('the peers validate what no parser gave')(
    'validates what a parser of a listed type gave, undefined too',
    async () => {
      const app = createApp()
      app.removeContentTypeParser('text/plain')
      app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, _body, done) => done(null))
      const headers = { 'content-type': 'text/plain' }
      const response = await send(addRoute(app), { ...post, headers, body: 'x' })
      expect([response.status, response.json()]).toMatchObject([400, { message: 'body must be string' }])
    },
  )

  ours('the peers validate null in its place')(
    'asks for no body of a method that seldom has one, and validates one that came',
    async () => {
      for (const method of ['DELETE', 'PROPFIND']) {
        const app = createApp()
        app.route({
          method,
          url: '/',
          schema: { body: CONTENT },
          handler: (request) => ({ seen: request.body }),
        })
        expect((await send(app, { method, path: '/' })).json()).toEqual({})
        expect((await send(app, { method, path: '/', body: { n: '5' } })).json()).toEqual({ seen: { n: 5 } })
        expect((await send(app, { method, path: '/', body: { n: 'x' } })).status).toBe(400)
      }
    },
  )

  ours('the peers compare keys to the letter')('reads keys of the map in any letter case', async () => {
    const app = addRoute(createApp(), {
      content: { 'Application/JSON': { schema: { type: 'object', properties: { n: { type: 'integer' } } } } },
    })
    expect((await send(app, { ...post, body: { n: '5' } })).json()).toEqual({ seen: { n: 5 } })
    expect((await send(app, { ...post, body: { n: 'x' } })).status).toBe(400)
  })

  ours('the peers take any string for a key')('refuses a key that is not a media type', async () => {
    const app = createApp()
    const define = async (): Promise<void> => {
      addRoute(app, { content: { json: { schema: { type: 'object' } } } })
      await app.ready()
    }
    await expect(define()).rejects.toThrow('json')
  })

  ours('the peers keep both')('refuses two keys that are the same media type', async () => {
    const app = createApp()
    const define = async (): Promise<void> => {
      const entry = { schema: { type: 'object' } }
      addRoute(app, { content: { 'application/json': entry, 'Application/Json': entry } })
      await app.ready()
    }
    await expect(define()).rejects.toThrow(/application\/json/i)
  })

  ours('the peers let a type of a custom parser pass unvalidated')(
    'responds with 415 to a type that a custom parser reads and the map does not list',
    async () => {
      const app = createApp()
      app.addContentTypeParser(/^application\/.*\+json/, { parseAs: 'string' }, (_request, body, done) => {
        done(null, JSON.parse(String(body)))
      })
      addRoute(app, { content: { 'application/json': { schema: { type: 'object' } } } })
      const headers = { 'content-type': 'application/vnd.api+json' }
      expect((await send(app, { ...post, headers, body: '{"n":1}' })).status).toBe(415)
    },
  )

  ours('the peers do not know it')('applies */* to every type that has no entry of its own', async () => {
    const app = addRoute(createApp(), {
      content: {
        'application/json': { schema: { type: 'object' } },
        '*/*': { schema: { type: 'string', maxLength: 3 } },
      },
    })
    const headers = { 'content-type': 'text/plain' }
    expect((await send(app, { ...post, headers, body: 'abc' })).json()).toEqual({ seen: 'abc' })
    expect((await send(app, { ...post, headers, body: 'abcd' })).status).toBe(400)
    expect((await send(app, { ...post, body: { a: 1 } })).json()).toEqual({ seen: { a: 1 } })
  })

  it('validates what a custom parser made of its type', async () => {
    const app = createApp()
    app.addContentTypeParser('application/x-pairs', { parseAs: 'string' }, (_request, body, done) => {
      done(
        null,
        Object.fromEntries(
          String(body)
            .split('&')
            .map((pair) => pair.split('=')),
        ),
      )
    })
    addRoute(app, {
      content: {
        'application/x-pairs': { schema: { type: 'object', properties: { n: { type: 'integer' } } } },
      },
    })
    const headers = { 'content-type': 'application/x-pairs' }
    expect((await send(app, { ...post, headers, body: 'n=5' })).json()).toEqual({ seen: { n: 5 } })
    expect((await send(app, { ...post, headers, body: 'n=word' })).status).toBe(400)
  })

  it('hands httpPart and contentType to the compiler', async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.setValidatorCompiler(({ httpPart, contentType }) => {
      seen.push([httpPart, contentType])
      return () => true
    })
    addRoute(app)
    await app.ready()
    expect(seen).toEqual([
      ['body', 'application/json'],
      ['body', 'text/plain'],
    ])
  })
})
