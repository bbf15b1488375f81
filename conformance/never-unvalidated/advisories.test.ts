// Published advisories of this family of frameworks that let a value past its schema, each as a request.
import { Ajv } from 'ajv'
import type { App } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import type { RawResponse } from '../harness/raw-socket.ts'
import { describeTransports } from '../harness/transports.ts'

const SCHEMA = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const CONTENT = {
  content: {
    'application/json': { schema: SCHEMA },
    'text/plain': { schema: { type: 'string', maxLength: 3 } },
  },
}

async function post(app: App, contentType: string, body: string): Promise<RawResponse> {
  const head = `POST / HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Type:${contentType}\r\n`
  return rawSocket(app, `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

describeTransports(
  'published advisories: content types',
  ({ createApp, it, expect, line4, ours }) => {
    const addRoute = (body: object): App =>
      createApp().post('/', { schema: { body } }, (request) => ({ seen: request.body }))

    for (const [how, body] of [
      ['a schema', SCHEMA],
      ['a content map', CONTENT],
    ] as const) {
      for (const [id, type] of [
        ['CVE-2025-32442', ' APPLICATION/JSON'],
        ['CVE-2025-32442', ' application/json ;charset=utf-8'],
        ['CVE-2026-33806', '  application/json'],
        ['CVE-2026-33806', '\tapplication/json'],
      ] as const) {
        it(`${id}: validates ${JSON.stringify(type)} by ${how}`, async () => {
          const app = addRoute(body)
          expect((await post(app, type, '{"n":"x"}')).status).toBe(400)
          const good = await post(app, type, '{"n":"7"}')
          expect([good.status, good.body]).toEqual([200, '{"seen":{"n":7}}'])
        })
      }

      for (const [id, type] of [
        ['CVE-2026-25223', ' application/json\ta'],
        ['CVE-2026-3419', ' application/json garbage'],
      ] as const) {
        it(`${id}: never runs with ${JSON.stringify(type)} by ${how}`, async () => {
          const app = addRoute(body)
          for (const sent of ['{"n":"x"}', '{"n":7}']) {
            const response = await post(app, type, sent)
            expect([400, 415]).toContain(response.status)
          }
        })
      }

      ours('4.x reads a prefix of the type')(`responds with 415 to application/jsonx by ${how}`, async () => {
        const response = await post(addRoute(body), ' application/jsonx', '{"n":7}')
        expect(response.status).toBe(415)
      })

      for (const type of ['constructor', '__proto__', 'toString', 'hasOwnProperty/x']) {
        it(`CVE-2022-39288: responds with 4xx to the type ${type} by ${how}`, async () => {
          const response = await post(addRoute(body), ` ${type}`, '{"n":7}')
          expect([400, 415]).toContain(response.status)
        })
      }

      line4('5.x reads any text/plain')(
        `CVE-2022-41919: reads text/plain;application/json as text by ${how}`,
        async () => {
          const response = await post(addRoute(body), ' text/plain;application/json', '{"n":7}')
          expect([400, 415]).toContain(response.status)
        },
      )
    }
  },
  ['socket'],
)

describeTransports('published advisories: values', ({ createApp, send, it, expect, ours, since5 }) => {
  const json = { 'content-type': 'application/json' }

  for (const [schema, sent, seen] of [
    [{ type: 'integer', minimum: 1, maximum: 10 }, '"10"', 10],
    [{ type: 'boolean' }, '"true"', true],
    [{ type: 'string' }, '5', '5'],
    [{ type: 'array', items: { type: 'integer' } }, '"5"', [5]],
  ] as const) {
    since5('4.x hands over the value as it was sent')(
      `CVE-2026-18504: hands over ${JSON.stringify(seen)} where ${sent} was validated as ${schema.type}`,
      async () => {
        const app = createApp()
        app.post('/', { schema: { body: schema } }, (request) => ({ seen: request.body }))
        const response = await send(app, { method: 'POST', path: '/', headers: json, body: sent })
        expect(response.json()).toEqual({ seen })
      },
    )
  }

  since5('4.x hands over the value as it was sent')(
    'CVE-2026-18504: hands over what an Ajv of the application made of the value',
    async () => {
      const app = createApp()
      const ajv = new Ajv({ coerceTypes: 'array' })
      app.setValidatorCompiler(({ schema }) => ajv.compile(Object(schema)))
      const body = { type: 'integer', maximum: 10 }
      app.post('/', { schema: { body } }, (request) => ({ seen: request.body }))
      const post = { method: 'POST', path: '/', headers: json }
      expect((await send(app, { ...post, body: '"10"' })).json()).toEqual({ seen: 10 })
      expect((await send(app, { ...post, body: '"11"' })).json()).toMatchObject({
        statusCode: 400,
        message: 'body must be <= 10',
      })
    },
  )

  it('CVE-2020-8192: responds to 20,000 wrong properties with one error', async () => {
    const app = createApp()
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'integer' }]),
    )
    app.post(
      '/',
      { schema: { body: { type: 'array', items: { type: 'object', properties } } } },
      () => 'never',
    )
    const item = Object.fromEntries(Object.keys(properties).map((name) => [name, 'x']))
    const response = await send(app, {
      method: 'POST',
      path: '/',
      body: Array.from({ length: 200 }, () => item),
    })
    expect(response.json()).toMatchObject({ message: 'body/0/p0 must be integer' })
  })

  for (const text of [
    '{"n":1,"__proto__":{"admin":true}}',
    '{"n":1,"deep":{"__proto__":{"admin":true}}}',
    '{"n":1,"constructor":{"prototype":{"admin":true}}}',
    '{"n":1,"__pr\\u006fto__":{"admin":true}}',
  ]) {
    it(`refuses ${text}, and pollutes nothing`, async () => {
      const app = createApp()
      app.post('/', { schema: { body: SCHEMA } }, () => 'never')
      const response = await send(app, { method: 'POST', path: '/', headers: json, body: text })
      expect(response.status).toBe(400)
      expect(Reflect.get({}, 'admin')).toBeUndefined()
    })
  }

  it('CVE-2020-15366: takes a schema with __proto__ without pollution', async () => {
    const app = createApp()
    const body: object = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"integer","default":1}}}',
    )
    app.post('/', { schema: { body } }, () => 'ran')
    await send(app, { method: 'POST', path: '/', body: { n: 1 } })
    expect(Reflect.get({}, 'default')).toBeUndefined()
    expect(Reflect.get({}, 'type')).toBeUndefined()
  })

  it('CVE-2025-69873: reads no pattern from the request ($data is off)', async () => {
    const app = createApp()
    const properties = { pattern: { type: 'string' }, v: { type: 'string', pattern: { $data: '1/pattern' } } }
    app.post('/', { schema: { body: { type: 'object', properties } } }, () => 'never')
    await expect(app.ready()).rejects.toThrow()
  })

  for (const query of ['__proto__[admin]=1', 'constructor[prototype][admin]=1', '__proto__=1&n=1']) {
    it(`reads the query ${query} without pollution`, async () => {
      const app = createApp()
      app.get(
        '/',
        { schema: { querystring: { type: 'object', properties: { n: { type: 'integer' } } } } },
        () => 'ran',
      )
      expect((await send(app, { path: `/?${query}` })).status).toBeLessThan(500)
      expect(Reflect.get({}, 'admin')).toBeUndefined()
    })
  }

  const admin = { 'x-admin': 'on' }
  const secret = { required: ['Authorization'] }
  for (const [name, headers] of Object.entries({
    dependencies: { dependencies: { 'X-Admin': ['Authorization'] } },
    'a schema of dependencies': { dependencies: { 'X-Admin': secret } },
    allOf: { allOf: [secret] },
    anyOf: { anyOf: [secret, { required: ['X-Other'] }] },
    not: { not: { required: ['X-Admin'] } },
    then: { if: { required: ['X-Admin'] }, then: secret },
    'properties of a condition': {
      if: { properties: { 'X-Admin': { const: 'on' } }, required: ['X-Admin'] },
      then: secret,
    },
    definitions: { allOf: [{ $ref: '#/definitions/s' }], definitions: { s: secret } },
    'a shared schema': { allOf: [{ $ref: 'shared#' }] },
    'a part of a shared schema': { allOf: [{ $ref: 'shared#/definitions/d' }] },
    propertyNames: { propertyNames: { not: { const: 'X-Admin' } } },
    'a list in propertyNames': { propertyNames: { not: { enum: ['X-Admin'] } } },
    'a reference in propertyNames': {
      propertyNames: { $ref: '#/definitions/n' },
      definitions: { n: { not: { const: 'X-Admin' } } },
    },
    dependentRequired: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      dependentRequired: { 'X-Admin': ['Authorization'] },
    },
  })) {
    ours('4.x compares them as they are written, 5.x those of shared schemas')(
      `CVE-2026-84428: compares header names without regard to letter case in ${name}`,
      async () => {
        const app = createApp()
        const definitions = { d: { dependencies: { 'X-Admin': ['Authorization'] } } }
        app.addSchema({ $id: 'shared', type: 'object', definitions, ...secret })
        app.get('/', { schema: { headers: { type: 'object', ...headers } } }, () => 'ran')
        expect((await send(app, { path: '/', headers: admin })).status).toBe(400)
        if (/propertyNames|^not$/.test(name)) return
        const both = { ...admin, authorization: 'x' }
        expect((await send(app, { path: '/', headers: both })).text).toBe('ran')
      },
    )
  }

  for (const part of ['body', 'querystring', 'params', 'headers']) {
    since5('4.x takes false for no schema')(
      `CVE-2026-84469: lets nothing pass the schema false of ${part}`,
      async () => {
        const app = createApp()
        app.post('/:id', { schema: { [part]: false } }, () => 'never')
        for (const request of [{ body: {} }, {}]) {
          const response = await send(app, { method: 'POST', path: '/1?a=1', ...request })
          expect(response.status).toBe(400)
        }
      },
    )
  }

  since5('4.x takes the value for the whole body')(
    'CVE-2026-84504: hands over what a $async schema admitted, whatever its members are called',
    async () => {
      const app = createApp()
      const open = { $async: true, type: 'object' }
      app.post('/:value', { schema: { body: open, querystring: open, params: open } }, (request) => [
        request.body,
        request.query,
        request.params,
      ])
      const body = { value: { admin: true }, error: 'x' }
      const response = await send(app, { method: 'POST', path: '/p?value=q&error=e', body })
      expect(response.json()).toEqual([body, { value: 'q', error: 'e' }, { value: 'p' }])
    },
  )

  it('CVE-2026-76169: runs no handler of a param that cannot be decoded', async () => {
    const app = createApp()
    app.get('/:n', { schema: { params: SCHEMA } }, () => 'never')
    for (const path of ['/%zz', '/%E0%A4%A', '/%']) {
      expect((await send(app, { path })).status).toBe(400)
    }
  })
})
