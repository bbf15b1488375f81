// What a handler can respond with, and what goes over the wire for it.
import { Readable } from 'node:stream'
import type { App, Handler } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { tick } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const BYTES_TYPE = 'application/octet-stream'

describeTransports('replies: ways to respond', ({ createApp, send, it, expect }) => {
  const ways: Record<string, Handler> = {
    'return a value': () => ({ a: 1 }),
    'return a promise': () => Promise.resolve({ a: 1 }),
    'async function': async () => {
      await tick()
      return { a: 1 }
    },
    'reply.send': (_request, reply) => void reply.send({ a: 1 }),
    'reply.send later': (_request, reply) => void setImmediate(() => reply.send({ a: 1 })),
    'return reply.send': (_request, reply) => reply.send({ a: 1 }),
    'async return reply.send': async (_request, reply) => reply.send({ a: 1 }),
    'async that sends and returns reply': async (_request, reply) => {
      setImmediate(() => reply.send({ a: 1 }))
      return reply
    },
    'async that sends and awaits reply': async (_request, reply) => {
      reply.send({ a: 1 })
      await reply
    },
    'async that sends without returning': async (_request, reply) => {
      reply.send({ a: 1 })
    },
  }
  for (const [way, handler] of Object.entries(ways)) {
    it(`responds by ${way}`, async () => {
      const app = createApp()
      app.get('/', handler)
      const response = await send(app, { path: '/' })
      expect([response.status, response.headers['content-type'], response.text]).toEqual([
        200,
        JSON_TYPE,
        '{"a":1}',
      ])
      expect(response.headers['content-length']).toBe('7')
    })
  }
})

describeTransports('replies: kinds of payloads', ({ createApp, send, it, since5, expect }) => {
  const responseOf = async (payload: unknown): Promise<[number, unknown, string]> => {
    const app = createApp()
    app.get('/sent', (_request, reply) => void reply.send(payload))
    const response = await send(app, { path: '/sent' })
    return [response.status, response.headers['content-type'], response.text]
  }

  it('sends values of JSON as JSON', async () => {
    expect(await responseOf({ a: [1, null, 'x'] })).toEqual([200, JSON_TYPE, '{"a":[1,null,"x"]}'])
    expect(await responseOf([1])).toEqual([200, JSON_TYPE, '[1]'])
    expect(await responseOf(7)).toEqual([200, JSON_TYPE, '7'])
    expect(await responseOf(false)).toEqual([200, JSON_TYPE, 'false'])
    expect(await responseOf(null)).toEqual([200, JSON_TYPE, 'null'])
  })

  it('sends a string as text', async () => {
    expect(await responseOf('héllo')).toEqual([200, TEXT_TYPE, 'héllo'])
    expect(await responseOf('')).toEqual([200, TEXT_TYPE, ''])
  })

  it('sends bytes as bytes', async () => {
    expect(await responseOf(Buffer.from('buf'))).toEqual([200, BYTES_TYPE, 'buf'])
    expect(await responseOf(new Uint8Array([104, 105]))).toEqual([200, BYTES_TYPE, 'hi'])
    expect(await responseOf(new Uint16Array([0x6968]))).toEqual([200, BYTES_TYPE, 'hi'])
  })

  it('sends a typed array that is a view of a larger buffer as that view', async () => {
    const whole = new Uint8Array([1, 104, 105, 2])
    expect((await responseOf(whole.subarray(1, 3)))[2]).toBe('hi')
  })

  it('sends nothing for undefined', async () => {
    expect(await responseOf(undefined)).toEqual([200, undefined, ''])
  })

  it('adds no type to a stream', async () => {
    expect(await responseOf(Readable.from(['one', 'two']))).toEqual([200, undefined, 'onetwo'])
  })

  it('sends a stream with the type that was set', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.type('text/plain').send(Readable.from(['one', 'two'])))
    const response = await send(app, { path: '/' })
    expect([response.text, response.headers['content-type']]).toEqual([
      'onetwo',
      expect.stringContaining('text/plain'),
    ])
  })

  it('sends a stream that an async handler returns', async () => {
    const app = createApp()
    app.get('/', async () => Readable.from([Buffer.from('bytes')]))
    expect((await send(app, { path: '/' })).text).toBe('bytes')
  })

  it('sends a web stream', async () => {
    const web = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('web '))
        controller.enqueue(new TextEncoder().encode('stream'))
        controller.close()
      },
    })
    const app = createApp()
    app.get('/', (_request, reply) => void reply.type('text/plain').send(web))
    expect((await send(app, { path: '/' })).text).toBe('web stream')
  })

  it('sends a Response with its status, headers and body', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.header('x-reply', 'kept')
      void reply.send(
        new Response('made', { status: 203, headers: { 'x-own': 'yes', 'content-type': 'text/html' } }),
      )
    })
    app.get(
      '/returned',
      async () => new Response('{"a":1}', { status: 201, headers: { 'content-type': 'application/json' } }),
    )
    const response = await send(app, { path: '/' })
    expect([response.status, response.text, response.headers['x-own'], response.headers['x-reply']]).toEqual([
      203,
      'made',
      'yes',
      'kept',
    ])
    expect(response.headers['content-type']).toBe('text/html')
    const returned = await send(app, { path: '/returned' })
    expect([returned.status, returned.json()]).toEqual([201, { a: 1 }])
  })

  it('sends a Response without a body', async () => {
    const app = createApp()
    app.get('/', async () => new Response(null, { status: 204 }))
    const response = await send(app, { path: '/' })
    expect([response.status, response.text]).toEqual([204, ''])
  })

  it('refuses a Response whose body was read', async () => {
    const app = createApp()
    app.get('/', async () => {
      const used = new Response('used')
      await used.text()
      return used
    })
    const response = await send(app, { path: '/' })
    expect([response.status, response.json()]).toMatchObject([
      500,
      { code: code('REP_RESPONSE_BODY_CONSUMED') },
    ])
  })

  it('serializes a string as JSON when the type says JSON and the response has a schema or serializer', async () => {
    const app = createApp()
    app.get(
      '/',
      (_request, reply) => void reply.type('application/json').serializer(JSON.stringify).send('text'),
    )
    expect((await send(app, { path: '/' })).text).toBe('"text"')
  })

  it('sends a string unchanged when its type is JSON and nothing else is set', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.type('application/json; charset=utf-8').send('{"raw":true}'))
    expect((await send(app, { path: '/' })).json()).toEqual({ raw: true })
  })

  since5('in 4.x it is an unhandled rejection')(
    'responds with 500 for a payload that onSend made into something that cannot be sent',
    async () => {
      const app = createApp()
      app.addHook('onSend', async () => ({ not: 'sendable' }))
      app.get('/', () => 'x')
      const response = await send(app, { path: '/' })
      expect([response.status, response.json()]).toMatchObject([
        500,
        { code: code('REP_INVALID_PAYLOAD_TYPE') },
      ])
    },
  )
})

