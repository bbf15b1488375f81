import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

const only = (name: string): object => ({ type: 'object', properties: { [name]: { type: 'string' } } })
const ALL = { exact: 'exact', family: 'class', other: 'default', none: 'none' }

/** A route that responds with the status in its path and with `ALL`. */
function addRoute(app: App, response: object): App {
  return app.get('/:status', { schema: { response } }, (request, reply) =>
    reply.code(Number(request.params['status'])).send(ALL),
  )
}

describeBehind('which response schema serializes', ({ createApp, send, it, expect, ours, since5, line4 }) => {
  it('takes the exact status, then the class, then default', async () => {
    const app = addRoute(createApp(), { 201: only('exact'), '2xx': only('family'), default: only('other') })
    expect((await send(app, { path: '/201' })).json()).toEqual({ exact: 'exact' })
    expect((await send(app, { path: '/200' })).json()).toEqual({ family: 'class' })
    expect((await send(app, { path: '/299' })).json()).toEqual({ family: 'class' })
    expect((await send(app, { path: '/300' })).json()).toEqual({ other: 'default' })
    expect((await send(app, { path: '/404' })).json()).toEqual({ other: 'default' })
  })

  for (const [key, status] of [
    ['2xx', 202],
    ['3xx', 302],
    ['4xx', 404],
    ['5xx', 503],
    ['2XX', 202],
    ['4Xx', 499],
  ] as const) {
    it(`takes ${key} for ${status}`, async () => {
      const app = addRoute(createApp(), { [key]: only('family') })
      expect((await send(app, { path: `/${status}` })).json()).toEqual({ family: 'class' })
      expect((await send(app, { path: '/200' })).json()).toEqual(status < 300 ? { family: 'class' } : ALL)
    })
  }

  it('prints everything when no entry fits', async () => {
    const app = addRoute(createApp(), { 200: only('exact') })
    expect((await send(app, { path: '/201' })).json()).toEqual(ALL)
  })

  it('takes the keys as numbers and as text', async () => {
    const app = addRoute(createApp(), { 200: only('exact'), '201': only('family') })
    expect((await send(app, { path: '/200' })).json()).toEqual({ exact: 'exact' })
    expect((await send(app, { path: '/201' })).json()).toEqual({ family: 'class' })
  })

  for (const key of ['20', '2000', '6xx', 'xx', 'type', '']) {
    it(`refuses the key ${JSON.stringify(key)}`, async () => {
      const app = createApp()
      const define = async (): Promise<void> => {
        addRoute(app, { [key]: only('exact') })
        await app.ready()
      }
      await expect(define()).rejects.toThrow()
    })
  }

  line4('5.x has no shortened form')('takes the shortened form', async () => {
    const app = addRoute(createApp(), {
      200: { exact: { type: 'string' } },
      '4xx': { family: { type: 'string' } },
    })
    expect((await send(app, { path: '/200' })).json()).toEqual({ exact: 'exact' })
    expect((await send(app, { path: '/404' })).json()).toEqual({ family: 'class' })
  })

  it('serializes what is sent and what is returned', async () => {
    const app = createApp()
    const schema = { response: { 200: only('exact') } }
    app.get('/sent', { schema }, (_request, reply) => reply.send(ALL))
    app.get('/returned', { schema }, () => ALL)
    app.get('/promised', { schema }, async () => ALL)
    for (const path of ['/sent', '/returned', '/promised']) {
      const received = await send(app, { path })
      expect(received.json()).toEqual({ exact: 'exact' })
      expect(received.headers['content-type']).toBe('application/json; charset=utf-8')
    }
  })

  it('serializes what preSerialization made of the payload', async () => {
    const app = createApp()
    app.addHook('preSerialization', async (_request, _reply, payload) => ({
      ...Object(payload),
      exact: 'changed',
    }))
    addRoute(app, { 200: only('exact') })
    expect((await send(app, { path: '/200' })).json()).toEqual({ exact: 'changed' })
  })

  it('does not change text, buffers and nothing', async () => {
    const app = createApp()
    const schema = { response: { 200: only('exact') } }
    app.get('/text', { schema }, () => 'text')
    app.get('/buffer', { schema }, () => Buffer.from('bytes'))
    app.get('/nothing', { schema }, (_request, reply) => reply.send())
    expect((await send(app, { path: '/text' })).text).toBe('text')
    expect((await send(app, { path: '/buffer' })).text).toBe('bytes')
    expect((await send(app, { path: '/nothing' })).text).toBe('')
  })

  it('takes a $ref as the whole entry', async () => {
    const app = createApp().addSchema({ $id: 'shared', ...only('exact') })
    addRoute(app, { '2xx': { $ref: 'shared#' } })
    expect((await send(app, { path: '/200' })).json()).toEqual({ exact: 'exact' })
  })

  it('serializes the response of an error handler by its status', async () => {
    const app = createApp()
    app.setErrorHandler((_error, _request, reply) => reply.code(409).send(ALL))
    app.get('/', { schema: { response: { 409: only('exact'), 200: only('other') } } }, () => {
      throw new Error('conflict')
    })
    expect((await send(app, { path: '/' })).json()).toEqual({ exact: 'exact' })
  })

  it('serializes an Error by the schema of its status', async () => {
    const app = createApp()
    const response = {
      '5xx': {
        type: 'object',
        properties: { message: { type: 'string' }, statusCode: { type: 'integer' } },
      },
    }
    app.get('/', { schema: { response } }, () => {
      throw new Error('broken')
    })
    expect((await send(app, { path: '/' })).json()).toEqual({ message: 'broken', statusCode: 500 })
  })

  since5('4.x fails to boot')('applies true as a response schema', async () => {
    const app = addRoute(createApp(), { 200: true })
    expect((await send(app, { path: '/200' })).json()).toEqual(ALL)
  })

  it('fails the boot on a response schema that does not compile', async () => {
    const app = addRoute(createApp(), { 200: { type: 'object', properties: { a: { type: 'nonsense' } } } })
    await expect(app.ready()).rejects.toThrow()
  })

  ours('the peers do not name the key')(
    'fails the boot on a schema without a status, and names the key',
    async () => {
      for (const [response, key] of [
        [{ type: 'object', properties: {} }, 'type'],
        [{ 700: {} }, '700'],
      ] as const) {
        const error = await addRoute(createApp(), response)
          .ready()
          .then(
            () => undefined,
            (failure: unknown) => failure,
          )
        expect(error).toMatchObject({
          code: 'CLO_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX',
          message: expect.stringMatching(
            new RegExp(
              '^Each response schema of GET /:status must be under its status, as in response: \\{ 200: \\{ … \\} \\}: ' +
                `"${key}" is no status; keys are a code .* \\(defined at .*lookup\\.test\\.ts`,
            ),
          ),
        })
      }
    },
  )

  it('takes description beside the schema', async () => {
    const app = addRoute(createApp(), { 200: { description: 'fine', ...only('exact') } })
    expect((await send(app, { path: '/200' })).json()).toEqual({ exact: 'exact' })
  })

  since5('4.x reads the text of the description as a schema and fails')(
    'takes description alone, which declares nothing and prints everything',
    async () => {
      const app = addRoute(createApp(), { 200: { description: 'fine' }, '4xx': {} })
      expect((await send(app, { path: '/200' })).json()).toEqual(ALL)
      expect((await send(app, { path: '/404' })).json()).toEqual(ALL)
    },
  )

  it('takes a description of a response without a body', async () => {
    const app = createApp()
    const response = { 204: { description: 'no content', type: 'null' } }
    app.get('/', { schema: { response } }, (_request, reply) => reply.code(204).send())
    expect((await send(app, { path: '/' })).status).toBe(204)
  })

  since5('4.x ignores what stands beside a reference')(
    'writes properties beside a reference behind those of its target',
    async () => {
      const app = createApp().addSchema({
        $id: 'base',
        type: 'object',
        properties: { a: { type: 'integer' } },
      })
      const beside = { $ref: 'base#', properties: { b: { type: 'boolean' } } }
      app.get('/', { schema: { response: { 200: beside } } }, () => ({ b: true, a: 1 }))
      app.get('/list', { schema: { response: { 200: { type: 'array', items: beside } } } }, () => [
        { b: true, a: 1 },
      ])
      expect((await send(app, { path: '/' })).text).toBe('{"a":1,"b":true}')
      expect((await send(app, { path: '/list' })).text).toBe('[{"a":1,"b":true}]')
    },
  )
})
