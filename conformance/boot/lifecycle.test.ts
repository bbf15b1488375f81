// after, ready, close: what runs when, who gets the error.
import { describe, expect, it } from 'vitest'
import { callMember } from '../call-member.ts'
import type { App } from '../harness/app-shape.ts'
import { createGate, tick } from '../harness/time.ts'
import { line4, ours, since5, useApps } from '../harness/transports.ts'
import { code, wrap } from '../harness/subject.ts'

describe('boot: after', () => {
  const createApp = useApps()

  it('runs when the plugins registered before it have loaded, before the next ones', async () => {
    const app = createApp()
    const order: string[] = []
    app.register(async (child) => {
      await tick()
      order.push('first')
      child.register(async () => void order.push('nested'))
    })
    app.after(() => void order.push('after first'))
    app.register(async () => void order.push('second'))
    app.after(() => void order.push('after second'))
    await app.ready()
    expect(order).toEqual(['first', 'nested', 'after first', 'second', 'after second'])
  })

  it('waits for an after that is async or takes done', async () => {
    const app = createApp()
    const order: string[] = []
    app.after(async () => {
      await tick()
      order.push('async after')
    })
    app.after((_error, done: () => void) => {
      setImmediate(() => {
        order.push('callback after')
        done()
      })
    })
    app.register(async () => void order.push('plugin'))
    await app.ready()
    expect(order).toEqual(['async after', 'callback after', 'plugin'])
  })

  it('gives the error to an after with one argument, which consumes it', async () => {
    const app = createApp()
    let seen: unknown
    app.register(async () => {
      throw new Error('lost')
    })
    app.after((error) => {
      seen = error
    })
    await app.ready()
    expect(seen).toMatchObject({ message: 'lost' })
  })

  it('passes the error on when after takes no argument', async () => {
    const app = createApp()
    app.register(async () => {
      throw new Error('passed on')
    })
    app.after(() => undefined)
    await expect(app.ready()).rejects.toThrow('passed on')
  })

  it('resolves as a promise when the plugins before have loaded', async () => {
    const app = createApp()
    app.register(
      wrap(async (instance) => {
        await tick()
        instance.decorate('loaded', true)
      }),
    )
    expect(app['loaded']).toBeUndefined()
    await app.after()
    expect(app['loaded']).toBe(true)
  })

  it('rejects as a promise with the error of the plugin before', async () => {
    const app = createApp()
    app.register(async () => {
      throw new Error('awaited')
    })
    await expect(Promise.resolve(app.after())).rejects.toThrow('awaited')
  })
})

describe('boot: awaiting register', () => {
  const createApp = useApps()

  it('has loaded the plugin, and what it registers, when the await is over', async () => {
    const app = createApp()
    await app.register(
      wrap(async (instance) => {
        await instance.register(
          wrap(async (inner) => {
            inner.decorate('inner', 1)
          }),
        )
        instance.decorate('outer', Number(instance['inner']) + 1)
      }),
    )
    expect([app['inner'], app['outer']]).toEqual([1, 2])
  })

  it('throws what the plugin throws', async () => {
    const app = createApp()
    const attempt = async (): Promise<void> => {
      await app.register(async () => {
        throw new Error('caught here')
      })
    }
    await expect(attempt()).rejects.toThrow('caught here')
  })

  it('does not make an app ready whose plugin failed, whoever caught the error', async () => {
    const app = createApp()
    let isLoaded = false
    const attempt = async (): Promise<void> => {
      await app.register(async () => {
        throw new Error('not there')
      })
    }
    await expect(attempt()).rejects.toThrow('not there')
    app.register(async () => {
      isLoaded = true
    })
    await expect(Promise.resolve(app.after())).rejects.toThrow('not there')
    await expect(app.ready()).rejects.toThrow('not there')
    expect(isLoaded).toBe(false)
  })

  it('allows routes after an awaited plugin', async () => {
    const app = createApp()
    await app.register(wrap(async (instance) => void instance.decorate('name', 'db')))
    app.get('/', function () {
      return String(this['name'])
    })
    expect((await app.inject('/')).payload).toBe('db')
  })
})

