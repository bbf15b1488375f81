// What plugins and apps written for 4.x do with an instance beyond calling its methods.
import { describe, expect, it } from 'vitest'
import { callMember } from '../call-member.ts'
import type { App } from '../harness/app-shape.ts'
import { factory, wrap } from '../harness/subject.ts'
import { createGate } from '../harness/time.ts'
import { line4, ours, since5, useApps } from '../harness/transports.ts'

describe('instances: as promises', () => {
  const createApp = useApps()

  it('chains what follows a registration', async () => {
    const app = createApp()
    const loaded = app.register(async (child) => void child.get('/x', () => 'x')).then(() => 'loaded')
    expect(loaded).toBeInstanceOf(Promise)
    expect(await loaded).toBe('loaded')
    expect(app.hasRoute({ method: 'GET', url: '/x' })).toBe(true)
  })

  it('chains catch and finally', async () => {
    const app = createApp()
    const steps: string[] = []
    const failing = app.register(async () => {
      throw new Error('does not load')
    })
    const chained: unknown = Reflect.apply(failing.then, failing, [() => steps.push('loaded')])
    if (!(chained instanceof Promise)) throw new Error('no promise')
    await chained
      .catch((error: unknown) => steps.push(error instanceof Error ? error.message : 'no error'))
      .finally(() => steps.push('finally'))
    expect(steps).toEqual(['does not load', 'finally'])
  })

  ours('4.x rejects with a TypeError')('waits without functions, too', async () => {
    const app = createApp()
    const loaded: unknown = Reflect.apply(app.register(async () => undefined).then, app, [])
    expect(await loaded).toBeUndefined()
  })
})

describe('instances: members that can be assigned', () => {
  const createApp = useApps()

  it.each(['log', 'initialConfig', 'schemaErrorFormatter'])('lets %s be assigned', async (name) => {
    const app = createApp()
    const mine = { mine: true }
    Reflect.set(app, name, mine)
    expect(Reflect.get(app, name)).toBe(mine)
    const seen: unknown[] = []
    app.register(async (child) => void seen.push(Reflect.get(child, name)))
    await app.ready()
    expect(seen).toEqual([mine])
  })

  it('keeps what a child assigns from its parent', async () => {
    const app = createApp()
    const { log } = app
    app.register(async (child) => void Reflect.set(child, 'log', { mine: true }))
    await app.ready()
    expect(app.log).toBe(log)
  })
})

describe('instances: methods without their instance', () => {
  const createApp = useApps()

  it('closes', async () => {
    const { close } = createApp()
    await close()
  })

  it('closes for an event that calls it on something else', async () => {
    const app = createApp()
    const closed = createGate<boolean>()
    app.addHook('onClose', async () => closed.open(true))
    const emitter = { end: app.close }
    await emitter.end()
    expect(await closed.promise).toBe(true)
  })

  it('registers where the plugin loads', async () => {
    const app = createApp()
    const { register, after } = app
    const steps: string[] = []
    register(async (child: App) => void child.get('/x', () => 'x'), { prefix: '/a' })
    after(() => void steps.push('after'))
    await app.ready()
    expect((await app.inject('/a/x')).payload).toBe('x')
    expect(steps).toEqual(['after'])
  })

  it('describes routes, plugins and schemas', async () => {
    const app = createApp()
    const { hasRoute, printRoutes, printPlugins, getSchemas } = app
    const seen: unknown[] = []
    app.get('/x', () => 'x').addSchema({ $id: 'a' })
    app.register(async (child) => {
      child.addSchema({ $id: 'b' })
      const { getSchemas: ofChild } = child
      seen.push(Object.keys(ofChild()))
    })
    await app.ready()
    expect(hasRoute({ method: 'GET', url: '/x' })).toBe(true)
    const withoutTimes = (tree: string): string => tree.replaceAll(/\d+ ms/g, '')
    expect(printRoutes()).toBe(app.printRoutes())
    expect(withoutTimes(printPlugins())).toBe(withoutTimes(app.printPlugins()))
    expect(Object.keys(getSchemas())).toEqual(['a'])
    expect(seen).toEqual([['a', 'b']])
  })

  it('can be replaced, and calls the original on any instance', async () => {
    const app = createApp()
    const { register } = app
    const names: string[] = []
    app['register'] = function (this: App, ...args: Parameters<App['register']>) {
      names.push(this.prefix)
      return Reflect.apply(register, this, args)
    }
    app.register(
      async (child) => {
        child.register(async (inner) => void inner.get('/x', () => 'x'), { prefix: '/b' })
      },
      { prefix: '/a' },
    )
    await app.ready()
    expect(names).toEqual(['', '/a'])
    expect((await app.inject('/a/b/x')).payload).toBe('x')
  })
})

