// `app.mount`: handlers of the web platform and listeners of Node, under the hooks of their context, with the body unread.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Random } from '../../packages/schema/test/validator/random.ts'
import type { App, Request as AppRequest, Reply } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_124)

type Mount = (prefix: string, handler: unknown, options?: object) => App

function mountOf(app: App): Mount {
  const { mount } = Object(app)
  return (...args) => mount.apply(app, args)
}

describeTransports(
  'mounted handlers',
  ({ createApp, send, ours, expect, overNode, transport }) => {
    const test = ours('the peers have no app.mount')
    const nodeTest = overNode('a listener takes the objects of Node', test)

    const echo = async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers({ 'x-kind': 'fetch' })
      headers.append('set-cookie', 'a=1')
      headers.append('set-cookie', 'b=2')
      const { method } = request
      const body = {
        method,
        at: pathname + search,
        header: request.headers.get('x-in'),
        text: await request.text(),
      }
      return Response.json(body, { status: 201, headers })
    }
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        response.statusCode = 202
        response.setHeader('content-type', 'application/json')
        const { method, url, originalUrl } = Object(request)
        response.end(JSON.stringify({ method, url, originalUrl, text: Buffer.concat(chunks).toString() }))
      })
    }
    const post = (app: App, path: string, body = '{"not json'): ReturnType<typeof send> =>
      send(app, { method: 'POST', path, headers: { 'content-type': 'application/json', 'x-in': 'i' }, body })

    test('hands requests of all methods to a fetch handler, with the body unread', async () => {
      const app = createApp()
      mountOf(app)('/a', echo)
      const response = await post(app, '/a/b?c=d')
      expect([response.status, response.json()]).toEqual([
        201,
        { method: 'POST', at: '/a/b?c=d', header: 'i', text: '{"not json' },
      ])
      expect([response.headers['x-kind'], response.headers['set-cookie']]).toEqual(['fetch', ['a=1', 'b=2']])
      expect((await send(app, { path: '/a' })).json()).toMatchObject({ method: 'GET', at: '/a', text: '' })
      expect((await send(app, { method: 'DELETE', path: '/a/' })).status).toBe(201)
      expect((await send(app, { path: '/ab' })).status).toBe(404)
      const large = 'x'.repeat(3_000_000)
      expect(Object((await post(app, '/a', large)).json()).text).toHaveLength(large.length)
    })

    test('runs the hooks of its context, which can respond before and change the response', async () => {
      const app = createApp()
      app.register(
        async (child: App) => {
          child.addHook('onRequest', async (request: AppRequest, reply: Reply) => {
            reply.header('x-hook', 'yes')
            if (request.headers['x-in'] === undefined) return reply.code(401).send({ who: true })
            return undefined
          })
          mountOf(child)('/in', { fetch: echo }, { stripPrefix: true })
        },
        { prefix: '/api' },
      )
      const refused = await send(app, { path: '/api/in/x' })
      expect([refused.status, refused.json()]).toEqual([401, { who: true }])
      const response = await post(app, '/api/in/x?y')
      expect([response.headers['x-hook'], response.json()]).toMatchObject(['yes', { at: '/x?y' }])
      expect((await post(app, '/api/in')).json()).toMatchObject({ at: '/' })
    })

    const WORDS =
      'a open shut in %6fpen s%68ut %69n . .. %2e %2E%2e .%2e ..\\shut \\..\\shut a%2f..%2fshut %5c ..; ...'.split(
        ' ',
      )
    const drawTarget = (random: Random): string => {
      const segments = Array.from({ length: 1 + random.below(5) }, () => random.pick([...WORDS, '']))
      return `/${random.pick(['open', '%6fpen', 'in', '%69n'])}/${segments.join('/')}${random.pick(['', '?/../shut'])}`
    }

    test('leads no handler out of its prefix, whatever the path', async () => {
      const app = createApp()
      const seen: string[] = []
      const look = (request: Request): Response => {
        seen.push(new URL(request.url).pathname)
        return new Response('seen')
      }
      mountOf(app)('/open', look)
      app.register(async (child: App) => {
        child.addHook('onRequest', async (_request: AppRequest, reply: Reply) => reply.code(401).send('shut'))
        mountOf(child)('/shut', look)
      })
      const random = new Random(SEED)
      for (let n = 0; n < 150; n++) await send(app, { path: drawTarget(random) })
      expect(seen.length).toBeGreaterThan(10)
      expect(seen.filter((path) => !/^\/open(\/|$)/.test(decodeURI(path)))).toEqual([])
    })

    test('takes the prefix off, however it is encoded', async () => {
      const app = createApp()
      const seen: string[] = []
      const look = (request: Request): Response => {
        const { pathname, search } = new URL(request.url)
        seen.push(pathname + search)
        return new Response('seen')
      }
      mountOf(app)('/in', look, { stripPrefix: true })
      let reached = 0
      const random = new Random(SEED)
      for (let n = 0; n < 60; n++) {
        const rest = drawTarget(random)
        for (const prefix of ['/in', '/%69n', '/i%6E']) await send(app, { path: prefix + rest })
        const [plain, ...encoded] = seen.splice(0)
        if (plain !== undefined) reached += 1
        expect([rest, ...encoded]).toEqual([rest, ...(plain === undefined ? [] : [plain, plain])])
      }
      expect(reached).toBeGreaterThan(5)
    })

    test('passes errors of a handler to the error handlers', async () => {
      // Over HTTP/2 the stream of a body that is not read stays open until the grace of `close` is over.
      const app = createApp({ closeGraceMs: 500 })
      app.setErrorHandler((error: Error, _request: AppRequest, reply: Reply) => {
        reply.code(418).send(error.message)
      })
      mountOf(app)('/f', () => Promise.reject(new Error('failed')))
      expect([(await post(app, '/f')).status, (await post(app, '/f')).text]).toEqual([418, 'failed'])
    })

    test('responds with an error if a fetch handler returns no Response', async () => {
      const app = createApp()
      const mount = mountOf(app)
      mount('/nothing', () => {})
      mount('/resolved', async () => {})
      mount('/null', { fetch: async () => null })
      mount('/text', () => 'text')
      const codes = new Map<string, unknown>()
      for (const path of ['/nothing', '/resolved', '/null', '/text/more']) {
        const response = await send(app, { path })
        codes.set(path, [response.status, Object(response.json()).code])
      }
      const refused = [500, 'CLO_ERR_MOUNT_NO_RESPONSE']
      expect([...codes.values()]).toEqual([refused, refused, refused, refused])
      expect((await send(app, { path: '/nothing' })).text).toContain("'/nothing' returned undefined")
    })

    test('does not read the body of a request that its handler does not read', async () => {
      const app = createApp()
      mountOf(app)('/f', () => new Response('early', { status: 403 }))
      const response = await post(app, '/f', 'x'.repeat(500_000))
      expect([response.status, response.text]).toEqual([403, 'early'])
    })

    nodeTest('hands requests to a listener of Node', async () => {
      const app = createApp()
      const ended: unknown[] = []
      app.addHook('onRequest', async (_request: AppRequest, reply: Reply) => {
        reply.header('x-hook', 'yes')
      })
      app.addHook(
        'onResponse',
        async (_request: AppRequest, reply: Reply) => void ended.push(reply.statusCode),
      )
      mountOf(app)('/n', listener, { stripPrefix: true })
      const response = await post(app, '/n/b?c=d', 'text')
      expect([response.status, response.headers['x-hook'], response.json()]).toEqual([
        202,
        'yes',
        { method: 'POST', url: '/b?c=d', originalUrl: '/n/b?c=d', text: 'text' },
      ])
      expect((await post(app, '/n', 'x'.repeat(2_000_000))).status).toBe(202)
      expect(ended).toEqual([202, 202])
    })

    nodeTest('goes on with next(): to the not-found handler, or to the error handlers', async () => {
      const app = createApp()
      app.setNotFoundHandler((_request: AppRequest, reply: Reply) => void reply.code(404).send('nothing'))
      type Next = (error?: unknown) => void
      mountOf(app)('/n', (request: IncomingMessage, _response: unknown, next: Next) =>
        next(request.url === '/n/e' ? Object.assign(new Error('bad'), { statusCode: 422 }) : undefined),
      )
      expect([(await send(app, { path: '/n/x' })).text, (await send(app, { path: '/n/e' })).status]).toEqual([
        'nothing',
        422,
      ])
    })

    nodeTest('logs what a listener writes after its end, and serves on', async () => {
      const lines: string[] = []
      const stream = { write: (line: string) => lines.push(line) }
      const app = createApp({ logger: { level: 'error', stream } })
      const count = (): number => lines.filter((line) => line.includes('write after end')).length
      mountOf(app)('/n', (request: IncomingMessage, response: ServerResponse) => {
        response.end('ended')
        if (request.url === '/n/late') setTimeout(() => response.write('late'), 5)
        else response.write('at once')
      })
      // Over HTTP/2 Node resets the stream, as it does for plain listeners.
      await send(app, { path: '/n' }).catch(() => {})
      // The response of an injected request is destroyed with its end; Node passes over what comes then.
      if (transport !== 'in-process') await expect.poll(count).toBeGreaterThan(0)
      expect((await send(app, { path: '/n/late' })).text).toBe('ended')
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect((await send(app, { path: '/nowhere' })).status).toBe(404)
    })

    test('says that a listener needs the objects of Node', async () => {
      const app = createApp()
      mountOf(app)('/n', listener)
      const response = await post(app, '/n')
      const hasNode = transport !== 'memory' && transport !== 'fetch'
      if (hasNode) expect(response.status).toBe(202)
      else
        expect(response.json()).toMatchObject({
          code: 'CLO_ERR_RAW_UNAVAILABLE',
          message: expect.stringContaining('app.mount'),
        })
    })

    test('refuses what it cannot mount', () => {
      const mount = mountOf(createApp())
      const code = 'CLO_ERR_MOUNT_INVALID'
      expect(() => mount('a', echo)).toThrow(expect.objectContaining({ code }))
      expect(() => mount('/a', {})).toThrow(expect.objectContaining({ code }))
      expect(() => mount('/a', echo, { kind: 'node' })).not.toThrow()
      expect(() => mount('/:id', echo, { stripPrefix: true })).toThrow(expect.objectContaining({ code }))
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
