// Requests without a connection mean what they mean to light-my-request, whether or not Node's objects are made.
import { AsyncLocalStorage } from 'node:async_hooks'
import { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { callMember } from '../call-member.ts'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { isPeer } from '../harness/subject.ts'
import { createGate, tick } from '../harness/time.ts'
import { useApps } from '../harness/transports.ts'

type Options = Record<string, unknown>

/** When a hook first reads `request.raw` and `reply.raw`; `from the start` has them made before the app runs. */
const MOMENTS = ['onRequest', 'preValidation', 'onSend', 'onResponse', 'never', 'from the start'] as const
type Moment = (typeof MOMENTS)[number]

/** An object that decides itself how it is written. */
class Weekday {
  valueOf(): string {
    return 'tuesday'
  }
}

const inherited = Object.setPrototypeOf({ own: '1' }, { inherited: '2' })

const REQUESTS: Readonly<Record<string, Options | string>> = {
  'a path alone': '/echo',
  'a path with a query': '/echo?a=1&b=%20x&c=%C3%A9',
  'a path that has to be encoded': "/echo/ä/{x}?q='<ü>|",
  'dot segments': '/echo/./a/../b',
  'encoded dot segments': '/echo/%2E%2e/a/%2e/b',
  'segments that begin with a dot': '/echo/.well-known/.x',
  'two slashes at the front': '//echo?x',
  'two slashes inside': '/echo//a//',
  'an empty query': '/echo?',
  'a fragment': '/echo?a=1#here',
  'a backslash': String.raw`/echo\a`,
  'a path without a slash': 'echo/here',
  'a whole URL': 'https://example.com/echo?x=1',
  'a whole URL with a port': 'http://example.com:8080/echo',
  'a URL that is none': 'http://[x/',
  'an empty URL': '',
  'the name path': { path: '/echo' },
  'both url and path': { url: '/echo', path: '/echo' },
  'both, unchecked': { url: '/echo', path: '/other', validate: false },
  'neither url nor path': {},
  'a URL as an object': {
    url: { pathname: '/echo', hostname: 'example.com', port: 81, protocol: 'https:', query: { a: '1' } },
  },
  'a URL as an object without a pathname': { url: { hostname: 'example.com' } },
  'a URL as a number': { url: 12 },
  'a query as text': { url: '/echo?a=1&b=2', query: 'a=3&a=4&c=5' },
  'a query as an object': { url: '/echo?a=1&b=2', query: { a: ['3', '4'], c: 5, d: undefined, e: null } },
  'a query as a list': { url: '/echo', query: ['a'] },
  'a method in small letters': { url: '/echo', method: 'options' },
  'a method in mixed letters': { url: '/echo', method: 'Get' },
  'a method that is none': { url: '/echo', method: 'NONE' },
  'a method that is none, unchecked': { url: '/echo', method: 'NONE', validate: false },
  'a HEAD request': { url: '/echo', method: 'HEAD' },
  headers: { url: '/echo', headers: { 'X-One': 'a', 'x-num': 7, 'x-list': ['a', 'b'], 'x-null': null } },
  'a header of an object': { url: '/echo', headers: { 'x-day': new Weekday() } },
  'inherited headers': { url: '/echo', headers: inherited },
  'a header without a value': { url: '/echo', headers: { 'x-none': undefined } },
  'no user agent': { url: '/echo', headers: { 'user-agent': undefined, 'content-type': undefined } },
  'an own host': { url: '/echo', headers: { Host: 'example.com' } },
  'a host that is none': { url: '/echo', headers: { host: 'a b' } },
  'headers as a list': { url: '/echo', headers: ['a'] },
  'headers as null': { url: '/echo', headers: null },
  'an authority': { url: '/echo', authority: 'example.com:90' },
  'an authority as a number': { url: '/echo', authority: 12 },
  'an address': { url: '/echo', remoteAddress: '10.1.2.3' },
  cookies: { url: '/echo', cookies: { a: '1', b: 'x y' }, headers: { cookie: 'c=3' } },
  'a cookie without a valid name': { url: '/echo', cookies: { 'a b': '1' } },
  'a payload of text': {
    url: '/echo',
    method: 'POST',
    payload: 'text ü',
    headers: { 'content-type': 'a/b' },
  },
  'a payload with a lone surrogate': {
    url: '/echo',
    method: 'POST',
    payload: 'a\ud800b',
    headers: { 'content-type': 'a/b' },
  },
  'a payload of bytes': {
    url: '/bytes',
    method: 'POST',
    payload: Buffer.from('bytes'),
    headers: { 'content-type': 'application/octet-stream' },
  },
  'a payload of JSON': { url: '/echo', method: 'POST', payload: { a: [1, 'ü'] } },
  'a body of JSON': { url: '/echo', method: 'POST', body: { a: 1 } },
  'a payload of JSON with a type': {
    url: '/echo',
    method: 'POST',
    payload: { a: 1 },
    headers: { 'Content-Type': 'application/vnd.api+json' },
  },
  'a payload of JSON that a parser refuses': {
    url: '/echo',
    method: 'POST',
    payload: '{',
    headers: { 'content-type': 'application/json' },
  },
  'a payload of a byte array': { url: '/echo', method: 'POST', payload: new Uint8Array([1, 2]) },
  'a number as payload': { url: '/echo', method: 'POST', payload: 7 },
  'a function as payload': { url: '/echo', method: 'POST', payload: () => {} },
  'a payload that has no JSON': { url: '/echo', method: 'POST', payload: { n: 1n } },
  'an empty payload': { url: '/echo', method: 'POST', payload: '' },
  'a length that is too short': {
    url: '/echo',
    method: 'POST',
    payload: 'four',
    headers: { 'content-type': 'a/b', 'content-length': '2' },
  },
  'a length without a payload': {
    url: '/echo',
    method: 'POST',
    headers: { 'content-type': 'a/b', 'content-length': '5' },
  },
  'a coding': {
    url: '/echo',
    method: 'POST',
    payload: 'four',
    headers: { 'content-type': 'a/b', 'transfer-encoding': 'chunked' },
  },
  'a payload above the limit': { url: '/small', method: 'POST', payload: { text: 'x'.repeat(50) } },
  'a payload above the limit, chunked': {
    url: '/small',
    method: 'POST',
    payload: { text: 'x'.repeat(50) },
    headers: { 'transfer-encoding': 'chunked' },
  },
  'a path of no route': { url: '/nowhere', method: 'PUT', payload: { a: 1 } },
  'a response of bytes': '/response/bytes',
  'a response of a stream': '/response/stream',
  'a response without content': '/response/204',
  'a response that has not changed': '/response/304',
  'a response with nothing': '/response/nothing',
  'a response with a lone surrogate': '/response/surrogate',
  'a response with headers of its own': '/response/headers',
  'a response that ends the connection': '/response/last',
  'a response with trailers': '/response/trailers',
  'a response with a header that cannot be written': '/response/unwritable',
  'a response with an unknown status': '/response/599',
  'a response that is aborted': '/response/aborted',
}

const RESPONSES: Readonly<Record<string, (reply: Reply) => unknown>> = {
  bytes: (reply) => reply.send(Buffer.from([0, 255, 128])),
  stream: (reply) => reply.type('a/b').send(Readable.from(['a', 'b'])),
  204: (reply) => reply.code(204).send(),
  304: (reply) => reply.code(304).header('etag', '"a"').send(),
  599: (reply) => reply.code(599).send('own'),
  nothing: (reply) => reply.send(),
  surrogate: (reply) => reply.send('a\ud800b'),
  headers: (reply) =>
    reply
      .headers({ 'X-Number': 7, 'x-list': ['a', 'b'], 'set-cookie': ['a=1; Path=/', 'b=2; HttpOnly'] })
      .send('sent'),
  last: (reply) => reply.header('connection', 'close').send('sent'),
  trailers: (reply) => reply.trailer('x-end', (_reply, _payload, done) => done(null, 'end')).send('sent'),
  unwritable: (reply) => reply.header('x-bad', 'a\nb').send('sent'),
  aborted: (reply) => reply.raw.destroy(),
}

function define(app: App, moment: Moment): App {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  if (moment !== 'never' && moment !== 'from the start') {
    const read = (request: Request, reply: Reply): void => void [request.raw, reply.raw]
    if (moment === 'onSend') app.addHook('onSend', async (request, reply) => read(request, reply))
    else app.addHook(moment, async (request, reply) => read(request, reply))
  }
  const describeRequest = (request: Request): unknown => ({
    method: request.method,
    url: request.url,
    originalUrl: request.originalUrl,
    query: request.query,
    headers: request.headers,
    host: request.host,
    protocol: request.protocol,
    ip: request.ip,
    body: request.body,
    hasNoBody: request.body === undefined,
  })
  const method = ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']
  app.route({ method, url: '/echo', handler: describeRequest })
  app.route({ method, url: '/echo/*', handler: describeRequest })
  app.route({ method, url: '/bytes', handler: ({ body }) => [Buffer.isBuffer(body), String(body)] })
  app.route({ method, url: '/small', bodyLimit: 10, handler: describeRequest })
  app.get('/response/:kind', (request, reply) => {
    RESPONSES[request.params['kind'] ?? '']?.(reply)
    return reply
  })
  return app
}

/** What a test can see of a response, but for the time. */
function visible(response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return response
  const { raw, stream, json, headers, ...others } = Object.fromEntries(Object.entries(response))
  return {
    ...others,
    headers: { ...headers, date: /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(headers.date) },
    order: Object.keys(headers),
    members: Object.keys(response),
    types: [typeof raw, typeof stream, typeof json],
  }
}

function describeFailure(error: unknown): unknown {
  return error instanceof Error ? { failed: error.name, message: error.message } : { failed: error }
}

async function outcomeOf(app: App, options: Options | string): Promise<unknown> {
  return app.inject(options).then(visible, describeFailure)
}

/** Options to which the app responds as to others, and for which Node's objects are made from the start. */
function withMoment(options: Options | string, moment: Moment): Options | string {
  if (moment !== 'from the start') return options
  return { simulate: {}, ...(typeof options === 'string' ? { url: options } : options) }
}

describe.skipIf(isPeer)('inject', () => {
  const createApp = useApps()
  const createAll = (): readonly [Moment, App][] =>
    MOMENTS.map((moment) => [moment, define(createApp(), moment)])

  it.each(Object.entries(REQUESTS))(
    'means the same with and without objects of Node: %s',
    async (_name, given) => {
      const expected = await outcomeOf(define(createApp(), 'never'), withMoment(given, 'from the start'))
      for (const [moment, app] of createAll()) {
        expect([moment, await outcomeOf(app, withMoment(given, moment))]).toEqual([moment, expected])
      }
    },
  )

  it('joins a list of values as a server joins the lines of one field', async () => {
    const lists: readonly (readonly [name: string, values: readonly string[]])[] = [
      ['x-list', ['a', 'b', 'c']],
      ['Accept', ['text/html', 'a/b;q=0.5']],
      ['cookie', ['a=1', 'b=2']],
      ['user-agent', ['first', 'second']],
      ['x-single', ['a']],
    ]
    for (const [moment, app] of createAll()) {
      const injected = await app.inject(
        withMoment({ url: '/echo', headers: Object.fromEntries(lists) }, moment),
      )
      const lines = lists.flatMap(([name, values]) => values.map((value) => `${name}: ${value}\r\n`)).join('')
      const { body } = await rawSocket(
        app,
        `GET /echo HTTP/1.1\r\nHost: localhost:80\r\nConnection: close\r\n${lines}\r\n`,
      )
      const sent = JSON.parse(body)
      for (const [name, values] of lists) {
        const value: unknown = JSON.parse(injected.payload).headers[name.toLowerCase()]
        expect([moment, name, value]).toEqual([moment, name, sent.headers[name.toLowerCase()]])
        expect(String(value)).toContain(values[0])
      }
    }
  })

  it('throws for options that are wrong where there is a callback, and rejects where there is none', async () => {
    const app = createApp()
    for (const options of [
      { url: '/', method: 'NONE' },
      { url: '/', headers: { a: undefined } },
      { url: 'http://[' },
    ]) {
      const rejected = await app.inject(options).catch((error: unknown) => String(error))
      expect(rejected).toMatch(/Error/)
      expect(() => callMember(app, 'inject', options, () => undefined)).toThrow()
    }
  })
})

describe.skipIf(isPeer)('the raw objects of an injected request', () => {
  const createApp = useApps()

  it('are made when something reads them, and not before', async () => {
    const made = vi.spyOn(ServerResponse.prototype, 'assignSocket')
    const app = createApp()
    app.post('/', ({ body }) => body)
    app.get('/raw', ({ raw }) => raw.url)
    const sent = await app.inject({ method: 'POST', url: '/', payload: { a: 1 }, query: { b: '2' } })
    expect([sent.payload, made.mock.calls.length]).toEqual(['{"a":1}', 0])
    expect([(await app.inject('/raw')).payload, made.mock.calls.length]).toEqual(['/raw', 1])
    made.mockRestore()
  })

  const READ: Readonly<Record<string, (app: App, read: (request: Request) => void) => void>> = {
    'before the body is read': (app, read) => app.addHook('onRequest', async (request) => read(request)),
    'after the body was read': (app, read) => app.addHook('preHandler', async (request) => read(request)),
    'after the response': (app, read) => app.addHook('onResponse', async (request) => read(request)),
  }

  it.each(Object.entries(READ))('are those of Node, with what hooks have done: %s', async (_name, define) => {
    const seen: unknown[] = []
    const app = createApp()
    app.addHook('onRequest', async (request) => {
      request.headers['x-added'] = 'by a hook'
    })
    define(app, ({ raw, headers, socket }) => {
      seen.push([raw.method, raw.url, raw.httpVersion, raw.headers === headers, raw.headers['x-added']])
      seen.push([
        raw.rawHeaders.slice(0, 4),
        socket === raw.socket,
        socket.remoteAddress,
        raw instanceof Readable,
      ])
    })
    app.post('/here', () => 'sent')
    await app.inject({ method: 'POST', url: '/here?a=1', payload: { a: 1 }, headers: { 'X-One': '1' } })
    await tick()
    expect(seen).toEqual([
      ['POST', '/here?a=1', '1.1', true, 'by a hook'],
      [['x-one', '1', 'user-agent', 'lightMyRequest'], true, '127.0.0.1', true],
    ])
  })

  it('have the body as long as nothing else has read it', async () => {
    const app = createApp()
    app.addContentTypeParser('a/b', (_request, payload: Readable, done) => {
      payload.setEncoding('utf8').on('data', (text) => done(null, text))
    })
    app.post('/', ({ body }) => body)
    const payload = 'the body'
    const response = await app.inject({
      method: 'POST',
      url: '/',
      payload,
      headers: { 'content-type': 'a/b' },
    })
    expect(response.payload).toBe(payload)
  })

  it('have no body any more once it was parsed', async () => {
    const app = createApp()
    app.post('/', async ({ raw, body }) => {
      const rest: unknown[] = []
      for await (const chunk of raw) rest.push(chunk)
      return { body, rest, hasEnded: raw.readableEnded }
    })
    const response = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
    expect(JSON.parse(response.payload)).toEqual({ body: { a: 1 }, rest: [], hasEnded: true })
  })

  it('show the response that was sent, to hooks and to the test', async () => {
    const seen: unknown[] = []
    const app = createApp()
    const describeRaw = ({ statusCode, headersSent, writableEnded }: Reply['raw']): unknown => [
      statusCode,
      headersSent,
      writableEnded,
    ]
    app.addHook(
      'onResponse',
      async (_request, { raw }) => void seen.push(describeRaw(raw), raw.getHeader('x-one')),
    )
    app.get('/', (_request, reply) => reply.code(201).header('x-one', '1').send('sent'))
    const { raw }: { raw: { req: Request['raw']; res: Reply['raw'] } } = Object.assign(await app.inject('/'))
    await tick()
    expect(seen).toEqual([[201, true, true], '1'])
    expect([raw.req.url, ...[describeRaw(raw.res)].flat(), raw.res.getHeader('x-one')]).toEqual([
      '/',
      201,
      true,
      true,
      '1',
    ])
  })

  it('can be hijacked', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(202, { 'x-own': '1' }).end('own')
    })
    expect(await app.inject('/')).toMatchObject({
      statusCode: 202,
      payload: 'own',
      headers: { 'x-own': '1' },
    })
  })

  it('notify listeners when the response is destroyed', async () => {
    const aborted: string[] = []
    const app = createApp()
    app.addHook('onRequestAbort', async (request) => void aborted.push(request.url))
    app.get('/', (_request, reply) => {
      reply.raw.destroy()
      return reply
    })
    const outcome = await app.inject('/').catch((error: unknown) => error)
    await tick()
    expect(outcome).toMatchObject({ code: 'LIGHT_ECONNRESET' })
    expect(aborted).toEqual(['/'])
  })
})

