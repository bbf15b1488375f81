import { describe, expect, it } from 'vitest'
import { plugin } from '@cloister/plugin'
import { cloister } from 'cloister'
import type { Cloister } from 'cloister'

describe('a plugin that is registered', () => {
  it('shows what it decorates to its parent when it is wrapped, and not otherwise', async () => {
    const app = cloister()
    app.register(plugin(async (inner: Cloister) => void inner.decorate('wrapped', 1)))
    app.register(async (inner) => void inner.decorate('bare', 1))
    app.register(plugin(async (inner: Cloister) => void inner.decorate('kept', 1), { encapsulate: true }))
    await app.ready()
    expect(app.hasDecorator('wrapped')).toBe(true)
    expect(app.hasDecorator('bare')).toBe(false)
    expect(app.hasDecorator('kept')).toBe(false)
    await app.close()
  })

  it('shows it no further than to the nearest context that is not wrapped', async () => {
    const app = cloister()
    const seen: boolean[] = []
    const deepest = plugin(async (inner: Cloister) => void inner.decorate('deep', 1), { name: 'deepest' })
    const middle = plugin(async (inner: Cloister) => void inner.register(deepest), { name: 'middle' })
    app.register(async (child) => {
      await child.register(middle)
      seen.push(child.hasDecorator('deep'))
    })
    await app.ready()
    expect(seen).toEqual([true])
    expect(app.hasDecorator('deep')).toBe(false)
    await app.close()
  })

  it('shares hooks, routes and schemas with its parent too', async () => {
    const app = cloister()
    const everything = plugin(
      (inner: Cloister, _options: object, done: () => void) => {
        inner.addHook('onRequest', async (_request, reply) => void reply.header('x-seen', 'yes'))
        inner.addSchema({ $id: 'id', type: 'integer' })
        inner.get('/inside', async () => 'inside')
        done()
      },
      { name: 'everything' },
    )
    await app.register(everything)
    app.get('/outside', async () => 'outside')
    expect((await app.inject('/outside')).headers['x-seen']).toBe('yes')
    expect(app.getSchema('id')).toMatchObject({ type: 'integer' })
    await app.close()
  })

  it('may be a promise of a module whose default export is wrapped', async () => {
    const app = cloister()
    const wrapped = plugin(async (inner: Cloister) => void inner.decorate('late', 1))
    await app.register(Promise.resolve({ default: wrapped }))
    expect(app.hasDecorator('late')).toBe(true)
    await app.close()
  })

  it.each(['4.x', '>=4.18', '^4.0.0'])(
    'passes when its range %s admits the interface level',
    async (range) => {
      const app = cloister()
      app.register(plugin(async (_inner: Cloister) => {}, range))
      await expect(app.ready()).resolves.toBeDefined()
      await app.close()
    },
  )

  it.each([
    ['a range', { name: 'old', version: '2.x' }],
    ['a dependency', { name: 'needy', dependencies: ['database'] }],
    ['an instance decorator', { name: 'needy', decorators: { cloister: ['database'] } }],
    ['a request decorator', { name: 'needy', decorators: { request: ['user'] } }],
    ['a reply decorator', { name: 'needy', decorators: { reply: ['view'] } }],
  ])('fails the boot by name when %s is not met', async (_what, metadata) => {
    const app = cloister()
    app.register(plugin(async (_inner: Cloister) => {}, metadata))
    await expect(app.ready()).rejects.toThrow(metadata.name)
    await app.close()
  })

  it('loads when all its needs are met', async () => {
    const app = cloister()
    const database = plugin(async (inner: Cloister) => void inner.decorate('database', {}), {
      name: 'database',
    })
    const users = plugin(async (inner: Cloister) => void inner.decorateRequest('user', null), {
      name: 'users',
      version: '4.x',
      dependencies: ['database'],
      decorators: { cloister: ['database'] },
    })
    app.register(database)
    app.register(users)
    await app.ready()
    expect(app.hasRequestDecorator('user')).toBe(true)
    await app.close()
  })
})