describeTransports('replies: without a body', ({ createApp, send, it, expect }) => {
  it('sends no body and no length for 204 and 304', async () => {
    const app = createApp()
    app.get('/204', (_request, reply) => void reply.code(204).send())
    app.get('/304', (_request, reply) => void reply.code(304).send())
    for (const path of ['/204', '/304']) {
      const response = await send(app, { path })
      expect([response.status, response.text]).toEqual([Number(path.slice(1)), ''])
    }
    expect((await send(app, { path: '/204' })).headers['content-length']).toBeUndefined()
  })

  it('sends the length of 0 that was set for 204', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.code(204).header('content-length', '0').send())
    const response = await send(app, { path: '/' })
    expect([response.status, response.headers['content-length'], response.text]).toEqual([204, '0', ''])
  })

  it('drops a body that was given for 204', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.code(204).send({ dropped: true }))
    expect((await send(app, { path: '/' })).text).toBe('')
  })

  it('sends an empty 200 for an async handler without a value', async () => {
    const app = createApp()
    app.get('/', async () => undefined)
    const response = await send(app, { path: '/' })
    expect([response.status, response.text]).toEqual([200, ''])
  })

  it('responds to HEAD with the headers of GET and no body', async () => {
    const app = createApp({ exposeHeadRoutes: true })
    app.get('/', (_request, reply) => void reply.header('x-seen', 'yes').send({ a: 1 }))
    const response = await send(app, { method: 'HEAD', path: '/' })
    expect([response.status, response.text, response.headers['x-seen']]).toEqual([200, '', 'yes'])
    expect([response.headers['content-length'], response.headers['content-type']]).toEqual(['7', JSON_TYPE])
  })
})

