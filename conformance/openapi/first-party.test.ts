// Refusals of our own plugins under `strict`: the document of the app has them, and their bytes are what it says.
import { bearerAuth, verifyBearerAuthFactory } from '@cloister/bearer-auth'
import { mcp } from '@cloister/mcp'
import { operate } from '@cloister/operate'
import { checkContract } from '@cloister/openapi/contract'
import { cloister } from 'cloister'
import type { Cloister } from 'cloister'
import { describe, expect, it } from 'vitest'

const keys = ['secret-key']
const book = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } } as const
const schema = { body: book, response: { 201: book } } as const

const GUARDS: Readonly<Record<string, (app: Cloister) => void>> = {
  bearerAuth: (app) => {
    app.register(bearerAuth, { keys })
    app.after(() => {
      app.post('/books', { schema }, (request, reply) => reply.code(201).send(request.body))
    })
  },
  verifyBearerAuthFactory: (app) => {
    const onRequest = verifyBearerAuthFactory({ keys })
    app.post('/books', { schema, onRequest }, (request, reply) => reply.code(201).send(request.body))
  },
}

describe.each(Object.entries(GUARDS))('refusals of %s', (_name, guard) => {
  it('are in the document, and keep to it', async () => {
    const app = cloister({ strict: true })
    guard(app)
    const { requests, skipped } = await checkContract(app, {
      seed: 1,
      headers: { authorization: 'Bearer secret-key' },
    })
    expect([requests > 40, skipped]).toEqual([true, []])
  })

  it('are problems', async () => {
    const app = cloister({ strict: true })
    guard(app)
    const refused = await app.inject({ method: 'POST', url: '/books', payload: { title: 'Emma' } })
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([
      401,
      'application/problem+json; charset=utf-8',
    ])
    expect(refused.json()).toMatchObject({ status: 401 })
  })
})

describe('an app with operate and mcp', () => {
  it('does what its document says', async () => {
    const app = cloister({ strict: true })
    app.register(operate, { signals: false, shedding: { openRequests: 1000 } })
    app.register(mcp, {})
    app.post(
      '/books',
      { schema: { ...schema, operationId: 'addBook', description: 'Adds a book' } },
      (request, reply) => reply.code(201).send(request.body),
    )
    const { requests } = await checkContract(app, { seed: 1 })
    expect(requests).toBeGreaterThan(0)
  })
})
