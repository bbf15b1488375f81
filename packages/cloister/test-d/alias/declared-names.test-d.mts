// Declarations of an app that moves from Fastify: the names of its decorators are those of members that only Cloister
// has, which Fastify leaves free.

import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { cloister } from 'fastify'

import { is, it } from '../support.ts'

interface Service {
  run(text: string): number
}

declare module 'fastify' {
  interface FastifyInstance {
    transport: Service
    fetch: (url: string) => Promise<Service>
    search: Service
    lock: Service
    move: Service
    mount: string
    explain: Service
    override: boolean
    addGuard: Service
    cloisterVersion: number
  }
  interface FastifyRequest {
    context: { run: string }
    connection: { encrypted: boolean }
  }
}

const app = cloister()

it('gives an annotated instance the declared type of a name that only Cloister has', () => {
  const plugin: FastifyPluginAsync = async (instance) => {
    is<Service>()(instance.transport)
    is<Promise<Service>>()(instance.fetch('http://127.0.0.1'))
    is<string>()(instance.mount)
    is<number>()(instance.cloisterVersion)
  }
  const made = (): FastifyInstance => app
  app.register(plugin)
  is<boolean>()(made().override)
  is<Service>()(made().addGuard)
})

it('lets the instance that the factory gives be used as declared, in handlers too', () => {
  is<number>()(app.search.run('text'))
  is<number>()(app.explain.run('text'))
  app.register(async (child) => {
    is<number>()(child.lock.run('text'))
    child.get('/', function (request) {
      is<number>()(request.server.transport.run('text'))
      return this.move.run('text')
    })
  })
})

it('gives requests the declared type of a name that only 4.x has, and takes a cast null for it', () => {
  app.decorateRequest('context', null as unknown as { run: string })
  app.addHook('onRequest', async (request) => {
    request.context = { run: 'now' }
  })
  app.get('/run', (request) => {
    is<string>()(request.context.run)
    return is<boolean>()(request.connection.encrypted)
  })
})
