// `observeRequests`: what an observer is told of each request, and that a failing one harms none.
import { cloister } from 'cloister'
import type { Cloister } from 'cloister'
import { observeRequests } from 'cloister/inspect'
import type { RequestObserver } from 'cloister/inspect'
import { describe, expect, it } from 'vitest'
import { createLogSink } from '../harness/log-lines.ts'

/** An observer that does nothing but what it must. */
const plain: RequestObserver = {
  logFields: null,
  within: (run) => run(),
  failed() {},
  ended() {},
  hook: (_hook, call, done) => call(done),
}

function observedApp(observer: Partial<RequestObserver>): { app: Cloister; lines: () => Promise<unknown> } {
  const { stream, line } = createLogSink()
  const app = cloister({ logger: { stream } })
  observeRequests(app, () => () => ({ ...plain, ...observer }))
  app.get('/', () => 'ok')
  return { app, lines: () => line('the observer of a request failed') }
}

const thrower = (): never => {
  throw new Error('broken observer')
}

describe('observeRequests', () => {
  it('tells of each request its route, its errors, and its end with the status, once', async () => {
    const app = cloister()
    const seen: unknown[][] = []
    observeRequests(app, ({ url }) => (request) => ({
      ...plain,
      failed: (error) => void seen.push([request.url, url, String(error)]),
      ended: (error, status) => void seen.push([request.url, url, error, status]),
    }))
    app.get('/users/:id', () => 'a user')
    app.get('/broken', () => {
      throw new Error('no')
    })
    for (const url of ['/users/7', '/broken', '/nowhere']) await app.inject(url)
    expect(seen).toEqual([
      ['/users/7', '/users/:id', null, 200],
      ['/broken', '/broken', 'Error: no'],
      ['/broken', '/broken', null, 500],
      ['/nowhere', null, null, 404],
    ])
  })

  it('is for a context and its children; the nearest context decides', async () => {
    const app = cloister()
    const seen: string[] = []
    const observe = (context: Parameters<typeof observeRequests>[0], name: string): void =>
      observeRequests(context, () => ({ url }) => {
        seen.push(`${name} ${url}`)
        return plain
      })
    app.get('/', () => 'ok')
    app.register(async (child) => {
      observe(child, 'child')
      child.get('/child', () => 'ok')
      child.register(async (below) => void below.get('/below', () => 'ok'))
      child.register(async (own) => {
        observe(own, 'own')
        own.get('/own', () => 'ok')
      })
    })
    for (const url of ['/', '/child', '/below', '/own']) await app.inject(url)
    expect(seen).toEqual(['child /child', 'child /below', 'own /own'])
  })

  it.each<[string, Partial<RequestObserver>]>([
    ['throws instead of running the path', { within: thrower }],
    ['throws at the end', { ended: thrower }],
  ])('an observer that %s is logged, and the request goes on', async (_what, observer) => {
    const { app, lines } = observedApp(observer)
    expect((await app.inject('/')).body).toBe('ok')
    expect(await lines()).toMatchObject({ level: 50, err: { message: 'broken observer' } })
  })

  it.each<[string, Partial<RequestObserver>]>([
    ['does not run the path', { within() {} }],
    [
      'runs it twice',
      {
        within(run) {
          run()
          run()
        },
      },
    ],
  ])('an observer that %s gets one run', async (_what, observer) => {
    const app = cloister()
    let calls = 0
    observeRequests(app, () => () => ({ ...plain, ...observer }))
    app.get('/', () => `call ${++calls}`)
    expect((await app.inject('/')).body).toBe('call 1')
    expect(calls).toBe(1)
  })

  it('is too late for an app that is ready, and wants an app', async () => {
    const app = cloister()
    await app.ready()
    expect(() => observeRequests(app, () => null)).toThrow('observe requests')
    expect(() => observeRequests(Object({}), () => null)).toThrow('observeRequests')
  })
})