describeTransports('replies: sent twice or never', ({ createApp, send, it, expect }) => {
  it('keeps the first response and logs the second', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.send('first')
      reply.send('second')
    })
    expect((await send(app, { path: '/' })).text).toBe('first')
  })

  it('ignores what an async handler returns after it sent', async () => {
    const app = createApp()
    app.get('/', async (_request, reply) => {
      reply.send('first')
      await tick()
      return 'second'
    })
    expect((await send(app, { path: '/' })).text).toBe('first')
  })

  it('goes on serving after a handler that throws when it has sent a response', async () => {
    const app = createApp()
    app.get('/', async (_request, reply) => {
      reply.send('first')
      throw new Error('too late')
    })
    expect((await send(app, { path: '/' })).text).toBe('first')
    expect((await send(app, { path: '/' })).text).toBe('first')
  })

  it('shows whether the response was sent', async () => {
    const app = createApp()
    const seen: boolean[] = []
    app.get('/', (_request, reply) => {
      seen.push(reply.sent)
      reply.send('x')
      seen.push(reply.sent)
    })
    await send(app, { path: '/' })
    expect(seen).toEqual([false, true])
  })
})

describeTransports('replies: streams that fail', ({ createApp, send, it, ours, expect }) => {
  const failing = (): Readable =>
    new Readable({
      read() {
        this.destroy(new Error('source broke'))
      },
    })

  it('responds with 500 when a stream fails before its first byte', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.send(failing()))
    const response = await send(app, { path: '/' })
    expect(response.status).toBe(500)
  })

  ours('the peers never respond')(
    'responds with 500 when a stream that is also read elsewhere fails with nothing',
    async () => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        const source = new Readable({ read() {}, autoDestroy: false })
        source.on('data', () => {})
        setImmediate(() => source.emit('error'))
        return reply.send(source)
      })
      expect((await send(app, { path: '/' })).status).toBe(500)
    },
  )

  ours('the peers do not close it')('destroys a stream that is not needed any more', async () => {
    const app: App = createApp()
    const source = Readable.from(['never read'])
    app.addHook('onSend', async () => {
      throw new Error('no')
    })
    app.get('/', (_request, reply) => void reply.send(source))
    const response = await send(app, { path: '/' })
    expect(response.status).toBe(500)
    await tick()
    expect(source.destroyed).toBe(true)
  })
})

describeTransports('replies: what web APIs take as a body', ({ createApp, send, it, ours, expect }) => {
  const REASON = 'the peers write it as {}'

  ours(REASON)('sends a Blob as bytes, with its type and length', async () => {
    const app = createApp()
    app.get('/typed', async () => new Blob(['a{}'], { type: 'text/css' }))
    app.get('/plain', async () => new Blob([new Uint8Array([1, 2])]))
    app.get('/named', (_request, reply) => void reply.type('image/png').send(new Blob(['abc'])))
    app.get('/schema', { schema: { response: { 200: { type: 'string' } } } }, async () => new Blob(['abc']))
    for (const [path, type, text] of [
      ['/typed', 'text/css', 'a{}'],
      ['/plain', BYTES_TYPE, '\u0001\u0002'],
      ['/named', 'image/png', 'abc'],
      ['/schema', BYTES_TYPE, 'abc'],
    ] as const) {
      const response = await send(app, { path })
      const { 'content-type': sent, 'content-length': length } = response.headers
      expect([response.status, sent, length, response.text]).toEqual([200, type, String(text.length), text])
    }
    const head = await send(app, { method: 'HEAD', path: '/typed' })
    expect([head.headers['content-length'], head.text]).toEqual(['3', ''])
  })

  ours(REASON)('sends URLSearchParams as a form', async () => {
    const app = createApp()
    app.get('/', async () => new URLSearchParams({ a: '1 2', b: 'ü' }))
    app.get('/text', (_request, reply) => void reply.type('text/plain').send(new URLSearchParams('a=1')))
    const form = await send(app, { path: '/' })
    expect([form.headers['content-type'], form.text]).toEqual([
      'application/x-www-form-urlencoded;charset=UTF-8',
      'a=1+2&b=%C3%BC',
    ])
    const text = await send(app, { path: '/text' })
    expect([text.headers['content-type'], text.text]).toEqual(['text/plain', 'a=1'])
  })

  it('passes them to a serializer of the application', async () => {
    const app = createApp()
    const kind = (payload: unknown): string => `own ${Object.prototype.toString.call(payload)}`
    app.get('/blob', (_request, reply) => void reply.serializer(kind).send(new Blob(['x'])))
    app.get('/map', (_request, reply) => void reply.serializer(kind).send(new Map()))
    app.register(async (child) => {
      child.setReplySerializer(kind)
      child.get('/params', (_request, reply) => void reply.send(new URLSearchParams('a=1')))
    })
    app.register(async (child) => {
      child.setSerializerCompiler(() => kind)
      child.get(
        '/set',
        { schema: { response: { 200: {} } } },
        (_request, reply) => void reply.send(new Set()),
      )
    })
    for (const [path, text] of [
      ['/blob', 'own [object Blob]'],
      ['/map', 'own [object Map]'],
      ['/params', 'own [object URLSearchParams]'],
      ['/set', 'own [object Set]'],
    ] as const) {
      expect((await send(app, { path })).text).toBe(text)
    }
  })
})

