// Routes that an app has from an OpenAPI document: how they take and refuse requests.
import { implement } from '@cloister/openapi'
import { describe, it as test, expect as expectOnce } from 'vitest'
import { cloister } from 'cloister'

import { formRequest } from '../forms/form-body.ts'
import type { App } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { describeTransports } from '../harness/transports.ts'

type Handlers = Parameters<typeof implement<unknown, string>>[1]
type Options = Parameters<typeof implement<unknown, string>>[2]

const ok = { 200: { description: 'fine', content: { 'application/json': { schema: {} } } } }
const query = (name: string, schema: object, more: object = {}): object => ({
  name,
  in: 'query',
  schema,
  ...more,
})
const list = { type: 'array', items: { type: 'integer' } }

/** A document with one operation, `run`. */
function documentWith(operation: object, more: object = {}, [method, path] = ['get', '/run']): object {
  return {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: { [path]: { [method]: { operationId: 'run', responses: ok, ...operation } } },
    ...more,
  }
}

const pet = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }

describeTransports(
  'an implemented document',
  ({ createApp, send, ours, expect }) => {
    const it = ours('the peers implement no documents')

    function appOf(document: object, handlers: Handlers, options?: Options, logger: unknown = false): App {
      const app = createApp({ logger })
      const { register } = Object(app)
      return register.call(app, implement({ ...document }, handlers, options))
    }
    const echo: Handlers = {
      run: async ({ params, query, body }) => ({ params, query, body: body ?? 'none' }),
    }

    it.each([
      ['a list of repeated values', query('a', list), '?a=1&a=2', [1, 2]],
      ['a list with commas', query('a', list, { explode: false }), '?a=1,2', [1, 2]],
      ['a list with pipes', query('a', list, { style: 'pipeDelimited', explode: false }), '?a=1%7C2', [1, 2]],
      [
        'a list with blanks',
        query('a', list, { style: 'spaceDelimited', explode: false }),
        '?a=1%202',
        [1, 2],
      ],
      [
        'an object',
        query('a', { type: 'object', properties: { b: list } }, { style: 'deepObject' }),
        '?a[b]=1',
        { b: [1] },
      ],
      [
        'JSON',
        {
          name: 'a',
          in: 'query',
          content: { 'application/json': { schema: { type: 'object', properties: { b: list } } } },
        },
        '?a=%7B%22b%22:[1]%7D',
        { b: [1] },
      ],
      ['a default', query('a', { type: 'integer', default: 7 }), '', 7],
    ])('reads a parameter of the query: %s', async (_, parameter, search, value) => {
      const app = appOf(documentWith({ parameters: [parameter] }), echo)
      expect((await send(app, { path: `/run${search}` })).json()).toMatchObject({ query: { a: value } })
    })

    it('refuses a parameter that does not fit', async () => {
      const app = appOf(documentWith({ parameters: [query('a', list, { explode: false })] }), echo)
      const refused = await send(app, { path: '/run?a=1,x' })
      expect([refused.status, refused.json()]).toEqual([
        400,
        expect.objectContaining({ message: 'querystring/a/1 must be integer' }),
      ])
    })

    it.each(['{"__proto__":{"b":1}}', '{"b":{"constructor":{"prototype":{}}}}', '{"\\u005f_proto__":1}'])(
      'refuses a parameter with JSON that a body may not have: %s',
      async (json) => {
        const content = { 'application/json': { schema: { type: 'object' } } }
        const parameters = [{ name: 'a', in: 'query', content }]
        const path = `/run?a=${encodeURIComponent(json)}`
        expect((await send(appOf(documentWith({ parameters }), echo), { path })).status).toBe(400)
      },
    )

    it.each([
      ['/pets/{pet-id}', '/pets/5', { pet_id: 5 }],
      ['/pets/{pet-id}.json', '/pets/5.json', { pet_id: 5 }],
      ['/pets/{pet-id}:feed', '/pets/5:feed', { pet_id: 5 }],
    ])('reads a parameter of the path: %s', async (path, url, params) => {
      const parameters = [{ name: 'pet-id', in: 'path', required: true, schema: { type: 'integer' } }]
      const app = appOf(documentWith({ parameters }, {}, ['get', path]), echo)
      expect((await send(app, { path: url })).json()).toMatchObject({ params })
    })

    it('validates cookies', async () => {
      const parameters = [{ name: 'n', in: 'cookie', required: true, schema: { type: 'integer' } }]
      const app = appOf(documentWith({ parameters }), echo)
      expect((await send(app, { path: '/run', headers: { cookie: 'a=b; n=5' } })).status).toBe(200)
      const refused = await send(app, { path: '/run', headers: { cookie: 'n=x' } })
      expect([refused.status, refused.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'CLO_ERR_OPENAPI_COOKIE', message: 'cookies/n must be integer' }),
      ])
      expect((await send(app, { path: '/run' })).status).toBe(400)
    })

    it('takes a body, and none where the document does not require one', async () => {
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } }
      const components = { schemas: { Pet: pet } }
      const post = { method: 'POST', path: '/run' }
      const json = { headers: { 'content-type': 'application/json' } }
      const optional = appOf(
        documentWith({ requestBody: { content } }, { components }, ['post', '/run']),
        echo,
      )
      expect((await send(optional, post)).json()).toMatchObject({ body: 'none' })
      expect((await send(optional, { ...post, ...json, body: '{}' })).status).toBe(400)
      expect((await send(optional, { ...post, ...json, body: '{"name":"a"}' })).json()).toMatchObject({
        body: { name: 'a' },
      })
      const body = { content, required: true }
      const required = appOf(documentWith({ requestBody: body }, { components }, ['post', '/run']), echo)
      expect((await send(required, post)).status).toBe(400)
    })

    it('holds the files of a form to the media types of its encoding', async () => {
      const schema = { type: 'object', properties: { f: { type: 'string', format: 'binary' } } }
      const content = { 'multipart/form-data': { schema, encoding: { f: { contentType: 'image/png' } } } }
      const document = documentWith({ requestBody: { content, required: true } }, {}, ['post', '/run'])
      const app = appOf(document, { run: async () => 'taken' })
      const statusOf = async (type: string): Promise<number> =>
        (await send(app, formRequest([{ name: 'f', value: 'x', filename: 'a', type }], '/run'))).status
      expect([await statusOf('image/png'), await statusOf('text/html')]).toEqual([200, 400])
    })

    it('sends what the schema of a response declares, and nothing else', async () => {
      const responses = { 200: { description: 'a pet', content: { 'application/json': { schema: pet } } } }
      const app = appOf(documentWith({ responses }), { run: async () => ({ name: 'a', secret: 1 }) })
      expect((await send(app, { path: '/run' })).json()).toEqual({ name: 'a' })
    })

    it('reads schemas of version 3.0 as authors mean them', async () => {
      const limit = { type: 'integer', minimum: 1, exclusiveMinimum: true, nullable: true }
      const content = {
        'application/json': {
          schema: { type: 'object', properties: { limit, pet: { nullable: true, allOf: [{ ...pet }] } } },
        },
      }
      const document = documentWith({ requestBody: { content } }, { openapi: '3.0.3' }, ['post', '/run'])
      const app = appOf(document, echo)
      const post = async (body: string): Promise<number> =>
        (
          await send(app, {
            method: 'POST',
            path: '/run',
            headers: { 'content-type': 'application/json' },
            body,
          })
        ).status
      expect(await post('{"limit":2,"pet":null}')).toBe(200)
      expect(await post('{"limit":1}')).toBe(400)
      expect(await post('{"pet":{}}')).toBe(400)
    })

    it('asks for one of the requirements, and for all schemes of that', async () => {
      const security = [{ key: [] }, { token: ['read'], user: [] }]
      const seen: unknown[] = []
      const header = (name: string) => {
        return ({ headers }: { headers: Record<string, unknown> }, _: unknown, scopes: readonly string[]) => {
          seen.push([name, scopes])
          return headers[name] === 'yes'
        }
      }
      const checks = { key: header('x-key'), token: header('x-token'), user: header('x-user') }
      const app = appOf(documentWith({ security }), echo, { security: checks })
      const status = async (...names: string[]): Promise<number> => {
        const headers = Object.fromEntries(names.map((name) => [name, 'yes']))
        return (await send(app, { path: '/run', headers })).status
      }
      expect([await status('x-key'), await status('x-token', 'x-user')]).toEqual([200, 200])
      expect([await status(), await status('x-token'), await status('x-user')]).toEqual([401, 401, 401])
      expect(seen).toContainEqual(['x-token', ['read']])
    })

    it('refuses where a security handler finds nobody: null is no user', async () => {
      const security = { key: async () => null }
      const app = appOf(documentWith({ security: [{ key: [] }] }), echo, { security })
      expect((await send(app, { path: '/run' })).status).toBe(401)
    })

    it('warns once where a security handler returns nothing, and lets the request pass', async () => {
      const sink = createLogSink()
      const security = { key: () => new Map<string, object>().get('nobody') }
      const app = appOf(
        documentWith({ security: [{ key: [] }] }),
        echo,
        { security },
        { stream: sink.stream },
      )
      for (const _ of [1, 2]) expect((await send(app, { path: '/run' })).status).toBe(200)
      const warnings = sink.lines.filter(({ level }) => level === 40)
      expect(warnings.map(({ msg }) => msg)).toEqual([
        "the security handler 'key' returned nothing, so the request passed; return true, or false to refuse it",
      ])
    })

    it('refuses where a security handler returns an error, as where it throws one', async () => {
      const error = Object.assign(new Error('the key has expired'), { statusCode: 403 })
      for (const key of [() => error, async () => error]) {
        const app = appOf(documentWith({ security: [{ key: [] }] }), echo, { security: { key } })
        expect((await send(app, { path: '/run' })).status).toBe(403)
      }
    })

    it('distinguishes a failure of a security handler from a refusal', async () => {
      const security = { key: () => false, token: () => Promise.reject(new Error('the database is away')) }
      const app = appOf(documentWith({ security: [{ key: [] }, { token: [] }] }), echo, { security })
      expect((await send(app, { path: '/run' })).status).toBe(500)
    })

    it('lets everybody in where the document names an empty requirement', async () => {
      const security = { key: () => false }
      const app = appOf(documentWith({ security: [{ key: [] }, {}] }), echo, { security })
      expect((await send(app, { path: '/run' })).status).toBe(200)
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describe('a document that an app does not implement', () => {
  const run: Handlers = { run: async () => 'ok' }
  const boot = async (document: object, handlers: Handlers = run, options?: Options): Promise<void> => {
    await cloister()
      .register(implement({ ...document }, handlers, options))
      .ready()
  }

  test.each([
    [
      'an operation without a handler',
      documentWith({}),
      {},
      "the operation 'run' (GET /run) has no handler; add run: async",
    ],
    [
      'a misspelt handler',
      documentWith({}),
      { runn: async () => 'ok' },
      "(GET /run) has no handler; 'runn' is no operation: call it run",
    ],
    [
      'a handler without an operation',
      documentWith({}),
      { ...run, walk: async () => 'ok' },
      "no operation of the document has the name 'walk'; remove",
    ],
    [
      'a scheme without a handler',
      documentWith({ security: [{ key: [] }] }),
      run,
      "(GET /run) wants the security scheme 'key', which has no handler; add { security:",
    ],
    [
      'another file',
      documentWith({ parameters: [{ $ref: 'a.yaml#/b' }] }),
      run,
      '"$ref": "a.yaml#/b" leads to another file; bundle',
    ],
    [
      'a reference to nothing',
      documentWith({ requestBody: { $ref: '#/components/requestBodies/A' } }, {}, ['post', '/run']),
      run,
      'leads nowhere',
    ],
    [
      'no document',
      { swagger: '2.0', info: {}, paths: {} },
      run,
      'it must be one of OpenAPI 3.0, 3.1 or 3.2',
    ],
    ['no operation', { ...documentWith({}), paths: {} }, run, 'it has no operation under paths'],
    [
      'two operations of one name',
      {
        ...documentWith({}),
        paths: { '/a': { get: { operationId: 'run' } }, '/b': { get: { operationId: 'run' } } },
      },
      run,
      "GET /a and GET /b have one name, 'run'",
    ],
    [
      'errors of another form',
      documentWith({
        responses: {
          default: {
            description: 'e',
            content: { 'application/json': { schema: { required: ['reason'] } } },
          },
        },
      }),
      run,
      "errors of the operation 'run' (GET /run) must have 'reason'",
    ],
  ])('stops the start, and says where and what to do: %s', async (_, document, handlers, message) => {
    await expectOnce(boot(document, handlers)).rejects.toThrow(message)
  })

  test('has errors of its own form behind an error handler', async () => {
    const schema = { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } }
    const responses = { default: { description: 'e', content: { 'application/json': { schema } } } }
    const app = cloister().setErrorHandler((error, _, reply) =>
      reply.code(400).send({ reason: error.message }),
    )
    app.register(
      implement({ ...documentWith({ responses, parameters: [query('a', { type: 'integer' })] }) }, run),
    )
    expectOnce((await app.inject('/run?a=x')).json()).toEqual({ reason: 'querystring/a must be integer' })
  })
})
