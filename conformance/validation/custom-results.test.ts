import type { App } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { describeBehind } from '../harness/transports.ts'

type Validate = ((data: unknown) => unknown) & { errors?: unknown }

function addRoute(app: App, validate: Validate, part = 'body'): App {
  const options = { schema: { [part]: { type: 'object' } }, validatorCompiler: () => validate }
  const seen = part === 'querystring' ? 'query' : part
  return app.post('/:id', options, (request) => ({ seen: request[seen] }))
}

const POST = { method: 'POST', path: '/1?a=1', body: { sent: 1 } }

describeBehind('what a custom validator returns', ({ createApp, send, it, expect, ours, line4 }) => {
  for (const part of ['body', 'querystring', 'params', 'headers']) {
    it(`replaces ${part} by { value }`, async () => {
      const app = addRoute(createApp(), () => ({ value: { replaced: true } }), part)
      // Headers are merged over those that came; the other parts are replaced as a whole.
      const seen = { replaced: true, ...(part === 'headers' ? { host: expect.any(String) } : {}) }
      expect((await send(app, POST)).json()).toMatchObject({ seen })
    })

    it(`responds with 400 to { error } for ${part}`, async () => {
      const app = addRoute(createApp(), () => ({ error: new Error('not this') }), part)
      const response = await send(app, POST)
      expect(response.status).toBe(400)
      expect(response.json()).toEqual({
        statusCode: 400,
        code: code('VALIDATION'),
        error: 'Bad Request',
        message: 'not this',
      })
    })
  }

  it('keeps the part when the function returns true', async () => {
    const app = addRoute(createApp(), () => true)
    expect((await send(app, POST)).json()).toEqual({ seen: { sent: 1 } })
  })

  it('keeps what the function changed in place', async () => {
    const app = addRoute(createApp(), (data) => {
      Object.assign(Object(data), { added: 2 })
      return true
    })
    expect((await send(app, POST)).json()).toEqual({ seen: { sent: 1, added: 2 } })
  })

  it('responds with 400 with the errors of the function when it returns false', async () => {
    const app = createApp()
    const errors = [
      { keyword: 'own', instancePath: '/sent', schemaPath: '#/own', params: {}, message: 'must be nice' },
    ]
    const validate: Validate = Object.assign(() => false, { errors })
    app.setErrorHandler((error, _request, reply) =>
      reply.code(error.statusCode ?? 500).send({ message: error.message, validation: error.validation }),
    )
    addRoute(app, validate)
    const response = await send(app, POST)
    expect(response.status).toBe(400)
    expect(response.json()).toEqual({ message: 'body/sent must be nice', validation: errors })
  })

  for (const result of [undefined, null, 'yes', 1, {}, []]) {
    ours('the peers take whatever is not false for success')(
      `responds with 500 when the function returns ${JSON.stringify(result) ?? 'undefined'}, which says nothing`,
      async () => {
        const app = addRoute(createApp(), () => result)
        const response = await send(app, POST)
        expect(response.status).toBe(500)
        expect(response.json()).toMatchObject({ code: code('VALIDATOR_RESULT') })
      },
    )
  }

  it('refuses when { error } comes beside { value }', async () => {
    const app = addRoute(createApp(), () => ({ error: new Error('no'), value: {} }))
    expect((await send(app, POST)).status).toBe(400)
  })

  it('keeps a statusCode that the error of a custom validator has', async () => {
    const app = addRoute(createApp(), () => ({
      error: Object.assign(new Error('gone'), { statusCode: 422 }),
    }))
    expect((await send(app, POST)).status).toBe(422)
  })

  it('passes an Error on as it is', async () => {
    const app = createApp()
    const own = new TypeError('mine')
    const seen: unknown[] = []
    app.setErrorHandler((error, _request, reply) => {
      seen.push(error, error.validationContext, error.statusCode)
      return reply.code(400).send('handled')
    })
    addRoute(app, () => ({ error: own }))
    expect((await send(app, POST)).text).toBe('handled')
    expect(seen).toEqual([own, 'body', 400])
  })

  ours('the peers do not validate it')('gives an Error of { error } a validation', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) =>
      reply.code(400).send({ isValidation: error.validation !== undefined }),
    )
    addRoute(app, () => ({ error: new Error('mine') }))
    expect((await send(app, POST)).json()).toEqual({ isValidation: true })
  })

  it('puts an { error } that is a list of errors into error.validation', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) =>
      reply.code(400).send({ validation: error.validation, message: error.message }),
    )
    addRoute(app, () => ({ error: [{ instancePath: '/a', message: 'is wrong' }] }))
    expect((await send(app, POST)).json()).toEqual({
      validation: [{ instancePath: '/a', message: 'is wrong' }],
      message: 'body/a is wrong',
    })
  })

  for (const [name, error] of [
    ['a string', 'just text'],
    ['an object', { reason: 'because' }],
    ['true', true],
  ] as const) {
    ours('the formatter of the peers fails on it and the client gets a 500')(
      `puts an { error } that is ${name} into error.validation`,
      async () => {
        const app = createApp()
        app.setErrorHandler((raised, _request, reply) =>
          reply.code(raised.statusCode ?? 500).send({ validation: raised.validation }),
        )
        addRoute(app, () => ({ error }))
        const response = await send(app, POST)
        expect(response.status).toBe(400)
        expect(response.json()).toEqual({ validation: error })
      },
    )
  }

  for (const value of [0, false, '', null]) {
    ours('the peers drop a falsy value')(
      `replaces the body by { value: ${JSON.stringify(value)} }`,
      async () => {
        const app = addRoute(createApp(), () => ({ value }))
        expect((await send(app, POST)).json()).toEqual({ seen: value })
      },
    )
  }

  line4('5.x replaces the part by undefined')('keeps the part when { value } is undefined', async () => {
    const app = addRoute(createApp(), () => ({ value: undefined }))
    expect((await send(app, POST)).json()).toEqual({ seen: { sent: 1 } })
  })

  ours('the peers read inherited members')("takes a value only when it is the result's own", async () => {
    const app = addRoute(createApp(), () => Object.create({ value: 'inherited' }))
    const response = await send(app, POST)
    expect(response.text).not.toContain('inherited')
  })

  line4('5.x makes it a 500')('responds with what the function throws', async () => {
    const app = addRoute(createApp(), () => {
      throw Object.assign(new Error('thrown'), { statusCode: 418 })
    })
    expect((await send(app, POST)).status).toBe(418)
  })

  it('hands the replaced value to what validates next', async () => {
    const app = createApp()
    const order: unknown[] = []
    const validatorCompiler =
      ({ httpPart }: { httpPart: string }) =>
      (data: unknown) => {
        order.push(httpPart)
        return { value: { httpPart, data: httpPart === 'headers' ? null : data } }
      }
    const type = 'object'
    const schema = { body: { type }, querystring: { type }, params: { type }, headers: { type } }
    app.post('/:id', { schema, validatorCompiler }, (request) => [
      request.params,
      request.body,
      request.query,
    ])
    expect((await send(app, POST)).json()).toEqual([
      { httpPart: 'params', data: { id: '1' } },
      { httpPart: 'body', data: { sent: 1 } },
      { httpPart: 'querystring', data: { a: '1' } },
    ])
    expect(order).toEqual(['params', 'body', 'querystring', 'headers'])
  })

  it('sees null where there is no body', async () => {
    const app = createApp()
    const seen: unknown[] = []
    const validatorCompiler = () => (data: unknown) => {
      seen.push(data)
      return true
    }
    app.post('/', { schema: { body: { type: 'object' } }, validatorCompiler }, () => 'ran')
    expect((await send(app, { method: 'POST', path: '/' })).text).toBe('ran')
    expect(seen).toEqual([null])
  })
})
