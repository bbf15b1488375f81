// The members of the reply.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect } from 'vitest'
import { createLogSink } from '../harness/log-lines.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { code, isPeer } from '../harness/subject.ts'
import { createGate, tick } from '../harness/time.ts'
import { describeTransports, ours, useApps } from '../harness/transports.ts'
import type { Test } from '../harness/transports.ts'

describeTransports('replies: status', ({ createApp, send, it, expect }) => {
  it('sets the status by code, status and statusCode, and reads it', async () => {
    const app = createApp()
    app.get('/code', (_request, reply) => void reply.code(201).send({ status: reply.statusCode }))
    app.get('/status', (_request, reply) => void reply.status(202).send({ status: reply.statusCode }))
    app.get('/property', (_request, reply) => {
      reply.statusCode = 203
      return { status: reply.statusCode }
    })
    for (const [path, status] of [
      ['/code', 201],
      ['/status', 202],
      ['/property', 203],
    ] as const) {
      const received = await send(app, { path })
      expect([received.status, received.json()]).toEqual([status, { status }])
    }
  })

  it('accepts a status as a numeric string', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      Reflect.apply(reply.code, reply, ['201'])
      return 'x'
    })
    expect((await send(app, { path: '/' })).status).toBe(201)
  })

  it('refuses what is not a status', async () => {
    for (const wrong of [99, 600, 'many', null, undefined, 1000]) {
      const app = createApp()
      app.get('/', (_request, reply) => Reflect.apply(reply.code, reply, [wrong]))
      const received = await send(app, { path: '/' })
      expect([received.status, received.json()]).toMatchObject([500, { code: code('BAD_STATUS_CODE') }])
      if (isPeer) continue
      const message = `The status of a response is an integer from 100 to 599, not ${wrong}; set one with reply.code()`
      expect(received.json()).toMatchObject({ message })
    }
  })
})

describeTransports('replies: headers', ({ createApp, send, it, expect }) => {
  it('sets, reads, lists and removes headers without regard to letter case', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.header('X-One', '1').headers({ 'X-Two': '2', 'x-three': '3' }).removeHeader('X-THREE')
      return {
        one: reply.getHeader('x-one'),
        has: [reply.hasHeader('X-TWO'), reply.hasHeader('x-three')],
        all: reply.getHeaders(),
      }
    })
    const received = await send(app, { path: '/' })
    expect(received.json()).toMatchObject({
      one: '1',
      has: [true, false],
      all: { 'x-one': '1', 'x-two': '2' },
    })
    expect([received.headers['x-one'], received.headers['x-two'], received.headers['x-three']]).toEqual([
      '1',
      '2',
      undefined,
    ])
  })

  it('takes dates, booleans, null and lists, which are written as text', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.headers({ 'x-null': null, 'x-true': true, 'x-list': ['a', 'b'], 'x-date': new Date(Number.NaN) })
      return 'x'
    })
    const { headers } = await send(app, { path: '/' })
    expect([
      headers['x-null'],
      headers['x-true'],
      [headers['x-list']].flat().join(', '),
      headers['x-date'],
    ]).toEqual(['null', 'true', 'a, b', 'Invalid Date'])
  })

  it('takes numbers, and an empty text for no value', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.header('x-number', 7).header('x-empty').send('x'))
    const received = await send(app, { path: '/' })
    expect([received.headers['x-number'], received.headers['x-empty']]).toEqual(['7', ''])
  })

  it('collects set-cookie, and replaces everything else', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.header('set-cookie', 'a=1').header('Set-Cookie', 'b=2').header('set-cookie', ['c=3', 'd=4'])
      reply.header('x-last', 'first').header('x-last', 'second')
      return 'x'
    })
    const received = await send(app, { path: '/' })
    expect(received.headers['set-cookie']).toEqual(['a=1', 'b=2', 'c=3', 'd=4'])
    expect(received.headers['x-last']).toBe('second')
  })

  it('responds with 500, and nothing of the header, when a header has bytes that are not allowed', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.header('x-evil', 'a\r\nx-injected: 1').send('x'))
    const received = await send(app, { path: '/' })
    expect([received.status, received.headers['x-injected']]).toEqual([500, undefined])
  })

  it('sets the type, and adds a charset to text and JSON types', async () => {
    const app = createApp()
    app.get('/html', (_request, reply) => void reply.type('text/html').send('<p>'))
    app.get('/json', (_request, reply) => void reply.type('application/json').send({ a: 1 }))
    app.get('/vendor', (_request, reply) => void reply.type('application/vnd.api+json').send({ a: 1 }))
    app.get('/kept', (_request, reply) => void reply.type('text/html; charset=latin1').send('<p>'))
    const type = async (path: string): Promise<unknown> => (await send(app, { path })).headers['content-type']
    expect(await type('/html')).toContain('text/html')
    expect(await type('/json')).toBe('application/json; charset=utf-8')
    expect(await type('/vendor')).toBe('application/vnd.api+json; charset=utf-8')
    expect(await type('/kept')).toBe('text/html; charset=latin1')
  })

  it('keeps a content length that was set for HEAD', async () => {
    const app = createApp({ exposeHeadRoutes: false })
    app.head('/', (_request, reply) => void reply.header('content-length', '1234').send())
    expect((await send(app, { method: 'HEAD', path: '/' })).headers['content-length']).toBe('1234')
  })

  it('corrects a content length that does not fit', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.header('content-length', '2').send('four'))
    const received = await send(app, { path: '/' })
    expect([received.text, received.headers['content-length']]).toEqual(['four', '4'])
  })
})

