import { code } from '../harness/subject.ts'
import { describeBehind } from '../harness/transports.ts'

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'number' } },
  required: ['name'],
}

describeBehind('validation errors', ({ createApp, send, it, expect, ours }) => {
  const bad = { method: 'POST', path: '/', body: { age: 1 } }

  it('responds with 400 with statusCode, code, error and message', async () => {
    const app = createApp()
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    const received = await send(app, bad)
    expect(received.status).toBe(400)
    expect(received.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(received.json()).toEqual({
      statusCode: 400,
      code: code('VALIDATION'),
      error: 'Bad Request',
      message: "body must have required property 'name'",
    })
  })

  const MESSAGES: readonly { part: string; path: string; schema: object; message: string }[] = [
    {
      part: 'params',
      path: '/x',
      schema: { properties: { v: { type: 'integer' } } },
      message: 'params/v must be integer',
    },
    {
      part: 'querystring',
      path: '/1?v=x',
      schema: { properties: { v: { type: 'integer' } } },
      message: 'querystring/v must be integer',
    },
    {
      part: 'headers',
      path: '/1',
      schema: { required: ['x-key'] },
      message: "headers must have required property 'x-key'",
    },
    {
      part: 'querystring',
      path: '/1?v=abcd',
      schema: { properties: { v: { type: 'string', maxLength: 3 } } },
      message: 'querystring/v must NOT have more than 3 characters',
    },
    {
      part: 'querystring',
      path: '/1?v=c',
      schema: { properties: { v: { enum: ['a', 'b'] } } },
      message: 'querystring/v must be equal to one of the allowed values',
    },
  ]
  for (const { part, path, schema, message } of MESSAGES) {
    it(`says in the message: "${message}"`, async () => {
      const app = createApp()
      app.get('/:v', { schema: { [part]: { type: 'object', ...schema } } }, () => 'never')
      expect((await send(app, { path })).json()).toMatchObject({ statusCode: 400, message })
    })
  }

  it('names the path inside the part', async () => {
    const app = createApp()
    const body = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
      },
    }
    app.post('/', { schema: { body } }, () => 'never')
    const received = await send(app, { method: 'POST', path: '/', body: { list: [{ n: 1 }, { n: 'x' }] } })
    expect(received.json()).toMatchObject({ message: 'body/list/1/n must be integer' })
  })

  ours('the peers respond with megabytes')(
    'reports no more errors of a location than can be read',
    async () => {
      const branches = Array.from({ length: 300 }, (_, index) => ({ const: `v${index}` }))
      const numbers = { type: 'object', additionalProperties: { type: 'number' } }
      const app = createApp()
      app.post(
        '/many',
        { schema: { body: { type: 'object', properties: { v: { anyOf: branches } } } } },
        () => 'never',
      )
      app.post('/long', { schema: { body: numbers } }, () => 'never')
      const many = await send(app, { method: 'POST', path: '/many', body: { v: 'x' } })
      expect(many.status).toBe(400)
      expect(Object(many.json()).message).toMatch(/^body\/v must be equal to constant, .*, and 101 more$/)
      const long = await send(app, { method: 'POST', path: '/long', body: { ['k'.repeat(100_000)]: 'x' } })
      expect(Object(long.json()).message).toMatch(/^body\/k{999}… must be number$/)
    },
  )

  it('never runs the handler', async () => {
    const app = createApp()
    let runs = 0
    app.post('/', { schema: { body: SCHEMA } }, () => {
      runs += 1
      return 'ran'
    })
    await send(app, bad)
    expect(runs).toBe(0)
  })

  const CONTEXTS = [
    ['params', 'params', '/x'],
    ['querystring', 'query', '/1?v=x'],
    ['headers', 'headers', '/1'],
    ['body', 'body', '/1'],
  ] as const
  for (const [part, context, path] of CONTEXTS) {
    const test = part === 'querystring' ? ours('the peers say querystring; the interface says query') : it
    test(`gives validationContext ${context} for ${part}`, async () => {
      const app = createApp()
      app.setErrorHandler((error, _request, reply) =>
        reply.code(400).send({ context: error.validationContext, status: error.statusCode }),
      )
      const schema = { [part]: { type: 'object', required: ['v'], properties: { v: { type: 'integer' } } } }
      app.post('/:v', { schema }, () => 'never')
      const received = await send(app, { method: 'POST', path, body: {} })
      expect(received.json()).toEqual({ context, status: 400 })
    })
  }

  it('gives the error handler what the validator returned', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => reply.code(422).send(error.validation))
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    const received = await send(app, bad)
    expect(received.status).toBe(422)
    expect(received.json()).toEqual([
      {
        keyword: 'required',
        instancePath: '',
        schemaPath: '#/required',
        params: { missingProperty: 'name' },
        message: "must have required property 'name'",
      },
    ])
  })

  it('keeps 400 when the error handler replies with the statusCode of the error', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => reply.status(error.statusCode ?? 500).send(error))
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    const received = await send(app, bad)
    expect(received.status).toBe(400)
    expect(received.json()).toMatchObject({ message: "body must have required property 'name'" })
  })

  it('gives all errors to the error handler, and validation to validation errors only', async () => {
    const app = createApp()
    app.setErrorHandler((error, request, reply) =>
      reply
        .code(error.statusCode ?? 500)
        .send({ url: request.url, validation: 'validation' in error && error.validation !== undefined }),
    )
    app.post('/', { schema: { body: SCHEMA } }, () => {
      throw new Error('from the handler')
    })
    expect((await send(app, bad)).json()).toEqual({ url: '/', validation: true })
    const own = await send(app, { method: 'POST', path: '/', body: { name: 'a' } })
    expect(own.status).toBe(500)
    expect(own.json()).toEqual({ url: '/', validation: false })
    const malformed = await send(app, {
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect(malformed.status).toBe(400)
    expect(malformed.json()).toEqual({ url: '/', validation: false })
  })

  it('gives the error handler of the nearest context', async () => {
    const app = createApp()
    app.setErrorHandler((_error, _request, reply) => reply.code(400).send('root'))
    app.register(async (child) => {
      child.setErrorHandler((_error, _request, reply) => reply.code(400).send('child'))
      child.post('/child', { schema: { body: SCHEMA } }, () => 'never')
    })
    app.post('/root', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, { ...bad, path: '/child' })).text).toBe('child')
    expect((await send(app, { ...bad, path: '/root' })).text).toBe('root')
  })

  it('sends the default error of a validation error that the error handler throws again', async () => {
    const app = createApp()
    app.setErrorHandler((error) => {
      throw error
    })
    app.post('/', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, bad)).status).toBe(400)
  })

  it('filters the error by the response schema of its status', async () => {
    const app = createApp()
    const response = { 400: { type: 'object', properties: { message: { type: 'string' } } } }
    app.post('/', { schema: { body: SCHEMA, response } }, () => 'never')
    expect((await send(app, bad)).json()).toEqual({ message: "body must have required property 'name'" })
  })
})

