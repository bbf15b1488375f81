/* oxlint-disable typescript/ban-ts-comment, eslint/no-unused-expressions, eslint/no-unused-vars -- a type test also says what must not compile */

import type { CaughtError, ErrorCode, FastifyError, FastifyInstance, ValidationIssue } from 'cloister'

import { app, is, it, shop } from './support.ts'
import type { Database, User } from './support.ts'

it('gives an error handler an Error, with what errors of the framework carry', () => {
  shop.setErrorHandler((error, request, reply) => {
    is<CaughtError>()(error)
    is<number | undefined>()(error.statusCode)
    is<User | null>()(request.user)
    if (error.validation) is<ValidationIssue[]>()(error.validation)
    if (error.validationContext === 'query') return reply.code(422).send(error.message)
    // @ts-expect-error -- no such context: the document says 'query'
    if (error.validationContext === 'querystring') return
    return reply.code(error.statusCode ?? 500).send({ message: error.message })
  })
})

it('names the codes of the framework as literals', () => {
  const code: ErrorCode = 'CLO_ERR_VALIDATION'
  // @ts-expect-error -- no such code
  const wrong: ErrorCode = 'CLO_ERR_VALIDATOIN'
})

it('suggests the codes of the framework, and takes those of others', () => {
  app.setErrorHandler((error) => {
    if (error.code === 'CLO_ERR_CTP_BODY_TOO_LARGE') return 'big'
    if (error.code === 'ENOENT') return 'none'
    return error.message
  })
})

it('takes an error handler that says which errors it expects', () => {
  class OutOfStock extends Error {
    readonly sku: string = ''
  }
  app.setErrorHandler((error: OutOfStock, request, reply) => reply.code(409).send(error.sku))
  app.setErrorHandler((error: FastifyError, request, reply) =>
    reply.code(error.statusCode ?? 500).send(error.code),
  )
  app.setErrorHandler<OutOfStock>((error) => is<string>()(error.sku))
  shop.setErrorHandler<typeof shop, OutOfStock>(function (error, request) {
    is<string>()(error.sku)
    is<User | null>()(request.user)
    is<Database>()(this.db)
  })
  // @ts-expect-error -- a number is no error
  shop.setErrorHandler<typeof shop, number>(() => 'x')
})

it('has the type of an error handler, as apps of Fastify name it', () => {
  const handler: FastifyInstance['errorHandler'] = (error, request, reply) => {
    is<FastifyError>()(error)
    return reply.code(error.statusCode ?? 500).send({ url: request.url, issues: error.validation })
  }
  app.setErrorHandler(handler)
  shop.setErrorHandler(handler)
})

it('does not promise a code or a status', () => {
  app.setErrorHandler((error) => {
    // @ts-expect-error -- an application's error may have none
    error.code.length
    // @ts-expect-error -- an application's error may have none
    error.statusCode.toFixed()
  })
})

it('types a validator compiler, with booleans, values and errors', () => {
  app.setValidatorCompiler(({ schema, method, url, httpPart }) => {
    is<string>()(method)
    is<string | undefined>()(httpPart)
    return (data) => ({ value: data })
  })
  app.setValidatorCompiler<{ parse(data: unknown): unknown }>(({ schema }) => (data) => {
    try {
      return { value: schema.parse(data) }
    } catch (error) {
      return { error }
    }
  })
  app.setValidatorCompiler(() => () => true)
  // @ts-expect-error -- a number is no verdict
  app.setValidatorCompiler(() => () => 1)
})

it('types a serializer compiler', () => {
  app.setSerializerCompiler(({ httpStatus, contentType }) => {
    is<string | undefined>()(httpStatus)
    is<string | undefined>()(contentType)
    return (data) => JSON.stringify(data)
  })
})

it('types an error formatter, and its `this`', () => {
  shop.setSchemaErrorFormatter(function (issues, part) {
    this.db.find('1')
    is<'body' | 'headers' | 'params' | 'querystring'>()(part)
    return new Error(issues[0]?.message)
  })
  // @ts-expect-error -- a formatter returns at once
  shop.setSchemaErrorFormatter(async () => new Error('x'))
})

it('types what is wrong with a request that reached its handler', () => {
  app.post('/', { attachValidation: true }, (request, reply) => {
    if (request.validationError) {
      is<ValidationIssue[]>()(request.validationError.validation)
      return reply.code(400).send(request.validationError)
    }
  })
})

const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const

it('types the parts of a request that may be invalid after its error was looked at', () => {
  app.post('/', { attachValidation: true, schema: { body: name } }, (request) => {
    is<unknown>()(request.body)
    if (request.validationError !== undefined) return request.validationError.message
    return is<{ name: string }>()(request.body)
  })
  app.route({
    method: 'POST',
    url: '/',
    attachValidation: true,
    schema: { body: name },
    preHandler: async (request) => {
      // @ts-expect-error -- the body may be anything
      request.body.name
    },
    handler: (request) => (request.validationError ? 'x' : request.body.name),
  })
})

it('types the parts of a request that is valid, whichever way its route says so', () => {
  app.post('/', { schema: { body: name } }, (request) => is<{ name: string }>()(request.body))
  app.post('/', { attachValidation: false, schema: { body: name } }, (request) => request.body.name)
  app.post<{ Body: { name: string } }>('/', { attachValidation: true }, (request) => request.body.name)
})

it('types inject', async () => {
  const response = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
  is<number>()(response.statusCode)
  is<{ a: number }>()(response.json<{ a: number }>())
  // @ts-expect-error -- no such option
  await app.inject({ uri: '/' })
})

it('types the options of the factory and of listen', async () => {
  const { cloister } = await import('cloister')
  cloister({ bodyLimit: 1024, trustProxy: true, ajv: { customOptions: { coerceTypes: false } } })
  // @ts-expect-error -- it is 'bodyLimit'
  cloister({ bodylimit: 1024 })
  // @ts-expect-error -- a number says nothing of who they are
  cloister({ trustProxy: { hops: 2 } })
  // @ts-expect-error -- addresses are texts
  cloister({ trustProxy: { hops: 2, from: 10 } })
  // @ts-expect-error -- 'auto' or 'eager'
  cloister({ schemaCompilation: 'lazy' })
  is<string>()(await app.listen({ port: 3000 }))
  // @ts-expect-error -- a port is a number
  await app.listen({ port: '3000' })
})

it("gives an app over HTTP/2 Node's objects for it", async () => {
  const { cloister } = await import('cloister')
  const app2 = cloister({ http2: true })
  app2.get('/', (request, reply) => {
    request.raw.stream.id
    reply.raw.stream.id
  })
  app2.server.on('stream', () => {})
  // @ts-expect-error -- over HTTP/1.1 there is no stream
  app.get('/', (request) => request.raw.stream)
})
