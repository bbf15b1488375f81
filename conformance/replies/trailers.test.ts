// The values of trailers: what is sent, what is left out, and what the log says of it.
import { Readable } from 'node:stream'
import { afterEach, vi } from 'vitest'
import type { LogSink } from '../harness/log-lines.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { createGate, tick, watchTimers } from '../harness/time.ts'
import { describeTransports, nodeTransports } from '../harness/transports.ts'
import type { Test } from '../harness/transports.ts'

describeTransports('replies: values of trailers', ({ createApp, send, it, ours, unlessFetch, expect }) => {
  const warnings = async (sink: LogSink): Promise<unknown[]> => {
    await sink.line('request completed')
    return sink.lines.filter(({ level }) => level === 40).map(({ msg }) => msg)
  }
  const withTrailers = (test: Test = it): Test => unlessFetch('no Response has trailers', test)

  withTrailers()('sends numbers and booleans as text', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    const values: Record<string, unknown> = {
      'x-zero': 0,
      'x-number': 7.5,
      'x-big': 12n,
      'x-false': false,
    }
    app.get('/', (_request, reply) => {
      for (const [name, value] of Object.entries(values)) {
        reply.trailer(name, (_reply, _payload, done) => Reflect.apply(done, null, [null, value]))
      }
      reply.trailer('x-promised', () => Promise.resolve(42))
      return 'x'
    })
    expect((await send(app, { path: '/' })).trailers).toEqual({
      'x-zero': '0',
      'x-number': '7.5',
      'x-big': '12',
      'x-false': 'false',
      'x-promised': '42',
    })
    expect(await warnings(sink)).toEqual([])
  })

  withTrailers(ours('4.x and 5.x omit the blank in-process'))(
    'joins the values of a list by commas',
    async () => {
      const app = createApp()
      const list = (): unknown => Promise.resolve(['a', 1])
      app.get('/', (_request, reply) => reply.trailer('x-list', list).send('x'))
      expect((await send(app, { path: '/' })).trailers).toEqual({ 'x-list': 'a, 1' })
    },
  )

  withTrailers(ours('4.x and 5.x wait without end'))('takes a value that is returned at once', async () => {
    const app = createApp()
    app.get('/', (_request, reply) =>
      reply.trailer('x-sum', (_reply, payload) => `of ${String(payload)}`).send('x'),
    )
    expect((await send(app, { path: '/' })).trailers).toEqual({ 'x-sum': 'of x' })
  })

  withTrailers(ours('4.x and 5.x send the words undefined and null'))(
    'leaves out a trailer without a value, and logs nothing',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      app.get('/', (_request, reply) =>
        reply
          .trailer('x-undefined', (_reply, _payload, done) => done(null))
          .trailer('x-null', async () => null)
          .trailer('x-empty', async () => '')
          .trailer('x-kept', async () => 'k')
          .send('x'),
      )
      expect((await send(app, { path: '/' })).trailers).toEqual({ 'x-kept': 'k' })
      expect(await warnings(sink)).toEqual([])
    },
  )

  withTrailers(ours('4.x and 5.x wait for ever'))(
    'waits for no function that returns nothing and cannot call back',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      app.get('/', (_request, reply) =>
        reply
          .trailer('x-none', () => undefined)
          .trailer('x-two', (_reply, _payload) => undefined)
          .trailer('x-kept', async () => 'k')
          .send('x'),
      )
      expect((await send(app, { path: '/' })).trailers).toEqual({ 'x-kept': 'k' })
      expect(await warnings(sink)).toEqual([
        expect.stringMatching(/'x-none' is left out: .* takes no 'done'/),
        expect.stringMatching(/'x-two' is left out: .* takes no 'done'/),
      ])
    },
  )

  withTrailers(ours('4.x and 5.x wait for ever'))(
    'waits for a function that never calls back until the handler is out of time',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream }, handlerTimeout: 60, writeTimeout: 0 })
      app.get('/', (_request, reply) => reply.trailer('x-late', (_reply, _payload, _done) => {}).send('x'))
      expect(await send(app, { path: '/' })).toMatchObject({ status: 200, text: 'x', trailers: {} })
      expect(await warnings(sink)).toEqual([
        expect.stringMatching(/'x-late' is left out: .* 60 ms \(handlerTimeout\)/),
      ])
    },
  )

  withTrailers(ours('they have no such option'))(
    'are no obstacle to the 503 of a stream that yields nothing',
    async () => {
      const app = createApp({ handlerTimeout: 60 })
      app.get('/', (_request, reply) => {
        reply.trailer('x-sum', async () => 'sum')
        return reply.send(new Readable({ read: () => {} }))
      })
      const response = await send(app, { path: '/' })
      expect([response.status, response.json()]).toMatchObject([503, { statusCode: 503 }])
    },
  )

  withTrailers(ours('4.x and 5.x send [object Object]'))(
    'leaves out a value that has no text, and logs its type',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      app.get('/', (_request, reply) =>
        reply
          .trailer('x-object', async () => ({ a: 1 }))
          .trailer('x-nested', async () => ['a', null])
          .trailer('x-hole', async () => [undefined, 'a'])
          .trailer('x-bare', async () => Object.create(null))
          .send('x'),
      )
      expect((await send(app, { path: '/' })).trailers).toEqual({})
      expect(await warnings(sink)).toEqual([
        "the trailer 'x-object' is left out: its value is of type object",
        "the trailer 'x-nested' is left out: its value is of type null",
        "the trailer 'x-hole' is left out: its value is of type undefined",
        "the trailer 'x-bare' is left out: its value is of type object",
      ])
    },
  )

  withTrailers()('leaves out a value that comes together with an error', async () => {
    const app = createApp()
    app.get('/', (_request, reply) =>
      reply
        .trailer('x-failed', (_reply, _payload, done) => done(new Error('no'), 'value'))
        .trailer('x-kept', async () => 'k')
        .send('x'),
    )
    expect((await send(app, { path: '/' })).trailers).toEqual({ 'x-kept': 'k' })
  })

  withTrailers()('waits for a value as long as it takes where writeTimeout is 0', async () => {
    const app = createApp({ writeTimeout: 0 })
    app.get('/', (_request, reply) =>
      reply.trailer('x-late', (_reply, _payload, done) => void setTimeout(done, 30, null, 'late')).send('x'),
    )
    expect((await send(app, { path: '/' })).trailers).toEqual({ 'x-late': 'late' })
  })
})