describe('instances: an outer one while a plugin loads', () => {
  const createApp = useApps()

  it('registers below the plugin, awaited or not', async () => {
    const app = createApp()
    app.register(
      async () => {
        await app.register(async (inner) => void inner.get('/awaited', () => 'a'))
        app.register(async (inner) => void inner.get('/queued', () => 'q'), { prefix: '/own' })
      },
      { prefix: '/child' },
    )
    await app.ready()
    expect((await app.inject('/child/awaited')).payload).toBe('a')
    expect((await app.inject('/child/own/queued')).payload).toBe('q')
    expect((await app.inject('/awaited')).statusCode).toBe(404)
  })

  it('shows the plugin what a wrapped plugin brings, and the outer instance not', async () => {
    const app = createApp()
    const seen: boolean[] = []
    app.register(async (child) => {
      await app.register(wrap(async (inner) => void inner.decorate('brought', true)))
      seen.push(child.hasDecorator('brought'))
    })
    await app.ready()
    expect([...seen, app.hasDecorator('brought')]).toEqual([true, false])
  })

  it('does not hang where a plugin awaits it', async () => {
    const app = createApp({ pluginTimeout: 1000 })
    const steps: string[] = []
    app.register(async () => {
      await app.after()
      await app
      steps.push('first')
    })
    app.register(async () => void steps.push('second'))
    await app.ready()
    expect(steps).toEqual(['first', 'second'])
  })

  it('runs its after callbacks in the turn of the plugin', async () => {
    const app = createApp()
    const steps: string[] = []
    app.register(async (child) => {
      child.register(async () => void steps.push('inner'))
      app.after(() => void steps.push('after'))
    })
    app.register(async () => void steps.push('next'))
    await app.ready()
    expect(steps).toEqual(['inner', 'after', 'next'])
  })

  it('decorates and adds routes and hooks at the outer instance', async () => {
    const app = createApp()
    app.register(
      async () => {
        app.get('/x', () => 'outer').decorate('late', 1)
        app.addHook('onRequest', async (_request, reply) => void reply.header('x-hook', 'outer'))
      },
      { prefix: '/child' },
    )
    await app.ready()
    const response = await app.inject('/x')
    expect([response.payload, response.headers['x-hook'], app['late']]).toEqual(['outer', 'outer', 1])
  })
})

describe('instances: registrations', () => {
  const createApp = useApps()

  it('reads the prefix of options that are a function with properties', async () => {
    const app = createApp()
    const options = Object.assign(() => ({ mine: 1 }), { prefix: '/own' })
    app.register(async (child, given) => void child.get('/r', () => String(given['mine'])), options)
    await app.ready()
    expect((await app.inject('/own/r')).payload).toBe('1')
    expect((await app.inject('/r')).statusCode).toBe(404)
  })

  it('loads a synchronous plugin', async () => {
    const app = createApp({ pluginTimeout: 1000 })
    app.register(
      wrap((child, _options, done) => {
        child.decorate('waits', 1)
        done()
      }),
    )
    await app.ready()
    expect(app['waits']).toBe(1)
  })

  since5('4.x waits for done')(
    'takes a synchronous plugin without done for loaded when it returns',
    async () => {
      const app = createApp({ pluginTimeout: 1000 })
      // The text of a plugin says nothing about its parameters.
      app.register(wrap((child, options) => void child.decorate('spread', { ...options, arguments: 1 })))
      await app.ready()
      expect(app['spread']).toEqual({ arguments: 1 })
    },
  )

  line4('5.x does not wait')(
    'waits for a synchronous plugin that takes done by rest parameters',
    async () => {
      const app = createApp({ pluginTimeout: 1000 })
      app.register((...args) => {
        const [child, , done] = args
        setImmediate(() => {
          child.decorate('late', 1)
          done()
        })
      })
      app.register(async (child) => void child.decorate('seen', child.hasDecorator('late')))
      await app.ready()
      expect(app.hasDecorator('late')).toBe(false)
    },
  )

  it('gives done to a plugin that has it behind a default value', async () => {
    const app = createApp()
    app.register(
      // oxlint-disable-next-line typescript/no-useless-default-assignment -- the default is what hides `done`
      wrap((child, options: object | undefined = {}, done) => {
        child.decorate('hidden', Object.keys(options))
        done()
      }),
    )
    await app.ready()
    expect(app['hidden']).toEqual([])
  })

  ours('4.x ends the process')(
    'rejects with the first error of a plugin that throws after done',
    async () => {
      const app = createApp()
      app.register((_child, _options, done) => {
        done(new Error('first'))
        throw new Error('second')
      })
      await expect(app.ready()).rejects.toThrow('first')
    },
  )

  ours('4.x ends the process')('reports a module that cannot be imported when it gets ready', async () => {
    const app = createApp()
    const missing: Promise<never> = Promise.reject(new Error('no such module'))
    app.register(async () => undefined)
    app.register(missing)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    await expect(app.ready()).rejects.toThrow('no such module')
  })

  it('lists the plugins that a context sees', async () => {
    const app = createApp()
    const key = Symbol.for('registered-plugin')
    app.register(wrap(async () => undefined, { name: 'x' }))
    await app.ready()
    expect(Reflect.get(app, key)).toEqual(['x'])
  })
})

