// The route option `upgrade`: a protocol of a plugin, over every lane, with nothing but public names.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { cloister, definePlugin } from 'cloister'
import type { RouteUpgrade } from 'cloister/types'
import { afterEach, describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { connect, LANES } from './client.ts'

const require = createRequire(import.meta.url)
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n'
const NUMBER = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const

/** What the routes of a test have seen. */
interface Seen {
  readonly closes: string[]
  readonly users: unknown[]
}

/** A route whose connection repeats each line, by its schemas. */
function echo({ closes, users }: Seen, settings: object = {}): RouteUpgrade {
  return {
    protocol: 'Echo',
    settings: { ...settings },
    take(upgrade, request, reply) {
      if (request.headers['x-refuse'] !== undefined) return reply.code(409).send({ error: 'not now' })
      const taken = upgrade.takeConnection()
      if (taken === null) return reply.code(501).send({ error: 'no connection' })
      users.push([request.params, Reflect.get(request, 'user')])
      const { socket, head } = taken
      socket.on('error', () => {})
      const ended = new Promise((resolve) => socket.once('close', resolve))
      const close = (): void => {
        closes.push(upgrade.label)
        socket.end('bye\n')
      }
      upgrade.hold({ close, ended })
      const fields = Object.entries(upgrade.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
      socket.write(`${SWITCH}${fields.join('')}\r\n`)
      const repeat = async (bytes: Buffer): Promise<void> => {
        const message = await upgrade.messages.read(bytes.toString())
        if ('fault' in message) socket.end(`${message.fault.path} ${message.fault.reason}\n`)
        else socket.write(`${upgrade.messages.write(message.value)}\n`)
      }
      if (head.length > 0) void repeat(head)
      socket.on('data', (bytes: Buffer) => void repeat(bytes))
      return undefined
    },
  }
}

const plugin = (seen: Seen) =>
  definePlugin({
    name: 'echo',
    plugin: (app) => {
      app.decorateRequest('user', '').addHook('onRequest', async (request, reply) => {
        Reflect.set(request, 'user', 'ada')
        reply.headers({ 'x-early': 'yes', 'content-language': 'en' })
      })
      app.route({
        method: 'GET',
        url: '/echo/:room',
        schema: {
          params: { type: 'object', properties: { room: { type: 'integer' } } },
          incoming: NUMBER,
          outgoing: NUMBER,
        },
        upgrade: echo(seen, { most: 5 }),
        handler: async (_request, reply) =>
          reply.code(426).header('upgrade', 'echo').send({ error: 'upgrade' }),
      })
    },
  })

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()))
})

function create(options: object) {
  const app = cloister({ forceCloseConnections: true, ...options })
  open.push(app)
  const seen: Seen = { closes: [], users: [] }
  app.register(plugin(seen))
  return { app, seen }
}

