// The target of a request in absolute form, and the host that it names (RFC 9112 section 3.2.2).
import type { App } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import type { RawResponse } from '../harness/raw-socket.ts'
import { code } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

describeTransports(
  'targets in absolute form',
  ({ createApp, it, ours, expect }) => {
    /** Sends a head, and another request behind it, which only an open connection responds to. */
    const ask = async (app: App, line: string, ...fields: string[]): Promise<RawResponse> => {
      const head = [line, ...fields, '', ''].join('\r\n')
      return rawSocket(app, `${head}GET /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    }

    const describeRequests = (options: object = {}): App => {
      const app = createApp({ ...options })
      app.get('/second', () => 'second')
      app.get('/*', (request) => ({
        url: request.url,
        originalUrl: request.originalUrl,
        host: request.host,
        hostname: request.hostname,
        port: request.port,
        header: request.headers.host,
        query: request.query,
        path: request.params['*'],
      }))
      return app
    }

    ours('the peers keep the absolute form in request.url')('are read as their path and query', async () => {
      const cases = [
        ['http://a/x?b=1', '/x?b=1', 'x'],
        ['HTTP://a/x', '/x', 'x'],
        ['https://a/x', '/x', 'x'],
        ['http://a', '/', ''],
        ['http://a?b=1', '/?b=1', ''],
        ['http://a/http://b/x', '/http://b/x', 'http://b/x'],
        ['http://a//x', '//x', '/x'],
        ['http://a/%2e%2e/x@b', '/%2e%2e/x@b', '../x@b'],
      ] as const
      for (const [target, url, path] of cases) {
        const { text } = await ask(describeRequests(), `GET ${target} HTTP/1.1`, 'Host: a')
        expect(text).toContain(`"url":"${url}","originalUrl":"${target}","host":"a","hostname":"a"`)
        expect(text).toContain(`"path":"${path}"`)
        expect(text).toMatch(/second$/)
      }
    })

    ours('5.x keeps the absolute form, 4.x has no host')('name the host, in any letter case', async () => {
      for (const [authority, host] of [
        ['a.example:81', 'A.example:81'],
        ['[::1]:81', '[::1]:81'],
        ['A', 'a'],
      ] as const) {
        const { text } = await ask(describeRequests(), `GET http://${authority}/x HTTP/1.1`, `Host: ${host}`)
        expect(text).toContain(`"host":"${host}"`)
        expect(text).toContain('"url":"/x"')
      }
    })

    ours('the peers take the Host')('are refused where the Host is another one', async () => {
      for (const [authority, host] of [
        ['evil', 'a'],
        ['a:80', 'a'],
        ['a', 'a:80'],
        ['a.', 'a'],
        ['a', ''],
      ] as const) {
        const app = describeRequests()
        const { status, statuses, text } = await ask(
          app,
          `GET http://${authority}/x HTTP/1.1`,
          `Host: ${host}`,
        )
        expect({ authority, status, statuses }).toEqual({ authority, status: 400, statuses: [400] })
        expect(text).toContain(code('HOST_AMBIGUOUS'))
        expect(text).toMatch(/^connection: close\r$/im)
      }
    })

    ours('the peers look for a route')('are refused without a valid host of http or https', async () => {
      const app = describeRequests()
      for (const target of [
        'http://u:p@a/x',
        'http://a@a/x',
        'http://:80/x',
        'http:///x',
        'http://a:99999/x',
        'ftp://a/x',
        'ws://a/x',
        'javascript://a/x',
      ]) {
        const { statuses } = await ask(app, `GET ${target} HTTP/1.1`, 'Host: a')
        expect({ target, statuses }).toEqual({ target, statuses: [400] })
      }
    })

    ours('the peers have no such rule')('are the Host of a request of HTTP/1.0 without one', async () => {
      const app = describeRequests()
      app.get('/own', { constraints: { host: 'a' } }, () => 'own of a')
      const { text } = await ask(app, 'GET http://a:81/x HTTP/1.0')
      expect(text).toContain('"host":"a:81","hostname":"a","port":81,"header":"a:81"')
      expect((await ask(app, 'GET http://a/own HTTP/1.0')).body).toBe('own of a')
      expect((await ask(app, 'GET http://b/own HTTP/1.0')).body).not.toBe('own of a')
      expect((await ask(app, 'GET http://evil/x HTTP/1.0', 'Host: a')).statuses).toEqual([400])
      expect((await ask(app, 'GET /x HTTP/1.0')).text).toContain('"host":""')
    })

    ours('the peers keep the absolute form')(
      'reach hooks, rewriteUrl and the raw request in origin form',
      async () => {
        const seen: unknown[] = []
        const rewriteUrl = (raw: { url: string }): string => {
          seen.push(raw.url)
          return `${raw.url}/rewritten`
        }
        const app = createApp({ rewriteUrl })
        app.addHook('onRequest', async (request) => {
          seen.push(request.url, request.raw.url, request.originalUrl)
        })
        app.get('/admin/rewritten', () => 'admin')
        const { body } = await ask(app, 'GET http://a/admin HTTP/1.1', 'Host: a', 'Connection: close')
        expect(body).toBe('admin')
        expect(seen).toEqual(['/admin', '/admin/rewritten', '/admin/rewritten', 'http://a/admin'])
      },
    )

    it('match routes and no-route handlers by their path', async () => {
      const app = createApp()
      app.get('/public', () => 'public')
      app.register(
        async (child) => {
          child.addHook('onRequest', async (_request, reply) => reply.code(401).send('guarded'))
          child.get('/secret', () => 'secret')
          child.setNotFoundHandler((_request, reply) => reply.code(404).send('of admin'))
        },
        { prefix: '/admin' },
      )
      const bodyOf = async (path: string): Promise<string> => {
        const line = `GET http://localhost${path} HTTP/1.1`
        return (await rawSocket(app, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).body
      }
      expect(await bodyOf('/public')).toBe('public')
      expect(await bodyOf('/admin/secret')).toBe('guarded')
      expect(await bodyOf('/admin/none')).toBe('guarded')
    })
  },
  ['socket'],
)

