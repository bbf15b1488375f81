// The wrapping helper: what a wrapped plugin registers belongs to its parent.
import { describe, expect, it } from 'vitest'
import type { App, Plugin, PluginMetadata } from '../harness/app-shape.ts'
import { code, wrap } from '../harness/subject.ts'
import { ours, useApps } from '../harness/transports.ts'

const mark =
  (name: string): Plugin =>
  async (instance) => {
    instance.decorate(name, name)
  }

describe('contexts: the wrapping helper', () => {
  const createApp = useApps()

  it('exposes decorators of a wrapped plugin without metadata', async () => {
    const app = createApp()
    app.register(wrap(mark('plain')))
    await app.ready()
    expect(app['plain']).toBe('plain')
  })

  it('exposes decorators of a wrapped callback plugin', async () => {
    const app = createApp()
    app.register(
      wrap((instance, _options, done) => {
        instance.decorate('called', true)
        done()
      }),
    )
    await app.ready()
    expect(app['called']).toBe(true)
  })

  it('carries one plugin through two wrapped levels up to the root', async () => {
    const app = createApp()
    app.register(
      wrap(async (outer) => {
        outer.register(wrap(mark('deep')))
      }),
    )
    await app.ready()
    expect(app['deep']).toBe('deep')
  })

  it('stops at the first plugin that is not wrapped', async () => {
    const app = createApp()
    let child: App | undefined
    app.register(async (instance) => {
      child = instance
      instance.register(wrap(mark('stops')))
    })
    await app.ready()
    expect(child?.['stops']).toBe('stops')
    expect(app['stops']).toBeUndefined()
  })

  it('takes a promise of a module whose default export is wrapped', async () => {
    const app = createApp()
    app.register(Promise.resolve({ default: wrap(mark('loaded')) }))
    await app.ready()
    expect(app['loaded']).toBe('loaded')
  })

  it('keeps the encapsulation when the metadata says so', async () => {
    const app = createApp()
    app.register(wrap(mark('kept'), { name: 'kept', encapsulate: true }))
    await app.ready()
    expect(app['kept']).toBeUndefined()
    expect(app.hasPlugin('kept')).toBe(true)
  })

  it('honours the symbol of the protocol without the helper', async () => {
    const app = createApp()
    const plugin: Plugin = Object.assign(mark('bare'), { [Symbol.for('skip-override')]: true })
    app.register(plugin)
    await app.ready()
    expect(app['bare']).toBe('bare')
  })

  it('passes options to a wrapped plugin', async () => {
    const app = createApp()
    app.register(
      wrap(async (instance, options) => {
        instance.decorate('given', options)
      }),
      { colour: 'green' },
    )
    await app.ready()
    expect(app['given']).toMatchObject({ colour: 'green' })
  })

  it('ignores the prefix for the routes of a wrapped plugin', async () => {
    const app = createApp()
    app.register(
      wrap(async (instance) => {
        instance.get('/thing', () => 'thing')
      }),
      { prefix: '/ignored' },
    )
    expect((await app.inject('/thing')).statusCode).toBe(200)
    expect((await app.inject('/ignored/thing')).statusCode).toBe(404)
  })
})

