import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Type } from 'typebox'
import { describePlugin, json, sendJson, start, type Untyped } from '../subject.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'structure-'))
  const files = {
    'plugins/support.cjs': `
      module.exports = async (app) => { app.decorate('greet', (name) => 'hello ' + name) }
      module.exports[Symbol.for('skip-override')] = true`,
    'routes/root.cjs': `module.exports = async (app) => { app.get('/', () => ({ root: true })) }`,
    'routes/users/index.mjs': `
      export default async (app, options) => {
        app.get('/', () => ({ text: app.greet('users'), option: options.option }))
      }
      export const autoPrefix = '/people'`,
    'routes/books/_id/.autohooks.cjs': `
      module.exports = async (app) => {
        app.addHook('onRequest', async (request, reply) => { reply.header('x-auto', 'hook') })
      }`,
    'routes/books/_id/index.cjs': `module.exports = async (app) => {
      app.get('/', (request) => ({ id: request.params.id }))
    }`,
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
})

afterAll(() => rm(folder, { recursive: true }))

describePlugin('autoload', ({ use, createApp }) => {
  it('loads plugins and routes from folders, with prefixes, hooks, parameters and options', async () => {
    const app = createApp()
    await app.register(use('autoload'), { dir: join(folder, 'plugins') })
    await app.register(use('autoload'), {
      dir: join(folder, 'routes'),
      options: { option: 42 },
      autoHooks: true,
      routeParams: true,
    })
    const url = await start(app)
    expect(await (await fetch(url)).json()).toEqual({ root: true })
    const users = await fetch(`${url}/people`)
    expect(users.headers.get('x-auto')).toBe(null)
    expect(await json(users)).toEqual({ text: 'hello users', option: 42 })
    const book = await fetch(`${url}/books/7`)
    expect(book.headers.get('x-auto')).toBe('hook')
    expect(await json(book)).toEqual({ id: '7' })
  })
})

describePlugin('fastify-plugin', ({ use, createApp, line }) => {
  const wrap = (...args: unknown[]): Untyped => {
    const module = use('fastify-plugin')
    return (module.default ?? module)(...args)
  }

  it('shares what a wrapped plugin adds with its parent, and nothing of a bare one', async () => {
    const app = createApp()
    app.register(
      wrap(async (child: Untyped) => {
        child.decorate('shared', 1)
        child.decorateRequest('who', 'ada')
      }),
    )
    app.register(async (child: Untyped) => {
      child.decorate('hidden', 1)
    })
    app.get('/', (request: Untyped) => ({
      shared: app.shared,
      hidden: app.hidden ?? null,
      who: request.who,
    }))
    const url = await start(app)
    expect(await (await fetch(url)).json()).toEqual({ shared: 1, hidden: null, who: 'ada' })
  })

  it('refuses to boot without the plugins and decorators it depends on, and names them', async () => {
    const app = createApp()
    app.register(wrap(async () => {}, { name: 'needy', dependencies: ['database-plugin'] }))
    await expect(app.ready()).rejects.toThrow(/database-plugin.*needy/)
    const other = createApp()
    other.register(wrap(async () => {}, { name: 'needy', decorators: { request: ['session'] } }))
    await expect(other.ready()).rejects.toThrow(/session/)
  })

  it('passes the version range of its line and refuses one that no line meets', async () => {
    const app = createApp()
    app.register(wrap(async (child: Untyped) => child.decorate('loaded', true), { fastify: `${line}.x` }))
    await app.ready()
    expect(app.loaded).toBe(true)
    const other = createApp()
    other.register(wrap(async () => {}, { fastify: '99.x', name: 'from-the-future' }))
    await expect(other.ready()).rejects.toThrow(/from-the-future/)
  })

  it('keeps the encapsulation when the metadata ask for it, with the name known to the app', async () => {
    const app = createApp()
    app.register(
      wrap(async (child: Untyped) => child.decorate('inner', 1), { name: 'closed', encapsulate: true }),
    )
    await app.ready()
    expect(app.inner).toBe(undefined)
    expect(app.hasPlugin('closed')).toBe(true)
  })
})

describePlugin('url-data', ({ use, createApp }) => {
  it('gives the parts of the address', async () => {
    const app = createApp()
    await app.register(use('url-data'))
    app.get('/a/b', (request: Untyped) => ({
      path: request.urlData('path'),
      query: request.urlData('query'),
      host: request.urlData().host,
    }))
    const url = await start(app)
    expect(await (await fetch(`${url}/a/b?c=d`)).json()).toEqual({
      path: '/a/b',
      query: 'c=d',
      host: '127.0.0.1',
    })
  })
})

describePlugin('response-validation', ({ use, createApp }) => {
  const schema = { response: { '2xx': { type: 'object', properties: { received: { type: 'number' } } } } }

  it('responds with 500 when a response does not fit its schema', async () => {
    const app = createApp()
    await app.register(use('response-validation'))
    app.get('/right', { schema }, () => ({ received: 42 }))
    app.get('/wrong', { schema }, () => ({ received: '42' }))
    app.get('/spared', { schema, responseValidation: false }, () => ({ received: '42' }))
    const url = await start(app)
    expect(await (await fetch(`${url}/right`)).json()).toEqual({ received: 42 })
    const wrong = await fetch(`${url}/wrong`)
    expect(wrong.status).toBe(500)
    expect((await json(wrong)).message).toBe('response/received must be number')
    expect(await (await fetch(`${url}/spared`)).json()).toEqual({ received: 42 })
  })
})

describePlugin(
  'type-provider-typebox',
  ({ use, createApp }) => {
    it('validates with schemas of TypeBox, by the default validator or by its own compiler', async () => {
      const app = createApp()
      const Body = Type.Object({ name: Type.String({ minLength: 2 }), age: Type.Optional(Type.Integer()) })
      app.post('/default', { schema: { body: Body, response: { 200: Body } } }, (request: Untyped) => ({
        ...request.body,
        secret: 1,
      }))
      app.register(async (child: Untyped) => {
        child.setValidatorCompiler(use('type-provider-typebox').TypeBoxValidatorCompiler)
        child.post('/own', { schema: { body: Body } }, (request: Untyped) => request.body)
      })
      const url = await start(app)
      const good = await sendJson(`${url}/default`, 'POST', { name: 'Ada', age: '36' })
      expect(await json(good)).toEqual({ name: 'Ada', age: 36 })
      for (const path of ['/default', '/own']) {
        const bad = await sendJson(`${url}${path}`, 'POST', { name: 'A' })
        expect(bad.status).toBe(400)
        expect((await json(bad)).message).toMatch(/name must (NOT|not) have fewer than 2 characters/)
      }
    })
  },
  [5],
)
