import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { LANES, connect, useSocketApps } from './client.ts'

const require = createRequire(import.meta.url)
const HANDSHAKE = {
  upgrade: 'websocket',
  connection: 'upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

const create = useSocketApps()

/** Writes bytes to an app, and reads until a text, or until the server ends the connection. */
async function exchange(origin: string, bytes: string, until?: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connectTcp(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
    if (until !== undefined && text.includes(until)) socket.destroy()
  })
  socket.on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

describe.each(Object.entries(LANES))('the handshake of a WebSocket (%s)', (_lane, options) => {
  it('runs through hooks and validation, of which the handler sees the result', async () => {
    const { app } = await create(options)
    const stages: string[] = []
    const decorated = app
      .decorateRequest('user', '')
      .addHook('onRequest', async (request, reply) => {
        stages.push('onRequest')
        request.user = 'ada'
        reply.header('set-cookie', ['a=1', 'b=2']).header('x-early', 'yes').type('text/plain')
      })
      .addHook('preHandler', async () => {
        stages.push('preHandler')
      })
    const querystring = { page: { type: 'integer', default: 1 } } as const
    decorated.ws('/rooms/:room', { schema: { querystring } }, async (socket, request) => {
      const page: number = request.query.page
      const { room } = request.params
      await socket.send([request.user, room, page, stages])
      await socket.closed
    })
    const origin = await decorated.listen({ port: 0 })
    const client = await connect(origin, '/rooms/blue?page=7')
    expect(await client.next()).toEqual(['ada', 'blue', 7, ['onRequest', 'preHandler']])
    expect(client.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-early': 'yes' })
    expect(client.headers).not.toHaveProperty('content-type')
  })

  it('that is refused has an ordinary response: of a hook, of validation, of a missing route', async () => {
    const { app } = await create(options)
    app.register(async (closed) => {
      closed.addHook('onRequest', async (_request, reply) => reply.code(401).send({ who: 'are you' }))
      closed.ws('/closed', async () => {})
    })
    const params = { n: { type: 'integer' } } as const
    app.ws('/numbers/:n', { schema: { params } }, async () => {})
    app.get('/plain', () => 'plain')
    const origin = await app.listen({ port: 0 })
    await expect(connect(origin, '/closed')).rejects.toThrow('401 {"who":"are you"}')
    await expect(connect(origin, '/numbers/x')).rejects.toThrow(/^400 .*params\/n must be integer/)
    await expect(connect(origin, '/nowhere')).rejects.toThrow(/^404 .*Route GET:\/nowhere not found/)
    await expect(connect(origin, '/plain')).rejects.toThrow('200 plain')
    const client = await connect(origin, '/numbers/5')
    expect(await client.closed).toBe('1000')
  })
})

describe.each(['node', 'auto'] as const)('the handshake of a WebSocket (transport %s)', (transport) => {
  it.each([
    ['of HTTP/1.0', '1.0', '', '', '426'],
    ['with a content', '1.1', 'Content-Length: 3\r\n', 'abc', '400'],
    ['with chunks', '1.1', 'Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n0\r\n\r\n', '400'],
    ['with an empty content', '1.1', 'Content-Length: 0\r\n', '', '101'],
  ])('%s, version %s, has its status', async (_what, version, framing, content, status) => {
    const { app } = await create({ transport })
    let opened = 0
    app.ws('/', async () => void (opened += 1))
    const origin = await app.listen({ port: 0 })
    const fields = Object.entries(HANDSHAKE).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `GET / HTTP/${version}\r\nHost: x\r\n${fields.join('')}${framing}\r\n`
    const { hostname, port } = new URL(origin)
    const socket = connectTcp(Number(port), hostname)
    socket.write(head + content)
    const [bytes] = await once(socket, 'data')
    socket.destroy()
    expect([String(bytes).slice(9, 12), opened]).toEqual([status, status === '101' ? 1 : 0])
  })
})

describe('the handshake of a WebSocket', () => {
  it.each([
    ['no upgrade at all', {}, 426, 'for WebSockets'],
    ['another version', { ...HANDSHAKE, 'sec-websocket-version': '8' }, 426, 'for WebSockets'],
    ['a key of another length', { ...HANDSHAKE, 'sec-websocket-key': 'eA==' }, 400, 'Sec-WebSocket-Key'],
    ['a protocol twice', { ...HANDSHAKE, 'sec-websocket-protocol': 'a, a' }, 400, 'different names'],
    ['content', { ...HANDSHAKE, 'content-length': '3' }, 400, 'no content'],
    ['chunks', { ...HANDSHAKE, 'transfer-encoding': 'chunked' }, 400, 'no content'],
    ['a page of another host', { ...HANDSHAKE, origin: 'https://evil.example' }, 403, 'evil.example'],
    ['an opaque origin', { ...HANDSHAKE, origin: 'null' }, 403, "'null'"],
    ['no connection', HANDSHAKE, 501, 'app.listen()'],
  ])('with %s is refused', async (_what, headers, status, message) => {
    const { app } = await create()
    app.ws('/', async () => {})
    for (const response of [
      await app.inject({ url: '/', headers }),
      await app.fetch(new Request('http://localhost/', { headers })),
    ]) {
      const isInjected = 'statusCode' in response
      const found = isInjected ? response.statusCode : response.status
      // A `Request` cannot have the fields of a connection everywhere.
      if (!isInjected && found === 426) continue
      expect(found).toBe(status)
      expect(isInjected ? response.payload : await response.text()).toContain(message)
    }
  })

  it('that is expected says so in its fields', async () => {
    const { app } = await create()
    app.ws('/', async () => {})
    const response = await fetch(await app.listen({ port: 0 }))
    expect([
      response.status,
      response.headers.get('upgrade'),
      response.headers.get('sec-websocket-version'),
    ]).toEqual([426, 'websocket', '13'])
  })

  it('may come from pages of the same host, of a list, or of any', async () => {
    const { app } = await create()
    app.ws('/own', async () => {})
    app.ws('/some', { origins: ['https://shop.example'] }, async () => {})
    app.ws('/any', { origins: '*' }, async () => {})
    const origin = await app.listen({ port: 0 })
    const open = async (path: string, from: string): Promise<string> => {
      return connect(origin, path, { headers: { origin: from } }).then(
        (client) => client.closed,
        (error: unknown) => String(error).replace('Error: ', '').slice(0, 3),
      )
    }
    expect(await open('/own', origin)).toBe('1000')
    expect(await open('/own', 'https://shop.example')).toBe('403')
    expect(await open('/some', 'https://shop.example')).toBe('1000')
    expect(await open('/some', origin)).toBe('403')
    expect(await open('/any', 'null')).toBe('1000')
  })

  it('chooses the first subprotocol of the route that the client offers', async () => {
    const { app } = await create()
    app.ws('/', { protocols: ['v2', 'v1'] }, async (socket) => socket.send(socket.protocol))
    const origin = await app.listen({ port: 0 })
    const client = await connect(origin, '/', { protocols: ['v1', 'v2'] })
    expect([client.socket.protocol, await client.next()]).toEqual(['v2', 'v2'])
  })

  it.each(['node', 'auto'] as const)(
    'of another protocol is an ordinary request, with its body (transport %s)',
    async (transport) => {
      const { app } = await create({ transport })
      app.ws('/', async () => {})
      app.post('/', (request) => ({ got: request.body }))
      const origin = await app.listen({ port: 0 })
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
      const h2c =
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
      const bodies = [
        'Content-Length: 7\r\n\r\n{"a":1}',
        'Transfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n',
      ]
      for (const body of bodies) {
        const second = `${head}Connection: close\r\nContent-Length: 7\r\n\r\n{"b":2}`
        const text = await exchange(origin, `${head}${h2c}${body}${second}`)
        // Node 24.9 and later keep nothing of what follows, and the response says so.
        const hasSecond = !/connection: close/i.test(text.slice(0, text.indexOf('{')))
        expect(text.match(/\{.*?\}(?=HTTP|$)/g)).toEqual([
          '{"got":{"a":1}}',
          ...(hasSecond ? ['{"got":{"b":2}}'] : []),
        ])
      }
      const get = `GET /none HTTP/1.1\r\nHost: x\r\n`
      const text = await exchange(origin, `${get}${h2c}\r\n${get}Connection: close\r\n\r\n`)
      expect(text.match(/HTTP\/1\.1 404/g)).toHaveLength(2)
    },
  )

  it.each([
    ['node', true],
    ['auto', true],
    ['node', false],
    ['auto', false],
  ] as const)(
    'of another protocol loses no request behind it, or announces it (transport %s, own WebSockets: %s)',
    async (transport, hasOwn) => {
      const { app } = await create({ transport })
      if (hasOwn) app.ws('/', async () => {})
      app.get('/:id', async ({ params }) => {
        await new Promise((resolve) => void setTimeout(resolve, 20))
        return `got ${Object(params).id};`
      })
      const origin = await app.listen({ port: 0 })
      const get = (id: number, lines = ''): string => `GET /${id} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`
      const h2c = 'Connection: Upgrade\r\nUpgrade: h2c\r\n'
      const last = get(4, 'Connection: close\r\n')
      for (const requests of [
        [get(1), get(2, h2c), get(3, h2c), last],
        [get(1, h2c), get(2), get(3), last],
      ]) {
        const text = await exchange(origin, requests.join(''))
        const responses = text.split('HTTP/1.1 200').slice(1)
        const isLast = responses.map((one) => /\r\nconnection: close\r\n/i.test(one))
        expect(responses.map((one) => /got \d/.exec(one)?.[0])).toEqual(
          ['got 1', 'got 2', 'got 3', 'got 4'].slice(0, isLast.indexOf(true) + 1),
        )
        if (hasOwn || transport === 'auto') expect(responses).toHaveLength(4)
      }
    },
  )

  it.each(['node', 'auto'] as const)(
    'waits for the responses before it (transport %s)',
    async (transport) => {
      const { app } = await create({ transport })
      app.ws('/', async (socket) => socket.send('hello'))
      app.get('/late', async () => {
        await new Promise((resolve) => void setTimeout(resolve, 20))
        return 'late'
      })
      const origin = await app.listen({ port: 0 })
      const late = 'GET /late HTTP/1.1\r\nHost: x\r\n\r\n'
      const fields = Object.entries(HANDSHAKE).map(([name, value]) => `${name}: ${value}\r\n`)
      const text = await exchange(origin, `${late}GET / HTTP/1.1\r\nHost: x\r\n${fields.join('')}\r\n`)
      expect([...text.matchAll(/HTTP\/1\.1 (\d+)|late$|hello/gm)].map(([found]) => found)).toEqual([
        'HTTP/1.1 200',
        'HTTP/1.1 101',
        'hello',
      ])
    },
  )

  it('does not touch the routes of a plugin, in an app that has both', async () => {
    const { app, lines } = await create()
    app.register(require('@fastify/websocket'))
    app.register(async (child) => {
      child.addHook('preHandler', async () => {})
      const options: object = { websocket: true }
      child.get(
        '/theirs',
        options,
        (socket: unknown) => void Reflect.apply(Reflect.get(Object(socket), 'send'), socket, ['"theirs"']),
      )
      child.ws('/ours', async (socket) => socket.send('ours'))
    })
    const origin = await app.listen({ port: 0 })
    const theirs = await connect(origin, '/theirs')
    expect(await theirs.next()).toBe('theirs')
    theirs.socket.close()
    const ours = await connect(origin, '/ours')
    expect([await ours.next(), await ours.closed]).toEqual(['ours', '1000'])
    await expect(connect(origin, '/nowhere')).rejects.toThrow(/^404/)
    expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([])
  })
})
