// Schemas of other libraries, given as they are: Standard Schema at run time.
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { describeBehind } from '../harness/transports.ts'

const LIBRARIES: readonly (readonly [library: string, body: object, response: object])[] = [
  [
    'Zod',
    z.object({ name: z.string().min(2), age: z.coerce.number().int().default(7) }),
    z.object({ name: z.string(), age: z.number() }),
  ],
  [
    'Valibot',
    v.object({
      name: v.pipe(v.string(), v.minLength(2)),
      age: v.optional(v.pipe(v.unknown(), v.transform(Number)), 7),
    }),
    v.object({ name: v.string(), age: v.number() }),
  ],
  [
    'ArkType',
    Object(type({ name: 'string >= 2', age: 'number = 7', '+': 'delete' })),
    Object(type({ name: 'string', age: 'number', '+': 'delete' })),
  ],
]

for (const [library, body, response] of LIBRARIES) {
  describeBehind(`a schema of ${library} as it is`, ({ createApp, send, expect, ours }) => {
    const it = ours('the peers need a compiler for other libraries')

    it('validates a body, replaces it by the validated value, and filters the response', async () => {
      const app = createApp()
      app.post('/', { schema: { body, response: { 200: response } } }, (request) => ({
        ...Object(request.body),
        secret: 'x',
      }))
      const received = await send(app, { method: 'POST', path: '/', body: { name: 'Ada' } })
      expect(received.json()).toEqual({ name: 'Ada', age: 7 })
    })

    it('responds with 400 with errors of the usual shape', async () => {
      const app = createApp()
      app.setErrorHandler((error, _request, reply) => reply.code(400).send(Object(error).validation))
      app.post('/', { schema: { body } }, () => 'ran')
      const received = await send(app, { method: 'POST', path: '/', body: { name: 'A' } })
      expect(received.status).toBe(400)
      expect(received.json()).toEqual([
        expect.objectContaining({
          instancePath: '/name',
          keyword: 'standardSchema',
          message: expect.any(String),
        }),
      ])
    })

    it('works beside JSON Schema in one route', async () => {
      const app = createApp()
      const params = { type: 'object', properties: { id: { type: 'integer' } } }
      app.post('/:id', { schema: { params, body } }, (request) => [Object(request.params).id, request.body])
      const received = await send(app, { method: 'POST', path: '/5', body: { name: 'Ada' } })
      expect(received.json()).toEqual([5, { name: 'Ada', age: 7 }])
    })
  })
}

describeBehind('Standard Schema', ({ createApp, send, expect, ours }) => {
  const it = ours('the peers need a compiler for other libraries')

  it('is awaited where it validates asynchronously', async () => {
    const taken = z.object({ name: z.string().refine(async (name) => name !== 'taken', 'is taken') })
    const app = createApp()
    app.post('/', { schema: { body: taken } }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/', body: { name: 'free' } })).status).toBe(200)
    const refused = await send(app, { method: 'POST', path: '/', body: { name: 'taken' } })
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({ message: 'body/name is taken' })
  })

  it('shows its JSON Schema to tools, where the library offers one', async () => {
    const app = createApp()
    let seen: unknown
    app.get('/', { schema: { querystring: z.object({ q: z.string() }) } }, (request) => {
      seen = Object(request.routeOptions.schema).querystring
      return 'ok'
    })
    await send(app, { path: '/?q=x' })
    expect(seen).toMatchObject({ type: 'object', properties: { q: { type: 'string' } }, required: ['q'] })
  })
})
