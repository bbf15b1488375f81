// Plugins: how they are written, in what order they load, and what goes wrong.
import { describe, expect, it, vi } from 'vitest'
import type { App, Plugin } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { never, tick } from '../harness/time.ts'
import { line4, ours, useApps } from '../harness/transports.ts'

describe('boot: kinds of plugins', () => {
  const createApp = useApps()

  it('loads callback, async and promised plugins, and modules with a default export', async () => {
    const app = createApp()
    const loaded: string[] = []
    app.register((_instance, _options, done) => {
      loaded.push('callback')
      setImmediate(done)
    })
    app.register(async () => {
      await tick()
      loaded.push('async')
    })
    const promised: Plugin = async () => void loaded.push('promised')
    app.register(Promise.resolve(promised))
    app.register(Promise.resolve({ default: promised }))
    app.register({ default: promised })
    await app.ready()
    expect(loaded).toEqual(['callback', 'async', 'promised', 'promised', 'promised'])
  })

  it('passes options, and an empty object when none are given', async () => {
    const app = createApp()
    const seen: unknown[] = []
    const plugin: Plugin = async (_instance, options) => void seen.push(options)
    app.register(plugin, { a: 1 })
    app.register(plugin)
    await app.ready()
    expect(seen).toEqual([{ a: 1 }, {}])
  })

  it('takes options from a function of the parent', async () => {
    const app = createApp()
    app.decorate('secret', 'from parent')
    let seen: unknown
    app.register(
      async (_instance, options) => {
        seen = options
      },
      (parent) => ({ secret: parent['secret'] }),
    )
    await app.ready()
    expect(seen).toEqual({ secret: 'from parent' })
  })

  it('gives a function of options the instance of the plugin', async () => {
    const app = createApp()
    let seen: unknown
    app.register(
      async (instance) => {
        seen = instance['place']
      },
      (instance) => {
        instance.decorate('place', 'plugin')
        return {}
      },
    )
    await app.ready()
    expect([seen, Reflect.get(app, 'place')]).toEqual(['plugin', undefined])
  })

  it('calls a function of options after the plugins before it have loaded', async () => {
    const app = createApp()
    const first: Plugin = Object.assign(
      async (instance: Parameters<Plugin>[0]) => {
        await tick()
        instance.decorate('connection', 'open')
      },
      { [Symbol.for('skip-override')]: true },
    )
    let seen: unknown
    app.register(first)
    app.register(
      async (_instance, options) => {
        seen = options
      },
      (parent) => ({ connection: parent['connection'] }),
    )
    await app.ready()
    expect(seen).toEqual({ connection: 'open' })
  })

  it('loads in order, children of a plugin before its next sibling', async () => {
    const app = createApp()
    const order: string[] = []
    app.register(async (a) => {
      order.push('a')
      a.register(async (b) => {
        order.push('a.b')
        b.register(async () => void order.push('a.b.c'))
      })
      a.register(async () => void order.push('a.d'))
    })
    app.register(async () => void order.push('e'))
    await app.ready()
    expect(order).toEqual(['a', 'a.b', 'a.b.c', 'a.d', 'e'])
  })

  ours('the boot library of the peers has codes of its own')('refuses what is not a plugin', async () => {
    for (const wrong of [undefined, 'name', 7, {}]) {
      const app = createApp()
      const attempt = async (): Promise<void> => {
        Reflect.apply(app.register, app, [wrong])
        await app.ready()
      }
      await expect(attempt()).rejects.toMatchObject({ code: code('PLUGIN_NOT_VALID') })
    }
  })

  it('shows the name of a plugin', async () => {
    const app = createApp()
    const names: string[] = []
    app.register(async function catalogue(instance) {
      names.push(instance.pluginName)
    })
    app.register(
      Object.assign(async (instance: Parameters<Plugin>[0]) => void names.push(instance.pluginName), {
        [Symbol.for('fastify.display-name')]: 'shown',
      }),
    )
    await app.ready()
    expect(names).toEqual(['catalogue', 'shown'])
  })

  it('prints the tree of plugins', async () => {
    const app = createApp()
    app.register(async function outer(instance) {
      instance.register(async function inner() {
        await tick()
      })
    })
    await app.ready()
    const tree = app.printPlugins()
    expect(tree).toMatch(/outer[^]*inner/)
  })

  it('prints what takes its turn among the plugins as Fastify does', async () => {
    const app = createApp()
    app.addHook('onRequest', async () => {})
    app.register(async function outer(instance) {
      instance.get('/one', () => 'x')
      await instance.register(async function inner(child) {
        child.post('/two', () => 'x')
      })
      instance.addHook('onReady', async () => {})
    })
    app.setNotFoundHandler(() => 'x')
    app.after(() => {
      app.register(async function late() {})
    })
    await app.ready()
    const [root = '', ...rows] = app
      .printPlugins()
      .replaceAll(/ \d+ ms/g, '')
      .replaceAll('bound _after', 'turn')
      .trimEnd()
      .split('\n')
    expect(root).toMatch(/^\w+$/)
    expect(rows).toEqual([
      '├── turn',
      '├── turn',
      '├─┬ outer',
      '│ ├── turn',
      '│ ├── turn',
      '│ ├─┬ inner',
      '│ │ └── turn',
      '│ └── turn',
      '├── turn',
      '└─┬ turn',
      '  └── late',
    ])
  })
})

