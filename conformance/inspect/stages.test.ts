// `observeStages`: what a request runs, stage by stage.
import { cloister } from 'cloister'
import type { Cloister } from 'cloister'
import { observeStages } from 'cloister/inspect'
import { describe, expect, it } from 'vitest'

interface Observed {
  readonly app: Cloister
  readonly seen: string[]
}

function observedApp(): Observed {
  const app = cloister()
  const seen: string[] = []
  observeStages(app, (stage, { method, url }, hook) => {
    if (hook === undefined) seen.push(`${method} ${url} ${stage}`)
  })
  app.addHook('onRequest', async () => {})
  app.get('/', () => ({ hello: 'world' }))
  const body = { type: 'object', properties: { a: { type: 'integer' } } } as const
  app.post('/', { schema: { body } }, () => 'ok')
  app.get('/refused', { onRequest: async (_request, reply) => reply.code(401).send('no') }, () => 'never')
  return { app, seen }
}

describe('observeStages', () => {
  it('gets every stage of a request, in the order in which they run', async () => {
    const { app, seen } = observedApp()
    await app.inject('/')
    expect(seen).toEqual(['GET / onRequest', 'GET / handler', 'GET / serialize', 'GET / write'])
    seen.length = 0
    await app.inject({ method: 'POST', url: '/', payload: { a: 'x' } })
    expect(seen.map((one) => one.split(' ')[2])).toEqual([
      'onRequest',
      'readBody',
      'parseBody',
      'validate',
      'write',
    ])
  })

  it('gets each hook of a stage by the name of its function, also those that wait or call done', async () => {
    const app = cloister()
    const seen: string[] = []
    observeStages(app, (stage, _request, hook) =>
      seen.push(hook === undefined ? stage : `  ${stage} ${hook}`),
    )
    app.addHook('onRequest', async function authenticate() {
      await Promise.resolve()
    })
    app.addHook('onRequest', function limit(_request, _reply, done) {
      setImmediate(done)
    })
    app.addHook('onSend', async (_request, _reply, payload) => payload)
    app.get(
      '/',
      {
        preHandler: function load(_request, _reply, done) {
          done()
        },
      },
      () => ({ hello: 'world' }),
    )
    await app.inject('/')
    expect(seen).toEqual([
      'onRequest',
      '  onRequest authenticate',
      '  onRequest limit',
      'preHandler',
      '  preHandler load',
      'handler',
      'serialize',
      'onSend',
      '  onSend ',
      'write',
    ])
  })

  it('gets no stage that a request does not reach', async () => {
    const { app, seen } = observedApp()
    await app.inject('/refused')
    expect(seen).toEqual(['GET /refused onRequest', 'GET /refused write'])
  })

  it('gets the stages of the not-found handler, which are those of a request with a body', async () => {
    const { app, seen } = observedApp()
    await app.inject('/nowhere')
    expect(seen).toEqual([
      'GET /nowhere onRequest',
      'GET /nowhere readBody',
      'GET /nowhere parseBody',
      'GET /nowhere handler',
      'GET /nowhere serialize',
      'GET /nowhere write',
    ])
  })

  it('is refused when the app is ready, and for anything that is no app', async () => {
    const { app } = observedApp()
    await app.ready()
    expect(() => observeStages(app, () => {})).toThrow(
      expect.objectContaining({ code: 'CLO_ERR_INSTANCE_ALREADY_LISTENING' }),
    )
    expect(() => Reflect.apply(observeStages, null, [{}, () => {}])).toThrow(
      expect.objectContaining({
        code: 'CLO_ERR_INSPECT_APP_INVALID',
        message: expect.stringContaining('observeStages'),
      }),
    )
  })
})
