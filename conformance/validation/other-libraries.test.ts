// Joi, Yup, Zod and TypeBox as published, in the place of the default validator.
import { Type } from '@sinclair/typebox'
import Joi from 'joi'
import * as yup from 'yup'
import { z } from 'zod'
import { describeBehind } from '../harness/transports.ts'

interface CompilerInput {
  schema: unknown
  httpPart: string
}

/** How a library is put into the place of the default validator. */
interface Library {
  readonly name: string
  readonly schema: unknown
  readonly compile: (input: CompilerInput) => (data: unknown) => unknown
  /** A word that the message of a refusal holds. */
  readonly says: string
}

const joiSchema = Joi.object({ hello: Joi.string().required(), n: Joi.number() }).required()
const yupSchema = yup.object({ hello: yup.string().required(), n: yup.number() })
const zodSchema = z.object({ hello: z.string(), n: z.coerce.number().optional() })

const LIBRARIES: readonly Library[] = [
  {
    name: 'Joi',
    schema: joiSchema,
    compile:
      ({ schema }) =>
      (data) =>
        Joi.isSchema(schema) ? schema.validate(data, { allowUnknown: false, stripUnknown: true }) : false,
    says: 'hello',
  },
  {
    name: 'Yup',
    schema: yupSchema,
    compile:
      ({ schema }) =>
      (data) => {
        if (!(schema instanceof yup.Schema)) return false
        try {
          return {
            value: schema.validateSync(data, { strict: false, abortEarly: false, stripUnknown: true }),
          }
        } catch (error) {
          return { error }
        }
      },
    says: 'hello',
  },
  {
    name: 'Zod',
    schema: zodSchema,
    compile:
      ({ schema }) =>
      (data) => {
        if (!(schema instanceof z.ZodType)) return false
        const result = schema.safeParse(data)
        return result.success ? { value: result.data } : { error: result.error }
      },
    says: 'hello',
  },
]

describeBehind('other validation libraries', ({ createApp, send, it, expect }) => {
  const post = (path: string, body: object): { method: string; path: string; body: object } => ({
    method: 'POST',
    path,
    body,
  })

  for (const { name, schema, compile, says } of LIBRARIES) {
    it(`lets ${name} validate the body of one route`, async () => {
      const app = createApp()
      app.post('/', { schema: { body: schema }, validatorCompiler: compile }, (request) => request.body)
      const good = await send(app, post('/', { hello: 'world', n: '5', extra: true }))
      expect(good.json()).toEqual({ hello: 'world', n: 5 })
      const bad = await send(app, post('/', {}))
      expect(bad.status).toBe(400)
      expect(bad.text).toContain(says)
    })

    it(`lets ${name} validate the query string of one route`, async () => {
      const app = createApp()
      const options = { schema: { querystring: schema }, validatorCompiler: compile }
      app.get('/', options, (request) => request.query)
      expect((await send(app, { path: '/?hello=world&n=5' })).json()).toEqual({ hello: 'world', n: 5 })
      expect((await send(app, { path: '/?n=5' })).status).toBe(400)
    })

    it(`lets ${name} validate a whole context, and nothing beside it`, async () => {
      const app = createApp()
      app.register(async (child) => {
        child.setValidatorCompiler((input) =>
          compile({ schema: input['schema'], httpPart: String(input['httpPart']) }),
        )
        child.post('/inside', { schema: { body: schema } }, (request) => request.body)
        child.register(async (grandchild) => {
          grandchild.post('/below', { schema: { body: schema } }, (request) => request.body)
        })
      })
      const body = { type: 'object', required: ['other'] }
      app.post('/outside', { schema: { body } }, (request) => request.body)
      for (const path of ['/inside', '/below']) {
        expect((await send(app, post(path, { hello: 'world' }))).json()).toEqual({ hello: 'world' })
        expect((await send(app, post(path, { other: 1 }))).status).toBe(400)
      }
      expect((await send(app, post('/outside', { other: 1 }))).json()).toEqual({ other: 1 })
      expect((await send(app, post('/outside', { hello: 'world' }))).status).toBe(400)
    })

    it(`hands the schema of ${name} to the compiler untouched`, async () => {
      const app = createApp()
      const seen: unknown[] = []
      const validatorCompiler = (input: CompilerInput) => {
        seen.push(input.schema)
        return () => true
      }
      const schemas = { body: schema, querystring: schema, params: schema, headers: schema }
      app.post('/:id', { schema: schemas, validatorCompiler }, () => 'ran')
      await app.ready()
      expect(seen).toHaveLength(4)
      for (const one of seen) expect(one).toBe(schema)
    })

    it(`gives the error of ${name} to the error handler`, async () => {
      const app = createApp()
      const seen: unknown[] = []
      app.setErrorHandler((error, _request, reply) => {
        seen.push(error.statusCode, error.validationContext, error.constructor.name)
        return reply.code(422).send({ formatted: error.message.includes(says) })
      })
      app.post('/', { schema: { body: schema }, validatorCompiler: compile }, () => 'never')
      const received = await send(app, post('/', {}))
      expect(received.status).toBe(422)
      expect(received.json()).toEqual({ formatted: true })
      expect(seen.slice(0, 2)).toEqual([400, 'body'])
    })
  }

  it('validates TypeBox schemas with the default validator, for they are JSON Schema', async () => {
    const app = createApp()
    const body = Type.Object({ n: Type.Integer(), word: Type.Optional(Type.String({ maxLength: 3 })) })
    const response = { 200: Type.Object({ n: Type.Integer() }) }
    app.post('/', { schema: { body, response } }, (request) => request.body)
    expect((await send(app, post('/', { n: '5', word: 'abc' }))).json()).toEqual({ n: 5 })
    expect((await send(app, post('/', { n: 5, word: 'abcd' }))).status).toBe(400)
  })

  it('keeps the default validator for the other parts when the compiler chooses by part', async () => {
    const app = createApp()
    app.post(
      '/',
      {
        schema: { body: zodSchema },
        validatorCompiler: ({ schema, httpPart }: CompilerInput) => {
          if (httpPart !== 'body') throw new Error(`Missing compiler for ${httpPart}`)
          return (data: unknown) => (schema instanceof z.ZodType ? { value: schema.parse(data) } : false)
        },
      },
      (request) => request.body,
    )
    expect((await send(app, post('/', { hello: 'world' }))).json()).toEqual({ hello: 'world' })
  })
})