describe('instances: what they show', () => {
  const createApp = useApps()

  it('has no middleware decorator until a plugin brings it', async () => {
    const app = createApp()
    expect(app.hasDecorator('use')).toBe(false)
    app.decorate('use', () => 'middleware')
    expect(app.hasDecorator('use')).toBe(true)
    expect(callMember(app, 'use')).toBe('middleware')
  })

  it('has the compilers that are in force once it is ready', async () => {
    const app = createApp()
    const schema = { type: 'object', properties: { a: { $ref: 'n#' } } }
    app.addSchema({ $id: 'n', type: 'integer' })
    app.post('/', { schema: { body: schema, response: { 200: schema } } }, () => ({ a: 1 }))
    await app.ready()
    const validate = callMember(app, 'validatorCompiler', {
      schema,
      method: 'POST',
      url: '/',
      httpPart: 'body',
    })
    const serialize = callMember(app, 'serializerCompiler', {
      schema,
      method: 'POST',
      url: '/',
      httpStatus: '200',
    })
    if (typeof validate !== 'function' || typeof serialize !== 'function') throw new Error('no compilers')
    expect([Reflect.apply(validate, null, [{ a: 1 }]), Reflect.apply(validate, null, [{ a: 'x' }])]).toEqual([
      true,
      false,
    ])
    expect(Reflect.apply(serialize, null, [{ a: 1, b: 2 }])).toBe('{"a":1}')
    expect(app['validatorCompiler']).toBe(app['validatorCompiler'])
  })

  it('shows its constraints, frozen', () => {
    const storage = (): object => ({ get: () => null, set: () => undefined })
    const mine = { name: 'mine', storage, deriveConstraint: () => 'x', validate: () => true }
    const { constraints } = createApp({ constraints: { mine } }).initialConfig
    expect(constraints).toHaveProperty('mine')
    expect(Object.isFrozen(constraints)).toBe(true)
  })

  it('shows of https no more than allowHTTP1, frozen', () => {
    const { https } = createApp({ http2: true, https: { allowHTTP1: true } }).initialConfig
    expect(https).toEqual({ allowHTTP1: true })
    expect(Object.isFrozen(https)).toBe(true)
  })

  it('names no class in the stack frames of user code', async () => {
    const app = createApp()
    const frames: string[] = []
    const note = (name: string): void => {
      const [, , frame = ''] = (new Error('here').stack ?? '').split('\n')
      frames.push(`${name}:${/ at (.*) \(/.exec(frame)?.[1] ?? ''}`)
    }
    app.addHook('onRoute', function hook() {
      note('hook')
    })
    app.register(function plugin(child, _options, done) {
      note('plugin')
      child.get('/', function handler() {
        note('handler')
        return 'x'
      })
      done()
    })
    await app.inject('/')
    expect([...new Set(frames)].toSorted()).toEqual([
      'handler:Object.handler',
      'hook:Object.hook',
      'plugin:plugin',
    ])
  })

  line4('5.x compares paths alone')('has a route by its path, and by one that it serves', () => {
    const app = createApp()
    app.get('/u/:id', () => 'x')
    const has = (url: string): boolean => app.hasRoute({ method: 'GET', url })
    expect([has('/u/:id'), has('/u/1'), has('/v/1')]).toEqual([true, true, false])
  })

  since5('4.x counts a wildcard')('has no route for a path that a wildcard serves', () => {
    const app = createApp()
    app.get('/*', () => 'x')
    const has = (url: string): boolean => app.hasRoute({ method: 'GET', url })
    expect([has('/*'), has('/docs')]).toEqual([true, false])
  })
})

describe('instances: options of the factory', () => {
  const createApp = useApps()

  it.each([undefined, null, false, {}])('takes %s for no options', async (options) => {
    const app: unknown = Reflect.apply(factory, null, [options])
    if (typeof app !== 'object' || app === null) throw new Error('no app')
    await callMember(app, 'close')
    expect(app).toHaveProperty('register')
  })

  ours('the peers drop them')('keeps names that are near none of its own for plugins', async () => {
    const warned = createGate<Error>()
    process.once('warning', warned.open)
    const app = createApp({ tenants: ['a'], env: 'test' })
    expect(app.initialConfig).toMatchObject({ tenants: ['a'], env: 'test' })
    const warning = await warned.promise
    expect(warning).toHaveProperty('code', 'CLO_WRN_OPTIONS_UNKNOWN')
    expect(warning.message).toMatch(/'tenants', 'env'.*harness/)
  })

  it('shows tools the options as they were written', () => {
    const options = { bodyLimit: 7 }
    const app = createApp(options)
    const key = Object.getOwnPropertySymbols(app).find(({ description }) => description === 'fastify.options')
    expect(key === undefined ? null : Reflect.get(app, key)).toMatchObject(options)
  })
})
