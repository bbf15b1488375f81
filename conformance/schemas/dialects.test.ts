// Schemas of JSON Schema 2020-12, beside those of draft-07.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describeBehind } from '../harness/transports.ts'

const LATER = 'https://json-schema.org/draft/2020-12/schema'
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const REASON = 'the peers read draft-07 alone'
const text = { type: 'string' }
const named = { type: 'object', properties: { name: text } }

/** A list whose items are what the outermost resource says. */
const DYNAMIC_LIST = {
  $id: 'https://example.com/list',
  type: 'array',
  items: { $dynamicRef: '#item' },
  $defs: { any: { $dynamicAnchor: 'item' } },
}

/** Schemas of bodies, with a body that fits and one that does not. */
const KEYWORDS: Readonly<Record<string, { schema: object; fits: object; refused: object; message: string }>> =
  {
    prefixItems: {
      schema: { type: 'array', prefixItems: [text, { type: 'integer' }] },
      fits: ['a', 1, null],
      refused: ['a', 'b'],
      message: 'body/1 must be integer',
    },
    'items behind prefixItems': {
      schema: { type: 'array', prefixItems: [text], items: false },
      fits: ['a'],
      refused: ['a', 'b'],
      message: 'body must NOT have more than 1 items',
    },
    'minContains and maxContains': {
      schema: { type: 'array', contains: { const: 1 }, minContains: 2, maxContains: 3 },
      fits: [1, 0, 1],
      refused: [1, 0],
      message: 'body must contain at least 2 and no more than 3 valid item(s)',
    },
    dependentRequired: {
      schema: { type: 'object', dependentRequired: { card: ['address'] } },
      fits: { card: 1, address: 2 },
      refused: { card: 1 },
      message: 'body must have property address when property card is present',
    },
    dependentSchemas: {
      schema: { type: 'object', dependentSchemas: { card: { required: ['address'] } } },
      fits: {},
      refused: { card: 1 },
      message: "body must have required property 'address'",
    },
    'unevaluatedProperties behind allOf': {
      schema: {
        type: 'object',
        allOf: [{ $ref: '#/$defs/base' }],
        properties: { extra: text },
        unevaluatedProperties: false,
        $defs: { base: { properties: { id: { type: 'integer' } } } },
      },
      fits: { id: 1, extra: 'x' },
      refused: { id: 1, other: 'x' },
      message: 'body must NOT have unevaluated properties',
    },
    'unevaluatedProperties of the branch that matches': {
      schema: {
        type: 'object',
        anyOf: [
          { required: ['a'], properties: { a: text } },
          { required: ['b'], properties: { b: text } },
        ],
        unevaluatedProperties: { type: 'integer' },
      },
      fits: { b: 'x', c: 1 },
      refused: { b: 'x', a: 1, c: 'y' },
      message: 'body/c must be integer',
    },
    'unevaluatedItems beside contains': {
      schema: { type: 'array', prefixItems: [text], contains: { const: 1 }, unevaluatedItems: false },
      fits: ['a', 1, 1],
      refused: ['a', 1, 2],
      message: 'body must NOT have more than 2 items',
    },
    $anchor: {
      schema: {
        type: 'object',
        properties: { a: { $ref: '#text' } },
        $defs: { t: { $anchor: 'text', ...text } },
      },
      fits: { a: 'x' },
      refused: { a: {} },
      message: 'body/a must be string',
    },
    'keywords beside $ref': {
      schema: {
        type: 'object',
        properties: { a: { $ref: '#/$defs/t', maxLength: 2 } },
        $defs: { t: text },
      },
      fits: { a: 'xy' },
      refused: { a: 'xyz' },
      message: 'body/a must NOT have more than 2 characters',
    },
    '$dynamicRef to the schema itself': {
      schema: {
        $id: 'https://example.com/tree',
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
        required: ['children'],
      },
      fits: { children: [{ children: [] }] },
      refused: { children: [{}] },
      message: "body/children/0 must have required property 'children'",
    },
    'format, which asserts': {
      schema: { type: 'object', properties: { at: { type: 'string', format: 'date' } } },
      fits: { at: '2026-11-22' },
      refused: { at: 'today' },
      message: 'body/at must match format "date"',
    },
  }

