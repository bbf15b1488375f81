// The OpenAPI document of an app: what it has of routes and schemas.
import { openApiDocument, OpenApiError, secures } from '@cloister/openapi'
import type { DocumentedApp, OpenApiDocument, Operation } from '@cloister/openapi'
import { bearerAuth } from '@cloister/bearer-auth'
import { websocket } from '@cloister/websocket'
import { cloister } from 'cloister'
import * as valibot from 'valibot'
import { type } from 'arktype'
import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { hardApp } from './hard-app.ts'
import { errorsOf } from './validators.ts'

interface Plain {
  addSchema(schema: object): unknown
  addHook(name: string, hook: unknown): unknown
  addGuard(name: string, guard: unknown, options: object): unknown
  get(url: string, ...options: unknown[]): unknown
  post(url: string, ...options: unknown[]): unknown
  route(options: object): unknown
  register(plugin: unknown, options?: object): unknown
}

/** Makes the document of an app that a function fills. */
async function documentOf(
  fill: (app: Plain) => void,
  options?: Parameters<typeof openApiDocument>[1],
  appOptions?: object,
): Promise<OpenApiDocument> {
  const app = cloister(appOptions)
  fill(app)
  await app.ready()
  return openApiDocument(app, options)
}

/** A value that contains itself, in an object and in a list. */
function circle(): object {
  const value: Record<string, unknown> = { list: [] }
  value['list'] = [value]
  return value
}

function operation(document: OpenApiDocument, method: string, path: string): Operation {
  const found = document.paths[path]?.[method]
  if (found === undefined)
    throw new Error(`no ${method} ${path} in ${Object.keys(document.paths).join(', ')}`)
  return found as Operation
}

const ok = (): string => 'ok'
const responding = (schema: object): object => ({ schema: { response: { 200: schema } } })

/** What the document says of the payload of `GET /`. */
function payload(document: OpenApiDocument, path = '/'): unknown {
  const response = operation(document, 'get', path).responses['200']
  return response !== undefined && 'content' in response
    ? response.content?.['application/json']?.schema
    : undefined
}

const item = { type: 'object', properties: { n: { type: 'integer' } } }

/** An app with streams of items, sockets and methods that OpenAPI 3.1 has no field for. */
async function streamingApp() {
  const app = cloister()
  const of = (...types: string[]): object => ({
    content: Object.fromEntries(types.map((type) => [type, { schema: item }])),
  })
  const lines = {
    body: of('application/x-ndjson'),
    response: { 200: of('application/jsonl', 'application/json-seq') },
  }
  app.post('/items', { schema: lines }, ok)
  app.get('/events', { schema: { response: { 200: of('text/event-stream') } } }, ok)
  for (const method of ['QUERY', 'PURGE']) {
    app.addHttpMethod(method)
    app.route({ method, url: '/items', schema: { response: { 200: { type: 'string' } } }, handler: ok })
  }
  const live = await app.register(websocket)
  live.ws('/chat', { schema: { incoming: item, outgoing: { type: 'string' } } }, async () => {})
  await app.ready()
  return app
}

