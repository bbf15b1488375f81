// Two modes of a response schema: `compat` converts as Fastify 4.x does, `strict` makes each conversion that loses something
// an error that names the place.
import { callFunction, callMember } from '../call-member.ts'
import type { App, Reply } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

/** What 4.x prints for a value of another type. */
const LOSSY: readonly (readonly [type: string, value: unknown, compat: unknown])[] = [
  ['integer', 1.6, 1],
  ['integer', '5', 5],
  ['integer', null, 0],
  ['number', null, 0],
  ['number', '1.5', 1.5],
  ['string', null, ''],
  ['string', 5, '5'],
  ['boolean', null, false],
  ['boolean', 1, true],
]

const schemaOf = (type: string): object => ({
  type: 'object',
  properties: { deep: { type: 'object', properties: { v: { type } } } },
})

function addRoute(app: App, type: string, v: unknown, options: object = {}): App {
  return app.get('/', { schema: { response: { 200: schemaOf(type) } }, ...options }, () => ({ deep: { v } }))
}

describeBehind('a response schema in compat mode', ({ createApp, send, it, expect, ours }) => {
  for (const [type, value, compat] of LOSSY) {
    it(`prints ${JSON.stringify(compat)} for ${JSON.stringify(value)} as ${type}`, async () => {
      const response = await send(addRoute(createApp(), type, value), { path: '/' })
      expect(response.json()).toEqual({ deep: { v: compat } })
    })
  }

  ours('the peers print true')('prints false for the text "false" as boolean', async () => {
    const response = await send(addRoute(createApp(), 'boolean', 'false'), { path: '/' })
    expect(response.json()).toEqual({ deep: { v: false } })
  })
})

describeBehind('a response schema in strict mode', ({ createApp, send, expect, ours }) => {
  const NEW = 'Fastify has one mode'
  for (const [type, value] of LOSSY) {
    ours(NEW)(`responds with 500 to ${JSON.stringify(value)} as ${type}, and names the place`, async () => {
      const app = addRoute(createApp({ serialization: 'strict' }), type, value)
      const response = await send(app, { path: '/' })
      expect(response.status).toBe(500)
      expect(Object(response.json()).message).toMatch(/deep\W+v/)
    })
  }

  for (const [type, value] of [
    ['integer', 5],
    ['number', 1.5],
    ['string', 'text'],
    ['boolean', false],
  ] as const) {
    ours(NEW)(`prints ${JSON.stringify(value)} as ${type}`, async () => {
      const app = addRoute(createApp({ serialization: 'strict' }), type, value)
      expect((await send(app, { path: '/' })).json()).toEqual({ deep: { v: value } })
    })
  }

  ours(NEW)('is chosen by a route', async () => {
    const app = addRoute(createApp(), 'integer', 1.6, { serialization: 'strict' })
    expect((await send(app, { path: '/' })).status).toBe(500)
    const back = addRoute(createApp({ serialization: 'strict' }), 'integer', 1.6, { serialization: 'compat' })
    expect((await send(back, { path: '/' })).json()).toEqual({ deep: { v: 1 } })
  })

  ours(NEW)('is chosen by a context, for its routes and those below', async () => {
    const app = createApp()
    app.register(
      async (outer) => {
        addRoute(outer, 'integer', 1.6)
        outer.register(async (inner) => void addRoute(inner, 'integer', 1.6), { prefix: '/inner' })
      },
      { prefix: '/strict', serialization: 'strict' },
    )
    app.register(async (other) => void addRoute(other, 'integer', 1.6), { prefix: '/other' })
    expect((await send(app, { path: '/strict' })).status).toBe(500)
    expect((await send(app, { path: '/strict/inner' })).status).toBe(500)
    expect((await send(app, { path: '/other' })).json()).toEqual({ deep: { v: 1 } })
  })

  ours(NEW)('refuses a mode that does not exist', async () => {
    expect(() => createApp({ serialization: 'loose' })).toThrow(/strict/)
    const app = addRoute(createApp(), 'integer', 1, { serialization: 'loose' })
    await expect(app.ready()).rejects.toThrow(/GET \/.*'strict', got "loose"/)
  })

  ours(NEW)("refuses a misspelt mode of a plugin, and ignores the plugin's own options", async () => {
    const misspelt = createApp()
    misspelt.register(async () => {}, { serialization: 'strickt' })
    await expect(misspelt.ready()).rejects.toThrow(
      /'serialization' of a plugin.*"strickt".*did you mean 'strict'/,
    )
    const own = createApp()
    const seen: unknown[] = []
    own.register(async (_app, options) => void seen.push(options), { serialization: 'msgpack' })
    await own.ready()
    expect(seen).toEqual([{ serialization: 'msgpack' }])
  })
})

describeBehind('the mode of schemas that a handler brings', ({ createApp, send, expect, ours }) => {
  const NEW = 'Fastify has one mode'
  const schema = { type: 'object', properties: { v: { type: 'integer' } } }

  ours(NEW)('is that of its route', async () => {
    const app = createApp()
    const serialize = (_request: unknown, reply: Reply): unknown => {
      reply.type('application/json')
      return callMember(reply, 'serializeInput', { v: 1.6 }, schema)
    }
    app.get('/compat', serialize)
    app.get('/strict', { serialization: 'strict' }, serialize)
    expect((await send(app, { path: '/compat' })).text).toBe('{"v":1}')
    expect((await send(app, { path: '/strict' })).status).toBe(500)
  })

  ours(NEW)('is that of its context', async () => {
    const app = createApp()
    app.register(
      async (child) => {
        child.get('/', (_request, reply) => {
          const serialize = callMember(reply, 'compileSerializationSchema', schema)
          return callFunction(serialize, { v: 1.6 })
        })
      },
      { serialization: 'strict' },
    )
    expect((await send(app, { path: '/' })).status).toBe(500)
  })
})
