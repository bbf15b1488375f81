// The built-in parsers: JSON and text, what is refused and how.
import { vi } from 'vitest'
import { code } from '../harness/subject.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { describeTransports } from '../harness/transports.ts'

const JSON_HEADERS = { 'content-type': 'application/json' }

describeTransports('bodies: JSON', ({ createApp, send, it, ours, line4, unlessFetch, expect }) => {
  const echo = (options = {}): ReturnType<typeof createApp> => {
    const app = createApp(options)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      app.route({ method, url: '/', handler: (request) => ({ body: request.body ?? 'no body' }) })
    }
    return app
  }
  const post = (
    app: ReturnType<typeof createApp>,
    body: string,
    headers: Record<string, string> = JSON_HEADERS,
    method = 'POST',
  ) => send(app, { method, path: '/', headers, body })

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`parses JSON of ${method}`, async () => {
      expect((await post(echo(), '{"a":[1]}', JSON_HEADERS, method)).json()).toEqual({ body: { a: [1] } })
    })
  }

  ours('the peers do both in one turn')(
    'gives others a turn between a long body and its validation',
    async () => {
      const app = createApp()
      let isTurnOfParser = false
      app.setValidatorCompiler(() => () => ({ value: { isTurnOfParser } }))
      app.post('/', { schema: { body: { type: 'object' } } }, (request) => request.body)
      const { parse } = JSON
      const spy = vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
        isTurnOfParser = true
        setImmediate(() => {
          isTurnOfParser = false
        })
        const value: unknown = parse(text)
        return value
      })
      try {
        expect((await post(app, '{"a":1}')).text).toBe('{"isTurnOfParser":true}')
        const long = JSON.stringify({ a: 'a'.repeat(300_000) })
        expect((await post(app, long)).text).toBe('{"isTurnOfParser":false}')
      } finally {
        spy.mockRestore()
      }
    },
  )

  for (const method of ['DELETE', 'OPTIONS']) {
    it(`takes a body of ${method} for sent when it has a type and a length`, async () => {
      const response = await post(echo(), '', { ...JSON_HEADERS, 'content-length': '0' }, method)
      expect(response.json()).toMatchObject({ statusCode: 400, code: code('CTP_EMPTY_JSON_BODY') })
    })

    it(`does not read a body of ${method} without a type`, async () => {
      const headers = { 'content-length': '5' }
      const response = await send(echo(), { method, path: '/', headers, body: 'hello' })
      expect([response.status, response.json()]).toEqual([200, { body: 'no body' }])
    })
  }

  it('parses every kind of JSON value', async () => {
    const app = echo()
    for (const value of [7, 'text', true, [], {}, [1, { a: null }]]) {
      expect((await post(app, JSON.stringify(value))).json()).toEqual({ body: value })
    }
  })

  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json ;a=b',
    'application/json;charset="utf-8"',
  ]) {
    it(`parses JSON when the type is written ${type}`, async () => {
      expect((await post(echo(), '{"a":1}', { 'content-type': type })).json()).toEqual({ body: { a: 1 } })
    })
  }

  it('refuses malformed JSON with 400', async () => {
    const app = echo()
    for (const body of ['{', '{"a":}', 'nope', '{"a":1}x', "{'a':1}"])
      expect((await post(app, body)).status).toBe(400)
  })

  it('refuses an empty body that claims to be JSON', async () => {
    const response = await post(echo(), '')
    expect([response.status, response.json()]).toMatchObject([400, { code: code('CTP_EMPTY_JSON_BODY') }])
  })

  it('has no body when none is sent', async () => {
    const app = echo()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect((await send(app, { method, path: '/' })).json()).toEqual({ body: 'no body' })
    }
  })

  it('refuses __proto__ and constructor.prototype by default', async () => {
    const app = echo()
    for (const body of [
      '{"__proto__":{"x":1}}',
      '{"a":{"__proto__":{"x":1}}}',
      '{"constructor":{"prototype":{"x":1}}}',
      '{"\\u005f_proto__":{}}',
    ]) {
      expect((await post(app, body)).status).toBe(400)
    }
  })

  it('removes __proto__ when onProtoPoisoning is remove', async () => {
    const app = echo({ onProtoPoisoning: 'remove', onConstructorPoisoning: 'remove' })
    expect((await post(app, '{"a":1,"__proto__":{"x":1}}')).json()).toEqual({ body: { a: 1 } })
    expect((await post(app, '{"a":1,"constructor":{"prototype":{"x":1}}}')).json()).toEqual({
      body: { a: 1 },
    })
  })

  it('lets __proto__ pass as an own property when onProtoPoisoning is ignore', async () => {
    const app = echo({ onProtoPoisoning: 'ignore' })
    expect((await post(app, '{"__proto__":{"x":1}}')).text).toBe('{"body":{"__proto__":{"x":1}}}')
  })

  it('accepts a byte order mark, or refuses it, and never ends the process', async () => {
    expect([200, 400]).toContain((await post(echo(), '\uFEFF{"a":1}')).status)
  })

  unlessFetch('no Request of this method has a body')('does not parse the body of GET', async () => {
    const app = createApp()
    app.get('/', (request) => ({ body: request.body ?? 'no body' }))
    const response = await send(app, {
      path: '/',
      headers: { ...JSON_HEADERS, 'content-length': '7' },
      body: '{"a":1}',
    })
    expect(response.json()).toEqual({ body: 'no body' })
  })

  line4('5.x closes the connection')(
    'keeps the connection after malformed JSON, which was read',
    async () => {
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n'
      const { status, headers } = await rawSocket(echo(), `${head}{bad`, { until: '\r\n\r\n' })
      expect([status, headers['connection']]).toEqual([400, 'keep-alive'])
    },
  )

  ours('the peers name the position only')(
    'says where malformed JSON breaks, without repeating it',
    async () => {
      const response = await post(echo(), '{"secret-value": tru}')
      expect(response.status).toBe(400)
      expect(response.json()).toMatchObject({ code: code('CTP_INVALID_JSON_BODY') })
    },
  )
})