describeTransports('replies: media type', ({ createApp, send, since5, expect }) => {
  since5('4.x has no reply.mediaType')('knows the media type without its parameters', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      const before: unknown = Reflect.get(reply, 'mediaType')
      reply.type('Text/HTML; charset=utf-8')
      reply.send(`${typeof before} ${String(Reflect.get(reply, 'mediaType'))}`)
    })
    expect((await send(app, { path: '/' })).text).toBe('undefined text/html')
  })

  since5('4.x has no mediaType')('knows none where the header has no type and subtype', async () => {
    const app = createApp()
    app.get('/', (request, reply) => {
      const asked: unknown = Reflect.get(request, 'mediaType')
      const given = ['text', 'a/b/c', 'text/ html', 'Text/HTML;x'].map((type): unknown =>
        Reflect.get(reply.header('content-type', type), 'mediaType'),
      )
      reply.type('text/plain').send(JSON.stringify([asked ?? 'none', ...given.map((one) => one ?? 'none')]))
    })
    const received = await send(app, { path: '/', headers: { 'content-type': 'text' } })
    expect(JSON.parse(received.text)).toEqual(['none', 'none', 'none', 'none', 'text/html'])
  })
})

describeTransports('replies: redirect', ({ createApp, send, it, line4, expect }) => {
  it('redirects with 302, or the status that was set', async () => {
    const app = createApp()
    app.get('/plain', (_request, reply) => reply.redirect('/target'))
    app.get('/coded', (_request, reply) => reply.code(307).redirect('/target'))
    for (const [path, status] of [
      ['/plain', 302],
      ['/coded', 307],
    ] as const) {
      const received = await send(app, { path })
      expect([received.status, received.headers['location']]).toEqual([status, '/target'])
    }
  })

  it('takes the status after the place', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => reply.redirect('/target', 303))
    expect((await send(app, { path: '/' })).status).toBe(303)
  })

  line4('5.x took the old order away')('takes the status before the place too', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => reply.redirect(301, '/target'))
    const received = await send(app, { path: '/' })
    expect([received.status, received.headers['location']]).toEqual([301, '/target'])
  })

  it('works from an async handler', async () => {
    const app = createApp()
    app.get('/', async (_request, reply) => reply.redirect('/target'))
    expect((await send(app, { path: '/' })).status).toBe(302)
  })
})

