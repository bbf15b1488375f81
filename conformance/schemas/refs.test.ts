import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { isPeer } from '../harness/subject.ts'
import { describeBehind, ours, useApps } from '../harness/transports.ts'
import { REF_FORMS, REF_ROUTES } from './ref-forms.ts'
import type { RefForm } from './ref-forms.ts'

/** What the serializer of the peers does not resolve. */
const SERIALIZER_OF_PEERS_FAILS: ReadonlySet<string> = new Set([
  'a relative reference between absolute URIs',
  'a definition whose name has a slash and a tilde',
  'an origin as id, referred to without its slash',
])

function addShared(app: App, form: RefForm): App {
  for (const schema of form.shared) app.addSchema(schema)
  return app
}

const echo = (part: 'body' | 'query' | 'params' | 'headers') => (request: Record<string, unknown>) => ({
  seen: request[part],
})

describeBehind('$ref in the validator', ({ createApp, send, it, expect }) => {
  for (const form of [...REF_FORMS, ...REF_ROUTES]) {
    it(`resolves ${form.name} in a body`, async () => {
      const app = addShared(createApp(), form)
      app.post('/', { schema: { body: form.schema } }, echo('body'))
      const good = await send(app, { method: 'POST', path: '/', body: { at: { n: '7' } } })
      expect(good.json()).toEqual({ seen: { at: { n: 7 } } })
      const bad = await send(app, { method: 'POST', path: '/', body: { at: { n: 'word' } } })
      expect(bad.status).toBe(400)
    })
  }
})

describeBehind('$ref in the serializer', ({ createApp, send, it, expect, ours }) => {
  for (const form of [...REF_FORMS, ...REF_ROUTES]) {
    const test = SERIALIZER_OF_PEERS_FAILS.has(form.name)
      ? ours('the serializer of the peers does not resolve it, their validator does')
      : it
    test(`resolves ${form.name} in a response`, async () => {
      const app = addShared(createApp(), form)
      app.get('/', { schema: { response: { 200: form.schema } } }, () => ({
        at: { n: 7, secret: 's' },
        secret: 's',
      }))
      const response = await send(app, { path: '/' })
      expect(response.json()).toEqual({ at: { n: 7 } })
    })
  }
})

const NUMBER = { $id: 'number', type: 'integer', minimum: 1 }
const LIB = {
  $id: 'lib',
  type: 'object',
  definitions: {
    number: { type: 'integer', minimum: 1 },
    any: { $id: '#word', type: 'string', maxLength: 3 },
  },
  properties: { flag: { type: 'boolean' } },
}

describeBehind('$ref in every part', ({ createApp, send, it, expect, line4 }) => {
  const forms = [
    { form: 'number#', good: '5', bad: '0', seen: 5 },
    { form: 'lib#/definitions/number', good: '5', bad: 'x', seen: 5 },
    { form: 'lib#/properties/flag', good: 'true', bad: 'maybe', seen: true },
    { form: 'lib#word', good: 'abc', bad: 'abcd', seen: 'abc' },
  ]
  for (const { form, good, bad, seen } of forms) {
    it(`resolves ${form} in the query string`, async () => {
      const app = createApp().addSchema(NUMBER).addSchema(LIB)
      app.get(
        '/',
        { schema: { querystring: { type: 'object', properties: { v: { $ref: form } } } } },
        echo('query'),
      )
      expect((await send(app, { path: `/?v=${good}` })).json()).toEqual({ seen: { v: seen } })
      expect((await send(app, { path: `/?v=${bad}` })).status).toBe(400)
    })

    it(`resolves ${form} in params`, async () => {
      const app = createApp().addSchema(NUMBER).addSchema(LIB)
      app.get(
        '/:v',
        { schema: { params: { type: 'object', properties: { v: { $ref: form } } } } },
        echo('params'),
      )
      expect((await send(app, { path: `/${good}` })).json()).toEqual({ seen: { v: seen } })
      expect((await send(app, { path: `/${bad}` })).status).toBe(400)
    })

    it(`resolves ${form} in headers`, async () => {
      const app = createApp().addSchema(NUMBER).addSchema(LIB)
      const headers = { type: 'object', properties: { 'x-v': { $ref: form } } }
      app.get('/', { schema: { headers } }, (request) => ({ seen: request.headers['x-v'] }))
      expect((await send(app, { path: '/', headers: { 'x-v': good } })).json()).toEqual({ seen })
      expect((await send(app, { path: '/', headers: { 'x-v': bad } })).status).toBe(400)
    })

    line4('5.x has no shortened form')(`resolves ${form} in the shortened form`, async () => {
      const app = createApp().addSchema(NUMBER).addSchema(LIB)
      app.get('/', { schema: { querystring: { v: { $ref: form } } } }, echo('query'))
      expect((await send(app, { path: `/?v=${good}` })).json()).toEqual({ seen: { v: seen } })
      expect((await send(app, { path: `/?v=${bad}` })).status).toBe(400)
    })
  }

  it('takes a shared schema as the whole of several parts', async () => {
    const app = createApp().addSchema({
      $id: 'common',
      type: 'object',
      required: ['hello'],
      properties: { hello: { type: 'string', maxLength: 5 } },
    })
    const part = { $ref: 'common#' }
    app.post(
      '/:hello',
      { schema: { body: part, headers: part, querystring: part, params: part } },
      () => 'ran',
    )
    const request = {
      method: 'POST',
      path: '/world?hello=world',
      headers: { hello: 'world' },
      body: { hello: 'world' },
    }
    expect((await send(app, request)).text).toBe('ran')
    expect((await send(app, { ...request, body: {} })).status).toBe(400)
    expect((await send(app, { ...request, headers: {} })).status).toBe(400)
    expect((await send(app, { ...request, path: '/world' })).status).toBe(400)
    expect((await send(app, { ...request, path: '/too-long?hello=world' })).status).toBe(400)
  })

  it('takes an array body whose items are a $ref', async () => {
    const app = createApp().addSchema({
      $id: 'http://example.com/',
      type: 'object',
      properties: { hello: { type: 'string' } },
    })
    const body = { type: 'array', items: { $ref: 'http://example.com#/properties/hello' } }
    app.post('/', { schema: { body } }, echo('body'))
    expect((await send(app, { method: 'POST', path: '/', body: ['a', 2] })).json()).toEqual({
      seen: ['a', '2'],
    })
    expect((await send(app, { method: 'POST', path: '/', body: [{}] })).status).toBe(400)
  })
})

