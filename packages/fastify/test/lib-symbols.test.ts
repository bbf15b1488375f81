import { expect, it } from 'vitest'
import fastify from '@cloister/fastify'
import symbols from '@cloister/fastify/lib/symbols'

it('lib/symbols leads from a request to the hooks of its route', async () => {
  const app = fastify()
  const hook = async (): Promise<void> => {}
  app.addHook('preHandler', hook).addHook('preHandler', hook)
  app.get('/', { onSend: hook }, (request) => {
    const context: unknown = Reflect.get(request, symbols.kRouteContext)
    return Object.entries(Object(context)).map(([name, fns]) => [
      name,
      fns === null ? null : Object(fns).length,
    ])
  })
  expect(Object.fromEntries((await app.inject('/')).json())).toEqual({
    onRequest: null,
    preParsing: null,
    preValidation: null,
    preHandler: 2,
    preSerialization: null,
    onSend: 1,
    onResponse: null,
    onError: null,
    onTimeout: null,
    onRequestAbort: null,
  })
  await app.close()
})
