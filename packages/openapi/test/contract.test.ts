// `checkContract`: an app that does what its document says passes; each planted defect is reported.
import { checkContract, ContractError } from '@cloister/openapi/contract'
import type { CheckedApp, ContractOptions, ContractReport } from '@cloister/openapi/contract'
import { websocket } from '@cloister/websocket'
import { cloister } from 'cloister'
import { describe, expect, it, vi } from 'vitest'
import { hardApp } from './hard-app.ts'

const book = {
  type: 'object',
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
  required: ['id', 'title'],
  additionalProperties: false,
} as const

/** The parts of an app that plants use; their types say nothing of schemas. */
interface Plain {
  get(url: string, options: object, handler?: unknown): unknown
  post(url: string, options: object, handler?: unknown): unknown
}

interface PlantedReply {
  code(status: number): PlantedReply
  type(mediaType: string): PlantedReply
  send(payload: unknown): unknown
}

function appWith(plant: (app: Plain) => void): CheckedApp {
  const app = cloister()
  plant(app)
  return app
}

async function reportOf(app: CheckedApp, options: ContractOptions = {}): Promise<ContractReport> {
  const failed: unknown = await checkContract(app, { seed: 7, ...options }).catch((error: unknown) => error)
  if (failed instanceof ContractError) return failed.report
  throw new Error('the app passed', { cause: failed })
}

const params = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 1 } },
  required: ['id'],
} as const

const DEFECTS: readonly (readonly [string, string, (app: Plain) => void])[] = [
  [
    'a status that the document does not have',
    'undeclared-status',
    (app) =>
      app.get(
        '/books/:id',
        { schema: { params, response: { 200: book } } },
        (_: unknown, reply: PlantedReply) => reply.code(409).send({ message: 'taken' }),
      ),
  ],
  [
    'a payload that differs from its schema',
    'payload',
    (app) =>
      app.get('/books/:id', { schema: { response: { 200: book } } }, (_: unknown, reply: PlantedReply) =>
        reply.type('application/json').send('{"id":"one"}'),
      ),
  ],
  [
    'a media type that the document does not have',
    'undeclared-media-type',
    (app) =>
      app.get('/books/:id', { schema: { response: { 200: book } } }, (_: unknown, reply: PlantedReply) =>
        reply.type('text/html').send('<p>one</p>'),
      ),
  ],
  [
    'an error of the handler for some values alone',
    'server-error',
    (app) =>
      app.get(
        '/books/:id',
        { schema: { params, response: { 200: book } } },
        (request: { params: { id: number } }) => {
          if (request.params.id % 7 === 3) throw new Error('no such shelf')
          return { id: request.params.id, title: 'Emma' }
        },
      ),
  ],
  [
    'a validator that refuses what the document allows',
    'valid-refused',
    (app) =>
      app.post('/books', {
        schema: { body: book, response: { 200: book } },
        validatorCompiler: () => () => ({ error: new Error('never') }),
        handler: () => ({ id: 1, title: 'Emma' }),
      }),
  ],
  [
    'a validator that accepts what the document refuses',
    'invalid-accepted',
    (app) =>
      app.post('/books', {
        schema: { body: book, response: { 200: book } },
        validatorCompiler: () => () => true,
        handler: () => ({ id: 1, title: 'Emma' }),
      }),
  ],
  [
    'a declared header that is missing',
    'missing-header',
    (app) =>
      app.get(
        '/books',
        { schema: { response: { 200: { ...book, headers: { 'X-Total': { type: 'integer' } } } } } },
        () => ({ id: 1, title: 'Emma' }),
      ),
  ],
  [
    'security that no hook enforces',
    'security',
    (app) =>
      app.get(
        '/books',
        {
          schema: {
            security: [{ key: [] }],
            headers: { type: 'object', properties: { 'x-key': { type: 'string' } } },
            response: { 200: book },
          },
        },
        () => ({ id: 1, title: 'Emma' }),
      ),
  ],
  [
    'a text that is longer than a handler takes',
    'server-error',
    (app) =>
      app.post(
        '/books',
        { schema: { body: book, response: { 200: book } } },
        ({ body }: { body: { title: string } }) => {
          if (body.title.length > 255) throw new Error('value too long for type character varying(255)')
          return body
        },
      ),
  ],
  [
    'an item of a stream that differs from its schema',
    'payload',
    (app) =>
      app.get(
        '/books',
        { schema: { response: { 200: { content: { 'text/event-stream': { schema: book } } } } } },
        (_: unknown, reply: PlantedReply) =>
          reply.type('text/event-stream').send('data: {"id":1,"title":"a"}\n\ndata: {"id":2}\n\n'),
      ),
  ],
  [
    'a response that never comes',
    'timeout',
    (app) => app.get('/books', { schema: { response: { 200: book } } }, () => new Promise(() => {})),
  ],
]

const DECLARED: ContractOptions = {
  document: { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } } },
}

