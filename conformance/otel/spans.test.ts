// One server span for each request by the stable HTTP semantic conventions, over every transport.
import { Readable } from 'node:stream'
import { context, createContextKey, SpanKind, trace } from '@opentelemetry/api'
import { vi } from 'vitest'
import { callMember } from '../call-member.ts'
import type { App } from '../harness/app-shape.ts'
import { leaveSlowRequest } from '../harness/leaving-client.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { describeTransports } from '../harness/transports.ts'
import type { TransportName } from '../harness/transports.ts'
import { register, shown, useTelemetry } from './telemetry.ts'

const TRANSPORTS: readonly TransportName[] = ['in-process', 'socket', 'http2', 'memory', 'fetch']
const server = { kind: SpanKind.SERVER, errorType: undefined, isError: false, events: [] }

describeTransports(
  'spans of @cloister/otel',
  ({ transport, protocol, createApp, send, it, expect, overNode, unlessFetch }) => {
    const received = useTelemetry()

    async function createTraced(
      options: object = {},
      appOptions: Record<string, unknown> = {},
    ): Promise<{ readonly app: App }> {
      const app = createApp(appOptions)
      await register(app, options)
      app.get('/users/:id', (request) => ({ id: request.params['id'] }))
      app.get('/broken', async () => {
        throw Object.assign(new Error('no database'), { code: 'ECONNREFUSED' })
      })
      const body = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
      app.post('/users', { schema: { body } }, () => 'made')
      return { app }
    }

    it('have the name and the attributes of the conventions', async () => {
      const { app } = await createTraced()
      await send(app, { path: '/users/7?full', headers: { 'user-agent': 'test/1' } })
      const [span, ...others] = await received.spans(1)
      expect(others).toEqual([])
      expect(span === undefined ? {} : shown(span)).toEqual({
        ...server,
        name: 'GET /users/:id',
        route: '/users/:id',
        status: 200,
      })
      expect(span?.attributes).toMatchObject({
        'http.request.method': 'GET',
        'url.path': '/users/7',
        'url.scheme': protocol,
        'server.address': expect.stringMatching(/^(localhost|127\.0\.0\.1|[\w.]+)$/),
        'user_agent.original': 'test/1',
        'network.protocol.version': transport === 'http2' ? '2' : '1.1',
      })
      expect(span?.attributes).not.toHaveProperty('http.request.method_original')
      if (transport === 'wire') expect(app.transport.name).toBe('wire')
    })

    unlessFetch('a Request has no address')('have the address of the client', async () => {
      const { app } = await createTraced()
      await send(app, { path: '/users/7' })
      const [span] = await received.spans(1)
      expect(span?.attributes['client.address']).toMatch(/127\.0\.0\.1|::1/)
    })

    it('are in the context of the request, to which a handler can add', async () => {
      const app = createApp()
      await register(app)
      const key = createContextKey('of the handler')
      const seen: unknown[] = []
      app.get('/', () => {
        const active = context.active()
        const more = active.setValue(key, 1)
        const less = more.deleteValue(key)
        const span = trace.getSpan(active)
        for (const one of [active, more, less]) seen.push([one.getValue(key), trace.getSpan(one) === span])
        seen.push(trace.getSpan(trace.deleteSpan(active)), trace.getSpan(active) === span)
        return 'ok'
      })
      await send(app, { path: '/' })
      const [none, one] = [
        [undefined, true],
        [1, true],
      ]
      expect(seen).toEqual([none, one, none, undefined, true])
    })

    it('have the error of a handler that failed', async () => {
      const { app } = await createTraced()
      await send(app, { path: '/broken' })
      expect((await received.spans(1)).map(shown)).toEqual([
        {
          ...server,
          name: 'GET /broken',
          route: '/broken',
          status: 500,
          errorType: '500',
          isError: true,
          events: ['no database'],
        },
      ])
    })

    it('are no errors where the client is to blame', async () => {
      const { app } = await createTraced()
      await send(app, { method: 'POST', path: '/users', body: {} })
      expect((await received.spans(1)).map(shown)).toEqual([
        { ...server, name: 'POST /users', route: '/users', status: 400 },
      ])
    })

    it('have the method alone as their name where no route is', async () => {
      const { app } = await createTraced()
      await send(app, { path: '/nowhere/8' })
      await send(app, { path: '/users/%zz' })
      const seen = await received.spans(2)
      expect(seen.map(shown)).toEqual([
        { ...server, name: 'GET', route: undefined, status: 404 },
        { ...server, name: 'GET', route: undefined, status: 400 },
      ])
      expect(seen.map(({ attributes }) => attributes['url.path'])).toEqual(['/nowhere/8', '/users/%zz'])
    })

    it('have _OTHER for a method outside of the conventions', async () => {
      const { app } = await createTraced()
      callMember(app, 'addHttpMethod', 'PROPFIND')
      app.route({ method: 'PROPFIND', url: '/files', handler: () => 'files' })
      await send(app, { method: 'PROPFIND', path: '/files' })
      const [span] = await received.spans(1)
      expect(span).toMatchObject({
        name: 'HTTP /files',
        attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PROPFIND' },
      })
    })

    it('end with the last byte of a stream, exactly once', async () => {
      const { app } = await createTraced()
      const source = new Readable({ read() {} })
      app.get('/stream', (_request, reply) => reply.send(source))
      const response = send(app, { path: '/stream' })
      source.push('first')
      await vi.waitFor(() => expect(source.readableFlowing).toBe(true))
      expect(received.now).toEqual([])
      source.push('last')
      source.push(null)
      expect((await response).text).toBe('firstlast')
      const seen = await received.spans(1)
      expect(seen.map(shown)).toEqual([{ ...server, name: 'GET /stream', route: '/stream', status: 200 }])
    })

    it('have the error of a stream that fails after its head', async () => {
      const { app } = await createTraced()
      const source = new Readable({ read() {} })
      app.get('/stream', (_request, reply) => reply.send(source))
      const response = send(app, { path: '/stream' }).catch(() => null)
      source.push('first')
      await vi.waitFor(() => expect(source.readableFlowing).toBe(true))
      await new Promise((resolve) => setImmediate(resolve))
      source.destroy(Object.assign(new Error('disk'), { code: 'EIO' }))
      await response
      const seen = await received.spans(1)
      expect(seen.map(shown)).toMatchObject([
        { name: 'GET /stream', status: 200, errorType: 'EIO', isError: true, events: ['disk'] },
      ])
    })

    it('are active in hooks and the handler, also after a body that arrives late and after the response', async () => {
      const { app } = await createTraced()
      const seen: [string, string | undefined][] = []
      const note = (where: string): void => {
        seen.push([where, trace.getActiveSpan()?.spanContext().spanId])
      }
      app.addHook('onRequest', (_request, _reply, done) => {
        note('onRequest')
        done()
      })
      app.addHook('preHandler', async () => note('preHandler'))
      app.addHook('onSend', async () => note('onSend'))
      app.addHook('onResponse', async () => note('onResponse'))
      app.post('/echo', async (request) => {
        await Promise.resolve()
        note('handler')
        return request.body
      })
      await send(app, { method: 'POST', path: '/echo', body: { text: 'x'.repeat(200_000) } })
      const [span] = await received.spans(1)
      await vi.waitFor(() => expect(seen.length).toBe(5))
      const id = span?.spanContext().spanId
      expect(seen).toEqual(
        ['onRequest', 'preHandler', 'handler', 'onSend', 'onResponse'].map((where) => [where, id]),
      )
      expect(trace.getSpan(context.active())).toBeUndefined()
    })

    it('are not active without context', async () => {
      const { app } = await createTraced({ context: false })
      let active: unknown = 'unseen'
      app.get('/', () => {
        active = trace.getActiveSpan()
        return 'ok'
      })
      await send(app, { path: '/' })
      expect((await received.spans(1)).length).toBe(1)
      expect(active).toBeUndefined()
    })

    it('are not made for routes with otel: false, nor for those that ignore names', async () => {
      const { app } = await createTraced({ ignore: ({ url }: { url: string | null }) => url === '/health' })
      app.get('/health', () => 'ok')
      app.get('/quiet', { otel: false }, () => 'ok')
      for (const path of ['/health', '/quiet', '/users/1']) await send(app, { path })
      expect((await received.spans(1)).map(({ name }) => name)).toEqual(['GET /users/:id'])
    })

    it('have the name of the option', async () => {
      const { app } = await createTraced({
        name: ({ url }: { url: string | null }) => `users ${String(url)}`,
      })
      await send(app, { path: '/users/1' })
      await send(app, { path: '/nowhere' })
      expect((await received.spans(2)).map(({ name }) => name)).toEqual(['users /users/:id', 'GET'])
    })

    const overSocket = transport === 'socket' || transport === 'wire' ? it : it.skip
    overNode('its client is a promise and cannot go away', overSocket)(
      'end when the client goes away, without a status and without an error of the server',
      async () => {
        const { app } = await createTraced()
        await leaveSlowRequest(app)
        const seen = await received.spans(1)
        expect(seen.map(shown)).toEqual([
          {
            ...server,
            name: 'GET /slow',
            route: '/slow',
            status: undefined,
            errorType: 'ERR_STREAM_PREMATURE_CLOSE',
          },
        ])
      },
    )

    overSocket('are one for each of the requests that come in one piece', async () => {
      const { app } = await createTraced()
      const socket = await openSocket(app)
      const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x:81\r\n\r\n`
      socket.write(get('/users/1') + get('/broken') + get('/users/2'))
      const seen = await received.spans(3)
      expect(seen.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([200, 500, 200])
      expect(seen[0]?.attributes).toMatchObject({ 'server.address': 'x', 'server.port': 81 })
      socket.destroy()
    })

    overSocket('have the host that their own request names', async () => {
      const { app } = await createTraced()
      const socket = await openSocket(app)
      const hosts = ['x:81', '[::1]:82', 'x:81', 'y', 'y', '[::1]']
      socket.write(hosts.map((host) => `GET /users/1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join(''))
      const seen = await received.spans(hosts.length)
      const [address, port] = ['server.address', 'server.port']
      expect(seen.map(({ attributes }) => [attributes[address], attributes[port]])).toEqual([
        ['x', 81],
        ['::1', 82],
        ['x', 81],
        ['y', undefined],
        ['y', undefined],
        ['::1', undefined],
      ])
      socket.destroy()
    })
  },
  TRANSPORTS,
)