describeBehind('schemas of 2020-12', ({ createApp, send, expect, ours }) => {
  for (const codeGeneration of ['always', 'never'] as const) {
    for (const [name, { schema, fits, refused, message }] of Object.entries(KEYWORDS)) {
      ours(REASON)(`have ${name} (codeGeneration: ${codeGeneration})`, async () => {
        const app = createApp({ codeGeneration, jsonSchemaDialect: '2020-12', coerceJsonBodies: false })
        const bySchema = createApp({ codeGeneration, coerceJsonBodies: false })
        app.post('/', { schema: { body: schema } }, () => 'fits')
        bySchema.post('/', { schema: { body: { $schema: LATER, ...schema } } }, () => 'fits')
        for (const each of [app, bySchema]) {
          expect(await send(each, { method: 'POST', path: '/', body: fits })).toMatchObject({ text: 'fits' })
          const received = await send(each, { method: 'POST', path: '/', body: refused })
          expect(received.json()).toMatchObject({ statusCode: 400, message })
        }
      })
    }
  }

  ours(REASON)('follow $dynamicRef to the outermost resource', async () => {
    const app = createApp({ jsonSchemaDialect: '2020-12' })
    app.addSchema(DYNAMIC_LIST)
    const list = { $ref: 'list', $defs: { item: { $dynamicAnchor: 'item', type: 'integer' } } }
    app.post('/numbers', { schema: { body: { $id: 'https://example.com/numbers', ...list } } }, () => 'fits')
    app.post('/any', { schema: { body: { $ref: DYNAMIC_LIST.$id } } }, () => 'fits')
    const body = [1, {}]
    expect((await send(app, { method: 'POST', path: '/any', body })).text).toBe('fits')
    const received = await send(app, { method: 'POST', path: '/numbers', body })
    expect(received.json()).toMatchObject({ message: 'body/1 must be integer' })
  })

  ours(REASON)('coerce, fill in defaults and remove as those of draft-07', async () => {
    const app = createApp({ jsonSchemaDialect: '2020-12' })
    const querystring = {
      type: 'object',
      properties: {
        page: { type: 'integer', default: 1 },
        range: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'integer', default: 9 }] },
      },
      additionalProperties: false,
    }
    app.get('/', { schema: { querystring } }, (request) => request.query)
    expect((await send(app, { path: '/?range=4&other=x' })).json()).toEqual({ page: 1, range: [4, 9] })
  })

  ours(REASON)('are written as they say', async () => {
    const app = createApp({ jsonSchemaDialect: '2020-12' })
    const point = { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'integer' }], items: false }
    const base = { type: 'object', properties: { id: { type: 'integer' } } }
    const response = {
      200: {
        type: 'object',
        properties: {
          point,
          user: { $ref: '#/$defs/base', properties: { name: text }, unevaluatedProperties: false },
          counts: { allOf: [{ $ref: '#/$defs/base' }], unevaluatedProperties: { type: 'integer' } },
          tree: { $ref: '#node' },
        },
        $defs: {
          base,
          tree: { $anchor: 'node', type: 'object', properties: { next: { $ref: '#node' } } },
        },
      },
    }
    const payload = {
      point: [1, 2],
      user: { id: '1', name: 'Ada', password: 'secret' },
      counts: { id: 1, a: '2' },
      tree: { next: { next: {}, password: 'secret' } },
    }
    app.get('/', { schema: { response } }, () => payload)
    expect((await send(app, { path: '/' })).json()).toEqual({
      point: [1, 2],
      user: { name: 'Ada', id: 1 },
      counts: { id: 1, a: 2 },
      tree: { next: { next: {} } },
    })
  })

  ours(REASON)('choose a branch of a response by what it leaves unevaluated', async () => {
    const app = createApp({ jsonSchemaDialect: '2020-12' })
    const closed = (property: string): object => ({
      type: 'object',
      allOf: [{ properties: { id: { type: 'integer' } } }],
      properties: { [property]: text },
      unevaluatedProperties: false,
    })
    app.get('/', { schema: { response: { 200: { oneOf: [closed('a'), closed('b')] } } } }, () => ({
      id: 1,
      b: 'x',
    }))
    expect((await send(app, { path: '/' })).json()).toEqual({ id: 1, b: 'x' })
  })

  ours(REASON)('know the keywords of the application', async () => {
    const app = createApp({
      jsonSchemaDialect: '2020-12',
      ajv: {
        customOptions: {
          keywords: [{ keyword: 'even', validate: (_even: boolean, data: number) => data % 2 === 0 }],
        },
      },
    })
    const body = { type: 'array', prefixItems: [{ type: 'integer', even: true }] }
    app.post('/', { schema: { body } }, () => 'fits')
    expect((await send(app, { method: 'POST', path: '/', body: [2] })).text).toBe('fits')
    expect((await send(app, { method: 'POST', path: '/', body: [3] })).status).toBe(400)
  })
})

