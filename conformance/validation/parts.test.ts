import { describeBehind } from '../harness/transports.ts'
import { code } from '../harness/subject.ts'

const FULL = { type: 'object', properties: { v: { type: 'integer' } }, required: ['v'] }

describeBehind('the parts of a request', ({ createApp, send, it, expect, ours, since5, line4 }) => {
  it('needs no schema at all, and takes an empty one', async () => {
    const app = createApp()
    app.post('/none', (request) => request.body)
    app.post('/empty', { schema: {} }, (request) => request.body)
    for (const path of ['/none', '/empty']) {
      expect((await send(app, { method: 'POST', path, body: { v: 'word' } })).json()).toEqual({ v: 'word' })
    }
  })

  for (const method of ['POST', 'PUT', 'PATCH']) {
    it(`validates the body of ${method}`, async () => {
      const app = createApp()
      app.route({ method, path: '/', schema: { body: FULL }, handler: (request) => request.body })
      expect((await send(app, { method, path: '/', body: { v: '5' } })).json()).toEqual({ v: 5 })
      expect((await send(app, { method, path: '/', body: { v: 'word' } })).status).toBe(400)
      expect((await send(app, { method, path: '/', body: {} })).status).toBe(400)
    })

    it(`responds with 400 when ${method} comes without the body that the schema wants`, async () => {
      const app = createApp()
      app.route({ method, path: '/', schema: { body: FULL }, handler: () => 'never' })
      const response = await send(app, { method, path: '/' })
      expect(response.status).toBe(400)
      expect(response.json()).toMatchObject({ message: 'body must be object' })
    })
  }

  for (const name of ['querystring', 'query']) {
    it(`validates the query string under the name ${name}`, async () => {
      const app = createApp()
      app.get('/', { schema: { [name]: FULL } }, (request) => request.query)
      expect((await send(app, { path: '/?v=5' })).json()).toEqual({ v: 5 })
      const bad = await send(app, { path: '/?v=word' })
      expect(bad.status).toBe(400)
      expect(bad.json()).toMatchObject({ message: 'querystring/v must be integer' })
    })
  }

  it('refuses a route with both names of the query string', async () => {
    const app = createApp()
    const define = async (): Promise<void> => {
      app.get('/', { schema: { querystring: FULL, query: FULL } }, () => 'never')
      await app.ready()
    }
    await expect(define()).rejects.toMatchObject({ code: code('SCH_DUPLICATE') })
  })

  it('validates params', async () => {
    const app = createApp()
    app.get('/:v', { schema: { params: FULL } }, (request) => request.params)
    expect((await send(app, { path: '/5' })).json()).toEqual({ v: 5 })
    expect((await send(app, { path: '/word' })).status).toBe(400)
  })

  it('validates headers', async () => {
    const app = createApp()
    app.get('/', { schema: { headers: FULL } }, (request) => ({ v: request.headers['v'] }))
    expect((await send(app, { path: '/', headers: { v: '5' } })).json()).toEqual({ v: 5 })
    expect((await send(app, { path: '/' })).status).toBe(400)
  })

  it('keeps headers that the schema does not name', async () => {
    const app = createApp()
    app.get('/', { schema: { headers: FULL } }, (request) => ({ other: request.headers['x-other'] }))
    const response = await send(app, { path: '/', headers: { v: '5', 'x-other': 'kept' } })
    expect(response.json()).toEqual({ other: 'kept' })
  })

  it('validates params, query string and headers whatever the content type', async () => {
    const app = createApp()
    app.post('/:v', { schema: { params: FULL, querystring: FULL, headers: FULL } }, () => 'ran')
    const good = {
      method: 'POST',
      path: '/1?v=1',
      headers: { v: '1', 'content-type': 'text/plain' },
      body: 'x',
    }
    expect((await send(app, good)).text).toBe('ran')
    expect((await send(app, { ...good, path: '/x?v=1' })).status).toBe(400)
    expect((await send(app, { ...good, path: '/1?v=x' })).status).toBe(400)
    expect((await send(app, { ...good, headers: { v: 'x', 'content-type': 'text/plain' } })).status).toBe(400)
  })

  it('validates params, then body, then query string, then headers, and stops at the first failure', async () => {
    const app = createApp()
    app.post('/:v', { schema: { params: FULL, body: FULL, querystring: FULL, headers: FULL } }, () => 'ran')
    const message = async (v: string, body: unknown, query: string): Promise<unknown> => {
      const path = `/${v}?v=${query}`
      const response = await send(app, { method: 'POST', path, body: Object(body), headers: { v: 'x' } })
      return Object(response.json()).message
    }
    expect(await message('x', { v: 'x' }, 'x')).toBe('params/v must be integer')
    expect(await message('1', { v: 'x' }, 'x')).toBe('body/v must be integer')
    expect(await message('1', { v: 1 }, 'x')).toBe('querystring/v must be integer')
    expect(await message('1', { v: 1 }, '1')).toBe('headers/v must be integer')
  })

  for (const part of ['body', 'querystring', 'params', 'headers']) {
    line4('5.x has no shortened form')(`takes the shortened form in ${part}`, async () => {
      const app = createApp()
      app.post('/:v', { schema: { [part]: { v: { type: 'integer' } } } }, () => 'ran')
      const request = { method: 'POST', path: '/1?v=1', headers: { v: '1' }, body: { v: 1 } }
      expect((await send(app, request)).text).toBe('ran')
      const bad = { method: 'POST', path: '/x?v=x', headers: { v: 'x' }, body: { v: 'x' } }
      const response = await send(app, bad)
      expect(response.json()).toMatchObject({ statusCode: 400, message: `${part}/v must be integer` })
    })
  }

  line4('5.x has no shortened form')(
    'takes a parameter named like a keyword in the shortened form',
    async () => {
      const app = createApp()
      const body = { description: { type: 'string' }, items: { type: 'array', items: { type: 'integer' } } }
      app.post('/', { schema: { body } }, (request) => request.body)
      const sent = { description: 'd', items: ['1'] }
      const response = await send(app, { method: 'POST', path: '/', body: sent })
      expect(response.json()).toEqual({ description: 'd', items: [1] })
      expect((await send(app, { method: 'POST', path: '/', body: { items: ['x'] } })).status).toBe(400)
    },
  )

  it('hands the typed value to the handler in every part', async () => {
    const app = createApp()
    app.post('/:v', { schema: { params: FULL, body: FULL, querystring: FULL, headers: FULL } }, (request) => [
      request.params,
      request.body,
      request.query,
      { v: request.headers['v'] },
    ])
    const request = { method: 'POST', path: '/1?v=2', headers: { v: '3' }, body: { v: '4' } }
    expect((await send(app, request)).json()).toEqual([{ v: 1 }, { v: 4 }, { v: 2 }, { v: 3 }])
  })

  it('validates after preValidation and before preHandler', async () => {
    const app = createApp()
    const order: string[] = []
    app.post(
      '/',
      {
        schema: { body: FULL },
        preValidation: (request, _reply, done) => {
          order.push(`preValidation ${JSON.stringify(request.body)}`)
          done()
        },
        preHandler: async (request) => {
          await Promise.resolve()
          order.push(`preHandler ${JSON.stringify(request.body)}`)
        },
      },
      (request) => {
        order.push(`handler ${JSON.stringify(request.body)}`)
        return 'ran'
      },
    )
    await send(app, { method: 'POST', path: '/', body: { v: '1' } })
    expect(order).toEqual(['preValidation {"v":"1"}', 'preHandler {"v":1}', 'handler {"v":1}'])
    order.length = 0
    await send(app, { method: 'POST', path: '/', body: { v: 'word' } })
    expect(order).toEqual(['preValidation {"v":"word"}'])
  })

  it('validates what a preValidation hook made of the body', async () => {
    const app = createApp()
    app.post(
      '/',
      {
        schema: { body: FULL },
        preValidation: (request, _reply, done) => {
          request.body = { v: 'changed' }
          done()
        },
      },
      () => 'never',
    )
    expect((await send(app, { method: 'POST', path: '/', body: { v: 1 } })).status).toBe(400)
  })

  for (const method of ['GET', 'HEAD']) {
    it(`refuses a body schema on ${method} when the route is defined`, async () => {
      const app = createApp()
      const define = async (): Promise<void> => {
        app.route({ method, path: '/', schema: { body: FULL }, handler: () => 'never' })
        await app.ready()
      }
      await expect(define()).rejects.toThrow(/body/i)
    })
  }

  for (const method of ['DELETE', 'OPTIONS']) {
    it(`validates a body that ${method} carries`, async () => {
      const app = createApp()
      app.route({ method, path: '/', schema: { body: FULL }, handler: (request) => request.body })
      expect((await send(app, { method, path: '/', body: { v: '5' } })).json()).toEqual({ v: 5 })
      expect((await send(app, { method, path: '/', body: { v: 'word' } })).status).toBe(400)
    })

    ours('the peers demand a body here')(`demands no body of ${method}`, async () => {
      const app = createApp()
      app.route({ method, path: '/', schema: { body: FULL }, handler: () => 'ran' })
      expect((await send(app, { method, path: '/' })).text).toBe('ran')
    })
  }

  it('admits no body when the schema admits null', async () => {
    const app = createApp()
    app.post('/', { schema: { body: { type: ['object', 'null'] } } }, (request) => ({
      none: request.body == null,
    }))
    expect((await send(app, { method: 'POST', path: '/' })).json()).toEqual({ none: true })
  })

  for (const [name, body] of [
    ['a shared schema', { $ref: 'thing#' }],
    ['a definition of a shared schema', { $ref: 'lib#/definitions/thing' }],
    [
      'a definition of its own',
      { $ref: '#/definitions/own', definitions: { own: { type: ['object', 'null'] } } },
    ],
    ['one branch of anyOf', { anyOf: [{ type: 'boolean' }, { $ref: 'thing#' }] }],
    ['all of allOf', { allOf: [{ $ref: 'thing#' }, { type: ['object', 'null'] }] }],
  ] as const) {
    ours('4.x and 5.x differ on which of them they take')(
      `admits no body where null is named by ${name}, and a body as the schema says`,
      async () => {
        const app = createApp()
        app.addSchema({
          $id: 'thing',
          type: 'object',
          nullable: true,
          properties: { n: { type: 'integer' } },
        })
        app.addSchema({ $id: 'lib', definitions: { thing: { $ref: 'thing#' } } })
        app.post('/', { schema: { body } }, (request) => ({ kind: typeof request.body }))
        expect((await send(app, { method: 'POST', path: '/' })).json()).toEqual({ kind: 'undefined' })
        expect((await send(app, { method: 'POST', path: '/', body: { n: 1 } })).json()).toEqual({
          kind: 'object',
        })
        const headers = { 'content-type': 'application/json' }
        expect((await send(app, { method: 'POST', path: '/', headers, body: '"x"' })).status).toBe(400)
      },
    )
  }

  it('demands a body where a reference leads to a schema without null', async () => {
    const app = createApp()
    app.addSchema({ $id: 'thing', type: 'object' })
    app.post('/', { schema: { body: { $ref: 'thing#' } } }, () => 'never')
    expect((await send(app, { method: 'POST', path: '/' })).status).toBe(400)
  })

  for (const part of ['body', 'querystring', 'params', 'headers']) {
    since5('4.x reads the text of the description as a schema and fails')(
      `takes description alone as the schema of ${part}, which admits everything`,
      async () => {
        const app = createApp()
        app.post('/:id', { schema: { [part]: { description: 'anything' } } }, () => 'ran')
        expect((await send(app, { method: 'POST', path: '/1?a=1', body: { any: 1 } })).text).toBe('ran')
      },
    )
  }
})