describeTransports(
  'replies: statuses that say something about content',
  ({ transport, createApp, send, it, expect, ours }) => {
    ours('the peers send an interim response, and the client waits on')(
      'responds with 500 for an informational status, which ends no request',
      async () => {
        const app = createApp()
        app.get('/:status', (request, reply) => {
          reply.code(Number(request.params['status'])).send('text')
        })
        for (const status of [100, 101, 103, 199]) {
          const received = await send(app, { path: `/${status}` })
          expect([received.status, received.json()]).toEqual([
            500,
            {
              statusCode: 500,
              code: 'CLO_ERR_REP_STATUS_NOT_FINAL',
              error: 'Internal Server Error',
              message:
                `The response of GET /:status has the status ${status}, after which clients wait for a final response; ` +
                'send a status of 200 or above (for hints: reply.writeEarlyHints; for another protocol: reply.hijack)',
            },
          ])
        }
      },
    )

    it('sends with 205 what it is given, and otherwise that its length is 0', async () => {
      const app = createApp()
      app.get('/:kind', (request, reply) => {
        const payloads: Record<string, unknown> = {
          text: 'text',
          value: { a: 1 },
          bytes: Buffer.from('bytes'),
          stream: Readable.from(['stream']),
        }
        reply.code(205).send(payloads[request.params['kind'] ?? ''])
      })
      const sent = { text: 'text', value: '{"a":1}', bytes: 'bytes', stream: 'stream', nothing: '' }
      for (const [kind, text] of Object.entries(sent)) {
        const received = await send(app, { path: `/${kind}` })
        // Node sends no content with a 205 over HTTP/2, and no `Response` with it has any.
        const hasContent = transport !== 'http2' && transport !== 'fetch'
        expect([received.status, received.text]).toEqual([205, hasContent ? text : ''])
      }
      expect((await send(app, { path: '/nothing' })).headers['content-length']).toBe('0')
    })
  },
)

describeTransports(
  'replies: places and headers that need encoding',
  ({ createApp, send, it, expect, ours }) => {
    ours('the peers write bytes of Latin-1, or respond with 500')(
      'encodes what is not ASCII in the place of a redirect, and nothing else',
      async () => {
        const app = createApp()
        app.get('/*', (request, reply) => reply.redirect(request.headers['x-to'] === '1' ? ONE : TWO))
        const ONE = '/söme path/日本?x=ü%20y&z="q"#é%C3%A9'
        const TWO = 'http://bücher.example/\ud83d\ude00/\ud83d'
        const one = await send(app, { path: '/', headers: { 'x-to': '1' } })
        expect([one.status, one.headers['location']]).toEqual([
          302,
          '/s%C3%B6me path/%E6%97%A5%E6%9C%AC?x=%C3%BC%20y&z="q"#%C3%A9%C3%A9',
        ])
        const two = await send(app, { path: '/' })
        expect(two.headers['location']).toBe('http://b%C3%BCcher.example/%F0%9F%98%80/%EF%BF%BD')
      },
    )

    it('keeps a location of ASCII as it was written', async () => {
      const app = createApp()
      const place = '/a%20b?c=%E6&d=%zz&e="\'<>|{}^`\\'
      app.get('/', (_request, reply) => reply.redirect(place))
      expect((await send(app, { path: '/' })).headers['location']).toBe(place)
    })

    ours('the peers send an empty place')('responds with 500 for a redirect to nowhere', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => reply.redirect(301))
      const received = await send(app, { path: '/' })
      expect([received.status, received.json()]).toMatchObject([500, { code: 'CLO_ERR_REP_INVALID_HEADER' }])
    })

    ours('the peers send its code, or [object Object]')(
      'responds with 500 for a header whose value has no text, alone or in a list',
      async () => {
        const app = createApp()
        const values: unknown[] = [() => 'secret', Symbol('a'), {}]
        app.get('/:at/:name/:in', (request, reply) => {
          const { at, name, in: place } = Object(request.params)
          const value: unknown = values[at]
          Reflect.apply(reply.header, reply, [name, place === 'list' ? ['a', value] : value])
          return 'x'
        })
        for (const [at, what] of ['a function', 'a symbol', 'an object'].entries())
          for (const name of ['x-a', 'set-cookie'])
            for (const place of ['list', 'alone']) {
              const received = await send(app, { path: `/${at}/${name}/${place}` })
              const message: unknown = Reflect.get(Object(received.json()), 'message')
              expect([received.status, message]).toEqual([
                500,
                `The reply's header '${name}' is not valid: its value is ${what} without a text; write a text, such as JSON.stringify(value)`,
              ])
            }
      },
    )

    ours('the peers hand on what Node says')(
      'names the header that cannot be written, and the character',
      async () => {
        const app = createApp()
        app.get('/value', (_request, reply) => reply.header('x-name', 'a 日').send('x'))
        app.get('/list', (_request, reply) => reply.header('set-cookie', ['a=1', 'b=\n2']).send({}))
        app.get('/stream', (_request, reply) => reply.header('x-name', '日').send(Readable.from(['x'])))
        app.get('/name', (_request, reply) => reply.header('x name', 'x').send('x'))
        const why = (character: string): string =>
          `the character ${character} cannot stand in its value; encode it (in a URL with encodeURI)`
        for (const [path, name, reason] of [
          ['/value', 'x-name', why('"日"')],
          ['/list', 'set-cookie', why('"\\n"')],
          ['/stream', 'x-name', why('"日"')],
          ['/name', 'x name', 'its name must be a token of letters, digits and hyphens'],
        ] as const) {
          const received = await send(app, { path })
          expect([received.status, received.json()]).toEqual([
            500,
            {
              statusCode: 500,
              code: 'CLO_ERR_REP_INVALID_HEADER',
              error: 'Internal Server Error',
              message: `The reply's header '${name}' is not valid: ${reason}`,
            },
          ])
        }
      },
    )
  },
)