describeTransports('bodies: text and unknown types', ({ createApp, send, it, ours, since5, expect }) => {
  it('parses text as a string', async () => {
    const app = createApp()
    app.post('/', (request) => ({ body: request.body }))
    const headers = { 'content-type': 'text/plain' }
    expect((await send(app, { method: 'POST', path: '/', headers, body: 'héllo' })).json()).toEqual({
      body: 'héllo',
    })
  })

  ours('the peers say only that the body must be an object, or that its type is undefined')(
    'names the header that JSON needs',
    async () => {
      const app = createApp()
      app.post('/', { schema: { body: { type: 'object' } } }, () => 'reached')
      app.post('/text', { schema: { body: { type: 'string', maxLength: 3 } } }, () => 'reached')
      const message = async (path: string, headers: Record<string, string>, body: string): Promise<unknown> =>
        Object((await send(app, { method: 'POST', path, headers, body })).json()).message
      const text = { 'content-type': 'text/plain;charset=UTF-8' }
      const header = 'it was sent as text/plain: send JSON with the header Content-Type: application/json'
      expect(await message('/', { 'transfer-encoding': 'chunked' }, '{"a":1}')).toBe(
        'Unsupported Media Type: none; send the header Content-Type, such as application/json',
      )
      for (const json of ['{"a":1}', '[1]', ' {"a":1}', ' \n {"a":1}'])
        expect(await message('/', text, json)).toBe(`body must be object; ${header}`)
      expect(await message('/', text, 'an {')).toBe('body must be object')
      expect(await message('/', text, 'hello')).toBe('body must be object')
      expect(await message('/', JSON_HEADERS, '"{}"')).toBe('body must be object')
      expect(await message('/text', text, 'hello')).toBe('body must NOT have more than 3 characters')
    },
  )

  ours('the peers say nothing of a header')('names no header where none is missing', async () => {
    const app = createApp()
    const needed = { type: 'object', required: ['v'] }
    app.post('/query', { schema: { querystring: needed } }, () => 'reached')
    app.register(async (child) => {
      child.removeContentTypeParser('text/plain')
      child.addContentTypeParser('text/plain', { parseAs: 'string' }, async () => ({}))
      child.post('/parsed', { schema: { body: needed } }, () => 'reached')
    })
    const headers = { 'content-type': 'text/plain' }
    for (const [path, part] of [
      ['/query', 'querystring'],
      ['/parsed', 'body'],
    ] as const)
      expect((await send(app, { method: 'POST', path, headers, body: '{}' })).json()).toMatchObject({
        message: `${part} must have required property 'v'`,
      })
  })

  it('responds with 415 for a type that nobody parses', async () => {
    const app = createApp()
    app.post('/', () => 'reached')
    for (const type of [
      'text/html',
      'application/x-www-form-urlencoded',
      'image/png',
      'constructor',
      '__proto__',
      'toString',
      'not a type',
    ]) {
      const response = await send(app, {
        method: 'POST',
        path: '/',
        headers: { 'content-type': type },
        body: 'x',
      })
      expect([type, response.status]).toEqual([type, 415])
      expect(response.json()).toMatchObject({ code: code('CTP_INVALID_MEDIA_TYPE') })
    }
  })

  since5('4.x compares beginnings')('responds with 415 for a type that only begins like JSON', async () => {
    const app = createApp()
    app.post('/', () => 'reached')
    for (const type of ['application/json-seq', 'application/jsonx', 'application/json garbage']) {
      const response = await send(app, {
        method: 'POST',
        path: '/',
        headers: { 'content-type': type },
        body: '{}',
      })
      expect([type, response.status]).toEqual([type, 415])
    }
  })

  it('responds with 415 for a body without a type', async () => {
    const app = createApp()
    app.post('/', () => 'reached')
    expect((await send(app, { method: 'POST', path: '/', body: 'x' })).status).toBe(415)
  })
})

