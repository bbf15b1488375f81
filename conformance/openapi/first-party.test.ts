// Refusals of our own plugins under `strict`: the document of the app has them, and their bytes are what it says.
import { bearerAuth, verifyBearerAuthFactory } from '@cloister/bearer-auth'
import { mcp } from '@cloister/mcp'
import { operate } from '@cloister/operate'
import { openApiDocument } from '@cloister/openapi'
import { checkContract } from '@cloister/openapi/contract'
import { idempotency, memoryState } from '@cloister/state'
import { web } from '@cloister/web'
import { cloister } from 'cloister'
import type { Cloister } from 'cloister'
import { describe, expect, it } from 'vitest'

const keys = ['secret-key']
const book = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } } as const
const schema = { body: book, response: { 201: book } } as const

const GUARDS: Readonly<Record<string, (app: Cloister) => void>> = {
  bearerAuth: (app) => {
    app.register(bearerAuth, { keys })
    app.after(() => {
      app.post('/books', { schema }, (request, reply) => reply.code(201).send(request.body))
    })
  },
  verifyBearerAuthFactory: (app) => {
    const onRequest = verifyBearerAuthFactory({ keys })
    app.post('/books', { schema, onRequest }, (request, reply) => reply.code(201).send(request.body))
  },
}

describe.each(Object.entries(GUARDS))('refusals of %s', (_name, guard) => {
  it('are in the document, and keep to it', async () => {
    const app = cloister({ strict: true })
    guard(app)
    const { requests, skipped } = await checkContract(app, {
      seed: 1,
      headers: { authorization: 'Bearer secret-key' },
    })
    expect([requests > 40, skipped]).toEqual([true, []])
  })

  it('are problems', async () => {
    const app = cloister({ strict: true })
    guard(app)
    const refused = await app.inject({ method: 'POST', url: '/books', payload: { title: 'Emma' } })
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([
      401,
      'application/problem+json; charset=utf-8',
    ])
    expect(refused.json()).toMatchObject({ status: 401 })
  })
})

describe('an app with operate and mcp', () => {
  it('does what its document says', async () => {
    const app = cloister({ strict: true })
    app.register(operate, { signals: false, shedding: { openRequests: 1000 } })
    app.register(mcp, {})
    app.post(
      '/books',
      { schema: { ...schema, operationId: 'addBook', description: 'Adds a book' } },
      (request, reply) => reply.code(201).send(request.body),
    )
    const { requests } = await checkContract(app, { seed: 1 })
    expect(requests).toBeGreaterThan(0)
  })
})

describe('refusals of operate', () => {
  it.each([
    [true, '*/*', 'application/problem+json; charset=utf-8', undefined],
    ['accepted', 'application/problem+json', 'application/problem+json; charset=utf-8', 'Accept'],
    ['accepted', 'application/json', 'application/json; charset=utf-8', 'Accept'],
    [false, '*/*', 'application/json; charset=utf-8', undefined],
  ] as const)(
    'with problemDetails %s, for a client that accepts %s, are %s',
    async (problemDetails, accept, type, vary) => {
      const app = overloaded({ problemDetails })
      await app.ready()
      const { statusCode, headers, payload } = await app.inject({ url: '/books', headers: { accept } })
      expect([statusCode, headers['content-type'], headers['vary']]).toEqual([503, type, vary])
      expect(JSON.parse(payload)).toMatchObject({
        code: 'CLO_ERR_OPERATE_OVERLOADED',
        ...(type.includes('problem') ? { status: 503, title: 'Service Unavailable' } : { statusCode: 503 }),
      })
    },
  )

  it.each([true, 'accepted', false] as const)(
    'with problemDetails %s are in the document, and keep to it',
    async (problemDetails) => {
      const app = overloaded({ problemDetails })
      const { requests, skipped } = await checkContract(app, { seed: 1, runs: 5 })
      expect([requests > 0, skipped]).toEqual([true, []])
    },
  )

  /** An app that refuses every request but those of probes. */
  function overloaded(options: { problemDetails: boolean | 'accepted' }): Cloister {
    const app = cloister(options)
    app.register(operate, { signals: false, shedding: { heapUsedBytes: 1 } })
    app.after(() => {
      app.get('/books', { schema: { response: { 200: book } } }, () => ({ title: 'Emma' }))
    })
    return app
  }
})