describe('boot: ready', () => {
  const createApp = useApps()

  it('resolves as a promise, again and again', async () => {
    const app = createApp()
    await app.ready()
    await app.ready()
    expect((await app.inject('/')).statusCode).toBe(404)
  })

  it('settles promises and callbacks in the order of asking', async () => {
    for (const fails of [false, true]) {
      const app = createApp()
      if (fails) {
        app.register(async () => {
          throw new Error('told')
        })
      }
      const order: number[] = []
      const note = (n: number) => () => void order.push(n)
      Promise.resolve(app.ready()).then(note(1), note(1))
      app.ready(note(2))
      Promise.resolve(app.ready()).then(note(3), note(3))
      app.ready(note(4))
      await tick()
      await Promise.resolve(app.ready()).catch(() => undefined)
      await tick()
      expect(order).toEqual([1, 2, 3, 4])
    }
  })

  it('takes a callback with the error', async () => {
    const app = createApp()
    app.register(async () => {
      throw new Error('told')
    })
    const error = await new Promise((resolve) => {
      app.ready((problem) => resolve(problem))
    })
    expect(error).toMatchObject({ message: 'told' })
  })

  it('takes a callback, which is given no error and the app', async () => {
    const app = createApp()
    const seen = await new Promise<unknown[]>((resolve) => {
      app.ready((problem, instance) => resolve([problem, instance === app]))
    })
    expect(seen).toEqual([null, true])
  })

  it('calls back in the order of the calls, before a promise that was asked for later', async () => {
    const app = createApp()
    const order: number[] = []
    for (const id of [1, 2, 3]) app.ready(() => order.push(id))
    await app.ready()
    expect(order).toEqual([1, 2, 3])
  })

  it('is called by inject and by listen', async () => {
    const app = createApp()
    let ready = 0
    app.addHook('onReady', async () => {
      ready += 1
    })
    await app.inject('/')
    await app.listen({ port: 0, host: '127.0.0.1' })
    expect(ready).toBe(1)
  })

  it('makes the app thenable until it is loaded', async () => {
    const app = createApp()
    let loaded = false
    app.register(async () => {
      await tick()
      loaded = true
    })
    await app
    expect(loaded).toBe(true)
  })
})

