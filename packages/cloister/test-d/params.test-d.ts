/* oxlint-disable typescript/ban-ts-comment, eslint/no-unused-expressions -- a type test also says what must not compile */

import type { ParamsOf } from 'cloister'
import { z } from 'zod'

import { app, is, it } from './support.ts'

declare const params: <Path extends string>(path: Path) => ParamsOf<Path>

it('reads a parameter from the path', () => {
  app.get('/users/:id', (request) => is<{ id: string }>()(request.params))
})

it('reads several parameters', () => {
  is<{ year: string; month: string }>()(params('/posts/:year/:month'))
})

it('reads several parameters of one segment', () => {
  is<{ lat: string; lng: string }>()(params('/near/:lat-:lng'))
  is<{ name: string; ext: string }>()(params('/files/:name.:ext'))
  is<{ hour: string; minute: string }>()(params('/at/:hour(^\\d{2})h:minute(^\\d{2})m'))
})

it('reads a wildcard', () => {
  is<{ '*': string }>()(params('/static/*'))
  is<{ user: string; '*': string }>()(params('/:user/*'))
})

it('reads past a regular expression, with brackets of its own', () => {
  is<{ id: string }>()(params('/:id(^\\d+$)'))
  is<{ id: string; part: string }>()(params('/:id(^(a|b)$)/:part'))
})

it('reads an optional parameter', () => {
  is<{ id?: string }>()(params('/posts/:id?'))
})

it('takes a double colon for a colon', () => {
  is<{}>()(params('/name::verb'))
})

it('knows that a path without parameters has none', () => {
  app.get('/plain', (request) => {
    // @ts-expect-error -- the path has no parameter
    request.params.id
  })
})

it('reads the parameters of the prefix too', () => {
  app.register(
    async (child) => {
      child.get('/users/:id', (request) => is<{ tenant: string; id: string }>()(request.params))
    },
    { prefix: '/:tenant' },
  )
})

it('prefers the schema to the path', () => {
  app.get(
    '/users/:id',
    { schema: { params: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } } },
    (request) => is<{ id: number }>()(request.params),
  )
})

it('leaves the parameters of a path that is not known open', () => {
  const path: string = '/x'
  app.get(path, (request) => is<{ [name: string]: string }>()(request.params))
})

it('always has the parameters of the path, whether the schema demands them or not', () => {
  const params = { id: { type: 'integer' }, more: { type: 'string' } } as const
  app.get('/:id', { schema: { params } }, (request) => is<{ id: number; more?: string }>()(request.params))
  app.get('/files/*', { schema: { params: { '*': { type: 'string' } } } }, (request) =>
    is<{ '*': string }>()(request.params),
  )
  app.get('/near/:id(^\\d+$)/at', { schema: { params } }, (request) => is<number>()(request.params.id))
})

it('may lack a parameter that is optional in the path', () => {
  const params = { kind: { type: 'string' }, id: { type: 'integer' } } as const
  app.get('/:kind/:id?', { schema: { params } }, (request) =>
    is<{ kind: string; id?: number }>()(request.params),
  )
})

it('always has the parameters of the prefix too', () => {
  app.register(
    async (child) => {
      const params = { tenant: { type: 'string' }, id: { type: 'integer' } } as const
      child.get('/:id', { schema: { params } }, (request) =>
        is<{ tenant: string; id: number }>()(request.params),
      )
    },
    { prefix: '/:tenant' },
  )
})

it('takes the word of another library for parameters', () => {
  const params = z.object({ id: z.number().optional() })
  app.get('/:id', { schema: { params } }, (request) => is<{ id?: number | undefined }>()(request.params))
})

it('leaves params of an open schema alone', () => {
  app.get('/:id', { schema: { params: {} } }, (request) => is<unknown>()(request.params))
  const params = { type: 'object', additionalProperties: { type: 'integer' } } as const
  app.get('/:id', { schema: { params } }, (request) => is<{ [key: string]: number }>()(request.params))
})
