// Functions that fail after they have called `done`: the first call counts, and the error does not get lost.
import { createLogSink } from '../harness/log-lines.ts'
import { describeTransports } from '../harness/transports.ts'

const REASON = 'the peers log nothing, or let the second call count'
const LATE = "failed after it had called 'done'; its error has no effect any more. Call 'done' once, and last"

describeTransports('errors after done', ({ createApp, send, expect, ours }) => {
  ours(REASON)('logs who failed late, with the error, and goes on by the first call', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    app.addHook('onRequest', function twice(_request, _reply, done) {
      done()
      done(new Error('called again'))
    })
    app.addHook('preHandler', function thrower(_request, _reply, done) {
      done()
      throw new Error('thrown')
    })
    app.addHook('onSend', function rejecter(_request, _reply, payload, done) {
      done(null, payload)
      return Promise.reject(new Error('rejected'))
    })
    app.addContentTypeParser('text/own', (_request, payload, done) => {
      Object(payload).resume()
      done(null, 'first')
      done(new Error('parsed again'))
    })
    app.register(function slow(_child, _options, done) {
      done()
      done(new Error('loaded again'))
    })
    app.addHook('onReady', function ready(done) {
      done()
      done(new Error('ready again'))
    })
    app.post('/', {
      preValidation: function ofRoute(_request, _reply, done) {
        done()
        done(new Error('of the route'))
      },
      handler: (request) => ({ body: request.body }),
    })
    const headers = { 'content-type': 'text/own' }
    const response = await send(app, { method: 'POST', path: '/', headers, body: 'text' })
    expect([response.status, response.json()]).toEqual([200, { body: 'first' }])
    for (const [who, message, isOfRequest] of [
      ["onRequest hook 'twice', added at", 'called again', true],
      ["preHandler hook 'thrower', added at", 'thrown', true],
      ["onSend hook 'rejecter', added at", 'rejected', true],
      ["preValidation hook 'ofRoute', added at", 'of the route', true],
      ["parser of 'text/own', added at", 'parsed again', true],
      ["plugin 'slow' \\(root > slow\\), registered at", 'loaded again', false],
      ["onReady hook 'ready', added at", 'ready again', false],
    ] as const) {
      const line = await sink.line(new RegExp(`^the ${who} .*late-errors\\.test\\.ts:\\d+, ${LATE}$`))
      expect(line).toMatchObject({ level: 40, err: { message } })
      expect('reqId' in line).toBe(isOfRequest)
    }
  })

  ours(REASON)('says nothing of a second call without an error', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    app.addHook('onRequest', (_request, _reply, done) => {
      done()
      done()
    })
    app.get('/', () => 'x')
    expect((await send(app, { path: '/' })).text).toBe('x')
    await sink.line('request completed')
    expect(sink.lines.filter(({ level }) => Number(level) > 30)).toEqual([])
  })
})
