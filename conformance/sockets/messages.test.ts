import { websocket } from '@cloister/websocket'
import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { LANES, connect, useSocketApps } from './client.ts'

const TEXT = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const

const create = useSocketApps()

describe.each(Object.entries(LANES))('messages of a WebSocket (%s)', (_lane, options) => {
  it('are parsed, validated and typed; what is sent is filtered', async () => {
    const { app } = await create(options)
    app.ws('/echo/:room', { schema: { incoming: TEXT, outgoing: TEXT } }, async (socket, request) => {
      for await (const { text } of socket) {
        const message = { text: `${request.params.room}: ${text}`, secret: 'not declared' }
        await socket.send(message)
      }
    })
    const origin = await app.listen({ port: 0 })
    const client = await connect(origin, '/echo/blue')
    client.send({ text: 'one' })
    client.send({ text: 'two' })
    expect([await client.next(), await client.next()]).toEqual([{ text: 'blue: one' }, { text: 'blue: two' }])
    client.socket.close()
    expect(await client.closed).toBe('1005')
  })

  it('that do not fit their schema close the socket with 1008, and the log has route, number and path', async () => {
    const { app, lines } = await create(options)
    const seen: unknown[] = []
    app.ws('/strict', { schema: { incoming: TEXT } }, async (socket) => {
      for await (const message of socket) seen.push(message)
    })
    const origin = await app.listen({ port: 0 })
    const client = await connect(origin, '/strict')
    client.send({ text: 'good' })
    client.send({ text: 5 })
    client.send({ text: 'late' })
    expect(await client.closed).toBe('1008 message 2: /text must be string')
    expect(seen).toEqual([{ text: 'good' }])
    expect(lines).toContainEqual(
      expect.objectContaining({ route: 'GET /strict', message: 2, path: '/text', code: 1008 }),
    )
  })

  it.each([
    ['no JSON', '{', '1007 message 1: is no JSON'],
    ['a key that poisons prototypes', '{"__proto__":{}}', '1007 message 1: is no JSON'],
    ['binary', Buffer.from('{}'), '1003 message 1: is binary; messages are JSON, as text'],
    ['too large', `"${'x'.repeat(100)}"`, '1009'],
  ])('that are %s close the socket with the code for it', async (_what, data, close) => {
    const { app } = await create(options)
    app.ws('/', { maxPayload: 64 }, async (socket) => {
      for await (const _ of socket);
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.socket.send(data)
    expect(await client.closed).toBe(close)
  })

  it('that the application cannot write are an error for the handler, which closes the socket with 1011', async () => {
    const { app, lines } = await create(options)
    const outgoing: object = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    app.ws('/', { schema: { outgoing } }, async (socket) => {
      await socket.send({ m: 1 })
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    expect(await client.closed).toBe('1011 the handler failed')
    expect(JSON.stringify(lines)).toContain('CLO_ERR_SOCKET_MESSAGE_INVALID')
  })
})

describe('messages of a WebSocket', () => {
  it('are never coerced, also where bodies are', async () => {
    const { app } = await create()
    app.post('/', { schema: { body: { n: { type: 'integer' } } } }, (request) => request.body)
    app.ws('/', { schema: { incoming: { n: { type: 'integer', default: 1 } } } }, async (socket) => {
      for await (const message of socket) await socket.send(message)
    })
    const posted = await app.inject({ method: 'POST', url: '/', payload: { n: '5' } })
    expect(posted.json()).toEqual({ n: 5 })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.send({})
    expect(await client.next()).toEqual({ n: 1 })
    client.send({ n: '5' })
    expect(await client.closed).toBe('1008 message 2: /n must be integer')
  })

  it('may have shared schemas, and those of libraries, whose output the handler reads', async () => {
    const { app } = await create()
    const shared = app.addSchema({ ...TEXT, $id: 'text' })
    const at = z.object({ at: z.string().transform((text) => new Date(text)) })
    shared.ws(
      '/shared',
      { schema: { incoming: { $ref: 'text#' }, outgoing: { $ref: 'text#' } } },
      async (socket) => {
        for await (const { text } of socket) await socket.send({ text: text.toUpperCase() })
      },
    )
    shared.ws('/zod', { schema: { incoming: at, outgoing: z.object({ year: z.int() }) } }, async (socket) => {
      for await (const message of socket) await socket.send({ year: message.at.getUTCFullYear() })
    })
    const origin = await app.listen({ port: 0 })
    const first = await connect(origin, '/shared')
    first.send({ text: 'hi' })
    expect(await first.next()).toEqual({ text: 'HI' })
    const second = await connect(origin, '/zod')
    second.send({ at: '2026-11-23T00:00:00Z' })
    expect(await second.next()).toEqual({ year: 2026 })
    second.send({ at: 1 })
    expect(await second.closed).toMatch(/^1008 message 2: \/at /)
  })

  it('are validated in their order by a library that takes its time', async () => {
    const { app } = await create()
    const incoming = z.object({
      n: z.number().refine(async (n) => {
        await new Promise((resolve) => setTimeout(resolve, n === 1 ? 20 : 0))
        return n < 3
      }),
    })
    app.ws('/', { schema: { incoming } }, async (socket) => {
      for await (const message of socket) await socket.send(message.n)
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.send({ n: 1 })
    client.send({ n: 2 })
    expect([await client.next(), await client.next()]).toEqual([1, 2])
    client.send({ n: 3 })
    expect(await client.closed).toMatch(/^1008 message 3: \/n /)
  })

  it.each<[string, (value: unknown) => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('connect ECONNREFUSED 10.0.0.5')
      },
      '1011 message 1: could not be validated',
    ],
    [
      'rejects',
      async () => {
        throw new Error('connect ECONNREFUSED 10.0.0.5')
      },
      '1011 message 1: could not be validated',
    ],
    [
      'rejects with nothing',
      async () => {
        throw undefined
      },
      '1011 message 1: could not be validated',
    ],
    [
      'rejects with a list',
      async () => {
        throw Object.assign(new Error('too many'), { errors: [{ message: 'too many' }] })
      },
      '1008 message 1: too many',
    ],
    [
      'rejects with status 400',
      async () => {
        throw Object.assign(new Error('taken'), { statusCode: 400 })
      },
      '1008 message 1: taken',
    ],
  ])(
    'whose validator %s: a failure is no mistake of the client, and is logged',
    async (_what, validate, close) => {
      const { app, lines } = await create()
      const incoming = { '~standard': { version: 1, vendor: 'own', validate } }
      app.ws('/', { schema: { incoming } } as object, async (socket) => {
        for await (const _ of socket);
      })
      const client = await connect(await app.listen({ port: 0 }), '/')
      client.send({ n: 1 })
      expect(await client.closed).toBe(close)
      const logged = JSON.stringify(lines).includes('ECONNREFUSED')
      expect(logged).toBe(_what === 'throws' || _what === 'rejects')
    },
  )

  it.each(['incomming', 'Incoming', 'outgoin'])(
    'with a misspelt schema would be checked by none, so the route is refused: %s',
    async (part) => {
      const { app } = await create()
      expect(() => app.ws('/', { schema: { [part]: TEXT } } as object, async () => {})).toThrow(
        /unknown option 'schema\.\w+'; did you mean '(?:incoming|outgoing)'/,
      )
    },
  )

  it('are refused altogether by the schema false', async () => {
    const { app } = await create()
    app.ws('/', { schema: { incoming: false, outgoing: { type: 'integer' } } }, async (socket) => {
      await socket.send(1)
      await socket.closed
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    expect(await client.next()).toBe(1)
    client.send({})
    expect(await client.closed).toBe('1008 message 1: boolean schema is false')
  })

  it('use the validator compiler of the application, where it has one', async () => {
    const { app } = await create()
    const parts: unknown[] = []
    app.setValidatorCompiler(({ httpPart }) => {
      parts.push(httpPart)
      return (value: unknown) => (value === 'even' ? { value: 'EVEN' } : { error: new Error('is odd') })
    })
    app.ws('/', { schema: { incoming: { type: 'string' } } }, async (socket) => {
      for await (const message of socket) await socket.send(message)
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.send('even')
    expect(await client.next()).toBe('EVEN')
    client.send('odd')
    expect(await client.closed).toBe('1008 message 2: is odd')
    expect(parts).toEqual(['incoming'])
  })

  it('with a schema that cannot be compiled stop the start, and the error names the route', async () => {
    const app = await cloister().register(websocket)
    app.ws('/bad', { schema: { incoming: { $ref: 'nowhere#' } } } as never, async () => {})
    await expect(app.ready()).rejects.toThrow(/GET: \/bad, due to error .*nowhere.*\(incoming, defined at/s)
  })
})
