// Decorators of the instance, the request and the reply: values, names, dependencies.
import { describe, expect, it } from 'vitest'
import { code } from '../harness/subject.ts'
import { describeTransports, line4, ours, since5, useApps } from '../harness/transports.ts'

describeTransports('decorators: values', ({ createApp, send, it, expect }) => {
  it('starts every request with the initial value', async () => {
    const app = createApp()
    app.decorateRequest('count', 0)
    app.get('/', (request) => {
      request['count'] = Number(request['count']) + 1
      return { count: request['count'] }
    })
    expect((await send(app, { path: '/' })).json()).toEqual({ count: 1 })
    expect((await send(app, { path: '/' })).json()).toEqual({ count: 1 })
  })

  it('starts with null, and keeps what a hook sets for this request alone', async () => {
    const app = createApp()
    app.decorateRequest('user', null)
    app.addHook('onRequest', async (request) => {
      if (request.headers['x-user'] !== undefined) request['user'] = { name: request.headers['x-user'] }
    })
    app.get('/', (request) => ({ user: request['user'] }))
    expect((await send(app, { path: '/', headers: { 'x-user': 'ann' } })).json()).toEqual({
      user: { name: 'ann' },
    })
    expect((await send(app, { path: '/' })).json()).toEqual({ user: null })
  })

  it('declares a name without a value', async () => {
    const app = createApp()
    app.decorateRequest('later')
    app.get('/', (request) => ({ declared: 'later' in request, value: request['later'] ?? 'none' }))
    expect((await send(app, { path: '/' })).json()).toEqual({ declared: true, value: 'none' })
    expect(app.hasRequestDecorator('later')).toBe(true)
  })

  it('gives functions the request or the reply as this', async () => {
    const app = createApp()
    app.decorateRequest('shout', function (this: { method: string }) {
      return this.method
    })
    app.decorateReply(
      'ok',
      function (this: { code: (n: number) => { send: (p: unknown) => unknown } }, payload: unknown) {
        return this.code(202).send(payload)
      },
    )
    app.get('/', (request, reply) => {
      const { ok } = reply
      const { shout } = request
      if (typeof ok !== 'function' || typeof shout !== 'function') throw new Error('not decorated')
      return Reflect.apply(ok, reply, [{ method: Reflect.apply(shout, request, []) }])
    })
    const response = await send(app, { path: '/' })
    expect(response.status).toBe(202)
    expect(response.json()).toEqual({ method: 'GET' })
  })

  it('takes a getter, with the decorated object as this', async () => {
    const app = createApp()
    app.decorateRequest('verb', {
      getter(this: { method: string }) {
        return this.method.toLowerCase()
      },
    })
    app.decorateReply('state', {
      getter(this: { statusCode: number }) {
        return this.statusCode
      },
    })
    app.get('/', (request, reply) => ({ verb: request['verb'], state: reply['state'] }))
    expect((await send(app, { path: '/' })).json()).toEqual({ verb: 'get', state: 200 })
  })

  it('takes a getter with a setter', async () => {
    const app = createApp()
    app.decorateRequest('_colour', 'none')
    app.decorateRequest('colour', {
      getter(this: { _colour: string }) {
        return this._colour
      },
      setter(this: { _colour: string }, value: string) {
        this._colour = value.toUpperCase()
      },
    })
    app.get('/', (request) => {
      request['colour'] = 'green'
      return { colour: request['colour'] }
    })
    expect((await send(app, { path: '/' })).json()).toEqual({ colour: 'GREEN' })
  })

  it('binds the instance as this of a handler, with its decorators', async () => {
    const app = createApp()
    app.decorate('greeting', 'hello')
    app.get('/', function () {
      return { greeting: this['greeting'] }
    })
    app.register(async (child) => {
      child.decorate('place', 'child')
      child.get('/child', function (request, reply) {
        return { greeting: this['greeting'], place: request.server['place'], same: reply.server === this }
      })
    })
    expect((await send(app, { path: '/' })).json()).toEqual({ greeting: 'hello' })
    expect((await send(app, { path: '/child' })).json()).toEqual({
      greeting: 'hello',
      place: 'child',
      same: true,
    })
  })
})