describe('replies: the status line of a response to an invalid header', () => {
  const createApp = useApps()

  ours('the peers keep the reason of the response that failed')('has the reason of its status', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => reply.code(302).header('location', '/日').send())
    const { text } = await rawSocket(app, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/)
  })
})

describeTransports('replies: serializers', ({ createApp, send, it, expect }) => {
  it('uses a serializer of one reply', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.type('application/x-own').serializer((payload) => `own:${JSON.stringify(payload)}`)
      return { a: 1 }
    })
    const received = await send(app, { path: '/' })
    expect([received.text, received.headers['content-type']]).toEqual(['own:{"a":1}', 'application/x-own'])
  })

  it('prefers the serializer of a reply to the one of its context', async () => {
    const app = createApp()
    app.setReplySerializer(() => 'context')
    app.get('/context', () => ({ a: 1 }))
    app.get('/reply', (_request, reply) => void reply.serializer(() => 'reply').send({ a: 1 }))
    expect((await send(app, { path: '/context' })).text).toBe('context')
    expect((await send(app, { path: '/reply' })).text).toBe('reply')
  })

  it('serializes on demand as the route would', async () => {
    const app = createApp()
    const response = { 200: { type: 'object', properties: { a: { type: 'string' } } } }
    app.get('/', { schema: { response } }, (_request, reply) => ({
      a: String(reply.serialize({ a: 'x', b: 1 })),
    }))
    expect((await send(app, { path: '/' })).json()).toEqual({ a: '{"a":"x"}' })
  })

  it('responds with 500 when a serializer throws', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.serializer(() => {
        throw new Error('cannot write this')
      })
      return { a: 1 }
    })
    expect((await send(app, { path: '/' })).status).toBe(500)
  })
})

