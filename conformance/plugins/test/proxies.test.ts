import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { describePlugin, json, sendJson, start, type PluginApp, type Untyped } from '../subject.ts'

const { WebSocket }: Untyped = createRequire(import.meta.url)('ws')

/** A server behind the proxy that tells what it was asked. */
async function startUpstream(app: PluginApp): Promise<string> {
  app.all('/*', (request: Untyped, reply: Untyped) => {
    reply
      .header('x-upstream', 'yes')
      .code(request.query.status === undefined ? 200 : Number(request.query.status))
      .send({
        method: request.method,
        url: request.url,
        body: request.body ?? null,
        user: request.headers['x-user'] ?? null,
      })
  })
  return start(app)
}

/** Opens a WebSocket and collects its messages. */
async function openSocket(
  url: string,
  protocols?: string[],
): Promise<{ socket: Untyped; next: () => Promise<string> }> {
  const socket = new WebSocket(url.replace('http', 'ws'), protocols)
  const messages: string[] = []
  const waiting: ((message: string) => void)[] = []
  socket.on('message', (data: unknown) => {
    const message = String(data)
    const waiter = waiting.shift()
    if (waiter === undefined) messages.push(message)
    else waiter(message)
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const next = (): Promise<string> =>
    new Promise((resolve) => {
      const message = messages.shift()
      if (message === undefined) waiting.push(resolve)
      else resolve(message)
    })
  return { socket, next }
}

describePlugin('http-proxy', ({ use, createApp }) => {
  it('forwards methods, bodies, query strings and statuses below its prefix', async () => {
    const upstream = await startUpstream(createApp())
    const app = createApp()
    await app.register(use('http-proxy'), { upstream, prefix: '/api', rewritePrefix: '/v2' })
    const url = await start(app)
    const response = await sendJson(`${url}/api/books?status=201&a=b`, 'POST', { title: 'T' })
    expect(response.status).toBe(201)
    expect(response.headers.get('x-upstream')).toBe('yes')
    expect(await json(response)).toMatchObject({
      method: 'POST',
      url: '/v2/books?status=201&a=b',
      body: { title: 'T' },
    })
    expect((await fetch(`${url}/other`)).status).toBe(404)
  })

  it('needs no hook of its user, and causes no warning about hooks, also with strict', async () => {
    const heard: unknown[] = []
    const hear = (warning: Untyped): void => void heard.push(warning.code)
    process.on('warning', hear)
    for (const options of [{}, { strict: true }]) {
      const app = createApp(options)
      app.register(use('http-proxy'), { upstream: 'http://127.0.0.1:1' })
      await app.ready()
    }
    await new Promise(setImmediate)
    process.off('warning', hear)
    expect(heard).not.toContain('CLO_WRN_HOOK_MISSING')
  })

  it('forwards bodies above the body limit of the app, with a length and in chunks', async () => {
    const receiver = createApp({ bodyLimit: 4_000_000 })
    const keep = (_request: unknown, body: unknown, done: Untyped): void => done(null, body)
    receiver.addContentTypeParser('*', { parseAs: 'buffer' }, keep)
    receiver.post('/', (request: Untyped) => ({ bytes: request.body.length }))
    const upstream = await start(receiver)
    const app = createApp({ bodyLimit: 1000 })
    await app.register(use('http-proxy'), { upstream })
    const url = await start(app)
    const headers = { 'content-type': 'application/octet-stream' }
    const bytes = new Uint8Array(3_000_000)
    const whole = await fetch(url, { method: 'POST', headers, body: bytes })
    expect(await json(whole)).toEqual({ bytes: 3_000_000 })
    const { body } = new Response(bytes)
    const chunked = await fetch(url, { method: 'POST', headers, body, duplex: 'half' })
    expect(await json(chunked)).toEqual({ bytes: 3_000_000 })
  })

  it('runs a handler before it forwards, and changes headers on the way', async () => {
    const upstream = await startUpstream(createApp())
    const app = createApp()
    await app.register(use('http-proxy'), {
      upstream,
      preHandler: (request: Untyped, reply: Untyped, done: () => void) => {
        if (request.headers.authorization === undefined) reply.code(401).send({ no: true })
        else done()
      },
      replyOptions: {
        rewriteRequestHeaders: (_request: unknown, headers: object) => ({ ...headers, 'x-user': 'ada' }),
        rewriteHeaders: (headers: object) => ({ ...headers, 'x-seen': '1' }),
      },
    })
    const url = await start(app)
    expect((await fetch(`${url}/a`)).status).toBe(401)
    const response = await fetch(`${url}/a`, { headers: { authorization: 'x' } })
    expect(response.headers.get('x-seen')).toBe('1')
    expect(await json(response)).toMatchObject({ url: '/a', user: 'ada' })
  })

  it('forwards WebSocket connections', async () => {
    const upstreamApp = createApp()
    await upstreamApp.register(use('websocket'))
    upstreamApp.get('/echo', { websocket: true }, (socket: Untyped) => {
      socket.on('message', (data: unknown) => socket.send(`echo ${String(data)}`))
    })
    const upstream = await start(upstreamApp)
    const app = createApp()
    await app.register(use('http-proxy'), { upstream, prefix: '/ws', websocket: true })
    const url = await start(app)
    const { socket, next } = await openSocket(`${url}/ws/echo`)
    socket.send('hello')
    expect(await next()).toBe('echo hello')
    socket.close()
  })

  it('responds with 500 or 502 when nobody listens upstream', async () => {
    const app = createApp()
    await app.register(use('http-proxy'), { upstream: 'http://127.0.0.1:1' })
    const url = await start(app)
    expect([500, 502, 503]).toContain((await fetch(`${url}/a`)).status)
  })
})

describePlugin('reply-from', ({ use, createApp }) => {
  it('responds from another server, with the response changed on the way', async () => {
    const upstream = await startUpstream(createApp())
    const app = createApp()
    await app.register(use('reply-from'), { base: upstream })
    app.get('/plain', (_request: unknown, reply: Untyped) => reply.from('/target?x=1'))
    app.post('/body', (_request: unknown, reply: Untyped) => reply.from('/target', { body: { other: true } }))
    app.get('/changed', (_request: unknown, reply: Untyped) => {
      reply.from('/target', {
        onResponse: (_req: unknown, inner: Untyped) => inner.code(202).send({ changed: true }),
      })
    })
    const url = await start(app)
    expect(await (await fetch(`${url}/plain`)).json()).toMatchObject({ method: 'GET', url: '/target?x=1' })
    expect(await (await sendJson(`${url}/body`, 'POST', { a: 1 })).json()).toMatchObject({
      body: { other: true },
    })
    const changed = await fetch(`${url}/changed`)
    expect(changed.status).toBe(202)
    expect(await json(changed)).toEqual({ changed: true })
  })

  it('hands failures to its own handler', async () => {
    const app = createApp()
    await app.register(use('reply-from'), { base: 'http://127.0.0.1:1' })
    app.get('/', (_request: unknown, reply: Untyped) =>
      reply.from('/', { onError: (inner: Untyped) => inner.code(504).send({ away: true }) }),
    )
    const url = await start(app)
    const response = await fetch(url)
    expect(response.status).toBe(504)
    expect(await json(response)).toEqual({ away: true })
  })
})

describePlugin('websocket', ({ use, createApp }) => {
  it('talks over a real WebSocket, after the hooks of the route, with its request at hand', async () => {
    const app = createApp()
    await app.register(use('websocket'))
    app.get(
      '/chat/:room',
      {
        websocket: true,
        preValidation: async (request: Untyped) => {
          request.headers['x-checked'] = 'yes'
        },
      },
      (socket: Untyped, request: Untyped) => {
        socket.send(`welcome to ${request.params.room} ${request.headers['x-checked']}`)
        socket.on('message', (data: unknown) => socket.send(`echo ${String(data)}`))
      },
    )
    const url = await start(app)
    const { socket, next } = await openSocket(`${url}/chat/blue`)
    expect(await next()).toBe('welcome to blue yes')
    socket.send('hi')
    expect(await next()).toBe('echo hi')
    socket.close()
  })

  it('serves plain HTTP on the same route, and refuses an upgrade that a hook refuses', async () => {
    const app = createApp()
    await app.register(use('websocket'))
    app.route({
      method: 'GET',
      url: '/both',
      handler: () => ({ plain: true }),
      wsHandler: (socket: Untyped) => socket.send('socket'),
    })
    app.get(
      '/closed',
      {
        websocket: true,
        onRequest: (_request: unknown, reply: Untyped, _done: unknown) => reply.code(401).send({ no: true }),
      },
      () => {},
    )
    const url = await start(app)
    expect(await (await fetch(`${url}/both`)).json()).toEqual({ plain: true })
    const { socket, next } = await openSocket(`${url}/both`)
    expect(await next()).toBe('socket')
    socket.close()
    await expect(openSocket(`${url}/closed`)).rejects.toThrow('401')
    await expect(openSocket(`${url}/nowhere`)).rejects.toThrow('404')
  })

  it('closes its clients when the app closes', async () => {
    const app = createApp()
    await app.register(use('websocket'))
    app.get('/', { websocket: true }, (socket: Untyped) => socket.send('ready'))
    const url = await start(app)
    const { socket, next } = await openSocket(url)
    await next()
    const closed = new Promise((resolve) => {
      socket.once('close', resolve)
    })
    await app.close()
    expect(await closed).toBe(1005)
  })

  it('talks over an injected socket, which has no address, with the log on', async () => {
    const lines: { readonly msg: string; readonly level: number }[] = []
    const write = (line: string): number => lines.push(JSON.parse(line))
    const app = createApp({ logger: { level: 'info', stream: { write } } })
    await app.register(use('websocket'))
    const seen: unknown[] = []
    app.addHook('onRequest', async (request: Untyped) => {
      seen.push(request.ip, request.headers['x-user'])
    })
    app.get('/chat/:room', { websocket: true }, (socket: Untyped, request: Untyped) => {
      socket.on('message', (data: unknown) => socket.send(`${request.params.room} ${String(data)}`))
    })
    await app.ready()
    const socket = await app.injectWS('/chat/blue', { headers: { 'x-user': 'ann' } })
    const received = new Promise((resolve) => {
      socket.once('message', (data: unknown) => resolve(String(data)))
    })
    socket.send('hi')
    expect(await received).toBe('blue hi')
    expect(seen).toEqual([undefined, 'ann'])
    expect(lines.map(({ msg, level }) => [msg, level])).toEqual([['incoming request', 30]])
    socket.terminate()
  })

  it('refuses an injected upgrade as it refuses a real one', async () => {
    const app = createApp()
    await app.register(use('websocket'))
    app.get(
      '/closed',
      { websocket: true, onRequest: async (_request: unknown, reply: Untyped) => reply.code(401).send('no') },
      () => {},
    )
    await app.ready()
    await expect(app.injectWS('/closed')).rejects.toThrow('401')
    await expect(app.injectWS('/nowhere')).rejects.toThrow('404')
  })
})