describeTransports(
  'replies: trailers of a client that has gone',
  ({ createApp, ours, expect }) => {
    afterEach(() => void vi.restoreAllMocks())

    ours('4.x and 5.x have no time limit for trailers')('have no timer any more', async () => {
      const app = createApp({ writeTimeout: 5000 })
      const gone = createGate()
      app.get('/', (_request, reply) => {
        reply.raw.once('close', () => gone.open())
        return reply.trailer('x-mute', () => void setImmediate(() => reply.raw.destroy())).send('x')
      })
      await app.ready()
      const timers = watchTimers(5000)
      await Promise.race([app.inject('/').catch(() => null), gone.promise])
      expect(timers.started()).toBeGreaterThan(0)
      // Node tells others about the end first; only the number of turns depends on the machine.
      for (let turn = 0; turn < 100 && timers.running() > 0; turn += 1) await tick()
      expect(timers.running()).toBe(0)
    })
  },
  ['in-process'],
)

describeTransports(
  'replies: a head that cannot be written, with trailers',
  ({ createApp, send, ours, expect }) => {
    for (const field of ['a reason phrase', 'a header', 'both'])
      ours('they end the process')(`is a 500: ${field}`, async () => {
        const app = createApp()
        app.get('/', (_request, reply) => {
          reply.trailer('x-sum', async () => 'sum')
          if (field !== 'a header') reply.raw.statusMessage = 'a\r\nb'
          if (field !== 'a reason phrase') reply.header('x-v', 'a\r\nb')
          return 'x'
        })
        const response = await send(app, { path: '/' })
        expect([response.status, response.json()]).toMatchObject([500, { statusCode: 500 }])
      })
  },
  nodeTransports('the raw response has a reason phrase'),
)
