import { describe, expect, it } from 'vitest'

import { cloister, definePlugin } from '../../src/index.ts'
import type { AppDescription, ContextDescription } from '../../src/types/description.generated.ts'

function onRequest(): Promise<void> {
  return Promise.resolve()
}

function ownHook(): Promise<void> {
  return Promise.resolve()
}

async function describedApp(): Promise<AppDescription> {
  const app = cloister()
  app.setErrorHandler(function rootHandler() {})
  app.addHook('onClose', async function disconnect() {})
  app.register(
    async function users(instance) {
      instance.decorateRequest('user', null)
      instance.addSchema({ $id: 'user', type: 'object' })
      instance.register(
        definePlugin({
          name: 'audit',
          encapsulate: false,
          plugin: async (shared) => {
            shared.addHook('onRequest', onRequest)
          },
        }),
      )
      instance.register(async function nested(inner) {
        inner.get('/:id', { preHandler: ownHook, bodyLimit: 10 }, function readUser() {})
      })
    },
    { prefix: '/users' },
  )
  await app.ready()
  return app.explain()
}

const child = ({ children }: ContextDescription, index: number): ContextDescription => {
  const found = children[index]
  if (found === undefined) throw new Error(`no child ${index}`)
  return found
}

describe('the description of an app', () => {
  it('has the contexts as they see each other, with what was added to each', async () => {
    const { contexts } = await describedApp()
    expect(contexts).toMatchObject({
      name: 'root',
      prefix: '',
      errorHandler: { fn: 'rootHandler' },
      schemas: [],
    })
    const users = child(contexts, 0)
    expect(users).toMatchObject({
      path: 'root > users',
      prefix: '/users',
      plugins: ['users', 'audit'],
      decorators: [{ kind: 'request', name: 'user' }],
      schemas: [{ id: 'user' }],
      hooks: [{ name: 'onRequest', fn: 'onRequest', context: 'root > users', source: 'context' }],
      errorHandler: null,
      routes: [],
    })
    expect(child(users, 0)).toMatchObject({
      path: 'root > users > nested',
      schemas: [],
      hooks: [],
      children: [],
    })
  })

  it('has each route with the hooks that its requests run, their origins and its limits', async () => {
    const { contexts } = await describedApp()
    const [get, head] = child(child(contexts, 0), 0).routes
    expect(get).toMatchObject({
      method: 'GET',
      url: '/users/:id',
      context: 'root > users > nested',
      automatic: false,
      handler: 'readUser',
      hooks: [
        { name: 'onRequest', fn: 'onRequest', context: 'root > users', source: 'context' },
        { name: 'preHandler', fn: 'ownHook', context: 'root > users > nested', source: 'route' },
      ],
      errorHandlers: [{ fn: 'rootHandler', context: 'root', source: 'context' }],
      bodyLimit: 10,
    })
    expect(head).toMatchObject({ method: 'HEAD', automatic: true })
  })

  it('has the plugins as they were loaded, and which of them share a context', async () => {
    const { plugins } = await describedApp()
    expect(plugins).toMatchObject({ name: 'root', callSite: null, sharesContext: false })
    const [users] = plugins.children
    expect(users).toMatchObject({ path: 'root > users', context: 'root > users', sharesContext: false })
    expect(
      users?.children.map(({ name, context, sharesContext }) => ({ name, context, sharesContext })),
    ).toEqual([
      { name: 'audit', context: 'root > users', sharesContext: true },
      { name: 'nested', context: 'root > users > nested', sharesContext: false },
    ])
  })

  it('has the hooks of the application, each with its context', async () => {
    const { hooks } = await describedApp()
    expect(hooks).toMatchObject([{ name: 'onClose', fn: 'disconnect', context: 'root', source: 'context' }])
  })

  it('names the file and line of every hook, decorator, handler, plugin and route', async () => {
    const text = JSON.stringify(await describedApp())
    const sites = [...text.matchAll(/"callSite":"([^"]+)"/g)].map(([, site]) => site)
    expect(sites.length).toBeGreaterThan(8)
    for (const site of sites) expect(site).toMatch(/describe\.test\.ts:\d+/)
  })

  it('is frozen at every level', async () => {
    const description = await describedApp()
    const open: unknown[] = []
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      if (!Object.isFrozen(value)) open.push(value)
      Object.values(value).forEach(visit)
    }
    visit(description)
    expect(open).toEqual([])
  })

  it('shows what has loaded so far while the app boots', () => {
    const app = cloister()
    app.get('/', () => 'ok')
    const { contexts } = app.explain()
    expect(contexts.routes.map(({ method }) => method)).toEqual(['GET', 'HEAD'])
    expect(contexts.children).toEqual([])
  })
})
