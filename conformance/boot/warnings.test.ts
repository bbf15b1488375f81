// Process warnings: what works, but hardly as it was meant.
import { afterEach, describe, expect, it } from 'vitest'
import { callMember } from '../call-member.ts'
import { tick } from '../harness/time.ts'
import type { App } from '../harness/app-shape.ts'
import { line4, ours, since5, useApps } from '../harness/transports.ts'
import { isPeer } from '../harness/subject.ts'

interface Warning {
  readonly code?: string
  readonly name: string
  readonly message: string
}

const SCHEMA_MISSING = isPeer ? 'FSTWRN001' : 'CLO_WRN_SCHEMA_MISSING'
const STYLES_MIXED = isPeer ? 'FSTWRN002' : 'CLO_WRN_PLUGIN_STYLES_MIXED'
const HANDLER_REPLACED = isPeer ? 'FSTWRN004' : 'CLO_WRN_ERROR_HANDLER_REPLACED'

describe('boot: process warnings', () => {
  const createApp = useApps()
  const heard: Warning[] = []
  const hear = (warning: Warning): void => void heard.push(warning)

  afterEach(() => {
    process.off('warning', hear)
    heard.length = 0
  })

  async function warningsOf(code: string, run: () => unknown): Promise<string[]> {
    process.on('warning', hear)
    await run()
    await tick()
    return heard.filter((warning) => warning.code === code).map(({ message }) => message)
  }

  it.each(['body', 'querystring', 'params', 'headers'])(
    'name a schema for %s that is undefined',
    async (part) => {
      const app = createApp()
      const messages = await warningsOf(SCHEMA_MISSING, async () => {
        app.post('/:id', { schema: { [part]: undefined } }, () => 'x')
        await app.ready()
      })
      expect(messages).toHaveLength(1)
      expect(messages[0]).toContain(part)
      expect(messages[0]).toContain('/:id')
    },
  )

  for (const name of ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend', 'onResponse'])
    ours('the peers leave the route open silently')(
      `name a hook of a route that is undefined; strict refuses it (${name})`,
      async () => {
        const app = createApp()
        const messages = await warningsOf('CLO_WRN_HOOK_MISSING', async () => {
          app.get('/admin', { [name]: undefined, onTimeout: [] }, () => 'secret')
          app.get('/open', { [name]: [] }, () => 'open')
          await app.ready()
        })
        const said = `its '${name}' is undefined.* no hook runs.*leave the option out.*warnings\\.test\\.ts:\\d+`
        expect(messages).toEqual([expect.stringMatching(new RegExp(`GET:/admin .*${said}`))])
        const strict = createApp({ strict: true })
        expect(() => strict.get('/admin', { [name]: undefined }, () => 'secret')).toThrow(
          new RegExp(`GET:/admin is not usable: ${said}`),
        )
      },
    )

  for (const name of ['errorHandler', 'validatorCompiler', 'serializerCompiler', 'schemaErrorFormatter'])
    ours('the peers take the one of the context silently')(
      `name a function of a route that is undefined; strict refuses it (${name})`,
      async () => {
        const app = createApp()
        const messages = await warningsOf('CLO_WRN_HOOK_MISSING', async () => {
          app.get('/', { [name]: undefined }, () => 'x')
          await app.ready()
        })
        const said = `GET:/ .*its '${name}' is undefined, so that it has no effect.*warnings\\.test\\.ts:\\d+`
        expect(messages).toEqual([expect.stringMatching(new RegExp(said))])
        expect(() => createApp({ strict: true }).get('/', { [name]: undefined }, () => 'x')).toThrow(
          `its '${name}' is undefined`,
        )
      },
    )

  ours('the peers pass it on silently')(
    'name a hook among the options of a plugin that is undefined; strict refuses it',
    async () => {
      const app = createApp()
      const messages = await warningsOf('CLO_WRN_PLUGIN_HOOK_MISSING', async () => {
        app.register(async () => {}, { upstream: 'http://127.0.0.1:1', preHandler: undefined })
        app.register(async () => {}, { preHandler: [] })
        await app.ready()
      })
      expect(messages).toEqual([
        expect.stringMatching(/warnings\.test\.ts:\d+ gets 'preHandler', which is undef/),
      ])
      const strict = createApp({ strict: true })
      expect(() => strict.register(async () => {}, { preHandler: undefined })).toThrow(
        /'preHandler' of the plugin registered at .* is undefined/,
      )
    },
  )

  ours('the peers respond with their own handler silently')(
    'name a not-found handler that is undefined; strict refuses it',
    async () => {
      const app = createApp()
      const messages = await warningsOf('CLO_WRN_HOOK_MISSING', async () => {
        callMember(app, 'setNotFoundHandler', undefined)
        app.register(async (api) => void callMember(api, 'setNotFoundHandler', {}, undefined), {
          prefix: '/v1',
        })
        app.register(async (api) => void callMember(api, 'setNotFoundHandler'), { prefix: '/v2' })
        await app.ready()
      })
      expect(messages).toHaveLength(2)
      for (const message of messages) expect(message).toMatch(/its 'handler' is undefined.*\.ts:\d+/)
      const strict = createApp({ strict: true })
      expect(() => callMember(strict, 'setNotFoundHandler', undefined)).toThrow("its 'handler' is undefined")
    },
  )

  for (const [method, setting] of [
    ['setReplySerializer', 'replySerializer'],
    ['setGenReqId', 'genReqId'],
    ['setSchemaController', 'schemaController'],
  ] as const)
    for (const value of [undefined, null]) {
      ours('the peers keep the setting silently')(
        `name a setting that is given as nothing, and that keeps its value; strict refuses it (${method} with ${value})`,
        async () => {
          const app = createApp({ genReqId: () => 'mine' })
          app.setReplySerializer((payload) => JSON.stringify([payload]))
          const messages = await warningsOf('CLO_WRN_SETTING_MISSING', async () => {
            callMember(app, method, value)
            app.get('/', async (request) => request.id)
            app.get('/object', async () => ({}))
            await app.ready()
          })
          expect(messages).toEqual([
            expect.stringMatching(new RegExp(`'${setting}' is set to ${value}, .*\\.ts:\\d+`)),
          ])
          expect((await app.inject('/')).payload).toBe('mine')
          expect((await app.inject('/object')).payload).toBe('[{}]')
          expect(() => callMember(createApp({ strict: true }), method, value)).toThrow(/must be a/)
        },
      )
    }

  for (const name of ['preValidation', 'preHandler'])
    ours('the peers run the handler without it silently')(
      `name a hook of a not-found handler that is undefined; strict refuses it (${name})`,
      async () => {
        const app = createApp()
        const messages = await warningsOf('CLO_WRN_HOOK_MISSING', async () => {
          app.register(async (api) => void api.setNotFoundHandler({ [name]: undefined }, () => 'none'), {
            prefix: '/api',
          })
          app.setNotFoundHandler({ [name]: [] }, () => 'none')
          await app.ready()
        })
        const said = `not-found handler at /api .*its '${name}' is undefined.*warnings\\.test\\.ts:\\d+`
        expect(messages).toEqual([expect.stringMatching(new RegExp(said))])
        const strict = createApp({ strict: true })
        expect(() => strict.setNotFoundHandler({ [name]: undefined }, () => 'none')).toThrow(
          /not-found handler at \/ is not usable: its/,
        )
        for (const hooks of [[undefined], 'auth', [[]]])
          expect(() => createApp().setNotFoundHandler({ [name]: hooks }, () => 'none')).toThrow(
            `${name} hook should be a function`,
          )
      },
    )

  line4('5.x refuses it')('tell of an async plugin that takes done too', async () => {
    const app = createApp()
    const messages = await warningsOf(STYLES_MIXED, async () => {
      app.register(async function both(_app, _options, done) {
        done()
      })
      await app.ready()
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('both')
  })

  ours('the peers say nothing')(
    'tell once, with the line of the route, of a content type without a slash, which is sent as it is',
    async () => {
      const app = createApp()
      app.get('/short', (_request, reply) => reply.type('json').send('{}'))
      app.get('/whole', (_request, reply) => reply.type('text/csv').send('a'))
      const messages = await warningsOf('CLO_WRN_TYPE_WITHOUT_SLASH', async () => {
        for (let sent = 0; sent < 2; sent++)
          expect((await app.inject('/short')).headers['content-type']).toMatch(/^json/)
        await app.inject('/whole')
      })
      expect(messages).toEqual([
        expect.stringMatching(/GET \/short .*'json'.*application\/json.*warnings\.test\.ts:\d+/),
      ])
    },
  )

  ours('the peers send the empty body silently')(
    'tell once, with the line of the route, of a handler that forgets to return what its schema declares',
    async () => {
      const app = createApp({ strict: true })
      const response = { 200: { type: 'object', properties: { id: { type: 'integer' } } } }
      const forgets = async (): Promise<void> => {}
      app.get('/forgets', { schema: { response } }, forgets)
      app.get('/created', { schema: { response: { 201: response[200] } } }, async (_request, reply) => {
        reply.code(201)
      })
      const messages = await warningsOf('CLO_WRN_PAYLOAD_MISSING', async () => {
        for (let sent = 0; sent < 2; sent++) expect((await app.inject('/forgets')).statusCode).toBe(200)
        expect((await app.inject('/created')).statusCode).toBe(201)
      })
      expect(messages).toEqual([
        expect.stringMatching(
          /GET \/forgets returned nothing.* 200 .*Return the payload.*warnings\.test\.ts:\d+/,
        ),
        expect.stringMatching(/GET \/created returned nothing.* 201 /),
      ])
    },
  )

  ours('the peers send the empty body silently')(
    'say nothing of a handler that may return nothing',
    async () => {
      const app = createApp({ strict: true })
      const object = { type: 'object', properties: {} }
      const nothing = async (): Promise<void> => {}
      app.get('/no-schema', nothing)
      app.get('/other-status', { schema: { response: { 200: object } } }, async (_request, reply) => {
        reply.code(204)
      })
      app.get('/null', { schema: { response: { 200: { ...object, nullable: true } } } }, nothing)
      app.get('/sends', { schema: { response: { 200: object } } }, async (_request, reply) => {
        reply.send({})
      })
      app.get('/compat', { serialization: 'compat', schema: { response: { 200: object } } }, nothing)
      app.get(
        '/handled',
        {
          schema: { response: { 200: object } },
          errorHandler: async (_error, _request, reply) => void reply.code(200).send({}),
        },
        () => Promise.reject(new Error('no')),
      )
      const messages = await warningsOf('CLO_WRN_PAYLOAD_MISSING', async () => {
        for (const url of ['/no-schema', '/other-status', '/null', '/sends', '/compat', '/handled'])
          expect((await app.inject(url)).statusCode).toBeLessThan(300)
      })
      expect(messages).toEqual([])
    },
  )

  ours('the peers say nothing')('name media types of a body that no parser reads', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_BODY_TYPE_UNPARSED', async () => {
      const content = (...types: string[]): Record<string, unknown> => ({
        body: { content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }])) },
      })
      app.addContentTypeParser(/^text\/x-/, { parseAs: 'string' }, (_request, body, done) => done(null, body))
      const read = ['application/json', 'multipart/form-data', 'application/x-ndjson', 'text/x-one']
      app.post('/read', { schema: content(...read) }, () => 'x')
      app.post('/unread', { schema: content('application/json', 'application/xml', 'image/*') }, () => 'x')
      app.register(async (child) => {
        child.addContentTypeParser('*', (_request, _payload, done) => done(null, {}))
        child.post('/all', { schema: content('application/xml') }, () => 'x')
      })
      await app.ready()
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('POST /unread declares application/xml, image/*,')
    expect(messages[0]).toContain('addContentTypeParser')
  })

  ours('the peers need a plugin for rawBody')('name media types whose raw body cannot be kept', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_RAW_BODY_STREAMED', async () => {
      const content = (...types: string[]): Record<string, unknown> => ({
        body: { content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }])) },
      })
      app.addContentTypeParser('x/stream', (_request, _payload, done) => done(null, {}))
      app.addContentTypeParser('x/text', { parseAs: 'string' }, (_request, _body, done) => done(null, {}))
      const kept = ['application/json', 'application/x-www-form-urlencoded', 'x/text']
      const streamed = ['multipart/form-data', 'application/x-ndjson', 'x/stream']
      app.post('/kept', { rawBody: true, schema: content(...kept) }, () => 'x')
      app.post('/not', { schema: content(...streamed) }, () => 'x')
      app.post('/streamed', { rawBody: true, schema: content(...kept, ...streamed) }, () => 'x')
      await app.ready()
    })
    expect(messages).toEqual([
      expect.stringMatching(
        /POST \/streamed has rawBody.* multipart\/form-data, application\/x-ndjson, x\/stream, .*warnings\.test\.ts:\d+/,
      ),
    ])
  })

  ours('the peers say nothing')('name expressions for header names that match none', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_HEADER_PATTERN_CAPITAL', async () => {
      const patternProperties = { '^X-': { type: 'string' }, '^x-[A-Z]\\D': { type: 'string' } }
      app.get('/capital', { schema: { headers: { type: 'object', patternProperties } } }, () => 'x')
      const small = { patternProperties: { '^x-': {} }, properties: { 'X-Mode': { pattern: '^[A-Z]' } } }
      app.get('/small', { schema: { headers: { type: 'object', ...small } } }, () => 'x')
      await app.ready()
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('GET /capital')
    expect(messages[0]).toContain('(/patternProperties/^X-)')
  })

  ours('the peers say nothing')('name values that no text of a request matches', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_VALUE_UNMATCHED', async () => {
      const querystring = { page: { enum: [1, 2] }, size: { type: 'integer', enum: [10, 20] } }
      app.get('/untyped', { schema: { querystring } }, () => 'x')
      app.get('/typed/:id', { schema: { params: { id: { enum: ['a', 'b'] } } } }, () => 'x')
      await app.ready()
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('the querystring of the route GET /untyped')
    expect(messages[0]).toContain('(/properties/page/enum)')
  })

  ours('the peers say nothing')('name a default that its own schema refuses; strict refuses it', async () => {
    const querystring = {
      page: { type: 'integer', default: 'first' },
      size: { type: 'integer', default: '20' },
    }
    const tags = { type: 'array', maxItems: 3, items: { enum: ['a', 'b'] }, default: ['a', 'c'] }
    const body = { type: 'object', properties: { list: { type: 'object', properties: { tags } } } }
    const define = (options: Record<string, unknown>) =>
      createApp(options).post('/a', { schema: { querystring, body } }, () => 'x')
    const said =
      /\/a .*their own schema refuses these defaults.*: querystring\/properties\/page\/default, body\/properties\/list\/properties\/tags\/default; correct .*warnings\.test\.ts:\d+/
    const messages = await warningsOf('CLO_WRN_DEFAULT_REFUSED', async () => {
      const sent = await define({}).inject({ method: 'POST', url: '/a?size=1', payload: {} })
      expect(sent.statusCode).toBe(400)
      await define({ ajv: { customOptions: { useDefaults: false } } }).ready()
    })
    expect(messages).toEqual([expect.stringMatching(said)])
    await expect(define({ strict: true }).ready()).rejects.toThrow(said)
  })

  ours('the peers read no form by its schema')('admit the text of a default in a form', async () => {
    const app = createApp({ strict: true })
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', default: '5' } },
      additionalProperties: false,
    }
    const type = 'application/x-www-form-urlencoded'
    const contentOf = (name: string): object => ({ body: { content: { [name]: { schema } } } })
    const response = { 200: { type: 'integer' } }
    app.post('/', { schema: { ...contentOf(type), response } }, ({ body }) => Object(body).n)
    await app.ready()
    const sent = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': type },
      payload: '',
    })
    expect([sent.statusCode, sent.payload]).toEqual([200, '5'])
    const json = createApp({ strict: true })
    json.post('/', { schema: { ...contentOf('application/json'), response } }, () => 5)
    await expect(json.ready()).rejects.toThrow(/their own schema refuses these defaults/)
  })

  ours('the peers say nothing')('name a required parameter that the path does not have', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_PARAM_ABSENT', async () => {
      const params = (name: string) => ({ type: 'object', required: [name], properties: { [name]: {} } })
      app.get('/absent/:id', { schema: { params: params('user') } }, () => 'x')
      app.get('/there/:id', { schema: { params: params('id') } }, () => 'x')
      app.register(async (shop) => void shop.get('/', { schema: { params: params('shop') } }, () => 'x'), {
        prefix: '/:shop',
      })
      await app.ready()
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(
      /GET \/absent\/:id requires 'user'.* write the same names .*warnings\.test\.ts:\d+/,
    )
  })

  ours('the peers say nothing')(
    'name a required property that is misspelt, also in nested schemas',
    async () => {
      const app = createApp()
      const messages = await warningsOf('CLO_WRN_REQUIRED_MISSPELT', async () => {
        const object = (required: string[]) => ({
          type: 'object',
          required,
          properties: { name: {}, mail: {} },
        })
        app.post('/a', { schema: { body: { type: 'array', items: object(['nmae']) } } }, () => 'x')
        app.get('/b', { schema: { querystring: object(['name', 'other']) } }, () => 'x')
        app.post('/c', { schema: { body: { additionalProperties: object(['mial']) } } }, () => 'x')
        await app.ready()
      })
      expect(messages).toHaveLength(2)
      expect(messages[0]).toContain("the body of the route POST /a requires 'nmae' (did you mean 'name'?)")
      expect(messages[1]).toContain("the body of the route POST /c requires 'mial' (did you mean 'mail'?)")
    },
  )

  ours('the peers say nothing')(
    'say nothing of a required name that another schema for the same value may declare',
    async () => {
      const app = createApp()
      const messages = await warningsOf('CLO_WRN_REQUIRED_MISSPELT', async () => {
        const base = { type: 'object', properties: { mails: { type: 'array' } } }
        const named = { type: 'object', required: ['mails'], properties: { mail: { type: 'string' } } }
        app.addSchema({ ...base, $id: 'base' })
        app.post('/a', { schema: { body: { ...named, allOf: [base] } } }, () => 'x')
        app.post('/b', { schema: { body: { ...named, $ref: 'base#' } } }, () => 'x')
        app.post('/c', { schema: { body: { ...base, allOf: [named] } } }, () => 'x')
        await app.ready()
      })
      expect(messages).toEqual([])
    },
  )

  ours('the peers say nothing')('name parameters that are written as in other frameworks', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_PATH_LITERAL', () => {
      app.get('/users/{id}', () => 'x')
      app.get('/users/<id>', () => 'x')
      app.get('/users/:id(^\\d{2}$)', () => 'x')
    })
    expect(messages).toHaveLength(2)
    expect(messages[0]).toMatch(/GET:\/users\/\{id\} has '\{id\}'.*':id' for a parameter/)
  })

  ours('the peers say nothing')('name a parameter that a path has twice', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_PARAM_TWICE', () => {
      app.get('/users/:id/posts/:id', () => 'x')
      app.get('/users/:id/notes/:note', () => 'x')
      app.get('/at/:hour(^\\d{2}$):minute/::hour', () => 'x')
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(/GET:\/users\/:id\/posts\/:id has the parameter 'id' twice/)
  })

  line4('5.x refuses such a type')('say nothing about a parser for a part of a type', async () => {
    const app = createApp()
    process.on('warning', hear)
    app.addContentTypeParser('multipart', (_request, _body, done) => done(null, 'parsed'))
    app.post('/', (request) => ({ body: request.body }))
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const response = await app.inject({ method: 'POST', url: '/', headers, payload: '--x--' })
    await tick()
    expect([JSON.parse(response.payload), heard]).toEqual([{ body: 'parsed' }, []])
  })

  ours('the peers say nothing')('name options that a shortcut does not read', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_OPTION_UNREAD', () => {
      app.get('/a', { method: 'POST' }, () => 'x')
      app.get('/b', { prefix: '/v1' }, () => 'x')
      app.get('/c', { method: 'GET', url: '/c' }, () => 'x')
    })
    expect(messages).toHaveLength(2)
    expect(messages[0]).toMatch(/GET:\/a has the option 'method', which has no effect there/)
    expect(messages[1]).toMatch(/GET:\/b has the option 'prefix'/)
  })

  const SILENT = 'the peers say nothing'

  ours(SILENT)('tell of parts of a schema beside it', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_PART_OUTSIDE', () => {
      app.post('/a', { body: { type: 'object' }, params: {} }, () => 'x')
      app.post('/b', { schema: { body: { type: 'object' } }, config: { body: 1 } }, () => 'x')
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(
      /POST:\/a has 'body', 'params' beside .*schema: \{ body: … \} .*warnings\.test/,
    )
  })

  ours(SILENT)('tell of options of plugins that are not registered', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_PLUGIN_MISSING', async () => {
      app.post('/a', { idempotency: true }, () => 'x')
      await app.register(
        async (scope: App) => {
          scope.post('/b', { web: { csrf: false }, idempotency: true }, () => 'x')
        },
        { prefix: '/p' },
      )
    })
    expect(messages).toHaveLength(3)
    expect(messages[0]).toMatch(
      /POST:\/a has the option 'idempotency', .* no plugin of @cloister\/state .*warnings\.test/,
    )
    expect(messages.slice(1).join('\n')).toMatch(
      /POST:\/b .*'idempotency'[^]*POST:\/b .*'web', .*@cloister\/web/,
    )
  })

  ours(SILENT)('tell of options of other clients that inject does not have', async () => {
    const app = createApp()
    app.post('/', () => 'x')
    const messages = await warningsOf('CLO_WRN_INJECT_OPTION_UNREAD', async () => {
      const ofOthers = { json: { a: 1 }, querystring: 'b=1' }
      await app.inject({ method: 'POST', url: '/', ...ofOthers })
      const own = { label: 'mine' }
      await app.inject({ method: 'POST', url: '/', payload: { a: 1 }, query: 'b=1', ...own })
    })
    expect(messages).toHaveLength(2)
    expect(messages[0]).toMatch(/no option 'json', .* write 'payload' \(called at .*warnings\.test/)
    expect(messages[1]).toMatch(/no option 'querystring', .* write 'query'/)
  })

  ours(SILENT)('tell of a parser whose type has a wildcard', async () => {
    const app = createApp()
    const parse = async (_request: unknown, body: unknown): Promise<unknown> => body
    const messages = await warningsOf('CLO_WRN_PARSER_WILDCARD', () => {
      app.addContentTypeParser(['image/*', '*/*'], { parseAs: 'buffer' }, parse)
      app.addContentTypeParser(['*', 'text/csv', /^audio\//], { parseAs: 'buffer' }, parse)
    })
    expect(messages).toHaveLength(2)
    expect(messages[0]).toMatch(/the parser of 'image\/\*' reads no body.*warnings\.test/)
  })

  ours(SILENT)('tell of a query in a path', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_PATH_QUERY', () => {
      app.get('/a?page=:page', () => 'x')
      app.get('/b/:id?', () => 'x')
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(/GET:\/a.* has '\?page=:page'.*request\.query.*warnings\.test/)
  })

  ours(SILENT)('tell of a misspelt prefix of a plugin that takes no options', async () => {
    const app = createApp()
    const messages = await warningsOf('CLO_WRN_PREFIX_MISSPELT', async () => {
      app.register(async (_child) => {}, { prefx: '/v1' })
      app.register(async (_child, _options) => {}, { prefx: '/v1' })
      app.register(async (_child) => {}, { prefix: '/v1', other: 1 })
      await app.ready()
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(/'prefx', which it does not take; did you mean 'prefix'\?/)
  })

  ours(SILENT)('say which method takes an option that the factory does not have', async () => {
    const [message] = await warningsOf('CLO_WRN_OPTIONS_UNKNOWN', () => {
      createApp({ port: 3000, host: '::', prefix: '/v1', other: 1 })
    })
    expect(message).toMatch(
      /'port' \(app\.listen takes it\), .*'prefix' \(app\.register takes it\), 'other';/,
    )
  })

  it('do not mention schemas that are there or not mentioned', async () => {
    const app = createApp()
    const messages = await warningsOf(SCHEMA_MISSING, async () => {
      app.post('/', { schema: { body: { type: 'object' }, response: undefined } }, () => 'x')
      app.get('/', { schema: {} }, () => 'x')
      await app.ready()
    })
    expect(messages).toEqual([])
  })

  since5('4.x does not tell')('tell of an error handler that replaces another of its context', async () => {
    const app = createApp()
    const messages = await warningsOf(HANDLER_REPLACED, async () => {
      app.setErrorHandler(() => 'first')
      app.register(async (child) => void child.setErrorHandler(() => 'of a child'))
      await app.ready()
      expect(heard).toEqual([])
      const other = createApp()
      other.setErrorHandler(() => 'first').setErrorHandler(() => 'second')
    })
    expect(messages).toHaveLength(1)
  })

  ours('the peers name no place')('name the places', async () => {
    const app = createApp()
    const messages = await warningsOf(HANDLER_REPLACED, () => {
      app.setErrorHandler(() => 'first').setErrorHandler(() => 'second')
    })
    expect(messages[0]).toMatch(/warnings\.test\.ts:\d+.*warnings\.test\.ts:\d+/)
  })
})
