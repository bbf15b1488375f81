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

it('lib/symbols leads from a reply to its headers', async () => {
  const app = fastify()
  app.get('/', (_request, reply) => {
    reply.header('X-Own', 'a').type('text/plain')
    return JSON.stringify(Reflect.get(reply, symbols.kReplyHeaders))
  })
  expect((await app.inject('/')).json()).toEqual({ 'x-own': 'a', 'content-type': 'text/plain' })
  await app.close()
})

it('lib/symbols leads from an instance to its prefix, its plugins and the state of the app', async () => {
  const app = fastify()
  const of = (instance: object, key: symbol): unknown => Reflect.get(instance, key)
  const seen: unknown[] = []
  app.register(
    async function books(child) {
      seen.push(of(child, symbols.kRoutePrefix), of(child, symbols.kPluginNameChain))
    },
    { prefix: '/books' },
  )
  expect(of(app, symbols.kState)).toMatchObject({ started: false, listening: false })
  await app.listen({ port: 0 })
  expect(seen).toEqual(['/books', ['books']])
  const running = { started: true, ready: true, listening: true, closing: false }
  expect(of(app, symbols.kState)).toEqual(running)
  await app.close()
  expect(of(app, symbols.kState)).toMatchObject({ closing: true, listening: false })
})