describeBehind('attachValidation', ({ createApp, send, it, expect, ours }) => {
  const bad = { method: 'POST', path: '/', body: { age: 1 } }

  it('runs the handler with request.validationError', async () => {
    const app = createApp()
    app.post('/', { schema: { body: SCHEMA }, attachValidation: true }, (request) => ({
      isError: request.validationError instanceof Error,
      message: request.validationError?.message,
      validation: request.validationError?.validation,
      context: request.validationError?.validationContext,
      body: request.body,
    }))
    const received = await send(app, bad)
    expect(received.status).toBe(200)
    expect(received.json()).toEqual({
      isError: true,
      message: "body must have required property 'name'",
      validation: [expect.objectContaining({ keyword: 'required', params: { missingProperty: 'name' } })],
      context: 'body',
      body: { age: 1 },
    })
  })

  it('lets the handler send the error', async () => {
    const app = createApp()
    app.post('/', { schema: { body: SCHEMA }, attachValidation: true }, (request, reply) =>
      request.validationError ? reply.code(400).send(request.validationError) : 'ran',
    )
    const received = await send(app, bad)
    expect(received.status).toBe(400)
    expect(received.json()).toEqual({
      statusCode: 400,
      code: code('VALIDATION'),
      error: 'Bad Request',
      message: "body must have required property 'name'",
    })
    expect((await send(app, { ...bad, body: { name: 'a' } })).text).toBe('ran')
  })

  it('sets nothing when validation passed', async () => {
    const app = createApp()
    app.post('/', { schema: { body: SCHEMA }, attachValidation: true }, (request) => ({
      error: request.validationError ?? 'none',
    }))
    expect((await send(app, { ...bad, body: { name: 'a' } })).json()).toEqual({ error: 'none' })
  })

  it('runs preHandler hooks too, which see the error', async () => {
    const app = createApp()
    app.post(
      '/',
      {
        schema: { body: SCHEMA },
        attachValidation: true,
        preHandler: (request, reply, done) => {
          reply.header('x-failed', String(request.validationError instanceof Error))
          done()
        },
      },
      () => 'ran',
    )
    expect((await send(app, bad)).headers['x-failed']).toBe('true')
  })

  it('holds for its route only', async () => {
    const app = createApp()
    app.post('/', { schema: { body: SCHEMA }, attachValidation: true }, () => 'ran')
    app.post('/other', { schema: { body: SCHEMA } }, () => 'never')
    expect((await send(app, bad)).text).toBe('ran')
    expect((await send(app, { ...bad, path: '/other' })).status).toBe(400)
  })

  it('attaches the error of a custom validator', async () => {
    const app = createApp()
    const own = new Error('own')
    app.post(
      '/',
      { schema: { body: SCHEMA }, attachValidation: true, validatorCompiler: () => () => ({ error: own }) },
      (request) => ({ same: request.validationError === own }),
    )
    expect((await send(app, bad)).json()).toEqual({ same: true })
  })

  ours('the peers attach errors of any kind')('attaches no failure that is not of validation', async () => {
    const app = createApp()
    const failure = new Error('the database is away')
    app.post(
      '/',
      {
        schema: { body: SCHEMA },
        attachValidation: true,
        validatorCompiler: () => () => Promise.reject(failure),
      },
      () => 'never',
    )
    expect((await send(app, bad)).status).toBe(500)
  })

  ours('the peers take a stack of their own frames')('has no stack: no code is to blame', async () => {
    const app = createApp()
    app.post('/', { schema: { body: SCHEMA }, attachValidation: true }, (request) => ({
      stack: request.validationError?.stack,
    }))
    const received = await send(app, bad)
    expect(received.json()).toEqual({ stack: "CloisterError: body must have required property 'name'" })
  })
})
