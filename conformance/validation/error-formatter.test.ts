import { isPeer } from '../harness/subject.ts'
import { describeBehind } from '../harness/transports.ts'

const SCHEMA = { type: 'object', properties: { v: { type: 'integer' } }, required: ['v'] }
const ALL = { params: SCHEMA, body: SCHEMA, querystring: SCHEMA, headers: SCHEMA }

describeBehind('schemaErrorFormatter', ({ createApp, send, it, expect, ours }) => {
  const bad = { method: 'POST', path: '/', body: {} }
  const own = (errors: readonly unknown[], part: string): Error =>
    new Error(`${part}: ${errors.length} error(s)`)

  it('makes the error as an option of the factory', async () => {
    const app = createApp({ schemaErrorFormatter: own })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    const response = await send(app, bad)
    expect(response.json()).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: 'body: 1 error(s)',
    })
  })

  it('makes the error as set on the instance, whose this is the instance', async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.decorate('greeting', 'hello')
    app.setSchemaErrorFormatter(function (errors, part) {
      seen.push(this['greeting'])
      return own(errors, part)
    })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, bad)).json()).toMatchObject({ message: 'body: 1 error(s)' })
    expect(seen).toEqual(['hello'])
  })

  it('has the violations of its request, where one Error is returned for all', async () => {
    const frozen = isPeer ? [] : [Object.freeze(new Error('frozen'))]
    for (const one of [new Error('not valid'), ...frozen]) {
      const app = createApp({ schemaErrorFormatter: () => one })
      app.post('/', { schema: { body: SCHEMA, querystring: SCHEMA } }, () => 'never')
      app.setErrorHandler((error, _request, reply) => {
        const { validation, validationContext } = error as unknown as Record<string, unknown>
        void reply.code(400).send({ validation, validationContext })
      })
      for (const body of [{ v: 'first' }, {}]) {
        const response = await send(app, { ...bad, path: '/?v=1', body })
        const keyword = 'v' in body ? 'type' : 'required'
        expect(response.json()).toMatchObject({ validation: [{ keyword }], validationContext: 'body' })
      }
      expect((await send(app, { ...bad, body: { v: 1 } })).json()).toMatchObject({
        validationContext: expect.stringMatching(/^query/),
      })
    }
  })

  it('makes the very error that error handlers get, with members that are copied with it', async () => {
    const one = new Error('not valid')
    const app = createApp({ schemaErrorFormatter: () => one })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    app.setErrorHandler((error, _request, reply) => {
      const { validation, validationContext } = Object.assign({}, error)
      void reply.code(400).send([error === one, Array.isArray(validation), validationContext])
    })
    expect((await send(app, bad)).json()).toEqual([true, true, 'body'])
  })

  ours('the object itself is thrown')('may return an object: the error has its members', async () => {
    const app = createApp({
      schemaErrorFormatter: (errors: readonly unknown[]) => ({
        statusCode: 422,
        message: 'bad',
        count: errors.length,
      }),
    })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    app.setErrorHandler((error, _request, reply) => {
      const { statusCode, message, count } = error as unknown as Record<string, unknown>
      void reply.code(422).send({ statusCode, message, count })
    })
    expect((await send(app, bad)).json()).toEqual({ statusCode: 422, message: 'bad', count: 1 })
  })

  ours('the object itself is sent, with 200')(
    'may return an object without a message: the error has its members, and the default message',
    async () => {
      const app = createApp({ schemaErrorFormatter: () => ({ statusCode: 422, count: 1 }) })
      app.post('/', { schema: { body: SCHEMA } }, () => 'never')
      const response = await send(app, bad)
      expect([response.status, response.json()]).toMatchObject([
        422,
        { message: "body must have required property 'v'" },
      ])
    },
  )

  ours('the object itself is sent, with 200')(
    'may return an object whose message is undefined, which is none',
    async () => {
      const app = createApp({ schemaErrorFormatter: () => ({ message: undefined, statusCode: 422 }) })
      app.post('/', { schema: { body: SCHEMA } }, () => 'never')
      const response = await send(app, bad)
      expect([response.status, response.json()]).toMatchObject([
        422,
        { message: "body must have required property 'v'" },
      ])
    },
  )

  ours('the peers fail with a TypeError of their own')(
    'is the fault of the app where it returns a number, which the error names',
    async () => {
      const app = createApp({ schemaErrorFormatter: () => 5 })
      app.post('/', { schema: { body: SCHEMA } }, () => 'never')
      const response = await send(app, bad)
      expect(response.status).toBe(500)
      expect(response.json()).toMatchObject({ message: expect.stringContaining('one that returned number') })
    },
  )

  it('is the fault of the app where it returns nothing', async () => {
    const app = createApp({ schemaErrorFormatter: () => undefined })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, bad)).status).toBe(500)
  })

  it('makes the error for one route', async () => {
    const app = createApp({ schemaErrorFormatter: own })
    app.post(
      '/',
      { schema: { body: SCHEMA }, schemaErrorFormatter: () => new Error('of the route') },
      () => 'never',
    )
    app.post('/other', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, bad)).json()).toMatchObject({ statusCode: 400, message: 'of the route' })
    expect((await send(app, { ...bad, path: '/other' })).json()).toMatchObject({
      message: 'body: 1 error(s)',
    })
  })

  it('holds for the context and its descendants', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.setSchemaErrorFormatter(() => new Error('of the child'))
      child.post('/child', { schema: { body: SCHEMA } }, () => 'never')
      child.register(async (grandchild) => {
        grandchild.post('/below', { schema: { body: SCHEMA } }, () => 'never')
      })
    })
    app.post('/root', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, { ...bad, path: '/child' })).json()).toMatchObject({ message: 'of the child' })
    expect((await send(app, { ...bad, path: '/below' })).json()).toMatchObject({ message: 'of the child' })
    expect((await send(app, { ...bad, path: '/root' })).json()).toMatchObject({
      message: "body must have required property 'v'",
    })
  })

  for (const [part, path, body] of [
    ['params', '/x?v=1', { v: 1 }],
    ['body', '/1?v=1', {}],
    ['querystring', '/1', { v: 1 }],
    ['headers', '/1?v=1', { v: 1 }],
  ] as const) {
    it(`gets ${part} as dataVar`, async () => {
      const app = createApp({
        schemaErrorFormatter: (_errors: unknown, dataVar: string) => new Error(dataVar),
      })
      app.post('/:v', { schema: ALL }, () => 'never')
      expect((await send(app, { method: 'POST', path, body })).json()).toMatchObject({ message: part })
    })
  }

  it('is given the error objects of the validator', async () => {
    const seen: unknown[] = []
    const app = createApp({
      schemaErrorFormatter: (errors: unknown) => {
        seen.push(errors)
        return new Error('formatted')
      },
    })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    await send(app, bad)
    expect(seen).toEqual([
      [
        {
          keyword: 'required',
          instancePath: '',
          schemaPath: '#/required',
          params: { missingProperty: 'v' },
          message: "must have required property 'v'",
        },
      ],
    ])
  })

  it('keeps validation and validationContext on its error', async () => {
    const app = createApp({ schemaErrorFormatter: own })
    app.setErrorHandler((error, _request, reply) =>
      reply.code(400).send([error.validationContext, Array.isArray(error.validation), error.statusCode]),
    )
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, bad)).json()).toEqual(['body', true, 400])
  })

  it('keeps a statusCode that its error has', async () => {
    const app = createApp({
      schemaErrorFormatter: () => Object.assign(new Error('unprocessable'), { statusCode: 422 }),
    })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, bad)).json()).toMatchObject({ statusCode: 422, message: 'unprocessable' })
  })

  it('makes the error that attachValidation attaches', async () => {
    const app = createApp({ schemaErrorFormatter: own })
    app.post('/', { schema: { body: SCHEMA }, attachValidation: true }, (request) => ({
      message: request.validationError?.message,
    }))
    expect((await send(app, bad)).json()).toEqual({ message: 'body: 1 error(s)' })
  })

  it('formats the errors of a custom validator that has their structure', async () => {
    const app = createApp({ schemaErrorFormatter: own })
    const validatorCompiler = () => () => ({ error: [{ message: 'a' }, { message: 'b' }] })
    app.post('/', { schema: { body: SCHEMA }, validatorCompiler }, () => 'never')
    expect((await send(app, bad)).json()).toMatchObject({ message: 'body: 2 error(s)' })
  })

  ours('the peers respond with 500 with the error of their own code')(
    'never runs the handler when it returns no Error',
    async () => {
      const app = createApp({ schemaErrorFormatter: () => 'just text' })
      const ran: string[] = []
      app.post('/', { schema: { body: SCHEMA } }, () => {
        ran.push('handler')
        return 'ran'
      })
      const response = await send(app, bad)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(ran).toEqual([])
    },
  )

  it('fails the request with what it throws', async () => {
    const app = createApp({
      schemaErrorFormatter: () => {
        throw new Error('broken formatter')
      },
    })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, bad)).status).toBe(500)
  })

  it('refuses what is not a function', async () => {
    expect(() => createApp({ schemaErrorFormatter: 'text' })).toThrow()
    const app = createApp()
    expect(() => Reflect.apply(app.setSchemaErrorFormatter, app, ['text'])).toThrow()
  })

  ours('the peers find out at the first request')(
    'refuses what is not a function for one route',
    async () => {
      const app = createApp()
      const define = async (): Promise<void> => {
        app.post('/', { schema: { body: SCHEMA }, schemaErrorFormatter: 'text' }, () => 'never')
        await app.ready()
      }
      await expect(define()).rejects.toThrow(/schemaErrorFormatter/)
    },
  )
})
