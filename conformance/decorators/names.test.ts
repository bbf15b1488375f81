// Names of decorators: members that only one version of Fastify has, or only Cloister, are not in the way of a plugin.
import { fastify } from '@cloister/fastify'
import { membersOf } from 'cloister/inspect'
import fastify4 from 'fastify4'
import fastify5 from 'fastify5'
import { afterEach, describe, expect, it } from 'vitest'

interface Decorable {
  decorate(name: string, value: unknown): unknown
  hasDecorator(name: string): boolean
  hasRequestDecorator(name: string): boolean
  hasReplyDecorator(name: string): boolean
}

const PEERS: readonly ((options?: { trustProxy: boolean }) => Decorable)[] = [
  (options) => fastify4(options),
  (options) => fastify5(options),
]

/** The names of all members, own and inherited ones. */
function namesOf(value: object): string[] {
  const names = new Set<string>()
  for (let one: unknown = value; one !== null && one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    for (const name of Object.getOwnPropertyNames(one)) names.add(name)
  }
  return [...names]
}

function takes(app: Decorable, name: string): boolean {
  try {
    app.decorate(name, 'taken')
    return true
  } catch {
    return false
  }
}

describe('decorators: names', () => {
  const open: { close: () => Promise<unknown> }[] = []
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close()
  })
  const createApp = (options?: Parameters<typeof fastify>[0]) => {
    const app = fastify(options)
    open.push(app)
    return app
  }
  const free = namesOf(fastify()).filter((name) => PEERS.some((peer) => takes(peer(), name)))

  it.each(free)('%s may be a decorator of the app, as in a version of Fastify', (name) => {
    const app = createApp()
    app.decorate(name, name)
    expect(Reflect.get(app, name)).toBe(name)
    expect(app.hasDecorator(name)).toBe(true)
  })

  it('an app starts, serves requests and closes when a plugin has taken all these names', async () => {
    const app = createApp()
    for (const name of free) app.decorate(name, name)
    app.register(async (child) => {
      child.get('/', () => free.filter((name) => Reflect.get(child, name) !== name))
    })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    expect(await (await fetch(address)).json()).toEqual([])
  })

  it('tools find the members of the framework where a plugin has taken all these names', async () => {
    const app = createApp()
    for (const name of free) app.decorate(name, name)
    app.get('/', () => 'x')
    await app.ready()
    const members = membersOf(app)
    expect(free.filter((name) => Reflect.get(members, name) === name)).toEqual([])
    expect(members.explain('GET', '/').kind).toBe('route')
    expect(membersOf(members).transport).toEqual(members.transport)
  })

  it.each(namesOf(fastify()))('the app has %s, for a plugin that asks, only if Fastify has it', (name) => {
    const isKnown = PEERS.some((peer) => peer().hasDecorator(name))
    expect(createApp().hasDecorator(name)).toBe(isKnown)
  })

  it.each(free)('%s may be assigned to the app, as where Fastify has no such member', (name) => {
    const app = createApp()
    Reflect.set(app, name, 'assigned')
    expect(Reflect.get(app, name)).toBe('assigned')
  })

  it('what a version of Fastify does not have on requests and replies may be assigned to them', async () => {
    const app = createApp()
    const refused: string[] = []
    const assign = (target: object, names: readonly string[]): void => {
      for (const name of names) {
        const value = {}
        // `raw` is the object of Node, which all versions have.
        if (name !== 'raw' && !(Reflect.set(target, name, value) && Reflect.get(target, name) === value)) {
          refused.push(name)
        }
      }
    }
    app.get('/', (request, reply) => {
      const ofRequest = namesOf(request).filter((name) =>
        PEERS.some((peer) => !peer().hasRequestDecorator(name)),
      )
      const ofReply = namesOf(reply).filter((name) => PEERS.some((peer) => !peer().hasReplyDecorator(name)))
      assign(request, ofRequest)
      assign(reply, ofReply)
      return ofRequest.includes('context') && ofReply.includes('context')
    })
    const response = await app.inject('/')
    expect([response.body, refused]).toEqual(['true', []])
  })

  it.each([true, false])(
    'requests have for a plugin what they have in Fastify, with trustProxy %s',
    async (trustProxy) => {
      const app = createApp({ trustProxy })
      const names: string[] = []
      app.get('/', (request) => {
        names.push(...namesOf(request))
        return 'ok'
      })
      await app.inject('/')
      // The framework sets these two for each request; a plugin can't.
      const asked = names.filter((name) => !['constructor', 'validationError'].includes(name))
      const unlike = asked.filter(
        (name) =>
          app.hasRequestDecorator(name) !==
          PEERS.some((peer) => peer({ trustProxy }).hasRequestDecorator(name)),
      )
      expect(unlike).toEqual([])
    },
  )
})
