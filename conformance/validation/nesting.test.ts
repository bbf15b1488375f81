// Values that are nested more deeply than the call stack can follow: the client's fault in a request, a clear
// error in a response.
import { describeTransports } from '../harness/transports.ts'

const DEPTH = 25_000

const deepText = (depth: number): string => `${'{"child":'.repeat(depth)}{}${'}'.repeat(depth)}`

function deepValue(depth: number): object {
  let value: object = {}
  for (let i = 0; i < depth; i++) value = { child: value }
  return value
}

const NODE = { $id: 'node', type: 'object', properties: { child: { $ref: 'node#' } } }
const OWN = { type: 'object', properties: { child: { $ref: '#' } } }
const ASYNC = { $id: 'later', $async: true, type: 'object', properties: { child: { $ref: 'later#' } } }
const post = (depth: number) => ({
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/json' },
  body: deepText(depth),
})
const MESSAGE = 'must be nested less deeply: at most 5000 levels are validated'
const MESSAGE_OF_AJV = 'must be nested less deeply: there is no room on the stack to validate it'
const REASON = 'the peers respond with 500'

describeTransports('values nested very deeply', ({ createApp, send, it, expect, ours }) => {
  it('accepts a body of a thousand levels', async () => {
    const app = createApp()
    app.addSchema(NODE)
    app.post('/', { schema: { body: { $ref: 'node#' } } }, () => 'valid')
    expect((await send(app, post(1000))).text).toBe('valid')
  })

  for (const codeGeneration of ['always', 'never'] as const) {
    ours('the peers have no such option')(
      `decides about a body of nearly five thousand levels with codeGeneration: '${codeGeneration}'`,
      async () => {
        const app = createApp({ codeGeneration })
        app.addSchema(NODE)
        app.post('/', { schema: { body: { $ref: 'node#' } } }, () => 'valid')
        expect((await send(app, post(4900))).text).toBe('valid')
        const refused = await send(app, { ...post(0), body: deepText(4900).replace('{}', '{"child":5}') })
        expect([refused.status, refused.json()]).toMatchObject([
          400,
          { message: expect.stringMatching(/^body\/child.* must be object$/) },
        ])
      },
    )
  }

  for (const codeGeneration of ['always', 'never'] as const) {
    ours(REASON)(
      `responds with 400 for a scalar that coercion puts into lists without end, with codeGeneration: '${codeGeneration}'`,
      async () => {
        const app = createApp({ codeGeneration })
        app.post('/', { schema: { body: { type: 'array', items: { $ref: '#' } } } }, () => 'valid')
        const json = (body: string) => send(app, { ...post(0), body })
        const refused = await json('[1]')
        expect([refused.status, refused.json()]).toMatchObject([400, { message: `body ${MESSAGE}` }])
        expect((await json('[[],[[]]]')).text).toBe('valid')
      },
    )
  }

  for (const [name, schema, options, message] of [
    ['a schema that refers to itself', OWN, {}, MESSAGE],
    ['a shared schema', { $ref: 'node#' }, {}, MESSAGE],
    [
      'a schema that only Ajv knows',
      { $ref: 'node#' },
      { ajv: { customOptions: { $data: true } } },
      MESSAGE_OF_AJV,
    ],
  ] as const) {
    ours(REASON)(`responds with 400 for a body that is nested too deeply for ${name}`, async () => {
      const app = createApp(options)
      app.addSchema(NODE)
      app.post('/', { schema: { body: schema } }, () => 'never')
      const response = await send(app, post(DEPTH))
      expect([response.status, response.json()]).toEqual([
        400,
        { statusCode: 400, code: 'CLO_ERR_VALIDATION', error: 'Bad Request', message: `body ${message}` },
      ])
      // The validator is as good as new afterwards.
      expect((await send(app, post(3))).text).toBe('never')
      expect((await send(app, { ...post(0), body: '{"child":1}' })).json()).toMatchObject({
        message: 'body/child must be object',
      })
    })
  }

  ours('the peers list 100 MB of pointers, or overflow their stack')(
    'lists errors of a union that is nested deeply up to a size',
    async () => {
      const app = createApp()
      app.addSchema({
        $id: 'either',
        anyOf: [
          { type: 'object', properties: { child: { $ref: 'either#' } }, required: ['child'] },
          { type: 'object', properties: { child: { $ref: 'either#' } }, required: ['other'] },
        ],
      })
      app.setErrorHandler((error, _request, reply) => {
        const validation: unknown = Reflect.get(error, 'validation')
        const last: unknown = Array.isArray(validation) ? validation.at(-1) : undefined
        void reply.send({ length: JSON.stringify(validation).length, last })
      })
      app.post('/', { schema: { body: { $ref: 'either#' } } }, () => 'never')
      const response = await send(app, { ...post(0), body: deepText(4900).replace('{}', '5') })
      const { length, last } = Object(response.json())
      expect(length).toBeGreaterThan(1_000_000)
      expect(length).toBeLessThan(1_500_000)
      expect(last).toMatchObject({ instancePath: '', keyword: 'anyOf' })
    },
  )

  ours(REASON)(
    'responds with 400 for a query that a parser of the application nests too deeply',
    async () => {
      const app = createApp({ querystringParser: (text: string) => deepValue(Number(text)) })
      app.get('/', { schema: { querystring: OWN } }, () => 'valid')
      expect((await send(app, { path: '/?3' })).text).toBe('valid')
      const response = await send(app, { path: `/?${DEPTH}` })
      expect([response.status, response.json()]).toMatchObject([400, { message: `querystring ${MESSAGE}` }])
    },
  )

  ours(REASON)('hands the error to the handler with attachValidation', async () => {
    const app = createApp()
    app.post('/', { attachValidation: true, schema: { body: OWN } }, (request) => ({
      message: request.validationError?.message,
      context: request.validationError?.validationContext,
    }))
    expect((await send(app, post(DEPTH))).json()).toEqual({ message: `body ${MESSAGE}`, context: 'body' })
  })

  it('reports the overflow of a keyword of the application as an error of the server', async () => {
    const endless = (): boolean => endless() && endless()
    const app = createApp({
      ajv: { customOptions: { keywords: [{ keyword: 'endless', validate: endless }] } },
    })
    app.post('/', { schema: { body: { type: 'object', endless: true } } }, () => 'never')
    expect((await send(app, post(3))).status).toBe(500)
  })

  ours('the peers name the stack only')(
    'responds with 500 that says why for a response that is nested too deeply',
    async () => {
      const app = createApp()
      app.addSchema(NODE)
      app.get('/plain', () => deepValue(DEPTH))
      app.get('/schema', { schema: { response: { 200: { $ref: 'node#' } } } }, () => deepValue(DEPTH))
      const plain = await send(app, { path: '/plain' })
      // From Node 26 on JSON.stringify writes a value of any depth.
      if (plain.status === 200) expect(plain.text).toHaveLength(JSON.stringify(deepValue(DEPTH)).length)
      else {
        expect([plain.status, plain.json()]).toMatchObject([
          500,
          {
            code: 'CLO_ERR_FAILED_SERIALIZATION',
            message: expect.stringMatching(/^The payload of GET \/plain for status 200 .* nested too deeply/),
          },
        ])
      }
      const bySchema = await send(app, { path: '/schema' })
      expect([bySchema.status, bySchema.json()]).toMatchObject([
        500,
        { code: 'CLO_ERR_FAILED_SERIALIZATION', message: expect.stringContaining('nested') },
      ])
    },
  )
})

// Node writes a line about each promise that is rejected without room on the stack: once is enough.
describeTransports(
  'values nested very deeply, validated later',
  ({ createApp, send, expect, ours }) => {
    ours(REASON)(
      'responds with 400 for a body that is nested too deeply for an asynchronous schema',
      async () => {
        const app = createApp()
        app.addSchema(ASYNC)
        app.post('/', { schema: { body: { $async: true, $ref: 'later#' } } }, () => 'never')
        const response = await send(app, post(DEPTH))
        expect([response.status, response.json()]).toMatchObject([400, { message: `body ${MESSAGE_OF_AJV}` }])
      },
    )
  },
  ['socket'],
)
