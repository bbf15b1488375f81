/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import { Type } from '@sinclair/typebox'
import { type } from 'arktype'
import type { StandardSchema } from 'cloister'
import * as Type1 from 'typebox'
import * as v from 'valibot'
import { z } from 'zod'

import { app, is, it } from './support.ts'

it('infers TypeBox', () => {
  app.post(
    '/',
    { schema: { body: Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) }) } },
    (request) => is<{ b?: number; a: string }>()(request.body),
  )
})

it('infers TypeBox 1', () => {
  app.post(
    '/',
    { schema: { body: Type1.Object({ a: Type1.String(), b: Type1.Optional(Type1.Integer()) }) } },
    (request) => {
      is<string>()(request.body.a)
      is<number | undefined>()(request.body.b)
    },
  )
})

it('infers Zod after its transformations', () => {
  const body = z.object({ at: z.string().transform((text) => new Date(text)), n: z.number().default(1) })
  app.post('/', { schema: { body } }, (request) => is<{ at: Date; n: number }>()(request.body))
})

it('infers Valibot', () => {
  const body = v.object({ name: v.string(), age: v.optional(v.number(), 1) })
  app.post('/', { schema: { body } }, (request) => is<{ name: string; age: number }>()(request.body))
})

it('infers ArkType', () => {
  const body = type({ name: 'string', 'age?': 'number' })
  app.post('/', { schema: { body } }, (request) => {
    is<string>()(request.body.name)
    is<number | undefined>()(request.body.age)
  })
})

it('infers any validator that follows Standard Schema', () => {
  const body: StandardSchema<string, number> = {
    '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value: Number(value) }) },
  }
  app.post('/', { schema: { body } }, (request) => is<number>()(request.body))
})

it('lets libraries stand side by side in one route', () => {
  app.post(
    '/:id',
    {
      schema: {
        params: z.object({ id: z.coerce.number() }),
        querystring: v.object({ q: v.string() }),
        headers: type({ 'x-key': 'string' }),
        body: { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] },
        response: { 200: Type.Object({ ok: Type.Boolean() }) },
      },
    },
    (request) => {
      is<{ id: number }>()(request.params)
      is<{ q: string }>()(request.query)
      is<string>()(request.headers['x-key'])
      is<{ a: boolean }>()(request.body)
      return { ok: true }
    },
  )
})

it('checks a reply against what a validator takes in', () => {
  const received = z.object({ at: z.date(), n: z.number().default(1) })
  app.get('/', { schema: { response: { 200: received } } }, () => ({ at: new Date() }))
  // @ts-expect-error -- 'at' is a date
  app.get('/', { schema: { response: { 200: received } } }, () => ({ at: 1 }))
})

it('needs no type provider, and takes one', () => {
  const provided = app.withTypeProvider()
  provided.post('/', { schema: { body: Type.Object({ a: Type.String() }) } }, (request) =>
    is<{ a: string }>()(request.body),
  )
})
