// Replies that are awaited before anything was sent.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describeTransports } from '../harness/transports.ts'

const REASON = 'an option that the peers do not have'

/** A helper as people write them: it sets something and gives the reply back. */
async function marked<T extends { header(name: string, value: string): unknown }>(reply: T): Promise<T> {
  reply.header('x-marked', 'yes')
  return reply
}

describeTransports("unsentReply: 'continue'", ({ createApp, send, expect, ours }) => {
  const options = { unsentReply: 'continue' } as const

  ours(REASON)('goes on behind an awaited helper, with the reply', async () => {
    const app = createApp(options)
    app.get('/', async (_request, reply) => {
      const same: unknown = await marked(reply)
      return reply.send({ isSame: same === reply })
    })
    const response = await send(app, { path: '/' })
    expect(response.json()).toEqual({ isSame: true })
    expect(response.headers['x-marked']).toBe('yes')
  })

  ours(REASON)('sends what a handler returns behind an awaited helper', async () => {
    const app = createApp(options)
    app.get('/', async (_request, reply) => {
      await marked(reply)
      return { sent: true }
    })
    expect((await send(app, { path: '/' })).json()).toEqual({ sent: true })
  })

  ours(REASON)('lets handlers send later that await the reply, or return it', async () => {
    const app = createApp(options)
    const later = (reply: { send(payload: unknown): unknown }): void => {
      setImmediate(() => reply.send('later'))
    }
    app.get('/await', async (_request, reply) => {
      later(reply)
      await reply
    })
    app.get('/return', async (_request, reply) => {
      later(reply)
      return reply
    })
    app.get('/sync', (_request, reply) => {
      later(reply)
      return reply
    })
    for (const path of ['/await', '/return', '/sync']) {
      expect((await send(app, { path })).text, path).toBe('later')
    }
  })

  ours(REASON)('lets hooks go on behind a helper, and send later when they return the reply', async () => {
    const app = createApp(options)
    app.addHook('preHandler', async (_request, reply) => {
      await marked(reply)
    })
    app.get('/', () => 'handler')
    for (const isAsync of [true, false]) {
      const response = (_request: unknown, reply: { send(payload: unknown): unknown }): unknown => {
        setImmediate(() => reply.send('hook'))
        return reply
      }
      const preHandler = isAsync
        ? async (...args: Parameters<typeof response>) => response(...args)
        : response
      app.get(`/${isAsync}`, { preHandler }, () => 'never')
    }
    expect((await send(app, { path: '/' })).text).toBe('handler')
    expect((await send(app, { path: '/true' })).text).toBe('hook')
    expect((await send(app, { path: '/false' })).text).toBe('hook')
  })

  ours(REASON)('lets error handlers send behind a helper, and later', async () => {
    const app = createApp(options)
    app.setErrorHandler(async (error, request, reply) => {
      await marked(reply)
      if (request.url === '/now') return reply.code(400).send('now')
      setImmediate(() => reply.code(400).send('later'))
      return reply
    })
    const fail = (): never => {
      throw new Error('broken')
    }
    app.get('/now', fail).get('/later', fail)
    for (const path of ['/now', '/later']) {
      expect(await send(app, { path })).toMatchObject({ status: 400, text: path.slice(1) })
    }
  })

  ours(REASON)('waits for a response that was sent', async () => {
    const app = createApp(options)
    const order: string[] = []
    app.addHook('onSend', async () => {
      await nextTurn()
      order.push('onSend')
    })
    app.get('/', async (_request, reply) => {
      await reply.send('sent')
      order.push('handler')
    })
    expect((await send(app, { path: '/' })).text).toBe('sent')
    await expect.poll(() => order).toEqual(['onSend', 'handler'])
  })
})