describeTransports('bodies: limits', ({ createApp, send, it, expect }) => {
  const big = JSON.stringify({ text: 'x'.repeat(100) })

  it('responds with 413 for a body over the limit of the app', async () => {
    const app = createApp({ bodyLimit: 50 })
    app.post('/', () => 'reached')
    const response = await send(app, { method: 'POST', path: '/', headers: JSON_HEADERS, body: big })
    expect([response.status, response.json()]).toMatchObject([413, { code: code('CTP_BODY_TOO_LARGE') }])
  })

  it('accepts a body of exactly the limit', async () => {
    const app = createApp({ bodyLimit: big.length })
    app.post('/', () => 'reached')
    expect((await send(app, { method: 'POST', path: '/', headers: JSON_HEADERS, body: big })).status).toBe(
      200,
    )
  })

  it('lets a route raise or lower the limit', async () => {
    const app = createApp({ bodyLimit: 50 })
    app.post('/raised', { bodyLimit: 1000 }, (request) => ({ limit: request.routeOptions.bodyLimit }))
    app.post('/lowered', { bodyLimit: 10 }, () => 'reached')
    const post = (path: string, body: string): ReturnType<typeof send> =>
      send(app, { method: 'POST', path, headers: JSON_HEADERS, body })
    expect((await post('/raised', big)).json()).toEqual({ limit: 1000 })
    expect((await post('/lowered', '{"a":"twenty bytes"}')).status).toBe(413)
  })

  it('lets a parser have a limit of its own', async () => {
    const app = createApp()
    app.addContentTypeParser('x/small', { parseAs: 'string', bodyLimit: 4 }, (_request, body, done) =>
      done(null, body),
    )
    app.post('/', () => 'reached')
    const post = (body: string): ReturnType<typeof send> =>
      send(app, { method: 'POST', path: '/', headers: { 'content-type': 'x/small' }, body })
    expect((await post('four')).status).toBe(200)
    expect((await post('five!')).status).toBe(413)
  })

  it('lets the limit of a route come before that of a parser', async () => {
    const app = createApp()
    app.addContentTypeParser('x/own', { parseAs: 'string', bodyLimit: 100 }, (_request, body, done) =>
      done(null, body),
    )
    app.post('/', { bodyLimit: 5 }, () => 'reached')
    const headers = { 'content-type': 'x/own' }
    expect((await send(app, { method: 'POST', path: '/', headers, body: '1234567890' })).status).toBe(413)
  })

  it('has a limit of one mebibyte by default', async () => {
    const app = createApp()
    app.post('/', () => 'reached')
    const post = (length: number): ReturnType<typeof send> =>
      send(app, {
        method: 'POST',
        path: '/',
        headers: { 'content-type': 'text/plain' },
        body: 'x'.repeat(length),
      })
    expect((await post(1_048_576)).status).toBe(200)
    expect((await post(1_048_577)).status).toBe(413)
  })

  it('refuses a limit that is not a whole number', () => {
    const app = createApp()
    expect(() => app.post('/', { bodyLimit: 1.5 }, () => 'x')).toThrow(/bodyLimit/)
  })
})

