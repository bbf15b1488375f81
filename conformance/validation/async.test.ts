import { Ajv } from 'ajv'
import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

const POST = { method: 'POST', path: '/1?a=1', body: { sent: 1 } }

const inUse = {
  keyword: 'freeName',
  async: true,
  type: 'string' as const,
  validate: async (_: unknown, name: string): Promise<boolean> => {
    await Promise.resolve()
    return name !== 'taken'
  },
}

describeBehind('$async schemas', ({ createApp, send, it, expect, ours }) => {
  const asyncApp = (): App =>
    createApp({ ajv: { customOptions: { keywords: [inUse] } } }).addSchema({ $id: 'shared', type: 'object' })
  const schema = { $async: true, type: 'object', properties: { name: { type: 'string', freeName: true } } }

  for (const [part, path] of [
    ['body', '/x'],
    ['querystring', '/x?name=NAME'],
    ['params', '/NAME'],
    ['headers', '/x'],
  ] as const) {
    it(`awaits a $async schema of ${part}`, async () => {
      const app = asyncApp()
      app.post('/:name', { schema: { [part]: schema } }, () => 'ran')
      const request = (name: string): Parameters<typeof send>[1] => ({
        method: 'POST',
        path: path.replace('NAME', name),
        body: { name },
        headers: { name },
      })
      expect((await send(app, request('free'))).text).toBe('ran')
      expect((await send(app, request('taken'))).status).toBe(400)
    })
  }

  it('hands the coerced and filled body to the handler', async () => {
    const app = asyncApp()
    const body = { ...schema, properties: { n: { type: 'integer' }, d: { default: 1 } } }
    app.post('/', { schema: { body } }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/', body: { n: '5' } })).json()).toEqual({ n: 5, d: 1 })
  })

  it('responds with 400 when a $async schema fails', async () => {
    const app = asyncApp()
    app.post('/', { schema: { body: { ...schema, required: ['name'] } } }, () => 'never')
    const response = await send(app, { method: 'POST', path: '/', body: {} })
    expect(response.json()).toMatchObject({ statusCode: 400, error: 'Bad Request' })
  })

  ours("the peers show the text of Ajv's own error")('gives the usual message and context', async () => {
    const app = asyncApp()
    app.setErrorHandler((error, _request, reply) =>
      reply.code(400).send({
        message: error.message,
        context: error.validationContext,
        keywords: Array.isArray(error.validation) ? error.validation.map((one) => Object(one).keyword) : null,
      }),
    )
    app.post('/', { schema: { body: { ...schema, required: ['name'] } } }, () => 'never')
    expect((await send(app, { method: 'POST', path: '/', body: {} })).json()).toEqual({
      message: "body must have required property 'name'",
      context: 'body',
      keywords: ['required'],
    })
  })

  for (const body of [{ value: { name: 'inner' } }, { error: 'not an error' }, { value: 1, error: 2 }]) {
    ours('4.x takes a body with such keys for the result of a custom validator')(
      `does not change a body that is ${JSON.stringify(body)}`,
      async () => {
        const app = asyncApp()
        app.post('/', { schema: { body: schema } }, (request) => ({ seen: request.body }))
        expect((await send(app, { method: 'POST', path: '/', body })).json()).toEqual({ seen: body })
      },
    )
  }

  it('validates the parts that come after a $async one', async () => {
    const app = asyncApp()
    const strict = { type: 'object', required: ['b'] }
    app.post(
      '/:name',
      { schema: { params: schema, body: strict, querystring: strict, headers: strict } },
      () => 'ran',
    )
    const request = { method: 'POST', path: '/x?b=1', body: { b: 1 }, headers: { b: '1' } }
    expect((await send(app, request)).text).toBe('ran')
    expect((await send(app, { ...request, body: {} })).status).toBe(400)
    expect((await send(app, { ...request, path: '/x' })).status).toBe(400)
    expect((await send(app, { ...request, headers: {} })).status).toBe(400)
    expect((await send(app, { ...request, path: '/taken?b=1' })).status).toBe(400)
  })

  it('runs preHandler after a $async schema only when it passed', async () => {
    const app = asyncApp()
    const order: string[] = []
    app.post(
      '/',
      {
        schema: { body: schema },
        preHandler: (_request, _reply, done) => {
          order.push('preHandler')
          done()
        },
      },
      () => {
        order.push('handler')
        return 'ran'
      },
    )
    await send(app, { method: 'POST', path: '/', body: { name: 'taken' } })
    expect(order).toEqual([])
    await send(app, { method: 'POST', path: '/', body: { name: 'free' } })
    expect(order).toEqual(['preHandler', 'handler'])
  })

  it('attaches the failure of a $async schema', async () => {
    const app = asyncApp()
    app.post('/', { schema: { body: schema }, attachValidation: true }, (request) => ({
      failed: request.validationError instanceof Error,
      context: request.validationError?.validationContext,
    }))
    const response = await send(app, { method: 'POST', path: '/', body: { name: 'taken' } })
    expect(response.json()).toEqual({ failed: true, context: 'body' })
  })

  it('awaits a $async schema compiled by an Ajv of the application', async () => {
    const app = createApp()
    const ajv = new Ajv({ keywords: [inUse] })
    app.setValidatorCompiler(({ schema: one }) => ajv.compile(Object(one)))
    app.post('/', { schema: { body: schema } }, () => 'ran')
    expect((await send(app, { method: 'POST', path: '/', body: { name: 'free' } })).text).toBe('ran')
    expect((await send(app, { method: 'POST', path: '/', body: { name: 'taken' } })).status).toBe(400)
  })
})

describeBehind('custom validators that are asynchronous', ({ createApp, send, it, expect, ours, line4 }) => {
  const addRoute = (app: App, validate: (data: unknown) => unknown): App =>
    app.post(
      '/:id',
      { schema: { body: { type: 'object' } }, validatorCompiler: () => validate },
      (request) => ({
        seen: request.body,
      }),
    )

  line4('5.x runs the handler')('responds with 400 when the promise resolves to { error }', async () => {
    const app = addRoute(createApp(), async () => ({ error: new Error('later') }))
    const response = await send(app, POST)
    expect(response.status).toBe(400)
    expect(response.json()).toMatchObject({ message: 'later' })
  })

  line4('5.x drops the value')('replaces the body when the promise resolves to { value }', async () => {
    const app = addRoute(createApp(), async () => ({ value: { replaced: true } }))
    expect((await send(app, POST)).json()).toEqual({ seen: { replaced: true } })
  })

  for (const settled of [undefined, { sent: 'cleaned' }]) {
    it(`runs the handler with the body as it is when the promise resolves to ${JSON.stringify(settled) ?? 'nothing'}`, async () => {
      const app = addRoute(createApp(), async () => settled)
      expect((await send(app, POST)).json()).toEqual({ seen: { sent: 1 } })
    })
  }

  for (const list of ['errors', 'details', 'issues']) {
    it(`responds with 400 with the text of an Error of a library that carries ${list}`, async () => {
      const failure = Object.assign(new Error('"sent" is wrong'), { [list]: [{ path: ['sent'] }] })
      const response = await send(
        addRoute(createApp(), () => Promise.reject(failure)),
        POST,
      )
      expect(response.status).toBe(400)
      expect(response.json()).toMatchObject({ message: '"sent" is wrong' })
    })
  }

  ours('the peers call any rejection a validation error')(
    'does not take connections that all failed for a list of what is wrong',
    async () => {
      const failure = new AggregateError([new Error('refused')], 'the database is away')
      expect(
        (
          await send(
            addRoute(createApp(), () => Promise.reject(failure)),
            POST,
          )
        ).status,
      ).toBe(500)
    },
  )

  it('runs the handler when the promise resolves to true', async () => {
    const app = addRoute(createApp(), async () => true)
    expect((await send(app, POST)).json()).toEqual({ seen: { sent: 1 } })
  })

  ours('the peers run the handler, or fail')(
    'responds with 400 when the promise resolves to false',
    async () => {
      const validate = Object.assign(async () => false, {
        errors: [{ instancePath: '/a', message: 'is wrong' }],
      })
      const app = addRoute(createApp(), validate)
      const response = await send(app, POST)
      expect(response.status).toBe(400)
      expect(response.json()).toMatchObject({ message: 'body/a is wrong' })
    },
  )

  it('responds with 400 when the promise is rejected with an Error that carries errors', async () => {
    const errors = [{ instancePath: '/a', message: 'is wrong' }]
    const app = addRoute(createApp(), () => Promise.reject(Object.assign(new Error('no'), { errors })))
    expect((await send(app, POST)).status).toBe(400)
  })

  it('responds with 400 when the promise is rejected with an Error of status 400', async () => {
    const app = addRoute(createApp(), () =>
      Promise.reject(Object.assign(new Error('no'), { statusCode: 400 })),
    )
    expect((await send(app, POST)).status).toBe(400)
  })

  ours('the peers call any rejection a validation error')(
    'gives any other rejection to the error handler as it is',
    async () => {
      const app = createApp()
      const failure = new Error('the database is away')
      const seen: unknown[] = []
      app.setErrorHandler((error, _request, reply) => {
        seen.push(error, error.validation, error.validationContext)
        return reply.code(503).send('away')
      })
      addRoute(app, () => Promise.reject(failure))
      expect((await send(app, POST)).status).toBe(503)
      expect(seen).toEqual([failure, undefined, undefined])
    },
  )

  for (const reason of [undefined, null, 0, '', 'text', { a: 1 }]) {
    ours('the peers run the handler on a falsy reason')(
      `never runs the handler after a rejection with ${JSON.stringify(reason) ?? 'undefined'}`,
      async () => {
        const app = createApp()
        const ran: string[] = []
        app.post(
          '/',
          { schema: { body: { type: 'object' } }, validatorCompiler: () => () => Promise.reject(reason) },
          () => {
            ran.push('handler')
            return 'ran'
          },
        )
        const response = await send(app, { method: 'POST', path: '/', body: {} })
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(ran).toEqual([])
      },
    )

    ours('the peers run the handler on a falsy reason')(
      `never runs the handler after a throw of ${JSON.stringify(reason) ?? 'undefined'}`,
      async () => {
        const app = createApp()
        const ran: string[] = []
        const validate = (): never => {
          // What is thrown here is what the test is about.
          throw reason
        }
        app.post('/', { schema: { body: { type: 'object' } }, validatorCompiler: () => validate }, () => {
          ran.push('handler')
          return 'ran'
        })
        const response = await send(app, { method: 'POST', path: '/', body: {} })
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(ran).toEqual([])
      },
    )
  }

  ours('the peers call catch() on it and fail')('awaits a thenable that is not a promise', async () => {
    const thenable = { then: (resolve: (value: unknown) => void) => setImmediate(resolve, true) }
    const app = addRoute(createApp(), () => thenable)
    expect((await send(app, POST)).json()).toEqual({ seen: { sent: 1 } })
  })
})
