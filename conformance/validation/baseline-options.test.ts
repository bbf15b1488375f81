import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })

function addRoute(app: App, body: object): App {
  return app.post('/', { schema: { body } }, (request) => ({ seen: request.body }))
}

describeBehind('the baseline of the validator', ({ createApp, send, it, expect }) => {
  const see = async (app: App, body: object): Promise<unknown> => {
    const response = await send(app, { method: 'POST', path: '/', body })
    return response.status === 200 ? Object(response.json()).seen : response.status
  }

  it('turns a single query value into an array of one string', async () => {
    const app = createApp()
    const querystring = object({ ids: { type: 'array', default: [] } })
    app.get('/', { schema: { querystring } }, (request) => request.query)
    expect((await send(app, { path: '/?ids=1' })).json()).toEqual({ ids: ['1'] })
    expect((await send(app, { path: '/?ids=1&ids=2' })).json()).toEqual({ ids: ['1', '2'] })
    expect((await send(app, { path: '/' })).json()).toEqual({ ids: [] })
  })

  it('fills missing properties (useDefaults)', async () => {
    const app = addRoute(
      createApp(),
      object({ a: { type: 'integer', default: 1 }, deep: object({ b: { default: 'x' } }, { default: {} }) }),
    )
    expect(await see(app, {})).toEqual({ a: 1, deep: { b: 'x' } })
    expect(await see(app, { a: 2, deep: { b: 'y' } })).toEqual({ a: 2, deep: { b: 'y' } })
  })

  it('fills missing items (useDefaults)', async () => {
    const app = addRoute(createApp(), {
      type: 'array',
      items: [
        { type: 'integer', default: 1 },
        { type: 'string', default: 'two' },
      ],
      minItems: 2,
      maxItems: 2,
    })
    expect(await see(app, [])).toEqual([1, 'two'])
    expect(await see(app, [5])).toEqual([5, 'two'])
  })

  it('gives each request a default of its own', async () => {
    const app = createApp()
    app.post('/', { schema: { body: object({ list: { type: 'array', default: [] } }) } }, (request) => {
      const body: { list?: unknown } = Object(request.body)
      if (Array.isArray(body.list)) body.list.push('x')
      return body
    })
    for (const round of ['first', 'second']) {
      const response = await send(app, { method: 'POST', path: '/', body: {} })
      expect([round, response.json()]).toEqual([round, { list: ['x'] }])
    }
  })

  it('removes undeclared properties where additionalProperties is false (removeAdditional: true)', async () => {
    const app = addRoute(createApp(), object({ a: { type: 'integer' } }, { additionalProperties: false }))
    expect(await see(app, { a: 1, b: 2 })).toEqual({ a: 1 })
  })

  it('keeps undeclared properties elsewhere (removeAdditional: true)', async () => {
    const app = addRoute(createApp(), object({ a: { type: 'integer' } }))
    expect(await see(app, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
  })

  it('refuses undeclared properties that a schema for them refuses (removeAdditional: true)', async () => {
    const app = addRoute(createApp(), object({ a: {} }, { additionalProperties: { type: 'integer' } }))
    expect(await see(app, { a: 1, b: '2' })).toEqual({ a: 1, b: 2 })
    expect(await see(app, { a: 1, b: 'x' })).toBe(400)
  })

  it('stops at the first error (allErrors: false)', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => reply.code(400).send({ errors: error.validation }))
    addRoute(app, object({ a: { type: 'integer' }, b: { type: 'integer' } }))
    const response = await send(app, { method: 'POST', path: '/', body: { a: 'x', b: 'y' } })
    expect(Object(response.json()).errors).toHaveLength(1)
  })

  it('responds to thousands of bad items with one error (allErrors: false)', async () => {
    const app = addRoute(createApp(), { type: 'array', items: { type: 'integer' } })
    const body = Array.from({ length: 20_000 }, () => 'word')
    const response = await send(app, { method: 'POST', path: '/', body })
    expect(response.status).toBe(400)
    expect(response.text.length).toBeLessThan(200)
  })

  it('lets several routes hold a schema of the same $id (addUsedSchema: false)', async () => {
    const app = createApp()
    app.post('/a', { schema: { body: { $id: 'same', ...object({ v: { type: 'integer' } }) } } }, () => 'a')
    app.post('/b', { schema: { body: { $id: 'same', ...object({ v: { type: 'boolean' } }) } } }, () => 'b')
    expect((await send(app, { method: 'POST', path: '/a', body: { v: 5 } })).text).toBe('a')
    expect((await send(app, { method: 'POST', path: '/b', body: { v: true } })).text).toBe('b')
    expect((await send(app, { method: 'POST', path: '/b', body: { v: 5 } })).status).toBe(400)
  })

  it('resolves relative ids as URIs (uriResolver)', async () => {
    const app = createApp()
      .addSchema({ $id: 'https://schemas.test/v1/leaf.json', type: 'integer' })
      .addSchema({ $id: 'https://schemas.test/v1/lib/a.json', ...object({ x: { $ref: '../leaf.json#' } }) })
    addRoute(app, { $ref: 'https://schemas.test/v1/lib/a.json#' })
    expect(await see(app, { x: '5' })).toEqual({ x: 5 })
    expect(await see(app, { x: 'word' })).toBe(400)
  })

  it('knows the formats of ajv-formats', async () => {
    const app = addRoute(createApp(), object({ mail: { type: 'string', format: 'email' } }))
    expect(await see(app, { mail: 'a@b.test' })).toEqual({ mail: 'a@b.test' })
    expect(await see(app, { mail: 'nobody' })).toBe(400)
  })

  it('refuses an unknown keyword at boot', async () => {
    const app = addRoute(createApp(), object({ a: { type: 'string', maxLenght: 3 } }))
    await expect(app.ready()).rejects.toThrow('maxLenght')
  })

  it('reads JSON Schema draft 7', async () => {
    const app = addRoute(createApp(), {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      then: { required: ['b'] },
      propertyNames: { maxLength: 3 },
    })
    expect(await see(app, { a: 1, b: 1 })).toEqual({ a: 1, b: 1 })
    expect(await see(app, { a: 1 })).toBe(400)
    expect(await see(app, { long: 1 })).toBe(400)
  })
})