describe('the document of an app with hard cases', () => {
  it('is valid for three validators', async () => {
    expect(await errorsOf(openApiDocument(await hardApp()))).toEqual([])
  })

  it('is valid as version 3.0', async () => {
    const document = openApiDocument(await hardApp(), { version: '3.0' })
    expect(document.openapi).toBe('3.0.3')
    expect(await errorsOf(document)).toEqual([])
  })

  it('is valid as version 3.2 for two validators, with the items of streams under itemSchema', async () => {
    const document = openApiDocument(await streamingApp(), { version: '3.2' })
    expect(document.openapi).toBe('3.2.0')
    // The parser of Scalar refuses each schema of version 3.2, that of `{ type: 'string' }` too.
    const errors = await errorsOf(document)
    expect(errors.filter((error) => !error.startsWith('scalar: '))).toEqual([])
    const { requestBody, responses } = operation(document, 'post', '/items')
    expect(requestBody).toMatchObject({ content: { 'application/x-ndjson': { itemSchema: item } } })
    expect(responses).toMatchObject({ 200: { content: { 'application/jsonl': { itemSchema: item } } } })
    expect(operation(document, 'get', '/events').responses['200']).toMatchObject({
      content: {
        'text/event-stream': {
          itemSchema: {
            properties: {
              data: { type: 'string', contentMediaType: 'application/json', contentSchema: item },
            },
          },
        },
      },
    })
    expect(document.paths['/items']).toMatchObject({ query: {}, additionalOperations: { PURGE: {} } })
    expect(document.paths['/items']).not.toHaveProperty('additionalOperations.QUERY')
  })

  it('has streams as version 3.1 too, with the schema of an item', async () => {
    const document = openApiDocument(await streamingApp())
    expect(await errorsOf(document)).toEqual([])
    expect(operation(document, 'get', '/events').responses['200']).toMatchObject({
      content: { 'text/event-stream': { schema: item } },
    })
  })

  it('has the handshake of WebSocket routes, and their messages as an extension', async () => {
    const document = openApiDocument(await streamingApp())
    const { responses, 'x-websocket': messages } = operation(document, 'get', '/chat')
    expect(responses['101']).toEqual({ description: 'The connection speaks WebSocket' })
    expect(messages).toEqual({ incoming: item, outgoing: { type: 'string' } })
  })

  it('is written in version 3.0 with what that version has for the keywords', async () => {
    const schemas = {
      limits: { type: 'number', minimum: 3, exclusiveMinimum: 1, maximum: 9, exclusiveMaximum: 8 },
      tuple: { type: 'array', items: [{ type: 'string' }, true], additionalItems: false, maxItems: 5 },
      several: { type: ['string', 'integer', 'null'] },
      never: false,
      depends: {
        type: 'object',
        properties: { a: {}, b: {} },
        dependencies: { a: ['b'], b: { minProperties: 2 } },
      },
      when: {
        type: 'object',
        if: { required: ['a'] },
        then: { required: ['b'] },
        else: { maxProperties: 1 },
        properties: { a: {}, b: {} },
      },
      open: { type: 'array' },
    }
    const document = await documentOf(
      (app) => app.post('/', { schema: { body: { type: 'object', properties: schemas } } }, ok),
      { version: '3.0' },
    )
    const body = operation(document, 'post', '/').requestBody?.content['application/json']
    const written: unknown = JSON.parse(JSON.stringify(body?.schema))
    expect(written).toMatchObject({
      properties: {
        limits: { type: 'number', minimum: 3, maximum: 8, exclusiveMaximum: true },
        tuple: { type: 'array', items: { anyOf: [{ type: 'string' }, {}] }, maxItems: 2 },
        several: {
          allOf: [
            {
              anyOf: [
                { type: 'string', nullable: true },
                { type: 'integer', nullable: true },
              ],
            },
          ],
        },
        never: { not: {} },
        depends: {
          allOf: [
            { anyOf: [{ not: { required: ['a'] } }, { required: ['b'] }] },
            { anyOf: [{ not: { required: ['b'] } }, { minProperties: 2 }] },
          ],
        },
        when: {
          allOf: [
            { anyOf: [{ not: { required: ['a'] } }, { required: ['b'] }] },
            { anyOf: [{ required: ['a'] }, { maxProperties: 1 }] },
          ],
        },
        open: { type: 'array', items: {} },
      },
    })
    expect(written).not.toHaveProperty('properties.limits.exclusiveMinimum')
    expect(await errorsOf(document)).toEqual([])
  })

  it('is the same text each time', async () => {
    const texts = await Promise.all([1, 2].map(async () => JSON.stringify(openApiDocument(await hardApp()))))
    expect(texts[0]).toBe(texts[1])
  })
})

