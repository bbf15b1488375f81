// What validators of an application return, throw and reject with beside the usual: each is read or refused by name.
import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

type Validate = ((data: unknown) => unknown) & { errors?: unknown }

const POST = { method: 'POST', path: '/', body: { sent: 1 } }
const REASON = 'the peers take whatever is not false for success, or fail with an error of their own code'

const addRoute = (app: App, validate: Validate, options: object = {}): App =>
  app.post(
    '/',
    { schema: { body: { type: 'object' } }, validatorCompiler: () => validate, ...options },
    (request) => ({ seen: request.body }),
  )

describeBehind('odd results of validators', ({ createApp, send, it, expect, ours }) => {
  const messageOf = async (validate: Validate): Promise<[number, unknown]> => {
    const response = await send(addRoute(createApp(), validate), POST)
    return [response.status, Object(response.json()).message]
  }

  ours(REASON)('name the part, the route and what came, where they say nothing', async () => {
    const results: [unknown, string][] = [
      [undefined, 'nothing'],
      [null, 'nothing'],
      ['yes', 'string'],
      [{}, 'an object without value and error'],
    ]
    for (const [result, what] of results) {
      const [status, message] = await messageOf(() => result)
      expect(status).toBe(500)
      for (const part of ['body', 'POST /', what]) expect(message).toContain(part)
    }
  })

  ours(REASON)('are refusals where the function returns nothing and has errors', async () => {
    const errors = [{ instancePath: '/sent', message: 'is wrong' }]
    for (const result of [undefined, null]) {
      const validate: Validate = Object.assign(() => result, { errors })
      expect(await messageOf(validate)).toEqual([400, 'body/sent is wrong'])
    }
    expect((await messageOf(Object.assign(() => undefined, { errors: [] })))[0]).toBe(500)
  })

  it('take an error of undefined, null or false for none', async () => {
    for (const error of [undefined, null, false]) {
      const app = addRoute(createApp(), () => ({ error, value: { kept: 1 } }))
      const response = await send(app, POST)
      expect([response.status, response.json()]).toEqual([200, { seen: { kept: 1 } }])
    }
  })

  ours(REASON)('make a message of whatever was found', async () => {
    const found: [unknown, string][] = [
      ['is wrong', 'body is wrong'],
      [['is wrong', 'is bad'], 'body is wrong, body is bad'],
      [[7], 'body is not valid'],
      [[{ instancePath: '/a', message: 7 }], 'body/a is not valid'],
      [[{ instancePath: 7, message: 'is odd' }], 'body is odd'],
      [{ message: 'alone' }, 'body alone'],
      [[], 'body is not valid'],
    ]
    for (const [error, message] of found) expect(await messageOf(() => ({ error }))).toEqual([400, message])
    expect(await messageOf(() => false)).toEqual([400, 'body is not valid'])
  })

  ours('the peers list them all')(
    'make a message of 200 violations at most, and count the others',
    async () => {
      const listOf = (length: number): object[] => Array.from({ length }, () => ({ message: 'no' }))
      const all = Array.from({ length: 200 }, () => 'body no').join(', ')
      expect(await messageOf(() => ({ error: listOf(200) }))).toEqual([400, all])
      expect(await messageOf(() => ({ error: listOf(203) }))).toEqual([400, `${all}, and 3 more`])
    },
  )

  ours('the peers write it whole')('cut a pointer of more than 1000 characters', async () => {
    const messageAt = (length: number): Promise<[number, unknown]> =>
      messageOf(() => ({ error: [{ instancePath: 'x'.repeat(length), message: 'no' }] }))
    expect(await messageAt(1000)).toEqual([400, `body${'x'.repeat(1000)} no`])
    expect(await messageAt(1001)).toEqual([400, `body${'x'.repeat(1000)}… no`])
  })

  ours('the peers fail where they add the part to it')(
    'are refused with a frozen Error as with any other',
    async () => {
      const app = createApp()
      const frozen = Object.freeze(new TypeError('frozen'))
      app.setErrorHandler((error, _request, reply) =>
        reply.code(400).send([error.message, error.validationContext, error.cause === frozen]),
      )
      addRoute(app, () => ({ error: frozen }))
      expect((await send(app, POST)).json()).toEqual(['frozen', 'body', true])
    },
  )
})