describe.skipIf(isPeer)('a response to inject', () => {
  const createApp = useApps()

  it('comes after the onResponse hooks that need no waiting', async () => {
    const order: string[] = []
    const app = createApp()
    app.addHook('onResponse', (_request, _reply, done) => {
      order.push('hook')
      done()
    })
    app.get('/', () => 'sent')
    await app.inject('/')
    order.push('response')
    expect(order).toEqual(['hook', 'response'])
  })

  it('is over when send returns: onResponse hooks run within it', async () => {
    const order: string[] = []
    for (const readsRaw of [false, true]) {
      const app = createApp()
      app.addHook('onResponse', (_request, _reply, done) => {
        order.push('hook')
        done()
      })
      app.get('/', (request, reply) => {
        if (readsRaw) order.push(`raw ${request.raw.url}`)
        reply.send('sent')
        order.push('after send')
      })
      await app.inject('/')
    }
    expect(order).toEqual(['hook', 'after send', 'raw /', 'hook', 'after send'])
  })

  it('can be read in every form, detached too', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => reply.header('set-cookie', 'a=b; Path=/').send({ a: 1 }))
    const response = await app.inject('/')
    const { json, stream, cookies }: { json(): unknown; stream(): Readable; cookies: unknown } =
      Object.assign(response)
    expect(json()).toEqual({ a: 1 })
    expect(cookies).toEqual([{ name: 'a', value: 'b', path: '/' }])
    expect(Buffer.concat(await stream().toArray()).toString()).toBe('{"a":1}')
    expect({ ...response }).toMatchObject({ payload: '{"a":1}', body: '{"a":1}', statusMessage: 'OK' })
  })

  it('keeps the asynchronous context of who asked', async () => {
    const storage = new AsyncLocalStorage<string>()
    const app = createApp()
    app.get('/', () => storage.getStore() ?? 'none')
    await app.ready()
    const called = createGate<unknown>()
    storage.run('asked', () =>
      callMember(app, 'inject', '/', (_error: unknown, response: { payload: string }) =>
        called.open([response.payload, storage.getStore()]),
      ),
    )
    expect(await called.promise).toEqual(['asked', 'asked'])
  })
})