describe('boot: close', () => {
  const createApp = useApps()

  it('resolves as a promise and calls back', async () => {
    const app = createApp()
    await app.ready()
    await new Promise<void>((resolve) => {
      void app.close(() => resolve())
    })
    await app.close()
  })

  it('runs onClose hooks in reverse, children before their parents', async () => {
    const app = createApp()
    const order: string[] = []
    const closing = (instance: App, name: string): App =>
      instance.addHook('onClose', async () => void order.push(name))
    closing(app, 'root 1')
    closing(app, 'root 2')
    app.register(async (child) => {
      closing(child, 'child a')
      child.register(async (grandchild) => {
        closing(grandchild, 'grandchild')
      })
    })
    app.register(async (child) => {
      closing(child, 'child b')
    })
    await app.ready()
    await app.close()
    expect(order.indexOf('root 2')).toBeLessThan(order.indexOf('root 1'))
    expect(order.indexOf('grandchild')).toBeLessThan(order.indexOf('child a'))
    expect(order.indexOf('child b')).toBeLessThan(order.indexOf('child a'))
    expect(order.indexOf('child a')).toBeLessThan(order.indexOf('root 1'))
    expect(order).toHaveLength(5)
  })

  it('gives onClose the instance that added it, and waits for it', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.decorate('resource', 'open')
      child.addHook('onClose', async (instance) => {
        await tick()
        seen.push(instance['resource'])
      })
    })
    const seen: unknown[] = []
    app.addHook('onClose', (_instance, done) => {
      setImmediate(() => {
        seen.push('root')
        done()
      })
    })
    await app.ready()
    await app.close()
    expect(seen).toEqual(['open', 'root'])
  })

  it('runs preClose before onClose', async () => {
    const app = createApp()
    const order: string[] = []
    app.addHook('onClose', async () => void order.push('onClose'))
    app.addHook('preClose', async () => void order.push('preClose'))
    app.addHook('preClose', (done) => {
      order.push('preClose with done')
      done()
    })
    await app.ready()
    await app.close()
    expect(order).toEqual(['preClose', 'preClose with done', 'onClose'])
  })

  it('closes once, however often it is asked', async () => {
    const app = createApp()
    let closed = 0
    app.addHook('onClose', async () => {
      closed += 1
    })
    await app.ready()
    await Promise.all([app.close(), app.close()])
    await app.close()
    expect(closed).toBe(1)
  })

  it.each(['onClose', 'preClose'] as const)(
    'tells the error of a failed %s hook to those who ask until the app is closed, and no error to later ones',
    async (name) => {
      const app = createApp()
      app.addHook(name, async () => {
        throw new Error('still open')
      })
      await app.ready()
      const asked = await Promise.allSettled([app.close(), app.close()])
      expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      await expect(app.close()).resolves.toBeUndefined()
      const error = await new Promise((resolve) => void app.close(resolve))
      expect(error).toBeNull()
    },
  )

  it('closes an app that was never ready', async () => {
    const app = createApp()
    let closed = false
    app.addHook('onClose', async () => {
      closed = true
    })
    await app.close()
    expect(closed).toBe(true)
  })

  it('loads the plugins of an app that was never ready, so that they can close', async () => {
    const app = createApp()
    const order: string[] = []
    app.register(async (child) => {
      order.push('loaded')
      child.addHook('onClose', async () => void order.push('closed'))
    })
    await app.close()
    expect(order).toEqual(['loaded', 'closed'])
  })

  it('runs no onReady hook when it has closed, whoever asks for it then', async () => {
    const app = createApp()
    const order: string[] = []
    app.addHook('onReady', async () => void order.push('ready'))
    app.addHook('onClose', async () => void order.push('closed'))
    await app.close()
    await app.ready()
    await app.inject('/').catch(() => {})
    expect(order).toEqual(['closed'])
  })

  ours('Fastify waits for the plugin without an end')(
    'runs no onReady hook when a plugin took longer than it waits for to close',
    async () => {
      const app = createApp({ closeGraceMs: 20 })
      const order: string[] = []
      const connected = createGate()
      app.register(async () => {
        await connected.promise
        order.push('loaded')
      })
      app.addHook('onReady', async () => void order.push('ready'))
      app.addHook('onClose', async () => void order.push('closed'))
      const booted = app.ready()
      await app.close()
      connected.open()
      await booted
      expect(order).toEqual(['closed', 'loaded'])
    },
  )

  it('refuses what is registered when it has closed, although it was never ready', async () => {
    const app = createApp()
    await app.close()
    expect(() => app.get('/', () => 'x')).toThrow(
      expect.objectContaining({ code: code('INSTANCE_ALREADY_LISTENING') }),
    )
    expect(() => app.decorate('late', 1)).toThrow(expect.objectContaining({ code: code('DEC_AFTER_START') }))
    expect(() => app.register(async () => {})).toThrow(/already booted|the app is closed/i)
    expect(() => app.after(() => {})).toThrow(/already booted|the app is closed/i)
  })

  it('refuses to listen again', async () => {
    const app = createApp()
    await app.listen({ port: 0, host: '127.0.0.1' })
    await app.close()
    await expect(app.listen({ port: 0 })).rejects.toMatchObject({ code: code('REOPENED_CLOSE_SERVER') })
  })

  line4('5.x responds to injection with 503 only when it listened')(
    'refuses injection after close',
    async () => {
      const app = createApp()
      app.get('/', () => 'x')
      await app.ready()
      await app.close()
      const outcome = await app.inject('/').then(
        (response) => response.statusCode,
        () => 'refused',
      )
      expect(['refused', 503]).toContain(outcome)
    },
  )

  it('can be disposed of by the language', async () => {
    const app = createApp()
    let closed = false
    app.addHook('onClose', async () => {
      closed = true
    })
    await app.ready()
    const dispose: unknown = Reflect.get(app, Symbol.asyncDispose)
    if (typeof dispose !== 'function') throw new Error('Symbol.asyncDispose is missing')
    await Reflect.apply(dispose, app, [])
    expect(closed).toBe(true)
  })

  since5('4.x takes functions only')(
    'closes resources that onClose is given, and waits for them',
    async () => {
      const app = createApp()
      const order: string[] = []
      const addHook: (name: string, resource: object) => void = (name, resource) =>
        void callMember(app, 'addHook', name, resource)
      addHook('onClose', { [Symbol.dispose]: () => void order.push('sync') })
      addHook('onClose', {
        [Symbol.asyncDispose]: async () => {
          await tick()
          order.push('async')
        },
        [Symbol.dispose]: () => void order.push('not this one'),
      })
      await app.ready()
      await app.close()
      expect(order).toEqual(['async', 'sync'])
    },
  )

  it('takes what is registered in the turn in which it begins to listen', async () => {
    const app = createApp()
    const listening = app.listen({ port: 0, host: '127.0.0.1' })
    await Promise.resolve()
    app.get('/late', () => 'registered')
    await listening
    expect((await app.inject('/late')).payload).toBe('registered')
  })

  it('refuses injection as soon as it closes', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    await app.ready()
    const closed = app.close()
    await new Promise<void>((resolve) => {
      process.nextTick(resolve)
    })
    const outcome = await app.inject('/').then(
      (response) => response.statusCode,
      () => 'refused',
    )
    await closed
    expect(['refused', 503]).toContain(outcome)
  })
})