describeBehind('errors of validation in error handlers', ({ createApp, send, it, expect, ours }) => {
  it('have their fields in sight of what lists or copies them', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) =>
      reply.code(400).send(Object.keys({ ...error }).toSorted()),
    )
    addRoute(app, () => ({ error: [{ message: 'no' }] }))
    const keys = (await send(app, POST)).json()
    expect(keys).toEqual(expect.arrayContaining(['code', 'statusCode', 'validation', 'validationContext']))
  })

  ours('the peers have no such field then')(
    'keep an Error that is its own validation out of sight, so that it can be written as JSON',
    async () => {
      const app = createApp()
      app.setErrorHandler((error, _request, reply) =>
        reply.code(400).send([error.validation === error, JSON.parse(JSON.stringify({ ...error }))]),
      )
      addRoute(app, () => ({ error: new Error('mine') }))
      expect((await send(app, POST)).json()).toEqual([
        true,
        { validationContext: 'body', statusCode: 400, code: 'CLO_ERR_VALIDATION' },
      ])
    },
  )

  it('can be changed', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => {
      error.statusCode = 422
      error.code = 'OWN'
      delete error.validation
      delete error.validationContext
      return reply.send(error)
    })
    app.addHook('onSend', async (_request, reply, payload) => {
      reply.header('x-status', String(reply.statusCode))
      return payload
    })
    addRoute(app, () => ({ error: new Error('mine') }))
    const response = await send(app, POST)
    expect([response.status, response.json()]).toMatchObject([422, { code: 'OWN', message: 'mine' }])
  })
})

describeBehind('formatters that return no Error', ({ createApp, send, expect, ours }) => {
  const responseOf = async (formatted: unknown): Promise<[number, unknown]> => {
    const app = createApp({ schemaErrorFormatter: () => formatted })
    app.post('/', { schema: { body: { type: 'object', required: ['v'] } } }, () => 'never')
    const response = await send(app, POST)
    return [response.status, response.json()]
  }
  const REFUSES = 'the peers respond with 500 with the error of their own code'

  ours(REFUSES)('give the message of the 400', async () => {
    expect(await responseOf('just text')).toMatchObject([400, { message: 'just text' }])
  })

  ours(REFUSES)('respond with 500 that says so for a promise', async () => {
    const [status, error] = await responseOf(Promise.resolve(new Error('late')))
    expect([status, error]).toMatchObject([
      500,
      {
        code: 'CLO_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN',
        message: expect.stringContaining('promise'),
      },
    ])
  })
})

describeBehind('rejections of validators', ({ createApp, send, it, expect, ours }) => {
  const seenOf = async (reason: unknown): Promise<unknown> => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) =>
      reply.code(400).send({
        same: Object.is(error, reason),
        context: Object(error).validationContext ?? null,
        validation: Object(error).validation ?? null,
      }),
    )
    addRoute(app, () => Promise.reject(reason))
    return (await send(app, POST)).json()
  }

  ours('the peers hand it on as it is')(
    'with an object that lists errors are refusals of the part',
    async () => {
      const errors = [{ message: 'is wrong' }]
      expect(await seenOf({ errors })).toEqual({ same: false, context: 'body', validation: errors })
    },
  )

  ours('the peers make an Error of it')(
    'with anything else but an Error reach the error handler',
    async () => {
      for (const reason of ['text', 7, { errors: 'none' }, { other: [] }]) {
        expect(await seenOf(reason)).toEqual({ same: true, context: null, validation: null })
      }
    },
  )

  it('with an Error of another status than 400 and without a list are no refusals of the part', async () => {
    expect(await seenOf(new Error('away'))).toMatchObject({ same: true, validation: null })
  })

  ours('the peers have no validation then')(
    'with an Error of status 400 are refusals of the part',
    async () => {
      const own = Object.assign(new Error('bad'), { statusCode: 400 })
      expect(await seenOf(own)).toMatchObject({ same: true, context: 'body' })
    },
  )
})
