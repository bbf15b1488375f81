import { describeBehind } from '../harness/transports.ts'

describeBehind('header schemas', ({ createApp, send, it, expect, ours, line4 }) => {
  it('makes a required property a required header', async () => {
    const app = createApp()
    const headers = { type: 'object', properties: { 'x-foo': { type: 'string' } }, required: ['x-foo'] }
    app.get('/', { schema: { headers } }, () => 'ran')
    expect((await send(app, { path: '/', headers: { 'x-foo': 'a' } })).text).toBe('ran')
    const response = await send(app, { path: '/' })
    expect(response.json()).toMatchObject({
      statusCode: 400,
      message: "headers must have required property 'x-foo'",
    })
  })

  it('removes the headers that it forbids', async () => {
    const app = createApp()
    const headers = {
      type: 'object',
      properties: { 'x-foo': { type: 'string' } },
      additionalProperties: false,
    }
    app.get('/', { schema: { headers } }, (request) => request.headers)
    const response = await send(app, { path: '/', headers: { 'x-foo': 'a', 'x-other': 'b' } })
    expect(response.json()).toEqual({ 'x-foo': 'a' })
  })

  it('lowers the names that the author wrote in other letters', async () => {
    const app = createApp()
    const headers = { type: 'object', properties: { 'X-Foo': { type: 'integer' } }, required: ['X-FOO'] }
    app.get('/', { schema: { headers } }, (request) => ({ foo: request.headers['x-foo'] }))
    expect((await send(app, { path: '/', headers: { 'X-Foo': '7' } })).json()).toEqual({ foo: 7 })
    expect((await send(app, { path: '/', headers: { 'x-foo': 'word' } })).status).toBe(400)
    expect((await send(app, { path: '/' })).status).toBe(400)
  })

  ours('5.x refuses to start')('follows references to names in other letters', async () => {
    const app = createApp()
    app.addSchema({ $id: 'user', type: 'object', properties: { tenantId: { type: 'integer' } } })
    const headers = {
      type: 'object',
      properties: { 'X-A': { $ref: 'user#/properties/tenantId' }, 'X-B': { $ref: '#/properties/X-A' } },
    }
    app.get('/', { schema: { headers } }, ({ headers }) => ({ a: headers['x-a'], b: headers['x-b'] }))
    expect((await send(app, { path: '/', headers: { 'x-a': '1', 'x-b': '2' } })).json()).toEqual({
      a: 1,
      b: 2,
    })
    expect((await send(app, { path: '/', headers: { 'x-b': 'word' } })).status).toBe(400)
  })

  line4('5.x has no shortened form')('lowers the names of the shortened form', async () => {
    const app = createApp()
    app.get('/', { schema: { headers: { 'X-Foo': { type: 'integer' } } } }, (request) => ({
      foo: request.headers['x-foo'],
    }))
    expect((await send(app, { path: '/', headers: { 'X-Foo': '7' } })).json()).toEqual({ foo: 7 })
    expect((await send(app, { path: '/', headers: { 'x-foo': 'word' } })).status).toBe(400)
  })

  ours('the 4.x and 5.x lines compare the names of a shared schema as they are written')(
    'lowers the names of shared schemas that a header schema refers to',
    async () => {
      const app = createApp()
      app.addSchema({
        $id: 'base',
        type: 'object',
        properties: { 'X-N': { type: 'integer' } },
        required: ['X-N'],
      })
      app.addSchema({ $id: 'more', allOf: [{ $ref: 'base#' }] })
      app.get('/', { schema: { headers: { $ref: 'more#' } } }, (request) => ({ n: request.headers['x-n'] }))
      app.post('/', { schema: { body: { $ref: 'base#' } } }, (request) => request.body)
      expect((await send(app, { path: '/', headers: { 'X-N': '7' } })).json()).toEqual({ n: 7 })
      expect((await send(app, { path: '/', headers: { 'x-n': 'word' } })).status).toBe(400)
      expect((await send(app, { path: '/' })).status).toBe(400)
      // A body keeps the names as they are.
      expect((await send(app, { method: 'POST', path: '/', body: { 'X-N': 7 } })).json()).toEqual({
        'X-N': 7,
      })
    },
  )

  it('does not change the schema of the author', async () => {
    const app = createApp()
    const headers = { type: 'object', properties: { 'X-Foo': { type: 'integer' } }, required: ['X-Foo'] }
    app.get('/', { schema: { headers } }, () => 'ran')
    await app.ready()
    expect(headers.required).toEqual(['X-Foo'])
    expect(Object.keys(headers.properties)).toEqual(['X-Foo'])
  })

  it('coerces and fills header values', async () => {
    const app = createApp()
    const headers = {
      type: 'object',
      properties: {
        'x-n': { type: 'integer' },
        'x-flag': { type: 'boolean' },
        'x-mode': { default: 'fast' },
      },
    }
    app.get('/', { schema: { headers } }, (request) => [
      request.headers['x-n'],
      request.headers['x-flag'],
      request.headers['x-mode'],
    ])
    const response = await send(app, { path: '/', headers: { 'x-n': '1', 'x-flag': 'true' } })
    expect(response.json()).toEqual([1, true, 'fast'])
  })

  const NESTED: readonly { where: string; headers: object; bad: Record<string, string> }[] = [
    {
      where: 'dependencies',
      headers: { type: 'object', dependencies: { 'X-Admin': ['X-Key'] } },
      bad: { 'x-admin': 'on' },
    },
    {
      where: 'the schemas of dependencies',
      headers: { type: 'object', dependencies: { 'X-Admin': { type: 'object', required: ['X-Key'] } } },
      bad: { 'x-admin': 'on' },
    },
    {
      where: 'allOf',
      headers: { allOf: [{ type: 'object', required: ['X-Key'] }] },
      bad: { 'x-admin': 'on' },
    },
    {
      where: 'if and then',
      headers: { type: 'object', if: { required: ['X-Admin'] }, then: { required: ['X-Key'] } },
      bad: { 'x-admin': 'on' },
    },
    {
      where: 'definitions',
      headers: {
        $ref: '#/definitions/keyed',
        definitions: { keyed: { type: 'object', required: ['X-Key'] } },
      },
      bad: { 'x-admin': 'on' },
    },
  ]
  for (const { where, headers, bad } of NESTED) {
    ours('the peers, or the older of them, lower names at the top only')(
      `lowers names below ${where}`,
      async () => {
        const app = createApp()
        app.get('/', { schema: { headers } }, () => 'ran')
        expect((await send(app, { path: '/', headers: { ...bad, 'x-key': 'k' } })).text).toBe('ran')
        expect((await send(app, { path: '/', headers: bad })).status).toBe(400)
      },
    )
  }

  it('says headers in the message and in the context', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => reply.send({ context: error.validationContext }))
    app.get('/', { schema: { headers: { type: 'object', required: ['x-foo'] } } }, () => 'never')
    expect((await send(app, { path: '/' })).json()).toEqual({ context: 'headers' })
  })
})