describe('checkContract', () => {
  it('keeps the process alive while it waits for a response', async () => {
    const start = vi.spyOn(globalThis, 'setTimeout')
    const app = appWith((plain) =>
      plain.get('/books', { schema: { response: { 200: book } } }, () => new Promise(() => {})),
    )
    await reportOf(app, { timeout: 123 })
    const timers = start.mock.results.filter((_, index) => start.mock.calls[index]?.[1] === 123)
    start.mockRestore()
    expect(timers.map(({ value }) => value.hasRef())).toEqual([true])
  })

  it('passes security that is enforced, items of streams that fit, and sockets', async () => {
    const app = cloister()
    const security = { security: [{ key: [] }] }
    const lines = { 'application/x-ndjson': { schema: book } }
    const stream = { content: { ...lines, 'text/event-stream': { schema: book } } }
    app.post(
      '/books',
      {
        onRequest: async (request, reply) => {
          if (request.headers['x-key'] !== 'secret') await reply.code(401).send({ message: 'who are you?' })
        },
        schema: {
          ...security,
          body: { content: lines },
          response: { 200: stream, 401: { type: 'object' } },
        },
      },
      async function* (request) {
        yield* request.body
      },
    )
    const live = await app.register(websocket)
    live.ws('/chat', { schema: { incoming: book } }, async () => {})
    const report = await checkContract(app, { seed: 7, headers: { 'x-key': 'secret' }, ...DECLARED })
    expect(report.skipped).toEqual(['GET /chat: inject cannot open a WebSocket'])
  })

  it.each(DEFECTS)('reports %s', async (_, kind, plant) => {
    const { problems, seed } = await reportOf(appWith(plant), { timeout: 200, ...DECLARED })
    expect(problems.map((problem) => problem.kind)).toContain(kind)
    const found = problems.find((problem) => problem.kind === kind)
    expect(found?.callSite).toMatch(/contract\.test\.ts:\d+$/)
    expect(found?.curl).toMatch(/^curl -X (?:GET|POST) 'http:\/\/localhost\/books/)
    expect(found?.operation).toMatch(/^(?:GET|POST) \/books/)
    expect(seed).toBe(7)
  })

  it('reports every defect of one route, and the smallest request that shows it', async () => {
    const app = appWith((plain) =>
      plain.get(
        '/books/:id',
        { schema: { params, response: { 200: book } } },
        (request: { params: { id: number } }, reply: PlantedReply) => {
          const { id } = request.params
          if (id > 500) throw new Error('too far')
          return id > 100 ? reply.code(404).send({}) : { id, title: 'Emma' }
        },
      ),
    )
    const { problems } = await reportOf(app, { runs: 100 })
    expect(problems.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['undeclared-status', 'server-error']),
    )
    const notFound = problems.find(({ kind }) => kind === 'undeclared-status')
    expect(notFound?.curl).toBe("curl -X GET 'http://localhost/books/101'")
  })

  it('throws one error whose message lists route, call site, request and seed', async () => {
    const [, , plant] = DEFECTS[0] ?? []
    const app = appWith(plant ?? (() => {}))
    const failure: unknown = await checkContract(app, { seed: 42 }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ContractError)
    const text = String(failure)
    expect(text).toContain('seed 42 repeats them')
    expect(text).toMatch(/1\. GET \/books\/\{id\} \(.*contract\.test\.ts:\d+\)/)
    expect(text).toContain('status 409 is not in the document, which has 200, 400')
  })

  it('sends the same requests for the same seed', async () => {
    const seen: string[][] = []
    for (let count = 0; count < 2; count += 1) {
      const urls: string[] = []
      const app = cloister()
      app.addHook('onRequest', async (request) => void urls.push(request.url))
      app.get('/books/:id', { schema: { params } }, () => 'x')
      await checkContract(app, { seed: 3 })
      seen.push(urls)
    }
    expect(seen[0]).toEqual(seen[1])
    expect(seen[0]?.length).toBeGreaterThan(10)
  })

  it('passes an app that does what its document says', async () => {
    const app = cloister()
    const plain: Plain = app
    const body = {
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 20 },
        isbn: { type: 'string', pattern: '^[0-9]{10}$' },
        tags: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
        size: { oneOf: [{ type: 'integer', minimum: 3 }, { type: 'null' }] },
        when: { type: 'string', format: 'date-time' },
        owner: { $ref: '#/definitions/person' },
      },
      definitions: { person: { type: 'object', properties: { of: { $ref: '#/definitions/person' } } } },
      required: ['title'],
    }
    plain.post(
      '/books',
      { schema: { body, response: { 201: body } } },
      (request: { body: unknown }, reply: PlantedReply) => reply.code(201).send(request.body),
    )
    const query = {
      type: 'object',
      properties: { ids: { type: 'array', items: { type: 'integer' } } },
      required: ['ids'],
    }
    plain.get(
      '/books',
      { schema: { querystring: query, response: { 200: { type: 'array', items: book } } } },
      () => [],
    )
    const { operations, requests, skipped } = await checkContract(app, { seed: 11 })
    expect({ operations, skipped }).toEqual({ operations: 2, skipped: [] })
    expect(requests).toBeGreaterThan(60)
  })

  it.each([
    '^(?=.*\\d)[a-z\\d]{3,8}$',
    '^(?!admin)\\w+$',
    '(?<=a)b',
    '^\\p{Lu}',
    '^(a|b)\\1$',
    '^\\bword\\b',
  ])(
    'checks the other operations of an app with a pattern that is hard to draw from: %s',
    async (pattern) => {
      const app = cloister()
      const plain: Plain = app
      const schema = { body: { type: 'object', properties: { p: { type: 'string', pattern } } } }
      plain.post('/hard', { schema }, () => 'ok')
      plain.get('/books', { schema: { response: { 200: book } } }, () => ({ title: 'x' }))
      await expect(checkContract(app, { seed: 5 })).rejects.toThrow(/GET \/books/)
    },
  )

  it('sends to every operation of an app with hard cases', async () => {
    const { operations, skipped } = await checkContract(await hardApp(), {
      seed: 5,
      headers: { authorization: 'Bearer secret' },
    })
    expect(skipped).toEqual([])
    expect(operations).toBe(21)
  })
})
