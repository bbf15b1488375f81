import { expect, it } from 'vitest'
import { describeIntegration, json, post, start, type Untyped } from '../subject.ts'

describeIntegration('fastify-type-provider-zod', ({ use, createApp, line }) => {
  const makeApp = (): Untyped => {
    const { validatorCompiler, serializerCompiler } = use('fastify-type-provider-zod')
    const app = createApp()
    app.setValidatorCompiler(validatorCompiler)
    app.setSerializerCompiler(serializerCompiler)
    return app
  }

  it('validates and serializes with schemas of Zod, which may change the values', async () => {
    const { z } = use('zod')
    const app = makeApp()
    app.post(
      '/people/:id',
      {
        schema: {
          params: z.object({ id: z.coerce.number() }),
          body: z.object({ name: z.string().min(2).toUpperCase(), note: z.string().default('none') }),
          response: { 200: z.object({ id: z.number(), name: z.string(), note: z.string() }) },
        },
      },
      (request: Untyped) => ({ ...request.body, ...request.params, secret: 1 }),
    )
    const url = await start(app)
    const good = await post(`${url}/people/7`, { name: 'ada' })
    expect(good.body).toEqual({ id: 7, name: 'ADA', note: 'none' })
    const bad = await post(`${url}/people/7`, { name: 'a' })
    expect(bad.status).toBe(400)
    expect(bad.body.message).toMatch(/2/)
  })

  it('gives the error handler what it needs to tell request errors from response errors', async () => {
    const { z } = use('zod')
    const app = makeApp()
    const module = use('fastify-type-provider-zod')
    app.setErrorHandler((error: Untyped, _request: unknown, reply: Untyped) => {
      if (error.validationContext !== undefined) {
        return reply.code(422).send({ part: error.validationContext })
      }
      const isResponse = line === 5 ? module.isResponseSerializationError(error) : error.name
      return reply.code(500).send({ isResponse })
    })
    app.post('/in', { schema: { body: z.object({ a: z.string(), b: z.string() }) } }, () => ({}))
    app.get('/out', { schema: { response: { 200: z.object({ a: z.string() }) } } }, () => ({ a: 1 }))
    const url = await start(app)
    const request = await post(`${url}/in`, {})
    expect(request.status).toBe(422)
    expect(request.body.part).toBe('body')
    const response = await fetch(`${url}/out`)
    expect(response.status).toBe(500)
    expect((await json(response)).isResponse).toBeTruthy()
  })

  it('documents schemas of Zod through the swagger plugin', async () => {
    const { z } = use('zod')
    const { jsonSchemaTransform } = use('fastify-type-provider-zod')
    const app = makeApp()
    await app.register(use('@fastify/swagger'), {
      openapi: { info: { title: 'T', version: '1' } },
      transform: jsonSchemaTransform,
    })
    app.after(() => {
      app.post('/a', { schema: { body: z.object({ name: z.string() }) } }, () => ({}))
    })
    await app.ready()
    const schema = app.swagger().paths['/a'].post.requestBody.content['application/json'].schema
    expect(schema.properties.name.type).toBe('string')
  })
})

describeIntegration(
  '@fastify/type-provider-typebox',
  ({ use, createApp }) => {
    it('validates with schemas of TypeBox, by the default validator or by its own compiler', async () => {
      const { Type, TypeBoxValidatorCompiler } = use('@fastify/type-provider-typebox')
      const Body = Type.Object({ name: Type.String({ minLength: 2 }), age: Type.Optional(Type.Integer()) })
      const app = createApp()
      app.post('/default', { schema: { body: Body, response: { 200: Body } } }, (request: Untyped) => ({
        ...request.body,
        secret: 1,
      }))
      app.register(async (child: Untyped) => {
        child.setValidatorCompiler(TypeBoxValidatorCompiler)
        child.post('/own', { schema: { body: Body } }, (request: Untyped) => request.body)
      })
      const url = await start(app)
      expect((await post(`${url}/default`, { name: 'Ada', age: '36' })).body).toEqual({
        name: 'Ada',
        age: 36,
      })
      for (const path of ['/default', '/own']) {
        const bad = await post(`${url}${path}`, { name: 'A' })
        expect(bad.status).toBe(400)
        expect(bad.body.message).toMatch(/name/)
      }
    })
  },
  [4],
)
