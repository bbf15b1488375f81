// Errors after the response has begun, or after its client has gone, and hooks that observe errors.
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogSink } from '../harness/log-lines.ts'
import { isPeer } from '../harness/subject.ts'
import { createGate, tick } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

const BEGUN = 'the request failed after its response had begun'
const GONE = 'the request failed after its client had gone; the response is discarded'

const messageOf = (error: unknown): string => String(Object(error).message)

describeTransports(
  'errors after the response has begun',
  ({ createApp, send, it, ours, expect }) => {
    for (const [name, way, message] of [
      ['in part', 'write', BEGUN],
      ['as a whole', 'end', BEGUN],
      ['and cut', 'destroy', GONE],
    ] as const) {
      ours('4.x and 5.x log it in other words')(`are logged where it was sent ${name}`, async () => {
        const sink = createLogSink()
        const app = createApp({ logger: { stream: sink.stream } })
        app.get('/', (_request, reply) => {
          if (way === 'destroy') reply.raw.destroy()
          else reply.raw[way]('sent')
          throw new Error('late')
        })
        const outcome = await send(app, { path: '/' }).then(
          ({ text }) => text,
          () => 'cut',
        )
        expect(outcome).toBe(way === 'end' ? 'sent' : 'cut')
        expect(await sink.line(message)).toMatchObject({
          level: way === 'destroy' ? 50 : 40,
          err: { message: 'late' },
        })
      })
    }

    for (const second of ['sends', 'returns', 'throws', 'is silent'])
      it(`go to hooks and handlers, and cut the response: the error handler ${second}`, async () => {
        const app = createApp()
        const seen: string[] = []
        app.addHook('onError', async (_request, _reply, error) => void seen.push(`hook ${messageOf(error)}`))
        app.setErrorHandler(async (error, _request, reply) => {
          seen.push(`handler ${messageOf(error)}`)
          if (second === 'sends') await reply.code(400).send('sent')
          if (second === 'throws') throw error
          return second === 'returns' ? 'returned' : undefined
        })
        app.get('/', (_request, reply) => {
          reply.raw.write('begun')
          throw new Error('late')
        })
        // The peers leave the response open for ever.
        if (second === 'is silent' && isPeer) return
        expect(await send(app, { path: '/' }).catch(() => 'cut')).toBe('cut')
        // The peers call the hooks again with the error that the reply of the handler causes.
        expect(isPeer ? seen.slice(0, 2) : seen).toEqual(['hook late', 'handler late'])
      })

    it('can be written by an error handler that ends the raw response', async () => {
      const app = createApp()
      app.setErrorHandler((error, _request, reply) => {
        reply.raw.end(`, then ${messageOf(error)}`)
      })
      app.get('/', async (_request, reply) => {
        reply.raw.write('begun')
        throw new Error('late')
      })
      expect((await send(app, { path: '/' })).text).toBe('begun, then late')
    })

    it('run no hooks where the raw response was ended', async () => {
      const app = createApp()
      const seen: string[] = []
      app.addHook('onError', async () => void seen.push('onError'))
      app.setErrorHandler(() => 'handler')
      app.get('/', async (_request, reply) => {
        reply.raw.end('ended')
        throw new Error('late')
      })
      expect((await send(app, { path: '/' })).text).toBe('ended')
      expect(seen).toEqual([])
    })

    ours('4.x and 5.x log more lines')('are logged once each', async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      app.setErrorHandler(async (_error, _request, reply) => reply.code(400).send('sent'))
      app.addHook('onSend', async (request) => {
        if (request.url === '/two') throw new Error('second')
      })
      for (const path of ['/one', '/two'])
        app.get(path, (_request, reply) => {
          reply.raw.write('begun')
          throw new Error('first')
        })
      const logged = async (path: string): Promise<string[]> => {
        sink.lines.length = 0
        await send(app, { path }).catch(() => 'cut')
        const errors = sink.lines.filter(({ level }) => Number(level) > 30)
        return errors.map(({ err }) => messageOf(err))
      }
      expect(await logged('/one')).toEqual(['first'])
      // The hook throws for the reply of the error handler, and for that of the framework.
      expect(await logged('/two')).toEqual(['first', 'second', 'second'])
    })
  },
  ['in-process', 'socket'],
)

describeTransports('validation that ends after the response', ({ createApp, send, ours, expect }) => {
  for (const late of ['params', 'body'])
    ours('4.x has no handlerTimeout, and 5.x begins a second response')(
      `is only logged where the ${late} are invalid`,
      async () => {
        const sink = createLogSink()
        const app = createApp({ logger: { stream: sink.stream }, handlerTimeout: 20 })
        const gate = createGate()
        const seen: string[] = []
        app.setErrorHandler((error, _request, reply) => {
          seen.push(messageOf(error))
          return reply.code(503).send('timed out')
        })
        const schema = { params: { type: 'object' }, body: { type: 'object' } }
        app.post('/:id', {
          schema,
          validatorCompiler: ({ httpPart }: { httpPart: string }) =>
            httpPart === 'params'
              ? () => gate.promise.then(() => ({ error: late === 'params' ? new Error('invalid') : null }))
              : () => ({ error: new Error('invalid') }),
          handler: () => 'ran',
        })
        const response = await send(app, { method: 'POST', path: '/1', body: {} })
        expect(response).toMatchObject({ status: 503, text: 'timed out' })
        gate.open()
        expect(await sink.line('the request failed after the response was sent')).toMatchObject({
          level: 50,
          err: { message: expect.stringContaining('invalid') },
        })
        expect(seen).toHaveLength(1)
      },
    )
})