describeTransports(
  'replies: trailers',
  ({ transport, createApp, send, it, ours, since5, unlessFetch, expect }) => {
    const withTrailers = (test: Test = it): Test => unlessFetch('no Response has trailers', test)

    withTrailers()('sends trailers that are computed from the payload, by callback or promise', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        reply.trailer('x-sum', (_reply, payload, done) => {
          done(null, createHash('md5').update(String(payload)).digest('hex'))
        })
        reply.trailer('x-async', async () => 'later')
        return 'hello'
      })
      const received = await send(app, { path: '/' })
      expect(received.text).toBe('hello')
      expect(received.trailers).toEqual({
        'x-sum': createHash('md5').update('hello').digest('hex'),
        'x-async': 'later',
      })
      if (transport !== 'memory') expect(received.headers['transfer-encoding']).toBe('chunked')
      expect(received.headers['trailer']).toBe('x-sum x-async')
    })

    withTrailers()('knows and removes trailers', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        reply
          .trailer('x-kept', (_reply, _payload, done) => done(null, 'k'))
          .trailer('x-gone', async () => 'g')
        reply.removeTrailer('X-Gone')
        return { kept: reply.hasTrailer('x-kept'), gone: reply.hasTrailer('x-gone') }
      })
      const received = await send(app, { path: '/' })
      expect([received.json(), received.trailers]).toEqual([{ kept: true, gone: false }, { 'x-kept': 'k' }])
    })

    it('refuses names that may not be trailers, and values that are not functions', async () => {
      const app = createApp()
      app.get('/name', (_request, reply) => reply.trailer('content-length', async () => '1'))
      app.get('/value', (_request, reply) => Reflect.apply(reply.trailer, reply, ['x-ok', 'text']))
      expect((await send(app, { path: '/name' })).json()).toMatchObject({ code: code('BAD_TRAILER_NAME') })
      expect((await send(app, { path: '/value' })).json()).toMatchObject({ code: code('BAD_TRAILER_VALUE') })
    })

    withTrailers(ours('the peers never respond, and the process may end'))(
      'leaves out a trailer whose value cannot be sent, and logs it',
      async () => {
        const sink = createLogSink()
        const app = createApp({ logger: { stream: sink.stream } })
        app.get('/', (_request, reply) => {
          reply.trailer('x-lines', async () => 'one\ntwo').trailer('x-kept', async () => 'k')
          return 'hello'
        })
        const received = await send(app, { path: '/' })
        expect([received.text, received.trailers]).toEqual(['hello', { 'x-kept': 'k' }])
        const { msg } = await sink.line(/^the trailer 'x-lines' is left out/)
        expect(msg).toContain('"\\n" cannot stand in its value')
      },
    )

    ours('the peers never respond')('refuses a trailer whose name is no token', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => reply.trailer('x name', async () => '1'))
      expect((await send(app, { path: '/' })).json()).toMatchObject({ code: 'CLO_ERR_BAD_TRAILER_NAME' })
    })

    withTrailers(since5('4.x loses them'))('sends trailers after a stream', async () => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        reply.trailer('x-end', async (_reply, payload) => `reached with ${String(payload)}`)
        return reply.type('text/plain').send(Readable.from(['a', 'b']))
      })
      const received = await send(app, { path: '/' })
      expect([received.text, received.trailers]).toEqual(['ab', { 'x-end': 'reached with null' }])
    })
  },
)

describeTransports('replies: taking over', ({ createApp, send, overNode, since5, expect }) => {
  overNode('it writes to the raw response')(
    'sends nothing after hijack, whatever the handler returns',
    async () => {
      const app = createApp()
      let sent = 0
      app.addHook('onSend', async (_request, _reply, payload) => {
        sent += 1
        return payload
      })
      app.get('/', async (_request, reply) => {
        reply.hijack()
        reply.raw.end('by hand')
        return 'ignored'
      })
      expect((await send(app, { path: '/' })).text).toBe('by hand')
      expect(sent).toBe(0)
    },
  )

  overNode('it writes to the raw response')('stays away from a response that is taken over', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.hijack()
      reply.callNotFound()
      reply.raw.end('by hand')
    })
    const response = await send(app, { path: '/' })
    expect([response.status, response.text]).toEqual([200, 'by hand'])
  })

  overNode('it writes to the raw response')('stops the path when a hook takes over', async () => {
    const app = createApp()
    let handled = false
    app.addHook('preHandler', async (_request, reply) => {
      reply.hijack()
      reply.raw.end('hook')
    })
    app.get('/', () => {
      handled = true
      return 'handler'
    })
    expect((await send(app, { path: '/' })).text).toBe('hook')
    expect(handled).toBe(false)
  })

  overNode('it writes to the raw response')(
    'runs onResponse after a response that was written by hand',
    async () => {
      const app = createApp()
      const ran = createGate()
      app.addHook('onResponse', async () => ran.open())
      app.get('/', (_request, reply) => {
        reply.hijack()
        reply.raw.end('x')
      })
      await send(app, { path: '/' })
      await ran.promise
      expect(true).toBe(true)
    },
  )

  overNode('it writes to the raw response')('merges headers that were set on the raw response', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.raw.setHeader('x-raw', 'raw')
      reply.raw.setHeader('x-both', 'raw')
      reply.header('x-both', 'reply')
      return { all: reply.getHeaders() }
    })
    const received = await send(app, { path: '/' })
    expect(received.json()).toMatchObject({ all: { 'x-raw': 'raw', 'x-both': 'reply' } })
    expect([received.headers['x-raw'], received.headers['x-both']]).toEqual(['raw', 'reply'])
  })

  const removed = since5('4.x removes only what the reply has set')
  overNode('it writes to the raw response', removed)('removes headers that were set on it', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.raw.setHeader('x-raw', 'raw')
      reply.raw.setHeader('x-both', 'raw')
      reply.header('x-both', 'reply').removeHeader('X-Raw').removeHeader('x-both')
      return [reply.hasHeader('x-raw'), reply.hasHeader('x-both')]
    })
    const received = await send(app, { path: '/' })
    expect([received.json(), received.headers['x-raw'], received.headers['x-both']]).toEqual([
      [false, false],
      undefined,
      undefined,
    ])
  })
})

