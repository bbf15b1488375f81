// What is thrown and is no Error: it is the response, unless a handler of the application responds.
import { Readable } from 'node:stream'
import { describe } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { describeTransports } from '../harness/transports.ts'

type AnyFunction = (...args: unknown[]) => unknown

const BAD = Object.freeze({ statusCode: 422, message: 'bad' })

const fail = (value: unknown): never => {
  throw value
}

/** Where an application can throw, pass or reject with something before and in its handler: place -> how. */
const PLACES: Readonly<Record<string, (app: App, value: unknown) => void>> = {
  'a handler': (app, value) => app.post('/', () => fail(value)),
  'an async handler': (app, value) => app.post('/', async () => fail(value)),
  'a parser': (app, value) => {
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser('application/json', () => fail(value))
    app.post('/', () => 'reached')
  },
  'a parser with done': (app, value) => {
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, _body, done) =>
      Reflect.apply(done, undefined, [value]),
    )
    app.post('/', () => 'reached')
  },
  'a validator': (app, value) => {
    const validatorCompiler = (): AnyFunction => () => fail(value)
    app.post('/', { schema: { body: {} }, validatorCompiler, handler: () => 'reached' })
  },
  'an error handler': (app, value) => {
    app.setErrorHandler(() => fail(value))
    app.register(async (child) => {
      child.setErrorHandler(() => fail(value))
      child.post('/', () => fail(new Error('first')))
    })
  },
}

for (const name of ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend']) {
  const isAboutPayload = name.startsWith('preP') || name.endsWith('Serialization') || name === 'onSend'
  const withDone = (value: unknown): AnyFunction =>
    isAboutPayload
      ? (_q, _r, _p, done) => Reflect.apply(Object(done), undefined, [value])
      : (_q, _r, done) => Reflect.apply(Object(done), undefined, [value])
  const add = (app: App, hook: AnyFunction): void => {
    // The response to the error passes the hooks of the payload again.
    let ran = false
    const once: AnyFunction = (...args) => {
      if (ran) return Promise.resolve()
      ran = true
      return hook(...args)
    }
    const shaped: AnyFunction = isAboutPayload ? (q, r, p, d) => once(q, r, p, d) : (q, r, d) => once(q, r, d)
    Reflect.apply(app.addHook, app, [name, shaped])
    app.post('/', () => ({ reached: true }))
  }
  Object.assign(PLACES, {
    [name]: (app: App, value: unknown) => add(app, () => fail(value)),
    [`${name}, async`]: (app: App, value: unknown) => add(app, async () => fail(value)),
    [`${name}, with done`]: (app: App, value: unknown) => add(app, withDone(value)),
  })
}

