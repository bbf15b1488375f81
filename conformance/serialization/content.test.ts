import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

const only = (name: string): object => ({ type: 'object', properties: { [name]: { type: 'string' } } })
const ALL = { a: 'a', b: 'b', c: 'c' }

function addRoute(app: App, response: object): App {
  return app.get('/', { schema: { response } }, (request, reply) => {
    const { type, status } = request.query
    if (typeof type === 'string') reply.type(type)
    return reply.code(Number(status ?? 200)).send(ALL)
  })
}

const ask = (type: string, status = 200): { path: string } => ({
  path: `/?status=${status}&type=${encodeURIComponent(type)}`,
})

describeBehind(
  'response schemas per content type',
  ({ createApp, send, it, expect, ours, since5, line4 }) => {
    const MAP = {
      description: 'several shapes',
      content: {
        'application/json': { schema: only('a') },
        'application/vnd.v1+json': { schema: only('b') },
      },
    }

    it('takes the schema of the content type of the reply', async () => {
      const app = addRoute(createApp(), { 200: MAP })
      expect((await send(app, ask('application/json'))).json()).toEqual({ a: 'a' })
      expect((await send(app, ask('application/vnd.v1+json'))).json()).toEqual({ b: 'b' })
    })

    it('takes application/json when the handler sets no type', async () => {
      const app = addRoute(createApp(), { 200: MAP })
      expect((await send(app, { path: '/' })).json()).toEqual({ a: 'a' })
    })

    it('reads the type without its parameters', async () => {
      const app = addRoute(createApp(), { 200: MAP })
      expect((await send(app, ask('application/json; charset=utf-8'))).json()).toEqual({ a: 'a' })
      expect((await send(app, ask('application/vnd.v1+json; charset=utf-8'))).json()).toEqual({ b: 'b' })
    })

    ours('the peers compare to the letter')(
      'reads the type in any letter case, in the reply and in the map',
      async () => {
        const app = addRoute(createApp(), {
          200: {
            content: {
              'Application/JSON': { schema: only('a') },
              'application/vnd.V1+json': { schema: only('b') },
            },
          },
        })
        expect((await send(app, ask('APPLICATION/json'))).json()).toEqual({ a: 'a' })
        expect((await send(app, ask('Application/vnd.v1+JSON'))).json()).toEqual({ b: 'b' })
      },
    )

    it('holds for class keys and default', async () => {
      const app = addRoute(createApp(), {
        '4xx': { content: { 'application/json': { schema: only('b') } } },
        default: { content: { 'application/json': { schema: only('c') } } },
      })
      expect((await send(app, ask('application/json', 404))).json()).toEqual({ b: 'b' })
      expect((await send(app, ask('application/json', 200))).json()).toEqual({ c: 'c' })
    })

    line4('5.x has no shortened form')('takes the shortened form', async () => {
      const app = addRoute(createApp(), {
        200: { content: { 'application/json': { schema: { a: { type: 'string' } } } } },
      })
      expect((await send(app, ask('application/json'))).json()).toEqual({ a: 'a' })
    })

    it('takes an array of $ref items', async () => {
      const app = createApp().addSchema({ $id: 'item', ...only('a') })
      const schema = { type: 'array', items: { $ref: 'item#' } }
      const response = { 200: { content: { 'application/vnd.v2+json': { schema } } } }
      app.get('/', { schema: { response } }, (_request, reply) =>
        reply.type('application/vnd.v2+json').send([ALL, ALL]),
      )
      expect((await send(app, { path: '/' })).json()).toEqual([{ a: 'a' }, { a: 'a' }])
    })

    it('prints everything when no type of the map fits', async () => {
      const app = addRoute(createApp(), { 200: MAP })
      expect((await send(app, ask('application/other+json'))).json()).toEqual(ALL)
    })

    since5('4.x does not know it')('takes */* when no other type fits', async () => {
      const app = addRoute(createApp(), {
        200: { content: { 'application/json': { schema: only('a') }, '*/*': { schema: only('c') } } },
      })
      expect((await send(app, ask('application/json'))).json()).toEqual({ a: 'a' })
      expect((await send(app, ask('application/other+json'))).json()).toEqual({ c: 'c' })
    })

    it('refuses an entry of several without a schema', async () => {
      const app = createApp()
      const define = async (): Promise<void> => {
        addRoute(app, {
          200: { content: { 'application/json': { schema: only('a') }, 'application/xml': {} } },
        })
        await app.ready()
      }
      await expect(define()).rejects.toThrow('application/xml')
    })

    it('hands httpStatus and contentType to the serializer compiler', async () => {
      const app = createApp()
      const seen: unknown[] = []
      app.setSerializerCompiler(({ schema, method, url, httpStatus, contentType }) => {
        seen.push({ schema, method, url, httpStatus, contentType })
        return (data: unknown) => JSON.stringify({ contentType, data })
      })
      addRoute(app, { 200: MAP, '4xx': only('c') })
      expect((await send(app, ask('application/json'))).json()).toEqual({
        contentType: 'application/json',
        data: ALL,
      })
      const common = { method: 'GET', url: '/' }
      expect(seen).toContainEqual({
        ...common,
        schema: only('a'),
        httpStatus: '200',
        contentType: 'application/json',
      })
      expect(seen).toContainEqual({
        ...common,
        schema: only('b'),
        httpStatus: '200',
        contentType: 'application/vnd.v1+json',
      })
      expect(seen).toContainEqual({ ...common, schema: only('c'), httpStatus: '4xx', contentType: undefined })
    })
  },
)