describeTransports('replies: the rest', ({ createApp, send, it, line4, unlessFetch, expect }) => {
  it('calls the not-found handler', async () => {
    const app = createApp()
    app.setNotFoundHandler((_request, reply) => void reply.code(404).send({ custom: true }))
    app.get('/', (_request, reply) => reply.callNotFound())
    app.get('/async', async (_request, reply) => reply.callNotFound())
    for (const path of ['/', '/async']) {
      const received = await send(app, { path })
      expect([received.status, received.json()]).toEqual([404, { custom: true }])
    }
  })

  ours('Fastify mixes two responses')(
    'sends the first response alone if callNotFound comes after it',
    async () => {
      const { lines, stream } = createLogSink()
      const app = createApp({ logger: { level: 'warn', stream } })
      const ran: string[] = []
      app.setNotFoundHandler(
        { preHandler: async () => void ran.push('preHandler') },
        (_request, reply) => void reply.code(404).send({ not: 'found' }),
      )
      app.addHook('onSend', async (_request, _reply, payload) => {
        await tick()
        return payload
      })
      const rest = createGate<string>()
      const chunks = async function* (): AsyncGenerator<string> {
        yield 'sen'
        yield await rest.promise
      }
      app.get('/text', (_request, reply) => void reply.send('sent').callNotFound())
      app.get('/stream', async (_request, reply) => {
        reply.send(Readable.from(chunks()))
        for (let turn = 0; turn < 5; turn++) await tick()
        reply.callNotFound()
        rest.open('t')
        return reply
      })
      for (const path of ['/text', '/stream']) {
        const response = await send(app, { path })
        expect([response.status, response.text]).toEqual([200, 'sent'])
      }
      expect(ran).toEqual([])
      expect(lines.map(({ err }) => Reflect.get(Object(err), 'code'))).toEqual([
        code('REP_ALREADY_SENT'),
        code('REP_ALREADY_SENT'),
      ])
    },
  )

  it('measures the time since the request came', async () => {
    const app = createApp()
    const measured = createGate<number>()
    app.addHook('onResponse', async (_request, reply) => measured.open(reply.elapsedTime))
    app.get('/', () => 'x')
    await send(app, { path: '/' })
    expect(await measured.promise).toBeGreaterThan(0)
  })

  line4('5.x has elapsedTime only')('measures by getResponseTime too', async () => {
    const app = createApp()
    const measured = createGate<number>()
    app.addHook('onResponse', async (_request, reply) => measured.open(reply.getResponseTime()))
    app.get('/', () => 'x')
    await send(app, { path: '/' })
    expect(await measured.promise).toBeGreaterThan(0)
  })

  it('can be awaited until the response has been sent', async () => {
    const app = createApp()
    const order: string[] = []
    const done = createGate()
    app.get('/', async (_request, reply) => {
      setImmediate(() => reply.send('x'))
      await reply
      order.push(`sent ${reply.sent}`)
      done.open()
    })
    await send(app, { path: '/' })
    await done.promise
    expect(order).toEqual(['sent true'])
  })

  it('knows its request, its instance and the logger of the request', async () => {
    const app = createApp()
    app.get('/', function (request, reply) {
      return [reply.request === request, reply.server === this, reply.log === request.log]
    })
    expect((await send(app, { path: '/' })).json()).toEqual([true, true, true])
  })

  unlessFetch('one request has one Response')('writes early hints', async () => {
    const app = createApp()
    app.get('/', async (_request, reply) => {
      if (typeof reply.writeEarlyHints === 'function')
        reply.writeEarlyHints({ link: '</style.css>; rel=preload' })
      await tick()
      return 'x'
    })
    expect((await send(app, { path: '/' })).text).toBe('x')
  })
})