describeTransports(
  'bodies: over raw sockets',
  ({ createApp, it, expect }) => {
    const request = (...lines: string[]): string => lines.join('\r\n')

    it('responds with 413 before it has read a body that announces too much', async () => {
      const app = createApp({ bodyLimit: 50 })
      app.post('/', () => 'reached')
      const response = await rawSocket(
        app,
        request(
          'POST / HTTP/1.1',
          'Host: x',
          'Content-Type: application/json',
          'Content-Length: 1000',
          'Connection: close',
          '',
          '{',
        ),
        { until: '\r\n\r\n' },
      )
      expect(response.status).toBe(413)
    })

    it('responds with 413 when a chunked body passes the limit', async () => {
      const app = createApp({ bodyLimit: 10 })
      app.post('/', () => 'reached')
      const response = await rawSocket(
        app,
        request(
          'POST / HTTP/1.1',
          'Host: x',
          'Content-Type: text/plain',
          'Transfer-Encoding: chunked',
          '',
          '14',
          'x'.repeat(20),
          '0',
          '',
          '',
        ),
        { until: '\r\n\r\n' },
      )
      expect(response.status).toBe(413)
    })

    it('parses a chunked body', async () => {
      const app = createApp()
      app.post('/', (incoming) => incoming.body)
      const response = await rawSocket(
        app,
        request(
          'POST / HTTP/1.1',
          'Host: x',
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
          'Connection: close',
          '',
          '3',
          '{"a',
          '4',
          '":1}',
          '0',
          '',
          '',
        ),
      )
      expect(response.body).toContain('{"a":1}')
    })

    it('does not run the handler for a body that breaks off', async () => {
      const app = createApp()
      let handled = false
      app.post('/', () => {
        handled = true
        return 'reached'
      })
      await rawSocket(
        app,
        request(
          'POST / HTTP/1.1',
          'Host: x',
          'Content-Type: application/json',
          'Content-Length: 100',
          'Connection: close',
          '',
          '{"a":',
        ),
        { end: true },
      )
      expect(handled).toBe(false)
    })
  },
  ['socket'],
)

describeTransports('bodies: QUERY', ({ createApp, send, since5, expect }) => {
  const METHOD = 'QUERY'

  since5('4.x does not know the method')('parses the body of QUERY, which must say its type', async () => {
    const app = createApp()
    app.route({ method: METHOD, url: '/', handler: (request) => ({ body: request.body }) })
    const query = (headers: Record<string, string>, body: string): ReturnType<typeof send> =>
      send(app, { method: METHOD, path: '/', headers, body })
    expect((await query(JSON_HEADERS, '{"a":1}')).json()).toEqual({ body: { a: 1 } })
    expect((await query({ 'content-type': 'text/plain' }, '')).json()).toEqual({ body: '' })
    const untyped = await query({}, '{"a":1}')
    expect(untyped.status).toBe(400)
    expect(untyped.json()).toMatchObject({ code: code('ROUTE_MISSING_CONTENT_TYPE') })
  })
})