describe('boot: errors of plugins', () => {
  const createApp = useApps()

  it('rejects ready() with what an async plugin throws', async () => {
    const app = createApp()
    app.register(async () => {
      throw new Error('no database')
    })
    await expect(app.ready()).rejects.toThrow('no database')
  })

  it('rejects ready() with what a callback plugin passes to done', async () => {
    const app = createApp()
    app.register((_instance, _options, done) => done(new Error('no cache')))
    await expect(app.ready()).rejects.toThrow('no cache')
  })

  ours('in the peers it ends the process')('rejects ready() with what a plugin throws at once', async () => {
    const app = createApp()
    app.register(() => {
      throw new Error('at once')
    })
    await expect(app.ready()).rejects.toThrow('at once')
  })

  ours('the peers reject with the value itself')(
    'rejects ready() with an error for what is none',
    async () => {
      for (const [thrown, words] of [
        ['boom', 'string boom'],
        [Object.create(null), 'an object'],
      ]) {
        const app = createApp()
        app.register(async () => {
          throw thrown
        })
        const failure = expect.objectContaining({ code: code('NON_ERROR_THROWN'), cause: thrown })
        await expect(app.ready()).rejects.toEqual(failure)
        await expect(app.ready()).rejects.toThrow(words)
      }
    },
  )

  it('rejects listen() and inject() with an error of the boot', async () => {
    for (const use of ['listen', 'inject'] as const) {
      const app = createApp()
      app.register(async () => {
        throw new Error('boot failed')
      })
      const attempt = use === 'listen' ? app.listen({ port: 0 }) : app.inject('/')
      await expect(attempt).rejects.toThrow('boot failed')
    }
  })

  it('does not load what comes after a plugin that failed, when nobody took the error', async () => {
    const app = createApp()
    app.register(async () => {
      throw new Error('first')
    })
    app.register(async () => {
      throw new Error('second')
    })
    await expect(app.ready()).rejects.toThrow('first')
  })

  it('names the plugin that does not finish in time', async () => {
    const app = createApp({ pluginTimeout: 30 })
    app.register(function hangingPlugin(_instance, _options, _done) {
      // never calls back
    })
    await expect(app.ready()).rejects.toMatchObject({ code: code('PLUGIN_TIMEOUT') })
    const again = createApp({ pluginTimeout: 30 })
    again.register(function hangingPlugin(_instance, _options, _done) {
      // never calls back
    })
    await expect(again.ready()).rejects.toThrow(/hangingPlugin/)
  })

  it('counts the time of a plugin from before its function runs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const app = createApp({ pluginTimeout: 30 })
      app.register(function slowPlugin(_instance, _options, _done) {
        vi.advanceTimersByTime(30)
      })
      await expect(app.ready()).rejects.toMatchObject({ code: code('PLUGIN_TIMEOUT') })
    } finally {
      vi.useRealTimers()
    }
  })

  line4('5.x refuses it')('loads an async plugin that takes done too, by what settles first', async () => {
    const app = createApp()
    app.register(async (child, _options, done) => {
      child.get('/', () => 'loaded')
      done()
      await never()
    })
    app.register(async (_child, _options, _done) => {
      // settles without a call
    })
    expect((await app.inject('/')).payload).toBe('loaded')
    const failing = createApp()
    failing.register(async (_child, _options, done) => done(new Error('told by done')))
    await expect(failing.ready()).rejects.toThrow('told by done')
  })

  it('names an async plugin that never settles', async () => {
    const app = createApp({ pluginTimeout: 30 })
    app.register(async function neverSettles() {
      await never()
    })
    await expect(app.ready()).rejects.toThrow(/neverSettles/)
  })

  ours('the peers name the plugin alone')('prints the path of the plugin that failed', async () => {
    const app = createApp()
    app.register(async function api(outer) {
      outer.register(async function users() {
        throw new Error('no users')
      })
    })
    const error = await Promise.resolve(app.ready()).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    const shown = error instanceof Error ? `${error.message}\n${String(error.stack)}` : ''
    expect(shown).toContain('no users')
    expect(JSON.stringify([shown, Object.entries(Object(error))])).toMatch(/root > api > users/)
  })

  ours('the peers do not say what a plugin waits for')('says what a hanging plugin waits for', async () => {
    const app = createApp({ pluginTimeout: 30 })
    app.register(async function outer(instance) {
      instance.register(async function innermost() {
        await never()
      })
      await instance.after()
    })
    await expect(app.ready()).rejects.toThrow(/outer[^]*innermost/)
  })

  for (const [whose, wait] of [
    ['its own instance', (_app: App, child: App) => child.ready()],
    ['the app', (app: App) => app.ready()],
  ] as const) {
    ours('the peers name the plugin alone')(`says that a plugin waits for ready() of ${whose}`, async () => {
      const app = createApp({ pluginTimeout: 30 })
      app.register(async function waiting(child) {
        await wait(app, child)
      })
      await expect(app.ready()).rejects.toThrow(
        /'waiting' \(root > waiting\).* ready\(\), called at .*plugins\.test\.ts:\d+ while it loaded, .* onReady hook/,
      )
    })
  }

  ours('the peers name the plugin alone')(
    'does not blame ready() where a plugin hangs otherwise',
    async () => {
      const app = createApp({ pluginTimeout: 30 })
      app.register(async (_child) => never())
      await expect(app.ready()).rejects.toThrow(/something that it awaits never does[^;]*$/)
    },
  )
})

