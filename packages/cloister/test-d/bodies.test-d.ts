/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import { cloister } from '../src/index.ts'
import type { FastifySchema, HttpMethod } from 'cloister'
import type { RouteShorthandMethod } from 'cloister/types'
import { z } from 'zod'

import { app, is, it } from './support.ts'

const body = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } as const

it('refuses a body schema for GET and HEAD at its place', () => {
  app.get(
    '/',
    {
      schema: {
        // @ts-expect-error -- GET has no body
        body: { type: 'object' },
      },
    },
    () => 'x',
  )
  // @ts-expect-error -- GET has no body
  app.get('/', { schema: { body }, handler: () => 'x' })
  // @ts-expect-error -- HEAD has no body
  app.head('/', { schema: { body: z.object({ a: z.string() }) } }, () => 'x')
  // @ts-expect-error -- GET has no body
  app.route({ method: 'GET', url: '/', schema: { body }, handler: () => 'x' })
  // @ts-expect-error -- HEAD has no body
  app.route({ method: 'head', url: '/', schema: { body }, handler: () => 'x' })
  // @ts-expect-error -- the app does not start, as for GET alone
  app.all('/', { schema: { body } }, () => 'x')
  // @ts-expect-error -- the app does not start, as for GET alone
  app.route({ method: ['GET', 'POST'], url: '/', schema: { body }, handler: () => 'x' })
})

it('takes body schemas for other methods, methods in variables, and schemas whose body may be absent', () => {
  app.route({
    method: ['PUT', 'POST'],
    url: '/',
    schema: { body },
    handler: ({ body: { a } }) => is<string>()(a),
  })
  const methods: string[] = ['GET', 'POST']
  for (const method of methods) app.route({ method, url: '/', schema: { body }, handler: () => 'x' })
  for (const method of ['GET'] as HttpMethod[])
    app.route({ method, url: '/', schema: { body }, handler: () => 'x' })
  const schema: FastifySchema = { querystring: body }
  app.get('/', { schema }, () => 'x')
  app.get('/', { schema: { body: undefined } }, () => 'x')
  app.get('/', { schema: JSON.parse('{}') }, () => 'x')
})

it('has shortcuts of the type that plugins name', () => {
  const get: RouteShorthandMethod = cloister().get
  get('/', () => 'x')
  const name: 'get' | 'post' = 'get'
  app[name]('/', () => 'x')
})