const TREE = {
  $id: 'tree',
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    children: { type: 'array', items: { $ref: 'tree#' } },
  },
}
const LOCAL_TREE = {
  ...TREE,
  $id: 'tree',
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
}

describeBehind('recursive schemas', ({ createApp, send, it, expect, ours }) => {
  const nested = { name: 'a', children: [{ name: 'b', children: [{ name: 'c', extra: 1 }] }] }
  const filtered = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] }
  for (const [how, schema] of [
    ['its own id', TREE],
    ['#', LOCAL_TREE],
  ] as const) {
    it(`follows a shared schema that refers to itself by ${how}`, async () => {
      const app = createApp().addSchema(schema)
      app.post(
        '/',
        { schema: { body: { $ref: 'tree#' }, response: { 200: { $ref: 'tree#' } } } },
        (request) => request.body,
      )
      expect((await send(app, { method: 'POST', path: '/', body: nested })).json()).toEqual(filtered)
      const bad = { name: 'a', children: [{ name: 'b', children: [{}] }] }
      expect((await send(app, { method: 'POST', path: '/', body: bad })).status).toBe(400)
    })
  }

  it('follows two shared schemas that refer to each other', async () => {
    const app = createApp()
      .addSchema({
        $id: 'even',
        type: 'object',
        properties: { next: { $ref: 'odd#' }, e: { type: 'integer' } },
      })
      .addSchema({
        $id: 'odd',
        type: 'object',
        properties: { next: { $ref: 'even#' }, o: { type: 'integer' } },
      })
    app.post(
      '/',
      { schema: { body: { $ref: 'even#' }, response: { 200: { $ref: 'even#' } } } },
      (request) => request.body,
    )
    const response = await send(app, {
      method: 'POST',
      path: '/',
      body: { e: '1', next: { o: '2', next: { e: 3, o: 4 } } },
    })
    expect(response.json()).toEqual({ e: 1, next: { o: 2, next: { e: 3 } } })
    const bad = await send(app, { method: 'POST', path: '/', body: { next: { next: { e: 'word' } } } })
    expect(bad.status).toBe(400)
  })

  ours('the peers fail to boot')('follows a body schema without $id that refers to itself by #', async () => {
    const app = createApp()
    const { $id: _, ...anonymous } = LOCAL_TREE
    app.post('/', { schema: { body: anonymous, response: { 200: anonymous } } }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/', body: nested })).json()).toEqual(filtered)
    const bad = { name: 'a', children: [{ children: [] }] }
    expect((await send(app, { method: 'POST', path: '/', body: bad })).status).toBe(400)
  })

  ours('the peers fail to boot')('follows a body schema that refers to itself by its own $id', async () => {
    const app = createApp()
    app.post('/', { schema: { body: TREE, response: { 200: TREE } } }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/', body: nested })).json()).toEqual(filtered)
    const bad = { name: 'a', children: [{ children: [] }] }
    expect((await send(app, { method: 'POST', path: '/', body: bad })).status).toBe(400)
  })
})

/** A schema object that holds itself, and where. */
function circle(): Record<string, unknown> {
  const schema: Record<string, unknown> = { type: 'object' }
  schema['properties'] = { 'a/b': { type: 'object', properties: { self: schema } } }
  return schema
}

