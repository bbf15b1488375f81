/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import { app, definePlugin, is, it, type User } from './support.ts'

declare function findUser(token: string | undefined): Promise<User | null>

it('gives handlers behind a guard its value, never null and without promises', () => {
  app
    .addGuard('user', async (request, reply) => {
      const user = await findUser(request.headers.authorization)
      return user ?? reply.code(401).send({ error: 'sign in' })
    })
    .get('/', (request) => {
      is<User>()(request.user)
      return request.user.name
    })
  app.addGuard('length', (request) => request.url.length).get('/', (request) => is<number>()(request.length))
})

it('gives later guards what earlier ones gave, and hooks and children too', () => {
  const guarded = app
    .addGuard('user', () => ({ name: 'ada' }))
    .addGuard('account', (request) => ({ owner: request.user.name }))
  guarded.addHook('preHandler', async (request) => is<string>()(request.account.owner))
  guarded.register(async (child) => {
    child.get('/', (request) => is<{ name: string }>()(request.user))
  })
})

it('keeps the values of guards apart when they are objects with the same members', () => {
  app
    .addGuard('user', () => ({ name: 'ada' }))
    .addGuard('shop', () => ({ name: 1 }))
    .get('/', (request) => {
      is<string>()(request.user.name)
      is<number>()(request.shop.name)
    })
})

it('gives release the value and the request', () => {
  app.addGuard('lock', async () => ({ unlock: () => {} }), {
    at: 'preHandler',
    security: { bearer: ['write'] },
    release: (lock, request) => {
      is<{ unlock: () => void }>()(lock)
      is<string>()(request.id)
    },
  })
})

it('leaves the value to the context of the guard', () => {
  app.addGuard('user', () => ({ name: 'ada' }))
  // @ts-expect-error -- this instance does not come from the guard
  app.get('/', (request) => request.user)
})

it('refuses a guard without a value, a name twice, and a stage that has none', () => {
  // @ts-expect-error -- returns nothing
  app.addGuard('user', (request) => void request.id)
  // @ts-expect-error -- may only reply
  app.addGuard('user', (_request, reply) => reply.code(401).send())
  const guarded = app.addGuard('user', () => 'ada')
  // @ts-expect-error -- the context has it
  guarded.addGuard('user', () => 'grace')
  // @ts-expect-error -- handlers have run by then
  app.addGuard('user', () => 'ada', { at: 'onSend' })
  // @ts-expect-error -- misspelt
  app.addGuard('user', () => 'ada', { releases: () => {} })
  // @ts-expect-error -- the value of a guard does not change
  guarded.get('/', (request) => void (request.user = 'grace'))
})

it('is what a plugin provides', () => {
  const auth = definePlugin<{ provides: { request: { readonly user: User } } }>({
    name: 'auth',
    plugin: (scope) => scope.addGuard('user', () => ({ name: 'ada' })),
  })
  app.register(auth).get('/', (request) => is<User>()(request.user))
  definePlugin<{ provides: { request: { readonly user: User } } }>({
    name: 'empty',
    // @ts-expect-error -- possibly null: a hook may not have set it
    plugin: (scope) => scope.decorateRequest('user', null),
  })
})

it('makes a plugin prove what it gives to requests: by its result, or by a list that the boot checks', () => {
  // @ts-expect-error -- returns nothing, and lists nothing
  definePlugin<{ provides: { request: { readonly user: User } } }>({
    name: 'silent',
    plugin: async (scope) => void scope.addGuard('user', () => ({ name: 'ada' })),
  })
  const listed = definePlugin<{ provides: { request: { readonly user: User } } }>({
    name: 'listed',
    provides: { request: ['user'] },
    plugin: async (scope) => void scope.addGuard('user', () => ({ name: 'ada' })),
  })
  app.register(listed).get('/', (request) => is<User>()(request.user))
  definePlugin<{ provides: { request: { readonly user: User } } }>({
    name: 'misspelt',
    // @ts-expect-error -- it promises no such name
    provides: { request: ['usr'] },
    plugin: async () => {},
  })
})
