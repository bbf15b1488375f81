/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import type { Cloister, ContextFrom } from 'cloister'
import { app, is, it, shop } from './support.ts'

it('knows what is decorated inside a getter and a setter that are methods', () => {
  app
    .decorateRequest('origin', {
      getter() {
        return this.ip + this.host
      },
    })
    .get('/', (request) => is<string>()(request.origin))
  app
    .decorateRequest('shown', {
      getter() {
        return this.id
      },
      setter(value: string) {
        this.id = value
      },
    })
    .get('/', (request) => is<string>()(request.shown))
  app
    .decorateReply('isLate', {
      getter() {
        return this.elapsedTime > 1000
      },
    })
    .get('/', (request, reply) => String(reply.isLate))
  is<number>()(
    app.decorate('port', {
      getter() {
        return this.addresses().length
      },
    }).port,
  )
})

it('takes a getter of an object, which each request may have for itself', () => {
  app
    .decorateRequest('trace', { getter: () => ({ id: 'a' }) })
    .get('/', (request) => is<string>()(request.trace.id))
  app
    .decorateRequest('seen', {
      getter() {
        return new Set([this.ip])
      },
    })
    .get('/', (request) => is<Set<string>>()(request.seen))
  app
    .decorateReply('tags', { getter: (): string[] => [] })
    .get('/', (_request, reply) => is<string[]>()(reply.tags))
})

it('widens what a decorated function returns', () => {
  is<() => Promise<string>>()(app.decorate('db', { read: async () => 'x' }).db.read)
  is<() => number>()(app.decorate('count', () => 1).count)
  is<() => number>()(app.decorate('db', { query: () => 1 }).db.query)
  is<(name: string) => string>()(
    app.decorate('db', { by: { name: (name: string) => `${name}!` } }).db.by.name,
  )
  is<() => 1>()(app.decorate('db', { query: (): 1 => 1 }).db.query)
  app.decorateRequest('kind', () => 'x').get('/', (request) => is<() => string>()(request.kind))
})

it('keeps the type of a decorated object that has a name', () => {
  class Pool {
    open(): 1 {
      return 1
    }
  }
  is<Pool>()(app.decorate('pool', new Pool()).pool)
  is<Date>()(app.decorate('since', new Date()).since)
  is<string[]>()(app.decorate('tags', ['x']).tags)
})

it('writes members that may be replaced', () => {
  const { log, initialConfig, server } = app
  app.log = log
  app.initialConfig = initialConfig
  app.server = server
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    request.log = log
    request.raw = raw
    reply.log = log
    reply.request = request
    // @ts-expect-error -- it is worked out when it is read
    request.ip = ''
  })
  // @ts-expect-error -- fixed when the context is made
  app.prefix = '/v1'
})

it('types what takes the place of a decorator', () => {
  shop.override('db', { find: (id: string) => ({ id, stock: 1 }) }).db.find('1')
  // @ts-expect-error -- the database of the shop finds
  shop.override('db', { look: () => null })
  shop.override('ofAPluginThatIsNotKnown', 1)
})

it('types what takes the place of a guard, by the instance behind it', () => {
  const guarded = app.addGuard('user', () => ({ email: 'ada@example.com' }))
  type Api = typeof guarded
  app.override<Api>('user', { email: 'of the test' }).get('/', () => 'ok')
  app.override<Api>('user', (request, reply) => (request.ip === '' ? reply.code(401) : { email: request.ip }))
  app.override<Api>('user', async (request) => ({ email: request.id }))
  app.override<Cloister<ContextFrom<{ request: { role: 'admin' | 'guest' } }>>>('role', 'admin')
  // @ts-expect-error -- users have an email
  app.override<Api>('user', { mail: 'of the test' })
  // @ts-expect-error -- so have those that a guard returns
  app.override<Api>('user', () => ({ mail: 'of the test' }))
  // @ts-expect-error -- no guard of the instance has the name
  app.override<Api>('usr', { email: 'of the test' })
})