describeTransports('replies: values without JSON', ({ createApp, send, it, ours, expect }) => {
  const params = new URLSearchParams('a=1')
  const values: Record<string, [value: unknown, instead: string]> = {
    Map: [new Map([['a', 1]]), 'send Object.fromEntries(map), or [...map] where keys are no strings'],
    Set: [new Set([1]), 'send [...set]'],
    FormData: [new FormData(), 'send new Response(formData)'],
    Headers: [new Headers(), 'send Object.fromEntries(headers)'],
    'Array Iterator': [[1].values(), 'send [...iterator]'],
    RegExp: [/a/, 'send its source'],
  }
  for (const [name, [value, instead]] of Object.entries(values)) {
    ours('the peers write it as {}')(
      `responds with 500 that says what to send instead of a value of type ${name}`,
      async () => {
        const app = createApp()
        app.get('/', (_request, reply) => void reply.send(value))
        app.get('/schema', { schema: { response: { 200: { type: 'object' } } } }, (_request, reply) => {
          reply.send(value)
        })
        for (const path of ['/', '/schema']) {
          const response = await send(app, { path })
          expect([response.status, response.json()]).toEqual([
            500,
            {
              statusCode: 500,
              code: 'CLO_ERR_FAILED_SERIALIZATION',
              error: 'Internal Server Error',
              message:
                `The payload of GET ${path} for status 200 could not be serialized: ` +
                `a value of type ${name} has no JSON; ${instead}`,
            },
          ])
        }
      },
    )
  }

  const nothing = {
    'a function': () => 1,
    'a symbol': Symbol('x'),
    'an object whose toJSON returns nothing': { toJSON: () => undefined },
  }
  for (const [name, value] of Object.entries(nothing)) {
    ours('the peers send an empty body of the type JSON')(
      `responds with 500 that names ${name}`,
      async () => {
        const app = createApp()
        app.get('/', (_request, reply) => void reply.send(value))
        const response = await send(app, { path: '/' })
        expect([response.status, response.json()]).toMatchObject([
          500,
          { message: `The payload of GET / for status 200 could not be serialized: ${name} has no JSON` },
        ])
      },
    )
  }

  ours('the peers write it as {}')('responds with 500 for parameters that are called JSON', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.type('application/json').send(params))
    expect((await send(app, { path: '/' })).status).toBe(500)
  })

  it('writes objects of classes as before, empty ones too, and what has a toJSON', async () => {
    class Empty {
      readonly #hidden = 1
      get shown(): number {
        return this.#hidden
      }
    }
    class Listed extends Map<string, number> {
      toJSON(): object {
        return Object.fromEntries(this)
      }
    }
    const app = createApp()
    const payloads: Record<string, [unknown, string]> = {
      empty: [new Empty(), '{}'],
      bare: [Object.create(null), '{}'],
      plain: [{}, '{}'],
      listed: [new Listed([['a', 1]]), '{"a":1}'],
      none: [new Listed(), '{}'],
      url: [new URL('http://a.example/'), '"http://a.example/"'],
      date: [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    }
    app.get('/:name', (request, reply) => void reply.send(payloads[request.params['name'] ?? '']?.[0]))
    for (const [name, [, text]] of Object.entries(payloads)) {
      expect((await send(app, { path: `/${name}` })).text).toBe(text)
    }
  })

  it('lets preSerialization make JSON of them', async () => {
    const app = createApp()
    app.addHook('preSerialization', async (_request, _reply, payload: unknown) =>
      payload instanceof Map ? Object.fromEntries(payload) : payload,
    )
    app.get('/', (_request, reply) => void reply.send(new Map([['a', 1]])))
    expect((await send(app, { path: '/' })).json()).toEqual({ a: 1 })
  })
})
