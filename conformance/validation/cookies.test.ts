// `schema.cookies`: the cookies of a request as one of its parts.
import type { App, Request } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'

const schema = {
  cookies: {
    type: 'object',
    required: ['__Host-sid'],
    properties: {
      '__Host-sid': { type: 'string', minLength: 4 },
      visits: { type: 'integer' },
      theme: { type: 'string', default: 'light' },
    },
  },
}

describeTransports('validation: cookies', ({ createApp, send, ours, expect }) => {
  const test = ours('4.x and 5.x only document cookies')
  const start = (options: Record<string, unknown> = {}): App => {
    const app = createApp(options)
    app.get('/', { schema }, (request: Request) => request['cookies'])
    return app
  }
  const get = (app: App, cookie: string) => send(app, { path: '/', headers: { cookie } })

  test('are read by their names, coerced, and completed by defaults', async () => {
    const response = await get(start(), 'other=1; __Host-sid="a%20bc"; visits=3')
    expect(response.json()).toEqual({ '__Host-sid': 'a bc', visits: 3, theme: 'light' })
  })

  test('that miss their schema are a 400', async () => {
    const app = start()
    expect((await get(app, '__Host-sid=abc')).json()).toMatchObject({
      statusCode: 400,
      message: 'cookies/__Host-sid must NOT have fewer than 4 characters',
    })
    expect((await send(app, { path: '/' })).status).toBe(400)
  })

  test('keep text that is not percent-encoded UTF-8', async () => {
    expect((await get(start(), '__Host-sid=%zz%41')).json()).toMatchObject({ '__Host-sid': '%zz%41' })
  })

  test('have their first value, or with strict none, if a name is sent twice', async () => {
    const twice = '__Host-sid=first; __Host-sid=second'
    expect((await get(start(), twice)).json()).toMatchObject({ '__Host-sid': 'first' })
    const strict = await get(start({ duplicateNames: 'refuse' }), twice)
    expect([strict.status, strict.json()]).toMatchObject([
      400,
      { message: expect.stringContaining('cookies/__Host-sid') },
    ])
  })

  test('with the name of a prototype pollute nothing', async () => {
    const app = createApp()
    const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as object
    app.get('/', { schema: { cookies: { type: 'object', properties } } }, (request: Request) => {
      const cookies = Object(request['cookies'])
      return [Object.keys(cookies), Object.getPrototypeOf(cookies) === Object.prototype]
    })
    const [names, isPlain] = (await get(app, '__proto__=x; constructor=y')).json() as [string[], boolean]
    expect([names.toSorted(), isPlain]).toEqual([['__proto__', 'constructor'], true])
  })

  test('are those that a hook has set before', async () => {
    const app = createApp()
    app.decorateRequest('cookies', null)
    app.addHook('onRequest', async (request: Request) => {
      request['cookies'] = { '__Host-sid': 'from the plugin', other: 1 }
    })
    app.get('/', { schema }, (request: Request) => request['cookies'])
    expect((await get(app, '__Host-sid=sent')).json()).toEqual({
      '__Host-sid': 'from the plugin',
      theme: 'light',
    })
  })

  test('are only documented with cookieSchemas document', async () => {
    const app = createApp({ cookieSchemas: 'document' })
    app.get('/', { schema }, (request: Request) => String(request['cookies']))
    expect((await get(app, 'visits=x')).text).toBe('undefined')
  })
})