describe('boot: an app that is sealed', () => {
  const createApp = useApps()

  line4('5.x does not check schemas')(
    'refuses routes, hooks, schemas, parsers, handlers and plugins after ready()',
    async () => {
      const app = createApp()
      await app.ready()
      const late: Record<string, () => unknown> = {
        route: () => app.get('/late', () => 'late'),
        hook: () => app.addHook('onRequest', async () => undefined),
        schema: () => app.addSchema({ $id: 'late', type: 'string' }),
        parser: () => app.addContentTypeParser('x/y', (_request, _body, done) => done(null)),
        'error handler': () => app.setErrorHandler(() => undefined),
        'not-found handler': () => app.setNotFoundHandler(() => undefined),
        'validator compiler': () => app.setValidatorCompiler(() => () => true),
        'serializer compiler': () => app.setSerializerCompiler(() => () => ''),
        'schema error formatter': () => app.setSchemaErrorFormatter(() => new Error('late')),
        'reply serializer': () => app.setReplySerializer(() => ''),
      }
      const accepted = Object.entries(late).filter(([, attempt]) => {
        try {
          attempt()
          return true
        } catch {
          return false
        }
      })
      expect(accepted.map(([what]) => what)).toEqual([])
    },
  )

  ours('the boot library of the peers has codes of its own')('refuses a plugin after ready()', async () => {
    const app = createApp()
    await app.ready()
    const attempt = async (): Promise<void> => {
      app.register(async () => undefined)
      await app.after()
    }
    await expect(attempt()).rejects.toMatchObject({ code: code('ROOT_PLG_BOOTED') })
  })

  ours('the peers do not say where')('names the place of the late call', async () => {
    const app = createApp()
    await app.ready()
    expect(() => app.get('/late', () => 'late')).toThrow(/plugins\.test\.ts/)
  })

  ours('the peers take options that they do not know')(
    'refuses a mistyped option, with the nearest name',
    () => {
      expect(() => createApp({ bodyLimt: 10 })).toThrow(/bodyLimt.*bodyLimit/s)
    },
  )

  ours('the peers take options that they do not know')(
    'refuses a mistyped option of the validator, with the nearest name',
    () => {
      expect(() => createApp({ ajv: { customOption: {} } })).toThrow(/customOption'.*customOptions/)
    },
  )

  ours('the peers do not validate the request')(
    'refuses a mistyped part of a schema, with the nearest name, and takes names of other tools',
    () => {
      const app = createApp()
      const schema = { boddy: { type: 'object' } }
      expect(() => app.post('/', { schema }, () => 'x')).toThrow(/schema\.boddy.*'body'/)
      app.post('/', { schema: { tags: ['a'], summary: 'b', hide: true } }, () => 'x')
    },
  )

  ours('the peers do not say which')('names the innermost plugin that throws what is no Error', async () => {
    const app = createApp()
    app.register(async function api(instance) {
      instance.register(async function users() {
        await Promise.reject('no database')
      })
    })
    const error: unknown = await app.ready().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ cause: 'no database', plugin: { path: 'root > api > users' } })
  })

  ours('the peers do not say which')('names the plugin whose options or context cannot be made', async () => {
    const fail = (): never => {
      throw new Error('no options')
    }
    const mistakes: ((app: App) => unknown)[] = [
      (app) => app.register(async function users() {}, { prefix: 5 }),
      (app) => app.register(async function users() {}, fail),
      (app) => {
        app.addHook('onRegister', fail)
        app.register(async function users() {})
      },
    ]
    for (const mistake of mistakes) {
      const app = createApp()
      mistake(app)
      const callSite = expect.stringMatching(/plugins\.test\.ts:\d+$/)
      await expect(app.ready()).rejects.toMatchObject({ plugin: { path: 'root > users', callSite } })
    }
  })

  it('refuses an option of a wrong type', () => {
    expect(() => createApp({ bodyLimit: 'many' })).toThrow(/bodyLimit/)
  })

  it.each([0, -1, 1.5, '100'])('refuses %j as the limit of bodies', (bodyLimit) => {
    expect(() => createApp({ bodyLimit })).toThrow(
      expect.objectContaining({ code: code('ROUTE_BODY_LIMIT_OPTION_NOT_INT') }),
    )
  })

  it('takes times as text, as they come from the environment', () => {
    const { initialConfig } = createApp({ pluginTimeout: '5000', keepAliveTimeout: '7000' })
    expect([initialConfig['pluginTimeout'], initialConfig['keepAliveTimeout']]).toEqual([5000, 7000])
  })
})