describeBehind('dialects of schemas', ({ createApp, send, expect, it, ours }) => {
  ours(REASON)('are those of $schema, whatever the app reads otherwise', async () => {
    const app = createApp({ jsonSchemaDialect: '2020-12' })
    const body = { $schema: DRAFT_07, type: 'array', items: [text], additionalItems: false }
    app.post('/', { schema: { body } }, () => 'fits')
    expect((await send(app, { method: 'POST', path: '/', body: ['a'] })).text).toBe('fits')
    expect((await send(app, { method: 'POST', path: '/', body: ['a', 'b'] })).status).toBe(400)
  })

  ours(REASON)('are those of each shared schema', async () => {
    const app = createApp()
    app.addSchema({ $id: 'pair', type: 'array', items: [text, text], additionalItems: false })
    app.addSchema({ $id: 'row', $schema: LATER, type: 'array', prefixItems: [text], items: { $ref: 'pair' } })
    app.post('/', { schema: { body: { $ref: 'row' } } }, () => 'fits')
    const post = async (body: object): Promise<string> =>
      (await send(app, { method: 'POST', path: '/', body })).text
    expect(await post(['a', ['b', 'c']])).toBe('fits')
    expect(await post(['a', ['b', 'c', 'd']])).toContain('body/1 must NOT have more than 2 items')
    expect(await post(['a', 'b'])).toContain('fits')
    expect(await post([{}])).toContain('body/0 must be string')
  })

  const REFUSED: Readonly<Record<string, { schema: object; option?: '2020-12'; reason: RegExp }>> = {
    'a tuple of draft-07 in 2020-12': {
      schema: { type: 'array', items: [text] },
      option: '2020-12',
      reason: /"items" must be one schema in 2020-12; write the list in "prefixItems"/,
    },
    'additionalItems in 2020-12': {
      schema: { $schema: LATER, type: 'array', additionalItems: false },
      reason: /"additionalItems" is no keyword of 2020-12: write the items of the tuple in "prefixItems"/,
    },
    'prefixItems in draft-07': {
      schema: { type: 'array', prefixItems: [text] },
      reason: /"prefixItems" is a keyword of 2020-12, .*jsonSchemaDialect/,
    },
    'a $schema that nothing reads': {
      schema: { $schema: 'https://json-schema.org/draft/2019-09/schema', ...text },
      reason: /"\$schema" names "https:.*2019-09.*", but Cloister reads draft-07 and 2020-12/,
    },
    'another $schema inside': {
      schema: { type: 'object', properties: { a: { $schema: LATER, ...text } } },
      reason: /"\$schema" names 2020-12 inside of a schema of draft-07; share the schema/,
    },
    'an $id with a fragment in 2020-12': {
      schema: { type: 'object', properties: { a: { $id: '#a', ...text } } },
      option: '2020-12',
      reason: /"\$id" must be a URI without a fragment; .* "\$anchor"/,
    },
    'minContains without contains': {
      schema: { type: 'array', minContains: 2 },
      option: '2020-12',
      reason: /"minContains" is ignored without "contains"/,
    },
    'limits of contains that no array keeps': {
      schema: { type: 'array', contains: text, maxContains: 0 },
      option: '2020-12',
      reason: /"maxContains" is less than "minContains"/,
    },
  }
  for (const [name, { schema, option = 'draft-07', reason }] of Object.entries(REFUSED)) {
    ours(REASON)(`refuse the start for ${name}`, async () => {
      const app = createApp({ jsonSchemaDialect: option })
      app.post('/', { schema: { body: schema } }, () => 'never')
      await expect(async () => app.ready()).rejects.toThrow(reason)
    })
  }

  ours(REASON)('refuse the start where Ajv would have to read both', async () => {
    const app = createApp({ ajv: { customOptions: { ownProperties: true } } })
    app.addSchema({ $id: 'old', ...text })
    app.post(
      '/',
      { schema: { body: { $schema: LATER, type: 'object', properties: { a: { $ref: 'old' } } } } },
      () => '',
    )
    await expect(async () => app.ready()).rejects.toThrow(/of 2020-12 and refers to "old", which is not/)
  })

  ours(REASON)('refuse the start where a response could be written in two ways', async () => {
    const app = createApp({ jsonSchemaDialect: '2020-12' })
    app.addSchema(DYNAMIC_LIST)
    const list = { $ref: DYNAMIC_LIST.$id, $defs: { item: { $dynamicAnchor: 'item', ...text } } }
    app.get('/', { schema: { response: { 200: list } } }, () => [])
    await expect(async () => app.ready()).rejects.toThrow(/two schemas have the "\$dynamicAnchor" "item"/)
  })

  ours(REASON)('refuse the start where branches of a response cannot be distinguished', async () => {
    const app = createApp({ jsonSchemaDialect: '2020-12' })
    const branch = { type: 'object', anyOf: [named, { required: ['a'] }], unevaluatedProperties: false }
    app.get('/', { schema: { response: { 200: { oneOf: [branch, named] } } } }, () => ({}))
    await expect(async () => app.ready()).rejects.toThrow(/cannot choose between branches of a response/)
  })

  it('are those of the validator compiler of the app', async () => {
    const app = createApp()
    const ajv = new Ajv2020({ strict: false })
    app.setValidatorCompiler(({ schema }) => ajv.compile(Object(schema)))
    app.post('/', { schema: { body: { type: 'array', prefixItems: [text], items: false } } }, () => 'fits')
    expect((await send(app, { method: 'POST', path: '/', body: ['a'] })).text).toBe('fits')
    expect((await send(app, { method: 'POST', path: '/', body: ['a', 'b'] })).status).toBe(400)
  })
})

describeBehind('a schema that names 2020-12', ({ createApp, send, expect, ours }) => {
  ours(REASON)('beside plain ones does not change these', async () => {
    const app = createApp()
    app.post('/old', { schema: { body: { type: 'array', items: [text] } } }, () => 'old')
    app.post(
      '/new',
      { schema: { body: { $schema: LATER, type: 'array', prefixItems: [text] } } },
      () => 'new',
    )
    for (const path of ['/old', '/new']) {
      expect((await send(app, { method: 'POST', path, body: ['a'] })).text).toBe(path.slice(1))
      expect((await send(app, { method: 'POST', path, body: [{}] })).status).toBe(400)
    }
  })
})