describeTransports('onError hooks', ({ createApp, send, ours, expect }) => {
  ours('4.x and 5.x wait for the call of done')(
    'run one after the other, each once, whatever they return',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      const seen: string[] = []
      app.addHook('onError', async () => void seen.push('async'))
      app.addHook('onError', (_request, _reply, _error) => void seen.push('returns'))
      app.addHook('onError', (_request, _reply, _error, done) => {
        seen.push('calls back')
        done()
      })
      app.addHook('onError', async () => void seen.push('last'))
      app.get('/', () => {
        throw new Error('broken')
      })
      const expected = ['async', 'returns', 'calls back', 'last']
      expect((await send(app, { path: '/' })).json()).toMatchObject({ message: 'broken' })
      expect(seen).toEqual(expected)
      expect(sink.lines.filter(({ msg }) => msg === 'onError hook failed')).toEqual([])
    },
  )

  ours('4.x and 5.x log nothing')('that fail are logged, and the next one runs', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    const seen: string[] = []
    app.addHook('onError', () => {
      throw new Error('thrown')
    })
    app.addHook('onError', async () => Promise.reject(new Error('rejected')))
    app.addHook('onError', async () => void seen.push('last'))
    app.get('/', () => {
      throw new Error('broken')
    })
    expect((await send(app, { path: '/' })).json()).toMatchObject({ message: 'broken' })
    const failures = sink.lines.filter(({ msg }) => msg === 'onError hook failed')
    expect(failures.map(({ err }) => Object(err).message)).toEqual(['thrown', 'rejected'])
    expect(seen).toEqual(['last'])
  })

  ours('4.x and 5.x end the process')('get a response to an error that cannot be read', async () => {
    const app = createApp()
    app.addHook('onError', async () => undefined)
    app.get('/', () => {
      const broken = new Error('broken')
      for (const key of ['message', 'statusCode', 'code', 'headers']) {
        Object.defineProperty(broken, key, {
          get: () => {
            throw new Error('unreadable')
          },
        })
      }
      throw broken
    })
    const response = await send(app, { path: '/' })
    expect([response.status, response.json()]).toMatchObject([
      500,
      { message: expect.stringContaining('an error that cannot be read') },
    ])
  })
})

describeTransports('a second error', ({ createApp, send, ours, expect }) => {
  for (const hook of ['none', 'synchronous', 'asynchronous'])
    for (const handler of ['none', 'synchronous', 'asynchronous'])
      for (const second of ['throws', 'returns'])
        ours('there the second one can win')(
          `does not replace the first: onError ${hook}, error handler ${handler}, the handler ${second}`,
          async () => {
            const app = createApp()
            const seen: unknown[] = []
            if (hook === 'synchronous')
              app.addHook('onError', (_request, _reply, error, done) => {
                seen.push(Object(error).message)
                done()
              })
            if (hook === 'asynchronous')
              app.addHook('onError', async (_request, _reply, error) => {
                await sleep(5)
                seen.push(Object(error).message)
              })
            if (handler === 'synchronous')
              app.setErrorHandler((error, _request, reply) => reply.send({ message: error.message }))
            if (handler === 'asynchronous')
              app.setErrorHandler(async (error) => {
                await sleep(5)
                return { message: error.message }
              })
            app.get('/', async (_request, reply) => {
              reply.send(new Error('first'))
              if (second === 'throws') throw new Error('second')
              return { message: 'a value' }
            })
            expect((await send(app, { path: '/' })).json()).toMatchObject({ message: 'first' })
            expect(seen).toEqual(hook === 'none' ? [] : ['first'])
          },
        )

  ours('they have no such option')('of a deadline gets its response while onError still runs', async () => {
    const app = createApp({ handlerTimeout: 40 })
    const seen: unknown[] = []
    const ended = createGate()
    app.addHook('onError', async () => {
      await sleep(150)
      ended.open()
    })
    app.setErrorHandler((error, _request, reply) => {
      seen.push(error.message)
      return reply.send({ message: error.message })
    })
    app.get('/', async () => Promise.reject(new Error('first')))
    const response = await send(app, { path: '/' })
    expect(response.json()).toMatchObject({ message: expect.stringContaining('40 ms') })
    await ended.promise
    await tick()
    expect(seen).toHaveLength(1)
  })
})
