// The members of the request.
import { describeTransports } from '../harness/transports.ts'
import { rawSocket } from '../harness/raw-socket.ts'

describeTransports(
  'request: members',
  ({ createApp, send, it, ours, line4, since5, overNode, expect, protocol }) => {
    it('knows method, url, headers, query, params and body', async () => {
      const app = createApp()
      app.post('/x/:id', (request) => ({
        method: request.method,
        url: request.url,
        original: request.originalUrl,
        header: request.headers['x-own'],
        query: request.query,
        params: request.params,
        body: request.body,
      }))
      const response = await send(app, {
        method: 'POST',
        path: '/x/7?a=1',
        headers: { 'X-Own': 'h' },
        body: { b: 2 },
      })
      expect(response.json()).toEqual({
        method: 'POST',
        url: '/x/7?a=1',
        original: '/x/7?a=1',
        header: 'h',
        query: { a: '1' },
        params: { id: '7' },
        body: { b: 2 },
      })
    })

    it('gives a fresh id to each request', async () => {
      const app = createApp()
      app.get('/', (request) => ({ id: request.id }))
      const ids = [(await send(app, { path: '/' })).text, (await send(app, { path: '/' })).text]
      expect(ids[0]).not.toBe(ids[1])
    })

    overNode('it reads request.raw')('gives the raw request, its socket and its server', async () => {
      const app = createApp()
      app.get('/', function (request) {
        return [request.raw.method, request.raw.url, typeof request.socket, request.server === this]
      })
      expect((await send(app, { path: '/?a' })).json()).toEqual(['GET', '/?a', 'object', true])
    })

    overNode('it reads request.raw')('lets headers be extended, and keeps the raw ones', async () => {
      const app = createApp()
      app.addHook('onRequest', async (request) => {
        request.headers = { 'x-added': 'yes' }
      })
      app.get('/', (request) => [
        request.headers['x-added'],
        request.headers['x-sent'],
        request.raw.headers['x-added'] ?? 'raw',
      ])
      expect((await send(app, { path: '/', headers: { 'x-sent': 'too' } })).json()).toEqual([
        'yes',
        'too',
        'raw',
      ])
    })

    overNode('it reads request.raw').each(['before', 'after'])(
      'has the headers of the raw request, read %s a plugin changes these',
      async (when) => {
        const app = createApp()
        app.addHook('onRequest', async (request) => {
          const first = when === 'before' ? request.headers : null
          const { headers } = request.raw
          expect(first ?? request.headers).toBe(headers)
          headers['x-added'] = 'yes'
          delete headers['x-sent']
        })
        app.get('/', ({ headers }) => [headers['x-added'], headers['x-sent'] ?? 'none', headers['x-kept']])
        const sent = { 'x-sent': 'too', 'x-kept': 'kept' }
        expect((await send(app, { path: '/', headers: sent })).json()).toEqual(['yes', 'none', 'kept'])
      },
    )

    it('has the headers that were assigned last, beside those that have come', async () => {
      const app = createApp()
      app.addHook('onRequest', async (request) => {
        request.headers = { 'x-first': 'yes' }
        request.headers = { 'x-second': 'yes' }
      })
      app.get('/', ({ headers }) => [headers['x-first'] ?? 'none', headers['x-second'], headers['x-sent']])
      const response = await send(app, { path: '/', headers: { 'x-sent': 'too' } })
      expect(response.json()).toEqual(['none', 'yes', 'too'])
    })

    it('lets query, body and params be replaced by hooks', async () => {
      const app = createApp()
      app.addHook('preHandler', async (request) => {
        request.query = { replaced: true }
        request.body = 'replaced'
      })
      app.post('/', (request) => [request.query, request.body])
      expect((await send(app, { method: 'POST', path: '/?a=1', body: {} })).json()).toEqual([
        { replaced: true },
        'replaced',
      ])
    })

    it('shows the address and protocol of the connection, whatever a client claims', async () => {
      const app = createApp()
      app.get('/', (request) => [request.ip, request.protocol, request.ips ?? 'none'])
      const headers = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' }
      expect((await send(app, { path: '/', headers })).json()).toEqual(['127.0.0.1', protocol, 'none'])
    })

    since5('4.x has hostname alone, with the port')('tells host, hostname and port apart', async () => {
      const app = createApp()
      app.get('/', (request) => [request.host, request.hostname, request['port']])
      expect((await send(app, { path: '/', headers: { host: 'example.org:8080' } })).json()).toEqual([
        'example.org:8080',
        'example.org',
        8080,
      ])
    })

    line4('5.x has routeOptions only')('keeps the old names of context', async () => {
      const app = createApp()
      app.get('/', { config: { role: 'admin' } }, (request, reply) => {
        const roleOf = (context: unknown): unknown => Object(context).config.role
        return [roleOf(request['context']), roleOf(reply['context'])]
      })
      expect((await send(app, { path: '/' })).json()).toEqual(['admin', 'admin'])
    })

    overNode('it reads the raw request', line4('5.x took it away'))(
      'keeps the old name of the socket',
      async () => {
        const app = createApp()
        app.get('/', (request) => request['connection'] === request.socket)
        expect((await send(app, { path: '/' })).json()).toBe(true)
      },
    )

    overNode('it reads the raw request', ours('the types of 4.x alone have it'))(
      'keeps the old name of the raw request',
      async () => {
        const app = createApp()
        app.get('/', (request) => request['req'] === request.raw)
        expect((await send(app, { path: '/' })).json()).toBe(true)
      },
    )

    overNode('it writes to the raw response', line4('5.x took it away'))(
      'takes the raw response over by an assignment to reply.sent',
      async () => {
        const app = createApp()
        app.get('/', async (_request, reply) => {
          Reflect.set(reply, 'sent', true)
          reply.raw.end('by hand')
        })
        expect((await send(app, { path: '/' })).text).toBe('by hand')
      },
    )

    it('says whether it was found', async () => {
      const app = createApp()
      app.get('/', (request) => [request.is404])
      expect((await send(app, { path: '/' })).json()).toEqual([false])
    })

    since5('4.x has no signal')('has a signal that is not aborted while its response is due', async () => {
      const app = createApp({ handlerTimeout: 60_000 })
      app.get('/', (request) => {
        const { signal } = request
        return [signal instanceof AbortSignal && !signal.aborted]
      })
      expect((await send(app, { path: '/' })).json()).toEqual([true])
    })
  },
)