describe('schemas', () => {
  it('are a component for each shared schema, also of one $id in two contexts', async () => {
    const { components } = openApiDocument(await hardApp())
    expect(components?.schemas).toMatchObject({
      mine: { type: 'string', enum: ['a'] },
      mine_2: { type: 'integer' },
      address: { properties: { zip: { type: 'string' } } },
      common_page: { type: 'integer', minimum: 1 },
    })
  })

  it('of one $id and one content in two contexts are one component', async () => {
    const document = await documentOf((app) => {
      for (const name of ['a', 'b']) {
        app.register(async (child: Plain) => {
          child.addSchema({ $id: 'id', type: 'integer' })
          child.get(`/${name}`, responding({ type: 'array', items: { $ref: 'id#' } }), ok)
        })
      }
    })
    expect(document.components?.schemas).toEqual({ id: { type: 'integer' } })
  })

  it('that refer to different schemas in two contexts are two components', async () => {
    const document = await documentOf((app) => {
      for (const name of ['string', 'integer']) {
        app.register(async (child: Plain) => {
          child.addSchema({ $id: 'inner', type: name })
          child.addSchema({ $id: 'outer', type: 'object', properties: { inner: { $ref: 'inner#' } } })
          child.get(`/${name}`, responding({ $ref: 'outer#' }), ok)
        })
      }
    })
    expect(document.components?.schemas).toEqual({
      outer: { type: 'object', properties: { inner: { $ref: '#/components/schemas/inner' } } },
      inner: { type: 'string' },
      outer_2: { type: 'object', properties: { inner: { $ref: '#/components/schemas/inner_2' } } },
      inner_2: { type: 'integer' },
    })
  })

  it.each([
    ['a whole shared schema', 'shared#', 'shared'],
    ['a pointer into one', 'shared#/definitions/part', 'shared_part'],
    ['an anchor in one', 'shared#named', 'shared_named'],
    ['an $id within one', 'nested', 'shared_nested'],
  ])('refer to %s', async (_, $ref, name) => {
    const definitions = {
      part: { type: 'string', minLength: 1 },
      named: { $id: '#named', type: 'string', minLength: 2 },
      nested: { $id: 'nested', type: 'string', minLength: 3 },
    }
    const document = await documentOf((app) => {
      app.addSchema({
        $id: 'shared',
        type: 'object',
        definitions,
        properties: { a: { $ref: '#/definitions/part' } },
      })
      app.get('/', responding({ type: 'object', properties: { at: { $ref } } }), ok)
    })
    expect(payload(document)).toMatchObject({ properties: { at: { $ref: `#/components/schemas/${name}` } } })
    expect(await errorsOf(document)).toEqual([])
  })

  it('keep what is written beside a $ref, as the validators do', async () => {
    const document = await documentOf((app) => {
      app.addSchema({ $id: 'text', type: 'string' })
      app.post(
        '/',
        { schema: { body: { type: 'object', properties: { a: { $ref: 'text#', maxLength: 2 } } } } },
        ok,
      )
    })
    expect(operation(document, 'post', '/').requestBody?.content['application/json']?.schema).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/components/schemas/text', maxLength: 2 } },
    })
  })

  it.each([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'tuples',
      { type: 'array', items: [{ type: 'string' }], minItems: 1, additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1, items: false },
    ],
    [
      'dependencies',
      { type: 'object', properties: { a: {}, b: {} }, dependencies: { a: ['b'], b: { minProperties: 2 } } },
      {
        type: 'object',
        properties: { a: {}, b: {} },
        dependentRequired: { a: ['b'] },
        dependentSchemas: { b: { minProperties: 2 } },
      },
    ],
    ['example', { type: 'string', example: 'x' }, { type: 'string', examples: ['x'] }],
    [
      'const and enum',
      { type: 'object', properties: { a: { const: null }, b: { enum: [1, 'x'] } } },
      { type: 'object', properties: { a: { const: null }, b: { enum: [1, 'x'] } } },
    ],
    ['exclusive limits', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', exclusiveMinimum: 0 }],
  ])('of draft-07 are written as 2020-12: %s', async (_, schema, expected) => {
    const inBody = { type: 'object', properties: { value: schema } }
    const document = await documentOf((app) => app.post('/', { schema: { body: inBody } }, ok))
    expect(operation(document, 'post', '/').requestBody?.content['application/json']?.schema).toEqual({
      type: 'object',
      properties: { value: expected },
    })
  })

  it('of 2020-12 stay as they are', async () => {
    const schema = {
      type: 'array',
      prefixItems: [{ type: 'string' }],
      items: false,
      dependentRequired: { a: ['b'] },
    }
    const document = await documentOf((app) =>
      app.post(
        '/',
        {
          schema: { body: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema } },
          validatorCompiler: () => () => true,
        },
        ok,
      ),
    )
    expect(operation(document, 'post', '/').requestBody?.content['application/json']?.schema).toEqual(schema)
  })

  it('of libraries are written by the libraries: the input of requests, the output of responses', async () => {
    const size = z.object({ size: z.number().default(3) })
    const document = await documentOf((app) => {
      app.post('/zod', { schema: { body: size, response: { 200: size } } }, ok)
      app.post('/arktype', { schema: { body: type({ size: 'number' }) } }, ok)
    })
    const { requestBody, responses } = operation(document, 'post', '/zod')
    expect(requestBody?.content['application/json']?.schema).not.toHaveProperty('required')
    expect(responses['200']).toMatchObject({
      content: { 'application/json': { schema: { required: ['size'] } } },
    })
    expect(
      operation(document, 'post', '/arktype').requestBody?.content['application/json']?.schema,
    ).toMatchObject({
      properties: { size: { type: 'number' } },
    })
    expect(await errorsOf(document)).toEqual([])
  })

  it('of a library without JSON Schema are an error that names route, part and option, or come from the option', async () => {
    const fill = (app: Plain): void =>
      void app.post('/', { schema: { body: valibot.object({ a: valibot.string() }) } }, ok)
    await expect(documentOf(fill)).rejects.toThrow(
      /^POST \/ \(.*document\.test\.ts:\d+\), body: the schema comes from a library that offers no JSON Schema.*toJsonSchema/,
    )
    const seen: unknown[] = []
    const document = await documentOf(fill, {
      toJsonSchema: (_, purpose) => {
        seen.push(purpose.side)
        return { type: 'object', title: 'made' }
      },
    })
    expect(seen).toEqual(['input'])
    expect(operation(document, 'post', '/').requestBody?.content['application/json']?.schema).toMatchObject({
      title: 'made',
    })
  })

  it.each([
    [
      'a limit from the data',
      { type: 'number', minimum: { $data: '1/a' } },
      '"minimum" takes its value from the data',
    ],
    [
      'a value that is no JSON',
      { type: 'string', transform: () => 1 },
      'the value of "transform" is no JSON',
    ],
    [
      'an extension that contains itself',
      { type: 'string', 'x-foo': circle() },
      'the value of "x-foo" is no JSON',
    ],
    [
      'examples that contain themselves',
      { type: 'string', examples: [circle()] },
      'the value of "examples" is no JSON',
    ],
    ['a reference to nothing', { $ref: 'nothing#' }, '"$ref": "nothing#" leads nowhere'],
  ])('that OpenAPI cannot say are an error with the call site: %s', async (_, schema, reason) => {
    const body = { type: 'object', properties: { value: schema } }
    const failure: unknown = await documentOf((app) =>
      app.post('/things', { schema: { body }, validatorCompiler: () => () => true }, ok),
    ).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(OpenApiError)
    expect(failure).toMatchObject({ code: 'CLO_ERR_OPENAPI_SCHEMA' })
    expect(String(failure)).toContain(reason)
    expect(String(failure)).toMatch(
      /POST \/things \(.*document\.test\.ts:\d+\), body: .* at "#\/properties\/value/,
    )
    expect(String(failure)).toContain('hide the route with schema: { hide: true }')
  })
})