const ASK = 'Connection: Upgrade\r\nUpgrade: echo\r\n'
const head = (path: string, fields: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`

/** Opens a connection to an app. */
const dial = (app: object): Promise<Socket> => openSocket(app as App)

/** Reads until the text has come. */
async function until(socket: Socket, text: RegExp): Promise<string> {
  let got = ''
  while (!text.test(got)) {
    const [bytes] = await once(socket, 'data')
    got += String(bytes)
  }
  return got
}

describe.each(Object.entries(LANES))('an upgrade of a plugin (%s)', (_lane, options) => {
  it('gets the connection after hooks and validation, with messages by the schemas of the route', async () => {
    const { app, seen } = create(options)
    const socket = await dial(app)
    socket.write(`${head('/echo/7', ASK)}{"n":1,"more":2}`)
    const first = await until(socket, /\}\n/)
    expect(first).toContain('101 Switching Protocols')
    expect(first).toContain('x-early: yes')
    expect(first).not.toContain('content-language')
    expect(first).toMatch(/\r\n\r\n\{"n":1\}\n$/)
    expect(seen.users).toEqual([[{ room: 7 }, 'ada']])
    socket.write('{"n":"1"}')
    expect(await until(socket, /\n/)).toBe('/n must be integer\n')
  })

  it('that is not taken has an ordinary response', async () => {
    const { app, seen } = create(options)
    const ask = async (path: string, fields: string): Promise<string> => {
      const socket = await dial(app)
      socket.write(head(path, fields))
      const text = await until(socket, /\}/)
      socket.destroy()
      return text
    }
    expect(await ask('/echo/1', `${ASK}X-Refuse: yes\r\n`)).toMatch(/ 409 .*not now/s)
    expect(await ask('/echo/x', ASK)).toMatch(/ 400 .*params\/room must be integer/s)
    expect(await ask('/none', ASK)).toMatch(/ 404 /)
    expect(await ask('/echo/1', 'Connection: close\r\n')).toMatch(/ 426 .*upgrade/s)
    expect(await ask('/echo/1', 'Connection: Upgrade, close\r\nUpgrade: other\r\n')).toMatch(/ 426 /)
    expect((await app.inject({ url: '/echo/1', headers: { upgrade: 'echo' } })).statusCode).toBe(501)
    expect(seen.users).toEqual([])
  })

  it('is told when the app closes, which waits for it', async () => {
    const { app, seen } = create({ ...options, forceCloseConnections: 'idle', closeGraceMs: 5000 })
    const socket = await dial(app)
    socket.write(head('/echo/1', ASK))
    await until(socket, /\r\n\r\n/)
    const [text] = await Promise.all([until(socket, /bye\n/), app.close()])
    expect([text, seen.closes]).toEqual(['bye\n', ['GET /echo/:room']])
  })
})

describe('an upgrade of a plugin', () => {
  it('is cut at the end of the grace period, if it does not end', async () => {
    const app = cloister({ closeGraceMs: 50 })
    open.push(app)
    app.route({
      method: 'GET',
      url: '/',
      upgrade: {
        protocol: 'mute',
        take: (upgrade) => {
          upgrade.hold({ close: () => {}, ended: new Promise(() => {}) })
          upgrade.takeConnection()?.socket.write(SWITCH.replace('echo', 'mute') + '\r\n')
        },
      },
      handler: () => 'plain',
    })
    const socket = await dial(app)
    socket.write(head('/', ASK.replace('echo', 'mute')))
    await until(socket, /\r\n\r\n/)
    const cut = once(socket, 'close')
    await Promise.all([app.close(), cut])
  })

  it('lives beside @fastify/websocket, which gets what is for its routes', async () => {
    const { app } = create({})
    app.register(require('@fastify/websocket'))
    app.register(async (child) => {
      const route: object = { websocket: true }
      child.get('/theirs', route, (socket: unknown) => {
        Reflect.apply(Reflect.get(Object(socket), 'send'), socket, ['"theirs"'])
      })
    })
    const origin = await app.listen({ port: 0 })
    const theirs = await connect(origin, '/theirs')
    expect(await theirs.next()).toBe('theirs')
    theirs.socket.close()
    const socket = await dial(app)
    socket.write(`${head('/echo/1', ASK)}{"n":3}`)
    expect(await until(socket, /\}\n/)).toMatch(/\{"n":3\}\n$/)
    socket.destroy()
  })

  it('is explained with its protocol, schemas and settings', async () => {
    const { app } = create({})
    await app.ready()
    expect(app.explain('GET', '/echo/1')).toMatchObject({
      socket: { protocol: 'Echo', most: 5, incoming: { by: 'engine' }, outgoing: { by: 'engine' } },
    })
  })

  it.each([{ protocol: '', take: () => {} }, { protocol: 'echo' }, 'echo'])(
    'with an option that is wrong is refused: %j',
    (upgrade) => {
      const options: object = { method: 'GET', url: '/', upgrade, handler: () => 'x' }
      expect(() => cloister().route(options as never)).toThrow(/GET:\/.*'upgrade' must be/)
    },
  )

  it('is for GET routes, and their HEAD routes have the handler', async () => {
    const { app, seen } = create({ exposeHeadRoutes: true })
    const options: object = { method: 'POST', url: '/', upgrade: echo(seen), handler: () => 'x' }
    expect(() => app.route(options as never)).toThrow(/'upgrade' is for GET routes/)
    const asked = { method: 'HEAD', url: '/echo/1', headers: { upgrade: 'echo' } } as const
    expect((await app.inject(asked)).statusCode).toBe(426)
    expect(app.explain('HEAD', '/echo/1')).toMatchObject({ socket: null })
  })

  it('of a platform with fetch is a response, and the request ends with its connection', async () => {
    const { app } = create({})
    let end = (): void => {}
    const closed = new Promise<void>((resolve) => (end = resolve))
    let ended = 0
    app.register(async (child) => {
      child.addHook('onResponse', async () => void ended++)
      child
        .addGuard('held', () => true, { release: () => void ended++ })
        .route({
          method: 'GET',
          url: '/pair',
          upgrade: {
            protocol: 'echo',
            take: (upgrade) => {
              expect(upgrade.takeConnection()).toBe(null)
              upgrade.platform?.respond(new Response(null, { headers: { 'x-pair': 'yes' } }), closed)
            },
          },
          handler: () => 'plain',
        })
    })
    const request = new Request('http://localhost/pair', { headers: { upgrade: 'echo' } })
    const response = await app.fetch(request)
    expect(response.headers.get('x-pair')).toBe('yes')
    expect(ended).toBe(0)
    end()
    await expect.poll(() => ended).toBeGreaterThan(0)
  })
})

it('app.ws without the plugin is an error that says what to do', () => {
  const app = cloister()
  expect(() => Reflect.apply(Reflect.get(app, 'ws'), app, ['/', async () => {}])).toThrow(
    /npm install @cloister\/websocket.*register/,
  )
  expect(app.hasDecorator('ws')).toBe(false)
})