describeTransports('request: behind a proxy', ({ createApp, send, it, ours, line4, expect, protocol }) => {
  const headers = {
    host: 'inside.local',
    'x-forwarded-for': '1.1.1.1, 2.2.2.2, 3.3.3.3',
    'x-forwarded-host': 'a.example, outside.example',
    'x-forwarded-proto': 'http, https',
  }
  const seen = async (trustProxy: unknown, sent = headers): Promise<unknown> => {
    const app = createApp({ trustProxy })
    app.get('/', (request) => ({
      ip: request.ip,
      ips: request.ips,
      hostname: request.hostname,
      protocol: request.protocol,
    }))
    return (await send(app, { path: '/', headers: sent })).json()
  }

  it('takes the forwarded values when every proxy is trusted', async () => {
    expect(await seen(true)).toMatchObject({
      ip: '1.1.1.1',
      ips: ['127.0.0.1', '3.3.3.3', '2.2.2.2', '1.1.1.1'],
      hostname: 'outside.example',
      protocol: 'https',
    })
  })

  it('stops at the first address that is not trusted', async () => {
    expect(await seen('127.0.0.1')).toMatchObject({ ip: '3.3.3.3' })
    expect(await seen(['127.0.0.1', '3.3.3.3'])).toMatchObject({ ip: '2.2.2.2' })
    expect(await seen('127.0.0.1, 3.3.3.3, 2.0.0.0/8')).toMatchObject({ ip: '1.1.1.1' })
    expect(await seen((address: string, hop: number) => address === '127.0.0.1' && hop === 0)).toMatchObject({
      ip: '3.3.3.3',
    })
  })

  line4('5.x trusts nobody by a number')('trusts as many hops as it is told by a number', async () => {
    const ips = ['127.0.0.1', '3.3.3.3', '2.2.2.2', '1.1.1.1']
    for (const hops of [1, 2, 3]) {
      expect(await seen(hops)).toEqual({
        ip: ips[hops],
        ips: ips.slice(0, hops + 1),
        hostname: 'outside.example',
        protocol: 'https',
      })
    }
    expect(await seen(9)).toMatchObject({ ip: '1.1.1.1', ips })
    expect(await seen(0)).toMatchObject({ ip: '127.0.0.1', hostname: 'inside.local', protocol })
  })

  ours('the peers have no such form')('trusts as many hops as are within the addresses given', async () => {
    const ips = ['127.0.0.1', '3.3.3.3', '2.2.2.2', '1.1.1.1']
    const own = { ip: '127.0.0.1', ips: ['127.0.0.1'], hostname: 'inside.local', protocol }
    for (const hops of [1, 2, 3, 9]) {
      const reached = ips.slice(0, hops + 1)
      expect(await seen({ hops, from: ['127.0.0.1', '3.3.3.3', '2.2.2.2'] })).toEqual({
        ip: reached.at(-1),
        ips: reached,
        hostname: 'outside.example',
        protocol: 'https',
      })
    }
    expect(await seen({ hops: 3, from: 'loopback, 2.2.2.2' })).toMatchObject({ ip: '3.3.3.3' })
    expect(await seen({ hops: 3, from: '3.3.3.3, 2.2.2.2' })).toEqual(own)
    expect(await seen({ hops: 0, from: 'loopback' })).toEqual(own)
  })

  ours('the peers take it as it is')('refuses what names no proxies', () => {
    /** Code and message of the refusal, and what it is made of. */
    const refusal = (trustProxy: unknown): [text: string, cause: unknown] => {
      try {
        createApp({ trustProxy })
      } catch (error) {
        const { code: word, message, cause } = Object(error)
        return [`${String(word)} ${String(message)}`, cause]
      }
      return [`takes ${JSON.stringify(trustProxy)}`, undefined]
    }
    const from = 'loopback'
    for (const wrong of [
      -1,
      1.5,
      Number.NaN,
      {},
      { from },
      { hops: 1 },
      { hops: -1, from },
      { hops: 'two', from },
      { hops: 1, from: '' },
      { hops: 1, from: 1 },
      { hops: 1, from: true },
      { hops: 1, from, form: 'loopback' },
    ])
      expect(refusal(wrong)[0]).toMatch(
        /^CLO_ERR_INIT_OPTS_INVALID .*'trustProxy' must be .* \{ hops: number, from/,
      )
    const takes = /^CLO_ERR_INIT_OPTS_INVALID .*'trustProxy' takes IP addresses.*\{ hops, from \}/
    for (const wrong of [
      '1',
      'true',
      'example.com',
      'localhost',
      '10.0.0',
      '010.0.0.1',
      '0x7f.0.0.1',
      '10.0.0.1:80',
      '[::1]',
      '10.0.0.1,',
    ]) {
      for (const trustProxy of [wrong, [wrong], { hops: 1, from: wrong }, { hops: 1, from: ['::1', wrong] }])
        expect(refusal(trustProxy)).toEqual([expect.stringMatching(takes), undefined])
    }
    for (const wrong of ['10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.0/', '10.0.0.0/8/8', '::1/129'])
      expect(refusal(wrong)).toEqual([expect.stringMatching(takes), expect.any(TypeError)])
  })

  ours('the peers wait for none')('takes no promise for trust', async () => {
    for (const member of ['ip', 'protocol'] as const) {
      const app = createApp({ trustProxy: async () => true })
      app.get('/', (request) => [request[member]])
      const response = await send(app, { path: '/', headers })
      expect([response.status, response.json()]).toMatchObject([
        500,
        { code: 'CLO_ERR_CALLBACK_NOT_SYNC', message: expect.stringMatching(/^trustProxy /) },
      ])
    }
  })

  ours('the peers show no such option')('shows plugins what it was given', () => {
    const trustProxy = { hops: 1, from: 'loopback' }
    expect(createApp({ trustProxy }).initialConfig).toMatchObject({ trustProxy })
    expect(createApp().initialConfig).not.toHaveProperty('trustProxy')
  })

  ours('the peers believe any text')('gives the address of a client that is sent with a port', async () => {
    const sent = { ...headers, 'x-forwarded-for': '[2001:db8::1]:4711, 3.3.3.3:80' }
    expect(await seen('loopback', sent)).toMatchObject({ ip: '3.3.3.3' })
    expect(await seen(true, sent)).toMatchObject({ ip: '2001:db8::1' })
  })

  it('falls back to what the connection says when nothing is forwarded', async () => {
    expect(
      await seen(true, {
        ...headers,
        'x-forwarded-for': '',
        'x-forwarded-host': '',
        'x-forwarded-proto': '',
      }),
    ).toMatchObject({
      ip: '127.0.0.1',
      hostname: 'inside.local',
      protocol,
    })
  })

  ours('in 4.x and early 5.x host and protocol are taken from anyone')(
    'takes host and protocol from trusted addresses only',
    async () => {
      expect(await seen('10.0.0.1')).toMatchObject({
        ip: '127.0.0.1',
        hostname: 'inside.local',
        protocol,
      })
    },
  )
})

describeTransports(
  'request: over raw sockets',
  ({ createApp, it, expect }) => {
    it('joins repeated headers as HTTP says', async () => {
      const app = createApp()
      app.get('/', (request) => [request.headers['x-many'], request.headers['cookie']])
      const response = await rawSocket(
        app,
        'GET / HTTP/1.1\r\nHost: x\r\nX-Many: a\r\nX-Many: b\r\nCookie: c=1\r\nCookie: d=2\r\nConnection: close\r\n\r\n',
      )
      expect(response.body).toContain('["a, b","c=1; d=2"]')
    })

    it('responds to pipelined requests in order', async () => {
      const app = createApp()
      app.get('/:n', async (request) => `n${request.params['n']}`)
      const one = (n: number, close = ''): string => `GET /${n} HTTP/1.1\r\nHost: x\r\n${close}\r\n`
      const response = await rawSocket(app, one(1) + one(2) + one(3, 'Connection: close\r\n'))
      expect([...response.text.matchAll(/n(\d)(?=HTTP|$)/g)].map((match) => match[1])).toEqual([
        '1',
        '2',
        '3',
      ])
    })
  },
  ['socket'],
)