describe('refusals of mcp', () => {
  it('are problems', async () => {
    const app = cloister({ strict: true })
    app.register(mcp, {})
    await app.ready()
    const responses = [
      await app.inject({ method: 'GET', url: '/mcp' }),
      await app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { origin: 'https://evil.example' },
        payload: {},
      }),
    ]
    expect(
      responses.map(({ statusCode, headers }) => [statusCode, headers['content-type'], headers['allow']]),
    ).toEqual([
      [405, 'application/problem+json; charset=utf-8', 'POST'],
      [403, 'application/problem+json; charset=utf-8', undefined],
    ])
    expect(responses.map((one) => one.json().code)).toEqual(['CLO_ERR_MCP_METHOD', 'CLO_ERR_MCP_ORIGIN'])
  })
})

describe('refusals of web', () => {
  const json = { 'content-type': 'application/json' }
  /** A request for each status; a request from another site, and too many from one client, come last. */
  const REFUSED = [
    [412, { method: 'PUT', headers: { ...json, 'if-match': '"other"' } }],
    [428, { method: 'PUT', headers: json }],
    [415, { method: 'POST', headers: { ...json, 'content-encoding': 'nonsense' } }],
    [400, { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' } }],
    [403, { method: 'POST', headers: { ...json, origin: 'https://evil.example' } }],
    [429, { method: 'POST', headers: { ...json } }],
  ] as const

  it.each(REFUSED)('with the status %i are problems that the document has', async (status, request) => {
    const app = shop(status === 429 ? 1 : 1000)
    await app.ready()
    const payload = JSON.stringify({ title: 'Emma' })
    const refused = await (async () => {
      if (status === 429) await app.inject({ ...request, url: '/books', payload })
      return app.inject({ ...request, url: '/books', payload })
    })()
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ])
    const { paths } = openApiDocument(app)
    const operation: unknown = Reflect.get(paths['/books'] ?? {}, request.method === 'PUT' ? 'put' : 'post')
    expect(Object.keys(Object(operation).responses)).toContain(String(status))
  })

  it.each([1, 1000])('keep to the document, with %i requests per minute', async (max) => {
    const headers = max === 1 ? {} : { 'if-match': '"v1"' }
    const { requests, skipped } = await checkContract(shop(max), { seed: 1, headers })
    expect([requests > 40, skipped]).toEqual([true, []])
  })

  function shop(max: number): Cloister {
    const app = cloister({ strict: true })
    app.register(web, { limit: { max, per: '1m' } })
    app.after(() => {
      app.post('/books', { schema }, (request, reply) => reply.code(201).send(request.body))
      app.put('/books', { schema, web: { version: () => 'v1', requireVersion: true } }, (request, reply) =>
        reply.code(201).send(request.body),
      )
    })
    return app
  }
})

describe('refusals of idempotent routes', () => {
  it.each([
    ['refuse', ['200', '400', '409', '413', '415', '422', '503']],
    ['allow', ['200', '400', '409', '413', '415', '422']],
  ] as const)(
    'with onStateFailure %s are in the document, and keep to it',
    async (onStateFailure, statuses) => {
      const app = cloister({ strict: true, logger: false })
      app.register(idempotency, { state: memoryState(), scope: 'public', onStateFailure })
      app.after(() => {
        app.post('/books', { idempotency: true, schema: { body: book, response: { 200: book } } }, () => ({
          title: 'Emma',
        }))
      })
      await app.ready()
      const document: unknown = openApiDocument(app)
      expect(document).toMatchObject({ paths: { '/books': { post: {} } } })
      const { responses } = Object(document).paths['/books'].post
      expect(Object.keys(Object(responses))).toEqual(expect.arrayContaining([...statuses]))
      expect(Object.keys(Object(responses)).includes('503')).toBe(onStateFailure === 'refuse')
      const { requests, skipped } = await checkContract(app, { seed: 1, runs: 5 })
      expect([requests > 0, skipped]).toEqual([true, []])
      await app.close()
    },
  )
})
