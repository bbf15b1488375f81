import { createRequire } from 'node:module'
import { cloister } from 'cloister'
import type { CloisterOptions } from 'cloister'
import type { FastifyReply, FastifyRequest } from '@cloister/fastify'
import { describe, expect, it } from 'vitest'
import fastify, { errorCodes } from '@cloister/fastify'

type Attempt = (request: FastifyRequest, reply: FastifyReply) => unknown

/** What members of requests and replies throw, by the name of the error without its prefix. */
const attempts: ReadonlyMap<string, Attempt> = new Map<string, Attempt>([
  ['BAD_STATUS_CODE', (_request, reply) => reply.code(9)],
  ['BAD_TRAILER_NAME', (_request, reply) => reply.trailer('content-length', async () => '1')],
  ['BAD_TRAILER_VALUE', (_request, reply) => Reflect.apply(reply.trailer, reply, ['etag', 'text'])],
  ['REP_INVALID_HEADER', (_request, reply) => Reflect.apply(reply.redirect, reply, [])],
  ['MISSING_SERIALIZATION_FN', (_request, reply) => reply.serializeInput({}, '201')],
  [
    'MISSING_CONTENTTYPE_SERIALIZATION_FN',
    (_request, reply) => reply.serializeInput({}, '201', 'application/xml'),
  ],
  ['REP_SENT_VALUE', (_request, reply) => Reflect.set(reply, 'sent', false)],
  ['DEC_UNDECLARED', (_request, reply) => reply.getDecorator('missing')],
  [
    'REQ_INVALID_VALIDATION_INVOCATION',
    (request) => Reflect.apply(request.validateInput, request, [{}, 'body']),
  ],
])

function codeOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

describe('errors that a handler catches', () => {
  it.each([...attempts])('have the code of Fastify: %s', async (name, attempt) => {
    for (const [app, prefix] of [
      [fastify(), 'FST_ERR_'],
      [cloister(), 'CLO_ERR_'],
    ] as const) {
      app.get('/', (request, reply) => ({ code: codeOf(() => attempt(request, reply)) }))
      expect((await app.inject('/')).json()).toEqual({ code: `${prefix}${name}` })
      await app.close()
    }
  })

  it('have it in a context with decorators of its own, and in error handlers', async () => {
    const app = fastify()
    app.decorateRequest('user', null).decorateReply('view', () => 'page')
    app.setErrorHandler((_error, _request, reply) => ({ code: codeOf(() => reply.code(9)) }))
    app.get('/', () => {
      throw new Error('first')
    })
    expect((await app.inject('/')).json()).toEqual({ code: 'FST_ERR_BAD_STATUS_CODE' })
    await app.close()
  })

  it('have it in onError hooks, where nothing may be sent', async () => {
    const app = fastify()
    const codes: unknown[] = []
    app.addHook('onError', async (_request, reply) => {
      codes.push(codeOf(() => reply.send('mine')))
    })
    app.get('/', () => {
      throw new Error('first')
    })
    await app.inject('/')
    expect(codes).toEqual(['FST_ERR_SEND_INSIDE_ONERR'])
    await app.close()
  })
})

describe('errors that only the log has', () => {
  it('have the code of Fastify: a second response', async () => {
    const lines: string[] = []
    const app = fastify({ logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } } })
    app.get('/', (_request, reply) => {
      reply.send('first')
      reply.send('second')
    })
    await app.inject('/')
    expect(lines.map((line) => JSON.parse(line).err.code)).toEqual(['FST_ERR_REP_ALREADY_SENT'])
    await app.close()
  })
})

describe('the JSON parser that an app hands out', () => {
  it('gives its errors the code of Fastify, to a callback and thrown', async () => {
    const app = fastify()
    const parse = app.getDefaultJsonParser('error', 'error')
    const errors: unknown[] = []
    Reflect.apply(parse, app, [null, 'no json', (error: unknown) => errors.push(error)])
    expect(Reflect.get(Object(errors[0]), 'code')).toBe('FST_ERR_CTP_INVALID_JSON_BODY')
    expect(codeOf(() => Reflect.apply(parse, app, [null, '']))).toBe('FST_ERR_CTP_EMPTY_JSON_BODY')
    await app.close()
  })
})

describe('a reader of a body that is too large', () => {
  it('gets an error with the code of Fastify', async () => {
    const app = fastify()
    const codes: unknown[] = []
    app.addContentTypeParser('text/csv', { bodyLimit: 4 }, (_request, payload, done) => {
      payload.on('error', (error: Error) => {
        codes.push(Reflect.get(error, 'code'))
        done(error)
      })
      payload.resume()
    })
    app.post('/', () => 'read')
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'text/csv' },
      payload: 'a;b;c;d',
    })
    expect([response.statusCode, response.json()]).toMatchObject([
      413,
      { code: 'FST_ERR_CTP_BODY_TOO_LARGE' },
    ])
    expect(codes).toEqual(['FST_ERR_CTP_BODY_TOO_LARGE'])
    await app.close()
  })
})