/** The chain that `inject()` gives. */
interface Chain extends PromiseLike<{ payload: string }> {
  get(url: string): Chain
  post(url: string): Chain
  put(url: string): Chain
  options(url: string): Chain
  headers(headers: object): Chain
  query(query: object): Chain
  payload(payload: object): Chain
  end(callback?: (error: unknown, response: { payload: string }) => void): unknown
  catch(rejected: () => void): Promise<unknown>
  finally(settled: () => void): Promise<unknown>
}

function isChain(value: unknown): value is Chain {
  return typeof value === 'object' && value !== null && 'query' in value && 'end' in value
}

describe.skipIf(isPeer)('a chain of inject', () => {
  const createApp = useApps()

  function chainOf(app: App, ...options: Options[]): Chain {
    const chain = callMember(app, 'inject', ...options)
    if (!isChain(chain)) throw new Error('inject() gives no chain')
    return chain
  }

  it('builds a request, and sends it when it is awaited', async () => {
    const app = define(createApp(), 'never')
    for (const method of ['get', 'post', 'put', 'options'] as const) {
      const chain = chainOf(app)
      expect(chain[method]('/echo')).toBe(chain)
      chain.headers({ 'x-a': '1' }).query({ a: '1' })
      if (method !== 'get') chain.payload({ b: 2 })
      const { payload } = await chain
      expect(JSON.parse(payload)).toMatchObject({
        method: method.toUpperCase(),
        url: '/echo?a=1',
        headers: { 'x-a': '1' },
        hasNoBody: method === 'get',
      })
    }
  })

  it('sends itself in the next tick, and once', async () => {
    const urls: string[] = []
    const app = createApp()
    app.get('/', ({ url }) => String(urls.push(url)))
    await app.ready()
    const chain = chainOf(app).get('/')
    await tick()
    expect(urls).toEqual(['/'])
    const sent = expect.objectContaining({ code: 'CLO_ERR_INJECT_SENT' })
    expect(() => chain.get('/')).toThrow(sent)
    expect(() => chain.end()).toThrow(sent)
    expect((await chain).payload).toBe('1')
  })

  it('waits to be sent where autoStart is false', async () => {
    const urls: string[] = []
    const app = createApp()
    app.get('/', ({ url }) => String(urls.push(url)))
    const chain = chainOf(app, { autoStart: false }).get('/')
    await tick()
    await tick()
    expect(urls).toEqual([])
    const called = createGate<string>()
    chain.end((_error, { payload }) => called.open(payload))
    expect(await called.promise).toBe('1')
  })

  it('is a promise: it rejects, and is settled finally', async () => {
    const seen: string[] = []
    const chain = chainOf(createApp(), { url: 'http://[' })
    await chain.catch(() => seen.push('caught'))
    await chain.finally(() => seen.push('settled')).catch(() => {})
    expect(seen).toEqual(['caught', 'settled'])
  })
})
