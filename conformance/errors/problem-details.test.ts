// Error responses as problem details (RFC 9457): the options problemDetails and problemTypeBase.
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { errorTable } from '../../packages/cloister/src/error-table.ts'
import { createErrorCodes } from '../../packages/cloister/src/errors.ts'
import { describeTransports } from '../harness/transports.ts'
import type { SentResponse } from '../harness/send.ts'

const REASON = 'the peers have no problem details'
const PROBLEM = 'application/problem+json; charset=utf-8'

const text = { type: 'string' }
const issue = {
  type: 'object',
  additionalProperties: false,
  required: ['part', 'pointer', 'keyword', 'message', 'params'],
  properties: {
    part: { enum: ['body', 'params', 'query', 'headers'] },
    pointer: { type: 'string', format: 'json-pointer' },
    keyword: text,
    message: { type: 'string', minLength: 1 },
    params: { type: 'object' },
  },
}
const problemSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'title', 'status', 'instance'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string', minLength: 1 },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', minLength: 1 },
    instance: { type: 'string', format: 'uri-reference' },
    code: { type: 'string', pattern: '^CLO_ERR_' },
    errors: { type: 'array', minItems: 1, items: issue },
  },
}
const ajv = new Ajv({ allErrors: true })
addFormats.default(ajv)
const isProblem = ajv.compile(problemSchema)

/** What is wrong with a response as problem details; nothing where it is one. */
function faultsOf(response: SentResponse): unknown {
  if (response.headers['content-type'] !== PROBLEM) return response.headers['content-type']
  const problem = response.json()
  if (!isProblem(problem)) return isProblem.errors
  return Reflect.get(Object(problem), 'status') === response.status ? [] : 'another status'
}

const codes = createErrorCodes('CLO_ERR_')
/** Every error that a client can cause. */
const ofClients = Object.entries(errorTable).flatMap(([name, { fault, status }]) =>
  fault === 'client' ? [{ name, status, make: Reflect.get(codes, `CLO_ERR_${name}`) }] : [],
)

describeTransports('problem details', ({ createApp, send, expect, ours, unlessFetch }) => {
  for (const { name, status, make } of ofClients) {
    ours(REASON)(`are what a client gets for ${name}`, async () => {
      const app = createApp({ problemDetails: true })
      app.get('/', () => {
        throw make('one', 'two', 'three')
      })
      const received = await send(app, { path: '/?secret=1' })
      expect([received.status, faultsOf(received)]).toEqual([status, []])
      expect(received.json()).toMatchObject({ code: `CLO_ERR_${name}`, instance: '/', type: 'about:blank' })
    })
  }

  ours(REASON)('list the violations of a request', async () => {
    const app = createApp({ problemDetails: true, validationErrorLimit: 20 })
    const body = {
      type: 'object',
      required: ['name'],
      properties: { tags: { type: 'array', items: { type: 'integer' } } },
    }
    app.post('/users', { schema: { body } }, () => 'never')
    const received = await send(app, { method: 'POST', path: '/users', body: { tags: [1, 'x'] } })
    expect(faultsOf(received)).toEqual([])
    expect(received.json()).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: "body must have required property 'name', body/tags/1 must be integer",
      instance: '/users',
      code: 'CLO_ERR_VALIDATION',
      errors: [
        {
          part: 'body',
          pointer: '',
          keyword: 'required',
          message: "must have required property 'name'",
          params: { missingProperty: 'name' },
        },
        {
          part: 'body',
          pointer: '/tags/1',
          keyword: 'type',
          message: 'must be integer',
          params: { type: 'integer' },
        },
      ],
    })
  })

  ours(REASON)('are sent where no route matches, and where a path cannot be decoded', async () => {
    const app = createApp({ problemDetails: true })
    app.get('/books/:id', () => 'x')
    const lost = await send(app, { path: '/nowhere?a=1' })
    expect([lost.status, faultsOf(lost)]).toEqual([404, []])
    expect(lost.json()).toMatchObject({ code: 'CLO_ERR_NOT_FOUND', instance: '/nowhere' })
    const broken = await send(app, { path: '/books/%zz%' })
    expect([broken.status, faultsOf(broken)]).toEqual([400, []])
    expect(broken.json()).toMatchObject({ instance: '/books/%25zz%25' })
  })

  unlessFetch('a URL of the platform begins with its host', ours(REASON))(
    'have an instance that names no other host',
    async () => {
      const app = createApp({ problemDetails: true })
      expect((await send(app, { path: '//other/path' })).json()).toMatchObject({ instance: '/.//other/path' })
    },
  )

  ours(REASON)('hide what must stay in the log', async () => {
    const app = createApp({ problemDetails: true, exposeErrors: false })
    app.get('/', () => {
      throw Object.assign(new Error('secret'), { code: 'SECRET', validation: ['secret'] })
    })
    const received = await send(app, { path: '/' })
    expect(faultsOf(received)).toEqual([])
    expect(received.text).not.toMatch(/secret/i)
  })

  for (const [accept, isWanted] of [
    [undefined, true],
    ['*/*', true],
    ['application/*', true],
    ['application/problem+json', true],
    ['application/json;q=0.9, application/problem+json;q=0.1', true],
    ['application/json', false],
    ['text/html, application/problem+json;q=0', false],
  ] as const) {
    ours(REASON)(`depend on Accept: ${accept} when accepted alone`, async () => {
      const app = createApp({ problemDetails: 'accepted' })
      const headers = accept === undefined ? {} : { accept }
      app.get('/throws', (_request, reply) => {
        void reply.header('vary', 'Origin')
        throw new Error('no')
      })
      for (const path of ['/nowhere', '/throws']) {
        const received = await send(app, { path, headers })
        expect(faultsOf(received)).toEqual(isWanted ? [] : 'application/json; charset=utf-8')
        expect(received.headers['vary']).toBe(path === '/throws' ? 'Origin, Accept' : 'Accept')
      }
    })
  }

  ours(REASON)('have a type below problemTypeBase', async () => {
    const app = createApp({ problemDetails: true, problemTypeBase: 'https://example.com/problems#' })
    const received = await send(app, { path: '/nowhere' })
    expect(faultsOf(received)).toEqual([])
    expect(received.json()).toMatchObject({ type: 'https://example.com/problems#CLO_ERR_NOT_FOUND' })
  })

  ours(REASON)('follow the schema of the route for the status', async () => {
    const app = createApp({ problemDetails: true })
    const response = { 500: { type: 'object', properties: { title: text, statusCode: { type: 'integer' } } } }
    app.get('/', { schema: { response } }, () => {
      throw new Error('no')
    })
    const received = await send(app, { path: '/' })
    expect(received.headers['content-type']).toBe(PROBLEM)
    expect(received.json()).toEqual({ title: 'Internal Server Error', statusCode: 500 })
  })

  ours(REASON)('are not the default', async () => {
    const received = await send(createApp(), { path: '/nowhere' })
    expect(received.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(received.headers['vary']).toBeUndefined()
  })
})