describe('schema objects that stand within themselves', () => {
  const createApp = useApps()
  const ADVICE =
    'this is the same object as the schema around it, so the schema has no end; write { $ref: "#" } instead'

  for (const part of ['body', 'querystring', 'params', 'headers', 'response'] as const) {
    it(`refuses a schema object that contains itself in ${part}`, async () => {
      const app = createApp()
      const schema = part === 'response' ? { response: { 200: circle() } } : { [part]: circle() }
      const boot = async (): Promise<unknown> => app.post('/:a', { schema }, () => 'never').ready()
      if (isPeer) await expect(boot()).rejects.toThrow()
      else await expect(boot()).rejects.toThrow(`at /properties/a~1b/properties/self: ${ADVICE}`)
    })
  }

  it('refuses a shared one', () => {
    const app = createApp()
    const add = (): unknown => app.addSchema({ ...circle(), $id: 'shared', allOf: [circle()] })
    if (isPeer) expect(add).toThrow()
    else {
      expect(add).toThrow(
        expect.objectContaining({
          code: 'CLO_ERR_SCH_INVALID',
          message: expect.stringMatching(
            /^The schema of \$id "shared" is not usable: at \/properties.* "#\/properties.*refs\.test\.ts/,
          ),
        }),
      )
    }
  })

  ours('the peers fail to boot')('names the schema in the middle that starts the circle', async () => {
    const app = createApp()
    const item: Record<string, unknown> = { type: 'object' }
    item['properties'] = { next: item }
    const schema = { body: { type: 'array', items: item } }
    await expect(async () => app.post('/', { schema }, () => 'never').ready()).rejects.toThrow(
      'at /items/properties/next: this is the same object as the schema at /items, so the schema has no end; ' +
        'write { $ref: "#/items" } instead',
    )
  })

  ours('the peers fail to boot')('takes an annotation that contains itself', async () => {
    const app = createApp()
    const self: Record<string, unknown> = {}
    self['self'] = self
    const text = { type: 'string', maxLength: 2, example: self }
    app.addSchema({ $id: 'shared', type: 'object', properties: { 'x-text': text } })
    const schema = {
      headers: { type: 'object', properties: { 'X-Text': text } },
      body: { type: 'object', properties: { of: { $ref: 'shared#' } } },
      response: { 200: { $ref: 'shared#' } },
    }
    app.post('/', { schema }, (request) => ({ 'x-text': request.headers['x-text'], more: 1 }))
    const statusOf = async (name: string, inBody: string): Promise<unknown> => {
      const body = { of: { 'x-text': inBody } }
      const { statusCode, payload: sent } = await app.inject({
        method: 'POST',
        url: '/',
        headers: { 'x-text': name },
        payload: body,
      })
      return statusCode === 200 ? sent : statusCode
    }
    expect(await statusOf('ab', 'cd')).toBe('{"x-text":"ab"}')
    expect(await statusOf('abc', 'cd')).toBe(400)
    expect(await statusOf('ab', 'cde')).toBe(400)
  })

  it('takes one schema object in many places', async () => {
    const app = createApp()
    let schema: object = { type: 'object', properties: { n: { type: 'number' } } }
    for (let i = 0; i < 8; i++) schema = { type: 'object', properties: { left: schema, right: schema } }
    app.post('/', { schema: { querystring: schema } }, () => 'x')
    await app.ready()
  })
})

describeBehind('references and the URIs of requests', ({ createApp, send, ours, expect }) => {
  ours('the peers resolve with their own')(
    'CVE-2026-6321: resolves the references of schemas alone, and no URI that a client sends',
    async () => {
      let resolved: string[] = []
      const note =
        <Args extends unknown[], Result>(run: (...args: Args) => Result) =>
        (...args: Args): Result => {
          resolved = [...resolved, ...args.map(String)]
          return run(...args)
        }
      const { parse, resolve, serialize } = new Ajv().opts.uriResolver
      const uriResolver = { parse: note(parse), resolve: note(resolve), serialize: note(serialize) }
      const app = createApp({ ajv: { customOptions: { uriResolver, keywords: ['x-own'] } } })
      const uri = { type: 'string', format: 'uri-reference', 'x-own': 1 }
      app.addSchema({ $id: 'http://schemas.example/link', type: 'object', properties: { link: uri } })
      const body = { allOf: [{ $ref: 'http://schemas.example/link#' }] }
      app.post('/', { schema: { body } }, (request) => request.body)
      for (const link of ['/plain', 'http://a/%2e%2e/b', 'http://a%40b/', 'http://[::1', '%68ttp://a/']) {
        const response = await send(app, { method: 'POST', path: `/?link=${link}`, body: { link } })
        expect([200, 400]).toContain(response.status)
      }
      expect(resolved.join()).toContain('schemas.example')
      expect(resolved.join()).not.toMatch(/plain|%2e|%40|::1|%68/)
    },
  )
})