describe('errors in payloads', () => {
  it('have the message and the name that they have on Fastify', async () => {
    const app = fastify()
    app.setErrorHandler((error, _request, reply) => reply.code(400).send({ failed: true, error }))
    app.post('/', { schema: { body: { type: 'object' } } }, () => 'never')
    const send = async (type: string, payload: string): Promise<unknown> =>
      (await app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload })).json()
    expect(await send('a/b', 'text')).toMatchObject({
      failed: true,
      error: {
        name: 'FastifyError',
        code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
        statusCode: 415,
        message: 'Unsupported Media Type: a/b',
      },
    })
    expect(await send('application/json', '[]')).toMatchObject({
      error: { code: 'FST_ERR_VALIDATION', message: 'body must be object' },
    })
    await app.close()
  })

  it('are instances of the FastifyError of @fastify/error where those of Fastify are', async () => {
    const { FastifyError } = createRequire(createRequire(import.meta.url).resolve('fastify5'))(
      '@fastify/error',
    )
    const app = fastify()
    app.setErrorHandler((error) => ({ code: Reflect.get(error, 'code'), is: error instanceof FastifyError }))
    app.post('/', { schema: { body: { type: 'object' } } }, () => 'never')
    const send = async (payload: string): Promise<unknown> =>
      (
        await app.inject({
          method: 'POST',
          url: '/',
          headers: { 'content-type': 'application/json' },
          payload,
        })
      ).json()
    expect(await send('{')).toEqual({ code: 'FST_ERR_CTP_INVALID_JSON_BODY', is: true })
    expect(await send('[]')).toEqual({ code: 'FST_ERR_VALIDATION', is: false })
    expect(new errorCodes.FST_ERR_NOT_FOUND()).toBeInstanceOf(FastifyError)
    await app.close()
  })

  it('have a message where a plugin gives none', () => {
    expect(Object.assign({}, errorCodes.FST_ERR_NOT_FOUND())).toMatchObject({
      name: 'FastifyError',
      message: 'Not Found',
    })
  })
})

describe('errors in the log', () => {
  it('of hooks that run while the app starts and ends', async () => {
    const codes: unknown[] = []
    const stream = { write: (line: string) => codes.push(JSON.parse(line).err?.code) }
    const app = fastify({ pluginTimeout: 20, logger: { level: 'error', stream } })
    app.addHook('onListen', (_done) => {})
    app.addHook('preClose', (_done) => {})
    await app.listen({ port: 0, host: '127.0.0.1' })
    await expect(app.close()).rejects.toThrow(errorCodes.FST_ERR_HOOK_TIMEOUT)
    expect(codes).toEqual(['FST_ERR_HOOK_TIMEOUT', 'FST_ERR_HOOK_TIMEOUT'])
  })
})

describe('the reason of request.signal', () => {
  it('has the code of Fastify', async () => {
    const app = fastify({ handlerTimeout: 20 })
    const codes: unknown[] = []
    app.get('/', async (request) => {
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
      codes.push(Reflect.get(request.signal.reason, 'code'))
    })
    expect((await app.inject('/')).statusCode).toBe(503)
    expect(codes).toEqual(['FST_ERR_HANDLER_TIMEOUT'])
    await app.close()
  })
})

describe('errors of requests without a connection', () => {
  it('have the code of Fastify, once the app is closed and for what is no request', async () => {
    const app = fastify()
    await app.ready()
    await expect(Reflect.apply(app.fetch, app, ['http://x/'])).rejects.toMatchObject({
      code: 'FST_ERR_FETCH_REQUEST_INVALID',
    })
    await app.close()
    const closed = { code: 'FST_ERR_REOPENED_CLOSE_SERVER' }
    await expect(app.inject('/')).rejects.toMatchObject(closed)
    const given = await new Promise((resolve) => app.inject('/', (error) => resolve(error)))
    expect(given).toMatchObject(closed)
  })
})

describe('errors that callbacks of the app get', () => {
  it.each([
    [(options?: CloisterOptions) => fastify(options), 'FST_ERR_'],
    [(options?: CloisterOptions) => cloister(options), 'CLO_ERR_'],
  ] as const)('have the prefix of the app', async (create, prefix) => {
    const closed = create()
    const listened = new Promise((resolve) => closed.listen({ port: 0 }, resolve))
    await closed.close()
    expect(await listened).toMatchObject({ code: `${prefix}REOPENED_CLOSE_SERVER` })
    const hanging = create({ pluginTimeout: 20 })
    hanging.register(async () => new Promise(() => {}))
    const ready = new Promise((resolve) => hanging.ready(resolve))
    expect(await ready).toMatchObject({ code: `${prefix}PLUGIN_TIMEOUT` })
  })
})