describeTransports('decorators: in the place of a member', ({ createApp, send, it, ours, expect }) => {
  it('hides a method of the reply', async () => {
    const app = createApp()
    app.decorateReply('getHeader', (name: string) => (name === 'vary' ? 'mine' : undefined))
    app.get('/', (_request, reply) => ({ header: reply.getHeader('vary') }))
    expect((await send(app, { path: '/' })).json()).toEqual({ header: 'mine' })
  })

  ours('the peers have some of these members, and not all can be hidden there')(
    'hides members of requests and replies with a value that can be assigned',
    async () => {
      const app = createApp()
      app.decorateRequest('signal', null).decorateRequest('port', 0).decorateReply('mediaType', 'none')
      app.get('/', (request, reply) => {
        const before = [request['signal'], request['port'], reply['mediaType']]
        request['signal'] = 'mine'
        return { before, after: request['signal'] }
      })
      app.register(async (child) => {
        child.decorateRequest('other', 1)
        child.get('/child', (request) => ({ signal: request['signal'], other: request['other'] }))
      })
      expect((await send(app, { path: '/' })).json()).toEqual({ before: [null, 0, 'none'], after: 'mine' })
      expect((await send(app, { path: '/child' })).json()).toEqual({ signal: null, other: 1 })
    },
  )
})

describeTransports('decorators: in child contexts', ({ createApp, send, it, ours, expect }) => {
  it('lets a child use the name of a function of its parent', async () => {
    const app = createApp()
    app.decorateReply('view', () => 'root view')
    app.get('/root', (_request, reply) => Reflect.apply(Object(reply).view, reply, []))
    app.register(async (child) => {
      child.decorateReply('view', () => 'child view')
      child.get('/child', (_request, reply) => Reflect.apply(Object(reply).view, reply, []))
    })
    expect((await send(app, { path: '/child' })).text).toBe('child view')
    expect((await send(app, { path: '/root' })).text).toBe('root view')
  })

  ours('the peers allow it for functions alone')(
    'lets a child use the name of a decorator of its parent, for itself and below',
    async () => {
      const app = createApp()
      app.decorate('place', 'root').decorateRequest('mark', 'root').decorateReply('tone', 'root')
      app.get('/root', function (request, reply) {
        return [this['place'], request['mark'], reply['tone']]
      })
      app.register(async (child) => {
        child.decorate('place', 'child').decorateRequest('mark', 'child').decorateReply('tone', 'child')
        child.get('/child', function (request, reply) {
          return [this['place'], request['mark'], reply['tone']]
        })
        child.register(async (grandchild) => {
          grandchild.get('/grandchild', (request, reply) => [request['mark'], reply['tone']])
        })
      })
      expect((await send(app, { path: '/child' })).json()).toEqual(['child', 'child', 'child'])
      expect((await send(app, { path: '/grandchild' })).json()).toEqual(['child', 'child'])
      expect((await send(app, { path: '/root' })).json()).toEqual(['root', 'root', 'root'])
    },
  )
})

describe('decorators: of the instance', () => {
  const createApp = useApps()

  it('takes any value, and says what exists', () => {
    const app = createApp()
    const conf = { port: 1 }
    app.decorate('conf', conf).decorate('sum', (a: number, b: number) => a + b)
    expect(app['conf']).toBe(conf)
    expect(app.hasDecorator('conf')).toBe(true)
    expect(app.hasDecorator('absent')).toBe(false)
    expect(app.hasRequestDecorator('conf')).toBe(false)
    expect(app.hasReplyDecorator('conf')).toBe(false)
  })

  it('knows the built-in members as decorators', () => {
    const app = createApp()
    expect(app.hasDecorator('register')).toBe(true)
    expect(app.hasReplyDecorator('send')).toBe(true)
  })

  it('takes a getter', () => {
    const app = createApp()
    app.decorate('now', { getter: () => 'always' })
    expect(app['now']).toBe('always')
  })

  it('takes a symbol as a name', () => {
    const app = createApp()
    const name = Symbol('private')
    app.decorate(name, 1)
    expect(app.hasDecorator(name)).toBe(true)
  })
})