describeBehind('ajv.customOptions', ({ createApp, send, it, expect, ours }) => {
  const see = async (app: App, body: object): Promise<unknown> => {
    const response = await send(app, { method: 'POST', path: '/', body })
    return response.status === 200 ? Object(response.json()).seen : response.json()
  }
  const withOptions = (customOptions: object, body: object): App =>
    addRoute(createApp({ ajv: { customOptions } }), body)

  it('switches coercion off', async () => {
    const app = withOptions({ coerceTypes: false }, object({ a: { type: 'integer' } }))
    expect(await see(app, { a: 5 })).toEqual({ a: 5 })
    expect(await see(app, { a: '5' })).toMatchObject({ statusCode: 400 })
  })

  it('switches defaults off', async () => {
    const app = withOptions(
      { useDefaults: false, strict: false },
      object({ a: { type: 'integer', default: 1 } }),
    )
    expect(await see(app, {})).toEqual({})
  })

  it('removes whatever is not declared with removeAdditional: all', async () => {
    const app = withOptions({ removeAdditional: 'all' }, object({ a: { type: 'integer' } }))
    expect(await see(app, { a: 1, b: 2 })).toEqual({ a: 1 })
  })

  it('refuses undeclared properties with removeAdditional: false', async () => {
    const app = withOptions(
      { removeAdditional: false },
      object({ a: { type: 'integer' } }, { additionalProperties: false }),
    )
    expect(await see(app, { a: 1 })).toEqual({ a: 1 })
    expect(await see(app, { a: 1, b: 2 })).toMatchObject({
      message: 'body must NOT have additional properties',
    })
  })

  it('collects every error with allErrors: true', async () => {
    const app = withOptions({ allErrors: true }, object({ a: { type: 'integer' }, b: { type: 'integer' } }))
    expect(await see(app, { a: 'x', b: 'y' })).toMatchObject({
      message: 'body/a must be integer, body/b must be integer',
    })
  })

  it('adds formats and keywords', async () => {
    const app = withOptions(
      {
        formats: { lower: /^[a-z]+$/ },
        keywords: [{ keyword: 'even', type: 'number', validate: (_: unknown, n: number) => n % 2 === 0 }],
      },
      object({ word: { type: 'string', format: 'lower' }, n: { type: 'integer', even: true } }),
    )
    expect(await see(app, { word: 'abc', n: 4 })).toEqual({ word: 'abc', n: 4 })
    expect(await see(app, { word: 'ABC' })).toMatchObject({ statusCode: 400 })
    expect(await see(app, { n: 3 })).toMatchObject({ statusCode: 400 })
  })

  it('counts inherited names as present, and own ones only with ownProperties: true', async () => {
    const body = { type: 'object', required: ['toString'] }
    expect(await see(addRoute(createApp(), body), {})).toEqual({})
    expect(await see(withOptions({ ownProperties: true }, body), {})).toMatchObject({ statusCode: 400 })
  })

  it('holds in child contexts, shared schemas or not', async () => {
    const app = createApp({ ajv: { customOptions: { coerceTypes: false } } })
    app.register(async (child) => {
      child.addSchema({ $id: 'n', type: 'integer' })
      addRoute(child, object({ a: { $ref: 'n#' } }))
    })
    expect(await see(app, { a: '5' })).toMatchObject({ statusCode: 400 })
  })

  it('keeps the other options of the baseline', async () => {
    const app = withOptions(
      { removeAdditional: 'all' },
      object({ a: { type: 'integer', default: 3 }, b: { type: 'integer' } }),
    )
    expect(await see(app, { b: '2', c: 1 })).toEqual({ a: 3, b: 2 })
  })

  it('refuses options that are not an object', () => {
    expect(() => createApp({ ajv: { customOptions: 1 } })).toThrow()
    expect(() => createApp({ ajv: { plugins: 'ajv-errors' } })).toThrow()
  })

  ours('Ajv passes over them')('refuses misspelt options and words that are none', () => {
    const create = (customOptions: object) => () => createApp({ ajv: { customOptions } })
    expect(create({ removeAditional: 'all' })).toThrow(
      "no option 'removeAditional'; did you mean 'removeAdditional'?",
    )
    expect(create({ removeAdditional: 'All' })).toThrow(
      `must be true, false or "all" or "failing", got "All"`,
    )
    expect(create({ coerceTypes: 'arrays' })).toThrow('coerceTypes')
    // Of earlier versions of Ajv, or of a keyword's own.
    expect(create({ jsonPointers: true, format: 'full', nullable: true, constructor: 1 })).not.toThrow()
    expect(
      create({ removeAdditional: 'failing', useDefaults: 'empty', coerceTypes: undefined }),
    ).not.toThrow()
  })
})
