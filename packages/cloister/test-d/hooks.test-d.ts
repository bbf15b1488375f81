/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import type { Socket } from 'node:net'

import { app, is, it, shop } from './support.ts'
import type { Database, User } from './support.ts'

it('types every hook of requests by its name', () => {
  shop
    .addHook('onRequest', async (request, reply) => {
      is<User | null>()(request.user)
      is<string>()(reply.cached())
    })
    .addHook('preParsing', async (request, reply, payload) => {
      is<number | undefined>()(payload.receivedEncodedLength)
      return payload
    })
    .addHook('preValidation', (request, reply, done) => done())
    .addHook('preHandler', async (request) => is<unknown>()(request.body))
    .addHook('preSerialization', async (request, reply, payload) => ({ wrapped: payload }))
    .addHook('onSend', (request, reply, payload, done) => done(null, payload))
    .addHook('onResponse', async (request, reply) => is<number>()(reply.elapsedTime))
    .addHook('onError', async (request, reply, error) => is<number | undefined>()(error.statusCode))
    .addHook('onTimeout', async (request) => is<Socket>()(request.socket))
    .addHook('onRequestAbort', async (request) => is<AbortSignal>()(request.signal))
})

it('types every hook of the application by its name', () => {
  shop
    .addHook('onRoute', (options) => is<string>()(options.url))
    .addHook('onRegister', (instance) => is<Database>()(instance.db))
    .addHook('onReady', async function () {
      is<Database>()(this.db)
    })
    .addHook('onListen', (done) => done())
    .addHook('preClose', async () => {})
    .addHook('onClose', async (instance) => is<Database>()(instance.db))
})

it('closes what can dispose of itself', () => {
  app.addHook('onClose', { [Symbol.asyncDispose]: async () => {} })
})

it('refuses a hook that does not exist', () => {
  // @ts-expect-error -- it is 'onRequest'
  app.addHook('onRequset', async () => {})
})

it('refuses a hook whose arguments are others', () => {
  // @ts-expect-error -- a hook is given the request first
  app.addHook('onRequest', async (reply: { code: (status: string) => void }) => reply.code('x'))
})