describeTransports('errors: thrown values', ({ createApp, send, it, ours, line4, expect }) => {
  const post = (app: App): ReturnType<typeof send> => send(app, { method: 'POST', path: '/', body: {} })

  for (const [place, throwFrom] of Object.entries(PLACES)) {
    // 4.x responds with 200 to what an error handler throws, and never to what a parser throws at once.
    const differs = place === 'an error handler' || place === 'a parser'
    const test = differs
      ? ours('the peers respond with 200 or nothing')
      : place === 'a validator'
        ? line4('5.x responds with 500')
        : it
    test(`are the response, with their status, from ${place}`, async () => {
      const app = createApp()
      throwFrom(app, { ...BAD })
      const response = await post(app)
      expect([response.status, response.json()]).toEqual([422, BAD])
    })
  }

  it('take the status of the reply where they have none, else 500', async () => {
    const app = createApp()
    app.get('/none', () => fail({ message: 'plain' }))
    app.get('/status', () => fail({ status: 404, message: 'plain' }))
    app.get('/success', () => fail({ statusCode: 200, message: 'plain' }))
    app.get('/reply', (_request, reply) => {
      reply.code(402)
      return fail({ message: 'plain' })
    })
    const status = async (path: string): Promise<number> => (await send(app, { path })).status
    expect(await status('/none')).toBe(500)
    expect(await status('/status')).toBe(404)
    expect(await status('/reply')).toBe(402)
    expect(await status('/success')).toBe(500)
  })

  it('are sent as what they are: text, JSON, bytes', async () => {
    const app = createApp()
    app.get('/text', () => fail('broken'))
    app.get('/number', () => fail(7))
    app.get('/array', () => fail([1, 2]))
    app.get('/bytes', () => fail(Buffer.from('broken')))
    const seen = async (path: string): Promise<unknown[]> => {
      const response = await send(app, { path })
      return [response.status, response.headers['content-type'], response.text]
    }
    expect(await seen('/text')).toEqual([500, 'text/plain; charset=utf-8', 'broken'])
    expect(await seen('/number')).toEqual([500, 'application/json; charset=utf-8', '7'])
    expect(await seen('/array')).toEqual([500, 'application/json; charset=utf-8', '[1,2]'])
    expect(await seen('/bytes')).toEqual([500, 'application/octet-stream', 'broken'])
  })

  it('are written by the response schema of their status', async () => {
    const app = createApp()
    const schema = { response: { '4xx': { type: 'object', properties: { message: { type: 'string' } } } } }
    app.get('/', { schema }, () => fail({ ...BAD, secret: 'left out' }))
    const response = await send(app, { path: '/' })
    expect([response.status, response.json()]).toEqual([422, { message: 'bad' }])
  })

  it('reach hooks and error handlers as they are', async () => {
    for (const value of [BAD, 'text', 7, Object.freeze({ status: 409 }), false]) {
      const app = createApp()
      const seen: unknown[] = []
      app.addHook('onError', async (_request, _reply, error) => void seen.push(error))
      app.setErrorHandler((error, _request, reply) => {
        seen.push(error)
        return reply.code(500).send({ by: 'handler' })
      })
      app.post('/', async () => fail(value))
      const response = await post(app)
      expect([response.status, response.json()]).toEqual([500, { by: 'handler' }])
      expect(seen).toEqual([value, value])
    }
  })

  ours('the peers wait, or run the handler')('become an Error when there is none', async () => {
    for (const value of [undefined, null]) {
      const app = createApp()
      let seen: unknown
      app.setErrorHandler((error) => {
        seen = error
        throw error
      })
      app.post('/', () => fail(value))
      const response = await post(app)
      expect([response.status, response.json()]).toMatchObject([
        500,
        { code: 'CLO_ERR_NON_ERROR_THROWN', statusCode: 500 },
      ])
      expect(seen).toMatchObject({ code: 'CLO_ERR_NON_ERROR_THROWN', cause: value })
    }
  })

  ours('the peers show everything')('are hidden above 499 when the app exposes no errors', async () => {
    const app = createApp({ exposeErrors: false })
    app.get('/own', () => fail({ statusCode: 503, message: 'secret' }))
    app.get('/none', () => fail({ message: 'secret' }))
    app.get('/text', () => fail('secret'))
    app.get('/client', () => fail(BAD))
    for (const path of ['/own', '/none', '/text']) {
      const response = await send(app, { path })
      expect([path, response.status >= 500, response.text]).toEqual([
        path,
        true,
        expect.not.stringContaining('secret'),
      ])
    }
    expect((await send(app, { path: '/client' })).json()).toEqual(BAD)
  })

  ours('the peers log the value')('are in the log as the cause of an error', async () => {
    const { lines, stream } = createLogSink()
    const app = createApp({ logger: { stream } })
    app.get('/', () => fail(BAD))
    await send(app, { path: '/' })
    const line = lines.find((one) => one['err'] !== undefined)
    expect(line).toMatchObject({ err: { code: 'CLO_ERR_NON_ERROR_THROWN', cause: BAD } })
  })
})

describe('errors: streams that end with a value', () => {
  const sources: Readonly<Record<string, (value: unknown, first: string) => unknown>> = {
    'a generator': (value, first) =>
      Readable.from(
        (async function* () {
          if (first !== '') yield first
          throw value
        })(),
      ),
    'a web stream': (value, first) =>
      new ReadableStream({
        start(controller) {
          if (first !== '') controller.enqueue(Buffer.from(first))
        },
        pull: (controller) => controller.error(value),
      }),
    'an aborted writer': (value, first) => {
      const { readable, writable } = new TransformStream()
      const writer = writable.getWriter()
      const written = first === '' ? Promise.resolve() : writer.write(Buffer.from(first))
      written.then(() => writer.abort(value)).catch(() => {})
      return readable
    },
  }

  describeTransports(
    'errors: payload streams',
    ({ createApp, send, it, ours, expect, transport }) => {
      for (const [source, make] of Object.entries(sources)) {
        for (const value of ['text', 7, { statusCode: 404 }, undefined, new Error('failed')]) {
          const test = value instanceof Error ? it : ours('the peers differ by the value')
          test(`respond with 500 when ${source} fails with ${String(value)} before its first byte`, async () => {
            const app = createApp()
            app.get('/', (_request, reply) => void reply.type('text/plain').send(make(value, '')))
            expect((await send(app, { path: '/' })).status).toBe(500)
          })

          // In-process there is no connection to cut.
          if (transport === 'in-process') continue
          test(`are cut off when ${source} fails with ${String(value)} after it`, async () => {
            const app = createApp()
            app.get('/', (_request, reply) => void reply.type('text/plain').send(make(value, 'first')))
            await expect(send(app, { path: '/' })).rejects.toThrow()
          })
        }
      }
    },
    ['in-process', 'socket'],
  )
})