describeTransports(
  'targets of HTTP/2',
  ({ createApp, send, ours, expect }) => {
    ours('the peers look for a route')('are paths, and never in absolute form', async () => {
      const app = createApp()
      app.get('/*', (request) => request.url)
      // With the schemes http and https Node itself ends such a stream.
      const headers = { ':scheme': 'other', ':authority': 'a' }
      for (const path of ['http://a/x', 'x', 'other://a/x'])
        expect((await send(app, { path, headers })).status).toBe(400)
      expect((await send(app, { path: '/x', headers })).text).toBe('/x')
      expect((await send(app, { path: '/http://a/x' })).text).toBe('/http://a/x')
    })
  },
  ['http2'],
)

describeTransports(
  'methods that are named like members of objects',
  ({ createApp, send, since5, expect }) => {
    since5('4.x responds to none of them over HTTP/2')(
      'CVE-2026-47219: match no route, with constraints or without',
      async () => {
        const app = createApp()
        app.get('/', () => 'ran')
        app.get('/own', { constraints: { host: 'a' } }, () => 'ran')
        for (const method of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
          for (const path of ['/', '/own', '/none'])
            expect([method, path, (await send(app, { method, path })).status]).toEqual([method, path, 404])
        }
        expect((await send(app, { path: '/' })).text).toBe('ran')
      },
    )
  },
  ['http2', 'fetch'],
)

describeTransports(
  'transfer codings of HTTP/1.0',
  ({ createApp, ours, expect }) => {
    ours('the peers serve it')('are refused, and the connection ends', async () => {
      const app = createApp()
      let served = 0
      app.post('/', () => `served ${++served}`)
      app.get('/', () => `served ${++served}`)
      const next = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
      for (const fields of [
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: chunked\r\nConnection: keep-alive',
        'Transfer-Encoding: gzip, chunked',
        'Transfer-Encoding: identity',
        'transfer-encoding: ',
      ]) {
        const head = `POST / HTTP/1.0\r\nHost: a\r\nContent-Type: text/plain\r\n${fields}\r\n\r\n`
        const { statuses } = await rawSocket(app, `${head}5\r\nhello\r\n0\r\n\r\n${next}`)
        expect({ fields, statuses }).toEqual({ fields, statuses: [400] })
      }
      expect(served).toBe(0)
    })
  },
  ['socket'],
)
