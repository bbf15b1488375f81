/* oxlint-disable typescript/ban-ts-comment, eslint/no-unused-expressions -- a type test also says what must not compile */

import { cloister } from 'cloister'
import type { Cloister, Ctx } from 'cloister'

import { app, is, it, shop } from './support.ts'
import type { Database, User } from './support.ts'

it('gives a decoration to the chain that made it', () => {
  const decorated = app.decorate('config', { port: 3000 })
  is<number>()(decorated.config.port)
})

it('hides the decoration of a chain from the app it began with', () => {
  app.decorate('config', { port: 3000 })
  // @ts-expect-error -- the statement did not change the type of the variable
  app.config
})

it('gives a decoration of requests to the handlers below it', () => {
  app.decorateRequest('tries', 0).get('/', (request) => is<number>()(request.tries))
})

it('hides a decoration of requests from routes before it', () => {
  app.get('/', (request) => {
    // @ts-expect-error -- nobody decorated requests here
    request.tries
  })
})

it('gives a decoration of replies to handlers, also after a status', () => {
  app
    .decorateReply('html', function (text: string) {
      return this.type('text/html').send(text)
    })
    .get('/', (request, reply) => reply.code(200).html('<p>'))
})

it('gives an accessor the type of its getter', () => {
  const request = app.decorateRequest('user', {
    getter(): User | null {
      return null
    },
  })
  request.get('/', ({ user }) => is<User | null>()(user))
})

it('knows the instance inside a decorated function', () => {
  shop.decorate('stockOf', function (id: string) {
    is<Database>()(this.db)
    return this.db.find(id).stock
  })
})

it('shows a child everything of its parent', () => {
  shop.register(async (child) => {
    is<Database>()(child.db)
    child.get('/', (request) => is<User | null>()(request.user))
  })
})

it('shows a grandchild everything of its ancestors', () => {
  shop.register(async (child) => {
    child.decorate('tax', 0.2).register(async (grandchild) => {
      is<number>()(grandchild.tax)
      is<Database>()(grandchild.db)
    })
  })
})

it('hides what a child decorates from its parent', () => {
  const after = app.register(async (child) => {
    child.decorate('secret', 'x')
  })
  // @ts-expect-error -- an encapsulated plugin keeps what it decorates
  after.secret
})

it('hides what a child decorates from its sibling', () => {
  app.register(async (first) => {
    first.decorate('secret', 'x')
  })
  app.register(async (second) => {
    // @ts-expect-error -- a sibling cannot see it
    second.secret
  })
})

it('hides decorations of requests of a child from its sibling', () => {
  app.register(async (first) => {
    first.decorateRequest('token', '').get('/', (request) => is<string>()(request.token))
  })
  app.register(async (second) => {
    // @ts-expect-error -- a sibling cannot see it
    second.get('/', (request) => request.token)
  })
})

it('carries the context in one type parameter', () => {
  const make = (instance: Cloister<Ctx<{ readonly db: Database }>>): number => instance.db.find('1').stock
  make(shop)
  // @ts-expect-error -- this app has no database
  make(app)
})

it('keeps the context through hooks, handlers and settings in a chain', () => {
  const after = shop
    .addHook('onRequest', async (request) => is<User | null>()(request.user))
    .get('/', () => 'x')
    .setErrorHandler(() => 'x')
    .setNotFoundHandler(() => 'x')
    .addContentTypeParser('text/csv', { parseAs: 'string' }, (request, body) => body)
  is<Database>()(after.db)
})

it('refuses a decoration whose name is taken', () => {
  // @ts-expect-error -- 'db' is already decorated
  shop.decorate('db', 1)
})

it('refuses an object that all requests would share', () => {
  // @ts-expect-error -- a reference type
  app.decorateRequest('cart', { items: [] })
  // @ts-expect-error -- a reference type
  app.decorateReply('notes', [])
})

it('shows the instance, its request and its reply to each other', () => {
  shop.get('/', function (request, reply) {
    is<Database>()(this.db)
    is<Database>()(request.server.db)
    is<User | null>()(reply.request.user)
    is<Database>()(reply.server.db)
  })
})

it('gives the app that is awaited the same context', async () => {
  const loaded = await app.decorate('a', 1).after()
  is<number>()(loaded.a)
  const ready = await shop.ready()
  is<Database>()(ready.db)
})

it('makes a fresh app with nothing decorated', () => {
  const fresh = cloister({ logger: true })
  // @ts-expect-error -- nobody decorated it
  fresh.db
  is<string>()(fresh.decorate('b', 'x').b)
})

it('keeps the types of the chain where a type argument is written out', () => {
  const after = shop.decorateRequest<User | null>('other', null).decorateReply<string>('kind', 'json')
  is<Database>()(after.decorate<number>('count', 1).db)
  after.get('/', (request) => is<User | null>()(request.user))
  shop.route<{ Body: { title: string } }>({
    method: 'POST',
    url: '/',
    handler: (request) => {
      is<User | null>()(request.user)
      return request.body.title
    },
  })
})

it('hides a decoration of the parent where a child decorates the name once more', () => {
  const one = app.decorate('db', { find: (id: string) => id }).decorateRequest('user', 'ada')
  const after = one.register(async (child) => {
    const hidden = child.decorate('db', { count: () => 1 }).decorateRequest('user', 0)
    is<() => number>()(hidden.db.count)
    // @ts-expect-error -- that of the parent is hidden
    hidden.db.find
    hidden.get('/', (request) => is<number>()(request.user))
    // @ts-expect-error -- twice in the child
    hidden.decorate('db', 1)
    // @ts-expect-error -- twice in the child
    hidden.decorateRequest('user', 1)
    hidden.register(async (grandchild) => {
      is<() => number>()(grandchild.db.count)
      is<number>()(grandchild.decorate('db', 1).db)
    })
  })
  is<(id: string) => string>()(after.db.find)
  after.get('/', (request) => is<string>()(request.user))
})

it('hides a decoration of replies, under a prefix and after a shared schema', () => {
  app.decorateReply('mark', 'x').register(
    async (child) => {
      const hidden = child.addSchema({ $id: 'a', type: 'string' }).decorateReply('mark', 1)
      hidden.get('/', (request, reply) => is<number>()(reply.mark))
      // @ts-expect-error -- the instance has no such name from its parent, but requests and replies do not share names
      hidden.decorateReply('mark', 2)
    },
    { prefix: '/v1' },
  )
})