describe('contexts: metadata of a wrapped plugin', () => {
  const createApp = useApps()

  it('knows a plugin by its name in the context and below', async () => {
    const app = createApp()
    app.register(wrap(mark('known'), { name: 'known' }))
    let below = false
    app.register(async (child) => {
      below = child.hasPlugin('known')
    })
    await app.ready()
    expect(app.hasPlugin('known')).toBe(true)
    expect(app.hasPlugin('unknown')).toBe(false)
    expect(below).toBe(true)
  })

  it('knows a plugin without metadata in its own context alone', async () => {
    const app = createApp()
    const seen: boolean[] = []
    app.register(async function outer(child) {
      seen.push(child.hasPlugin('outer'))
      child.register(async function inner(grandchild) {
        seen.push(grandchild.hasPlugin('inner'), grandchild.hasPlugin('outer'))
      })
    })
    await app.ready()
    expect(seen).toEqual([true, true, false])
  })

  it('refuses a plugin whose dependency is not registered, and names both', async () => {
    const app = createApp()
    app.register(wrap(mark('needy'), { name: 'needy', dependencies: ['absent'] }))
    await expect(app.ready()).rejects.toThrow(/absent.*needy|needy.*absent/s)
  })

  ours('the messages are ours')(
    'says what is near, where the plugin is registered and what to do',
    async () => {
      const place = /\('needy' is registered at .*wrapping\.test\.ts:\d+\)$/
      const needs: [needs: PluginMetadata, words: string][] = [
        [{ dependencies: ['session'] }, "register it before; did you mean 'sesion'? ("],
        [{ decorators: { fastify: ['database'] } }, "adds it before; did you mean 'datbase'? ("],
        [{ decorators: { request: ['user'] } }, 'register the plugin that adds it before ('],
        [{ fastify: '1.x' }, 'install a version of the plugin that is made for one of them ('],
      ]
      for (const [options, words] of needs) {
        const app = createApp()
        app.decorate('datbase', {})
        app.register(wrap(mark('base'), { name: 'sesion' }))
        app.register(wrap(mark('needy'), { name: 'needy', ...options }))
        await expect(app.ready()).rejects.toSatisfy(
          ({ message }: Error) => message.includes(words) && place.test(message),
        )
      }
    },
  )

  it('accepts a plugin whose dependency was registered before it', async () => {
    const app = createApp()
    app.register(wrap(mark('base'), { name: 'base' }))
    app.register(wrap(mark('needy'), { name: 'needy', dependencies: ['base'] }))
    await app.ready()
    expect(app['needy']).toBe('needy')
  })

  it('refuses a plugin whose decorators are missing on instance, request or reply', async () => {
    for (const place of ['fastify', 'request', 'reply'] as const) {
      const app = createApp()
      app.register(wrap(mark('needy'), { name: 'needy', decorators: { [place]: ['absent'] } }))
      await expect(app.ready()).rejects.toMatchObject({ code: code('PLUGIN_NOT_PRESENT_IN_INSTANCE') })
    }
  })

  it('accepts a plugin whose decorators are there', async () => {
    const app = createApp()
    app.decorate('onApp', 1).decorateRequest('onRequest', '').decorateReply('onReply', '')
    app.register(
      wrap(mark('happy'), {
        name: 'happy',
        decorators: { fastify: ['onApp'], request: ['onRequest'], reply: ['onReply'] },
      }),
    )
    await app.ready()
    expect(app['happy']).toBe('happy')
  })

  it('refuses a plugin made for another version, and says which', async () => {
    const app = createApp()
    app.register(wrap(mark('old'), { name: 'old', fastify: '1.x' }))
    await expect(app.ready()).rejects.toMatchObject({ code: code('PLUGIN_VERSION_MISMATCH') })
    const again = createApp()
    again.register(wrap(mark('old'), { name: 'old-plugin', fastify: '1.x' }))
    await expect(again.ready()).rejects.toThrow(/old-plugin/)
  })
})

describe('contexts: version ranges of plugins', () => {
  const createApp = useApps()

  ours('each peer admits one line only')('admits plugins of Fastify 4.x and of Fastify 5.x', async () => {
    const app = createApp()
    app.register(wrap(mark('four'), { fastify: '4.x' }))
    app.register(wrap(mark('five'), { fastify: '5.x' }))
    app.register(wrap(mark('both'), { fastify: '>=4' }))
    await app.ready()
    expect([app['four'], app['five'], app['both']]).toEqual(['four', 'five', 'both'])
  })

  it('shows its interface level as a version', () => {
    expect(createApp().version).toMatch(/^[45]\.\d+\.\d+/)
  })

  ours('the peers have no version of their own besides')('shows its own version', () => {
    expect(createApp()['cloisterVersion']).toMatch(/^\d+\.\d+\.\d+/)
  })
})