describe('paths and parameters', () => {
  it('are both written for two routes that differ in the slash at the end', async () => {
    const document = await documentOf((app) => {
      for (const url of ['/things', '/things/']) app.get(url, ok)
    })
    expect(Object.keys(document.paths)).toEqual(['/things', '/things/'])
  })

  it('are written for patterns, several parameters of a segment, wildcards and optional parameters', async () => {
    const document = openApiDocument(await hardApp())
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/year/{year}/{rest}',
        '/year/{year}',
        '/at/{hour}h{minute}m',
        '/files/{wildcard}',
        '/downloads/{file}.{extension}',
        '/a:b',
        '/prefixed',
      ]),
    )
    const leftOut = ['/hidden', '/unlisted', '/prefixed/'].filter((path) => path in document.paths)
    expect(leftOut).toEqual([])
    expect(operation(document, 'get', '/at/{hour}h{minute}m').parameters).toEqual([
      {
        name: 'hour',
        in: 'path',
        required: true,
        schema: { type: 'string', pattern: String.raw`^(?:\d{2})$` },
      },
      {
        name: 'minute',
        in: 'path',
        required: true,
        schema: { type: 'string', pattern: String.raw`^(?:\d{2})$` },
      },
    ])
    expect(operation(document, 'get', '/files/{wildcard}').parameters).toEqual([
      { name: 'wildcard', in: 'path', required: true, schema: { type: 'string' }, 'x-wildcard': true },
    ])
  })

  it('that differ in the names of parameters alone are one path', async () => {
    const document = await documentOf((app) => {
      app.get('/books/:id', ok)
      app.route({
        method: 'DELETE',
        url: '/books/:isbn',
        handler: ok,
        schema: { params: { isbn: { type: 'integer' } } },
      })
    })
    expect(Object.keys(document.paths)).toEqual(['/books/{id}'])
    expect(operation(document, 'delete', '/books/{id}').parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    ])
  })

  it('that would be one operation are an error with both call sites', async () => {
    const two = documentOf((app) => {
      app.get('/books', ok)
      app.get('/books', { constraints: { version: '2.0.0' } }, ok)
    })
    await expect(two).rejects.toThrow(
      /GET \/books \(.*:\d+\) and GET \/books \(.*:\d+\) with version 2\.0\.0; leave one out/,
    )
    const one = await documentOf(
      (app) => {
        app.get('/books', { schema: { summary: 'first' } }, ok)
        app.get('/books', { constraints: { version: '2.0.0' }, schema: { summary: 'second' } }, ok)
      },
      { select: ({ constraints }) => constraints['version'] === '2.0.0' },
    )
    expect(operation(one, 'get', '/books').summary).toBe('second')
  })

  it('of a query are one for each property, or one for all when the schema says more', async () => {
    const document = await documentOf((app) => {
      app.addSchema({
        $id: 'page',
        type: 'object',
        properties: { page: { type: 'integer', default: 1, description: 'number' } },
        required: ['page'],
      })
      app.get(
        '/plain',
        {
          schema: {
            querystring: {
              allOf: [{ $ref: 'page#' }],
              type: 'object',
              properties: { q: { type: 'string' } },
              required: ['q'],
            },
          },
        },
        ok,
      )
      app.get(
        '/mixed',
        {
          schema: {
            querystring: {
              type: 'object',
              properties: { a: {}, b: {} },
              anyOf: [{ required: ['a'] }, { required: ['b'] }],
            },
          },
        },
        ok,
      )
    })
    expect(operation(document, 'get', '/plain').parameters).toEqual([
      { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
      {
        name: 'page',
        in: 'query',
        description: 'number',
        schema: { type: 'integer', default: 1, description: 'number' },
      },
    ])
    expect(operation(document, 'get', '/mixed').parameters).toMatchObject([
      { name: 'query', in: 'query', style: 'form', explode: true, schema: { anyOf: [{}, {}] } },
    ])
  })

  it('of headers and cookies keep their names', async () => {
    const { parameters } = operation(openApiDocument(await hardApp()), 'get', '/users')
    expect(parameters?.map((one) => `${one.in} ${one.name}`)).toEqual([
      'query page',
      'query tag',
      'query q',
      'query ids',
      'header X-Trace',
      'cookie session',
    ])
  })
})