describe('boot: functions that are bound', () => {
  const createApp = useApps()

  it('waits for no done of a bound hook or callback that declares none', async () => {
    const seen: string[] = []
    const note = (name: string): (() => void) =>
      function (this: string[]) {
        this.push(name)
      }.bind(seen)
    const app = createApp()
    app.after(note('after'))
    app.addHook('onReady', note('onReady'))
    app.addHook('onListen', note('onListen'))
    app.addHook('preClose', note('preClose'))
    app.addHook('onClose', note('onClose'))
    await app.listen({ port: 0 })
    await app.close()
    expect(seen).toEqual(['after', 'onReady', 'onListen', 'preClose', 'onClose'])
  })

  it('waits for the done that a bound hook declares', async () => {
    const seen: string[] = []
    const app = createApp()
    function hook(this: string[], done: () => void): void {
      setImmediate(() => {
        this.push('hook')
        done()
      })
    }
    app.addHook('onReady', hook.bind(seen))
    app.addHook('onReady', async () => void seen.push('next'))
    await app.ready()
    expect(seen).toEqual(['hook', 'next'])
  })

  since5('4.x waits for done of every plugin that returns no promise')(
    'loads a bound plugin that is synchronous',
    async () => {
      const app = createApp()
      function plugin(this: string, instance: App, _options: unknown): void {
        instance.get('/', () => this)
      }
      app.register(plugin.bind('bound'))
      expect((await app.inject('/')).payload).toBe('bound')
    },
  )
})

describe('boot: ready in a plugin', () => {
  const createApp = useApps()

  it('calls back when every plugin has loaded, before the onReady hooks', async () => {
    const order: string[] = []
    const app = createApp()
    const note = (what: string) => (): void => void order.push(what)
    app.addHook('onReady', async () => note('onReady of the app')())
    app.ready(note('app'))
    app.register(async (child) => {
      child.ready(note('child'))
      child.addHook('onReady', async () => note('onReady of the child')())
      child.register(async (grandchild) => void grandchild.ready(note('grandchild')))
      note('loading')()
    })
    app.register(async () => note('sibling')())
    await app.ready()
    expect(order).toEqual([
      'loading',
      'sibling',
      'child',
      'grandchild',
      'onReady of the app',
      'onReady of the child',
      'app',
    ])
  })

  it('waits for a promise and for done, and gives the error, the instance and done', async () => {
    const order: unknown[] = []
    const app = createApp()
    app.register(async (child) => {
      child.ready(async () => {
        await tick()
        order.push('promise')
      })
      callMember(child, 'ready', (_error: unknown, done: () => void) => {
        setImmediate(() => {
          order.push('done')
          done()
        })
      })
      callMember(child, 'ready', (_error: unknown, instance: unknown, done: () => void) => {
        order.push(instance === child)
        done()
      })
    })
    app.addHook('onReady', async () => void order.push('onReady'))
    await app.ready()
    expect(order).toEqual(['promise', 'done', true, 'onReady'])
  })

  it('lets the callback decorate', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.ready(() => void child.decorate('late', 'value'))
      child.get('/', () => Reflect.get(child, 'late'))
    })
    expect((await app.inject('/')).payload).toBe('value')
  })

  it('resolves as a promise before the onReady hooks', async () => {
    const order: string[] = []
    const app = createApp()
    app.register(async (child) => {
      void Promise.resolve(child.ready()).then(() => order.push('child'))
    })
    app.addHook('onReady', async () => {
      await tick()
      order.push('onReady')
    })
    await app.ready()
    expect(order).toEqual(['child', 'onReady'])
  })

  it('fails the boot when the callback does', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.ready(async () => {
        throw new Error('not ready after all')
      })
    })
    await expect(app.ready()).rejects.toThrow('not ready after all')
  })
})
