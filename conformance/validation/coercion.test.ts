// The surprises of the baseline, written down: what 4.x does with a JSON body, and the settings that end it.
import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

const COERCIONS: readonly (readonly [sent: string, schema: object, seen: unknown])[] = [
  ['0', { type: ['null', 'string'] }, null],
  ['0', { type: 'null' }, null],
  ['""', { type: 'null' }, null],
  ['false', { type: 'null' }, null],
  ['null', { type: 'integer' }, 0],
  ['null', { type: 'string' }, ''],
  ['null', { type: 'boolean' }, false],
  ['1', { type: 'string' }, '1'],
  ['true', { type: 'string' }, 'true'],
  ['true', { type: 'integer' }, 1],
  ['"1"', { type: 'integer' }, 1],
  ['"true"', { type: 'boolean' }, true],
  ['1', { type: 'boolean' }, true],
  ['"5"', { type: 'array', items: { type: 'integer' } }, [5]],
  ['["5"]', { type: 'integer' }, 5],
]

const NOT_COERCED: readonly (readonly [sent: string, schema: object])[] = [
  ['"1.5"', { type: 'integer' }],
  ['"word"', { type: 'number' }],
  ['"yes"', { type: 'boolean' }],
  ['2', { type: 'boolean' }],
  ['{}', { type: 'string' }],
  ['["5","6"]', { type: 'integer' }],
  ['{}', { type: 'array' }],
  ['"x"', { type: 'object' }],
]

function addRoute(app: App, v: object): App {
  const body = { type: 'object', properties: { v } }
  return app.post('/', { schema: { body } }, (request) => request.body)
}

describeBehind('coercion of a JSON body', ({ createApp, send, it, expect }) => {
  const headers = { 'content-type': 'application/json' }
  const post = (text: string): { method: string; path: string; headers: typeof headers; body: string } => ({
    method: 'POST',
    path: '/',
    headers,
    body: `{"v":${text}}`,
  })

  for (const [sent, schema, seen] of COERCIONS) {
    it(`makes ${JSON.stringify(seen)} of ${sent} for ${JSON.stringify(schema)}`, async () => {
      const app = addRoute(createApp(), schema)
      expect((await send(app, post(sent))).json()).toEqual({ v: seen })
    })

    it(`refuses ${sent} for ${JSON.stringify(schema)} with coerceTypes: false`, async () => {
      const strict = addRoute(
        createApp({ ajv: { customOptions: { coerceTypes: false, strictTypes: false } } }),
        schema,
      )
      expect((await send(strict, post(sent))).status).toBe(400)
    })
  }

  for (const [sent, schema] of NOT_COERCED) {
    it(`makes nothing of ${sent} for ${JSON.stringify(schema)}`, async () => {
      const app = addRoute(createApp(), schema)
      expect((await send(app, post(sent))).status).toBe(400)
    })
  }
})

describeBehind('coerceJsonBodies: false', ({ createApp, send, expect, ours }) => {
  const it = ours('an option of Cloister')
  const body = {
    type: 'object',
    properties: {
      n: { type: ['integer', 'null'] },
      s: { type: 'string' },
      d: { type: 'integer', default: 7 },
    },
  }
  const createExact = (): App => {
    const app = createApp({ coerceJsonBodies: false })
    app.addSchema({ $id: 'shared', ...body })
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request: unknown, text: unknown, done: (error: null, value: unknown) => void) =>
        done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    )
    app.post('/', { schema: { body: { $ref: 'shared#' } } }, (request) => request.body)
    app.get('/', { schema: { querystring: body } }, (request) => request.query)
    return app
  }
  const post = (text: string, type = 'application/json'): Parameters<typeof send>[1] => ({
    method: 'POST',
    path: '/',
    headers: { 'content-type': type },
    body: text,
  })

  it('refuses what it would have to convert, and still fills in defaults', async () => {
    const app = createExact()
    expect((await send(app, post('{"n":0,"s":""}'))).json()).toEqual({ n: 0, s: '', d: 7 })
    expect((await send(app, post('{"n":null}'))).json()).toEqual({ n: null, d: 7 })
    for (const text of ['{"n":"0"}', '{"s":null}', '{"s":1}', '{"n":""}', '{"n":[1]}']) {
      expect((await send(app, post(text))).status).toBe(400)
    }
    expect((await send(app, post('{"n":"0"}', 'application/vnd.api+json'))).status).toBe(415)
  })

  it('goes on coercing what knows only text', async () => {
    const app = createExact()
    expect((await send(app, { path: '/?n=5' })).json()).toEqual({ n: 5, d: 7 })
    const form = await send(app, post('n=5&s=x', 'application/x-www-form-urlencoded'))
    expect(form.json()).toEqual({ n: 5, s: 'x', d: 7 })
  })
})

const CLOSED = { additionalProperties: false, type: 'object' }
const UNION = [
  { ...CLOSED, properties: { kind: { const: 'a' }, a: {} }, required: ['kind', 'a'] },
  { ...CLOSED, properties: { kind: { const: 'b' }, b: {} }, required: ['kind', 'b'] },
]

describeBehind('removal of properties inside a union', ({ createApp, send, it, expect }) => {
  const see = async (customOptions: object, schema: object, body: object): Promise<unknown> => {
    const app = addRoute(createApp({ ajv: { customOptions } }), schema)
    const response = await send(app, { method: 'POST', path: '/', body: { v: body } })
    return response.status === 200 ? Object(response.json()).v : response.status
  }

  it('is done by each branch that is tried, as the validator itself does', async () => {
    const open = UNION.map((branch) => ({ ...branch, required: [] }))
    expect(await see({}, { oneOf: open }, { kind: 'b', b: 'lost' })).toEqual({ kind: 'b' })
    const shapes = [
      { ...CLOSED, properties: { a: {} } },
      { ...CLOSED, properties: { b: {} } },
    ]
    expect(await see({}, { anyOf: shapes }, { b: 'lost' })).toEqual({})
  })

  it('does not touch a branch that the required properties rule out first', async () => {
    for (const keyword of ['anyOf', 'oneOf']) {
      expect(await see({}, { [keyword]: UNION }, { kind: 'b', b: 1, c: 1 })).toEqual({ kind: 'b', b: 1 })
    }
  })

  it('refuses undeclared properties and keeps the branches apart with removeAdditional: false', async () => {
    const options = { removeAdditional: false }
    for (const keyword of ['anyOf', 'oneOf']) {
      expect(await see(options, { [keyword]: UNION }, { kind: 'b', b: 1 })).toEqual({ kind: 'b', b: 1 })
      expect(await see(options, { [keyword]: UNION }, { kind: 'b', b: 1, c: 1 })).toBe(400)
    }
  })
})

describeBehind('coercion of a body that is null as a whole', ({ createApp, send, expect, ours }) => {
  for (const [type, seen] of [
    ['integer', 0],
    ['string', ''],
    ['boolean', false],
  ] as const) {
    ours('the peers hand over null, which was not what they validated')(
      `hands over ${JSON.stringify(seen)} for ${type}`,
      async () => {
        const app = createApp()
        app.post('/', { schema: { body: { type } } }, (request) => ({ seen: request.body }))
        const headers = { 'content-type': 'application/json' }
        const response = await send(app, { method: 'POST', path: '/', headers, body: 'null' })
        expect([response.status, response.json()]).toEqual([200, { seen }])
      },
    )
  }
})