describe('decorators: what is refused', () => {
  const createApp = useApps()

  it('refuses a name that the same context has already', () => {
    const app = createApp()
    app.decorate('once', 1).decorateRequest('once', '').decorateReply('once', '')
    expect(() => app.decorate('once', 2)).toThrow(
      expect.objectContaining({ code: code('DEC_ALREADY_PRESENT') }),
    )
    expect(() => app.decorateRequest('once', '')).toThrow(/once/)
    expect(() => app.decorateReply('once', '')).toThrow(/once/)
  })

  it('refuses a name that a built-in member has', () => {
    const app = createApp()
    expect(() => app.decorate('register', 1)).toThrow(
      expect.objectContaining({ code: code('DEC_ALREADY_PRESENT') }),
    )
  })

  it('refuses to decorate twice with the name of a member of requests or replies', () => {
    const app = createApp()
    app.decorateRequest('signal', null).decorateReply('getHeader', () => 'mine')
    expect(() => app.decorateRequest('signal', null)).toThrow(/signal/)
    expect(() => app.decorateReply('getHeader', () => 'mine')).toThrow(/getHeader/)
  })

  since5('4.x lets them be hidden')('refuses the names of what every request and reply has', () => {
    const app = createApp()
    for (const name of ['params', 'body']) {
      expect(() => app.decorateRequest(name, null)).toThrow(
        expect.objectContaining({ code: code('DEC_ALREADY_PRESENT') }),
      )
      expect(app.hasRequestDecorator(name)).toBe(true)
    }
    expect(() => app.decorateReply('request', null)).toThrow(/request/)
  })

  it('does not reserve the names that no member of the interface has', () => {
    const app = createApp()
    app.decorateRequest('contentType', '')
    expect(app.hasRequestDecorator('contentType')).toBe(true)
  })

  it('refuses a decorator whose dependencies are missing, and names them', () => {
    const app = createApp()
    expect(() => app.decorate('needy', 1, ['absent'])).toThrow(
      expect.objectContaining({ code: code('DEC_MISSING_DEPENDENCY') }),
    )
    expect(() => app.decorateRequest('needy', '', ['absent'])).toThrow(/absent/)
    expect(() => app.decorateReply('needy', '', ['absent'])).toThrow(/absent/)
  })

  it('accepts a decorator whose dependencies are there', () => {
    const app = createApp()
    app.decorate('base', 1).decorate('needy', 2, ['base'])
    expect(app['needy']).toBe(2)
  })

  it('refuses dependencies that are not a list', () => {
    const app = createApp()
    const notAList: unknown = {}
    expect(() => Reflect.apply(app.decorateRequest, app, ['x', '', notAList])).toThrow(
      expect.objectContaining({ code: code('DEC_DEPENDENCY_INVALID_TYPE') }),
    )
  })

  line4('5.x checks requests and replies only')(
    'refuses every kind of decorator after the start',
    async () => {
      const app = createApp()
      await app.ready()
      for (const late of [
        () => app.decorate('late', 1),
        () => app.decorateRequest('late', 1),
        () => app.decorateReply('late', 1),
      ]) {
        expect(late).toThrow(expect.objectContaining({ code: code('DEC_AFTER_START') }))
      }
    },
  )

  since5('4.x only warns')(
    'refuses a reference type for requests and replies, which all of them would share',
    () => {
      const app = createApp()
      for (const value of [{}, { a: 1 }, [], new Map()]) {
        expect(() => app.decorateRequest('shared', value)).toThrow(
          expect.objectContaining({ code: code('DEC_REFERENCE_TYPE') }),
        )
        expect(() => app.decorateReply('shared', value)).toThrow(
          expect.objectContaining({ code: code('DEC_REFERENCE_TYPE') }),
        )
      }
    },
  )

  ours('the peers name the problem only')('says the way out when it refuses a reference type', () => {
    expect(() => createApp().decorateRequest('shared', {})).toThrow(/shared.*(getter|onRequest|null)/s)
  })
})

describe('decorators: getDecorator and setDecorator', () => {
  const createApp = useApps()

  since5('4.x has neither')('reads decorators of the instance, and refuses an unknown name', () => {
    const app = createApp()
    app.decorate('conf', { a: 1 })
    const { getDecorator } = app
    if (typeof getDecorator !== 'function') throw new Error('getDecorator is missing')
    expect(getDecorator.call(app, 'conf')).toEqual({ a: 1 })
    expect(() => getDecorator.call(app, 'absent')).toThrow(
      expect.objectContaining({ code: code('DEC_UNDECLARED') }),
    )
  })

  since5('4.x has neither')(
    'throws where a decorator has a getter alone, as an assignment does',
    async () => {
      const app = createApp()
      app.decorateRequest('user', { getter: () => 'ann' })
      let handled = false
      app.addHook('onRequest', async (request) => {
        const { setDecorator } = request
        if (typeof setDecorator === 'function') setDecorator.call(request, 'user', 'bob')
      })
      app.get('/', () => {
        handled = true
        return 'x'
      })
      const { statusCode, payload } = await app.inject('/')
      expect([statusCode, handled]).toEqual([500, false])
      expect(payload).toContain('Cannot set property user')
    },
  )

  since5('4.x has neither')('reads and sets decorators of a request', async () => {
    const app = createApp()
    app.decorateRequest('user', null)
    app.addHook('onRequest', async (request) => {
      const { setDecorator } = request
      if (typeof setDecorator !== 'function') throw new Error('setDecorator is missing')
      setDecorator.call(request, 'user', 'ann')
    })
    app.get('/', (request) => {
      const { getDecorator } = request
      if (typeof getDecorator !== 'function') throw new Error('getDecorator is missing')
      return { user: getDecorator.call(request, 'user') }
    })
    expect((await app.inject('/')).payload).toBe('{"user":"ann"}')
  })
})