describe('operations', () => {
  it('have what routes write beside their schemas', async () => {
    const facts = {
      tags: ['books'],
      summary: 'short',
      description: 'long',
      deprecated: true,
      externalDocs: { url: 'https://example.com' },
      'x-internal': 1,
    }
    const document = await documentOf(
      (app) => {
        app.post(
          '/',
          {
            schema: {
              ...facts,
              operationId: 'make',
              consumes: ['text/csv'],
              produces: ['text/csv'],
              body: { type: 'string' },
              response: { 200: { type: 'string' } },
            },
          },
          ok,
        )
      },
      { tags: [{ name: 'first', description: 'one' }] },
    )
    expect(operation(document, 'post', '/')).toMatchObject({
      ...facts,
      operationId: 'make',
      requestBody: { required: true, content: { 'text/csv': { schema: { type: 'string' } } } },
      responses: { 200: { description: 'OK', content: { 'text/csv': { schema: { type: 'string' } } } } },
    })
    expect(document.tags).toEqual([{ name: 'first', description: 'one' }, { name: 'books' }])
  })

  it('have one name each: given ones stay, and two routes with one are an error with both call sites', async () => {
    const document = openApiDocument(await hardApp())
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((one) => (one as Operation).operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(['multi', 'multi_patch', 'getUsersById', 'deleteMultiById']))
    const twice = documentOf((app) => {
      app.get('/a', { schema: { operationId: 'same' } }, ok)
      app.get('/b', { schema: { operationId: 'same' } }, ok)
    })
    await expect(twice).rejects.toThrow(
      /two routes have the operationId 'same': GET \/a \(.*:\d+\) and GET \/b \(.*:\d+\); give one of them another/,
    )
  })

  it('have responses by status, class and default, with headers and media types', async () => {
    const document = openApiDocument(await hardApp())
    expect(Object.keys(operation(document, 'get', '/users/{id}').responses)).toEqual([
      '200',
      '4XX',
      'default',
    ])
    expect(operation(document, 'get', '/users').responses['2XX']).toMatchObject({
      description: 'list',
      headers: { 'x-total': { description: 'all', schema: { type: 'integer' } } },
    })
    expect(Object.keys(operation(document, 'post', '/pets').requestBody?.content ?? {})).toEqual([
      'application/json',
      'text/csv',
    ])
    expect(operation(document, 'post', '/files').responses['204']).toEqual({ description: 'stored' })
  })

  it('have the responses of the framework beside their own, unless an option omits them', async () => {
    const fill = (app: Plain): void =>
      void app.post('/', { schema: { body: { type: 'object' }, response: { 201: { type: 'object' } } } }, ok)
    const document = await documentOf(fill)
    expect(Object.keys(operation(document, 'post', '/').responses)).toEqual(['201', '400', '413', '415'])
    const problems = await documentOf(fill, undefined, { problemDetails: true })
    expect(problems.components?.responses?.['BadRequest']?.content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
    })
    const without = await documentOf(fill, { frameworkResponses: false })
    expect(Object.keys(operation(without, 'post', '/').responses)).toEqual(['201'])
  })

  it('name no security scheme that nothing declares', async () => {
    const security = [{ key: [] }]
    const fill = (app: Plain): void => void app.get('/own', { schema: { security } }, ok)
    const declared = { components: { securitySchemes: { key: { type: 'http', scheme: 'basic' } } } } as const
    await expect(documentOf(fill)).rejects.toThrow("nothing declares the security scheme 'key'; add it")
    await expect(documentOf(() => {}, { security })).rejects.toThrow('the option security: nothing declares')
    expect((await documentOf(fill, declared)).components).toMatchObject(declared.components)
  })

  it('have the security that their hooks check', async () => {
    const document = await documentOf((app) => {
      const checkKey = secures({ key: { type: 'apiKey', in: 'header', name: 'x-key' } }, async () => {})
      app.get('/open', ok)
      app.register(async (child: Plain) => {
        child.register(bearerAuth, { keys: ['x'] })
        child.get('/bearer', ok)
        child.register(async (inner: Plain) => {
          inner.get('/both', { preHandler: checkKey }, ok)
        })
        child.get('/own', { schema: { security: [{}] } }, ok)
      })
      app.register(async (child: Plain) => {
        child.register(bearerAuth, { keys: ['x'], addHook: 'preParsing', bearerType: 'Token' })
        child.get('/token', ok)
      })
    })
    const securityOf = (path: string): unknown => operation(document, 'get', path).security
    expect(securityOf('/open')).toBeUndefined()
    expect(securityOf('/bearer')).toEqual([{ bearer: [] }])
    expect(securityOf('/both')).toEqual([{ bearer: [], key: [] }])
    expect(securityOf('/own')).toEqual([{}])
    expect(securityOf('/token')).toEqual([{ bearer_2: [] }])
    expect(document.components?.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      bearer_2: { type: 'http', scheme: 'token' },
      key: { type: 'apiKey', in: 'header', name: 'x-key' },
    })
    expect(await errorsOf(document)).toEqual([])
  })

  it('have the security and the refusals that their guards state', async () => {
    const http = { type: 'http', scheme: 'bearer' }
    const response = { 200: item }
    const document = await documentOf((app) => {
      app.get('/open', { schema: { response } }, ok)
      app.register(async (child: Plain) => {
        child.addGuard('user', () => 1, { securitySchemes: { bearer: http } })
        child.get('/user', { schema: { response } }, ok)
        child.register(async (inner: Plain) => {
          inner.addGuard('writer', () => 1, { security: { bearer: ['write'] }, refuses: [403, 429] })
          inner.get('/writer', { schema: { response: { ...response, 403: item } } }, ok)
          inner.get('/own', { schema: { response, security: [{}] } }, ok)
        })
      })
      app.register(async (child: Plain) => {
        child.addGuard('user', () => 1, {
          securitySchemes: { bearer: { ...http, bearerFormat: 'JWT' } },
          security: { bearer: ['read'] },
        })
        child.get('/other', { schema: { response } }, ok)
      })
    })
    const of = (path: string): Operation => operation(document, 'get', path)
    expect(of('/open').security).toBeUndefined()
    expect(Object.keys(of('/open').responses)).toEqual(['200'])
    expect(of('/user').security).toEqual([{ bearer: [] }])
    expect(of('/user').responses).toMatchObject({ 403: { description: 'The request is not allowed' } })
    expect(Object.keys(of('/user').responses)).toEqual(['200', '401', '403'])
    expect(of('/writer').security).toEqual([{ bearer: ['write'] }])
    expect(Object.keys(of('/writer').responses)).toEqual(['200', '401', '403', '429'])
    expect(of('/writer').responses['403']).toHaveProperty('content')
    expect(of('/own').security).toEqual([{}])
    expect(of('/other').security).toEqual([{ bearer_2: ['read'] }])
    expect(document.components?.securitySchemes).toEqual({
      bearer: http,
      bearer_2: { ...http, bearerFormat: 'JWT' },
    })
    expect(await errorsOf(document)).toEqual([])
  })

  it('have the bodies of refusals that guards state', async () => {
    const refusal = { type: 'object', properties: { why: { type: 'string' } } }
    const own = { type: 'object', properties: { own: { type: 'string' } } }
    const document = await documentOf((app) => {
      app.addGuard('user', () => 1, { refuses: { 401: 'error', 403: refusal, 429: null } })
      app.get('/described', { schema: { response: { 200: item } } }, ok)
      app.get('/open', ok)
      app.get('/own', { schema: { response: { 200: item, '4xx': own } } }, ok)
      app.register(async (child: Plain) => {
        child.addGuard('other', () => 1, { refuses: { 401: own, 403: refusal } })
        child.get('/different', { schema: { response: { 200: item } } }, ok)
      })
    })
    const content = { 'application/json': { schema: refusal } }
    const of = (path: string): unknown => operation(document, 'get', path).responses
    const stated = {
      401: { $ref: '#/components/responses/Unauthorized' },
      403: { description: 'Forbidden', content },
      429: { description: 'Too Many Requests' },
    }
    expect(of('/described')).toMatchObject({ 200: {}, ...stated })
    expect(of('/open')).toEqual({ ...stated, default: { description: 'Any response' } })
    expect(Object.keys(Object(of('/own')))).toEqual(['200', '4XX'])
    expect(of('/different')).toMatchObject({ 401: { description: expect.any(String) }, 403: stated[403] })
    expect(Object(of('/different'))[401]).not.toHaveProperty('content')
    expect(document.components?.responses).toMatchObject({
      Unauthorized: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/HttpError' } } },
      },
    })
    expect(await errorsOf(document)).toEqual([])
  })

  it('name the scheme of a guard that nothing declares', async () => {
    const fill = (app: Plain): void => {
      app.addGuard('user', () => 1, { security: { session: [] } })
      app.get('/own', ok)
    }
    await expect(documentOf(fill)).rejects.toThrow(/'session'.*securitySchemes of addGuard/)
  })

  it('omit HEAD routes of the framework, and hidden ones', async () => {
    const document = await documentOf((app) => {
      app.get('/', ok)
      app.get('/hidden', { schema: { hide: true } }, ok)
      app.get('/config', { config: { openapi: false } }, ok)
      app.get('/tag', { schema: { tags: ['X-HIDDEN'] } }, ok)
    })
    expect(Object.keys(document.paths)).toEqual(['/'])
    expect(Object.keys(document.paths['/'] ?? {})).toEqual(['get'])
  })

  it('are what the option transform makes of them', async () => {
    const document = await documentOf((app) => app.get('/', ok), {
      transform: (one, { context }) => ({ ...one, tags: [context] }),
    })
    expect(operation(document, 'get', '/').tags).toEqual(['root'])
    expect(document.tags).toEqual([{ name: 'root' }])
  })
})

describe('openApiDocument', () => {
  it('refuses options that it does not have, and values of the wrong type', async () => {
    const app: DocumentedApp = await cloister().ready()
    const refused = (options: object): unknown => Reflect.apply(openApiDocument, undefined, [app, options])
    expect(() => refused({ inf: {} })).toThrow("has no option 'inf'; its options are info,")
    expect(() => refused({ info: { title: 1 } })).toThrow(
      "the option 'info' of @cloister/openapi must be an object",
    )
    expect(() => refused({ version: '2.0' })).toThrow(`must be "3.2", "3.1", "3.0"; got "2.0"`)
  })

  it('refuses an app that is not ready', () => {
    const app = cloister()
    app.get('/', ok)
    expect(() => openApiDocument(app)).toThrow(/await app\.ready\(\) first/)
  })
})
