import { code, wrap } from '../harness/subject.ts'
import { describeBehind } from '../harness/transports.ts'

const POINT = { $id: 'point', type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] }

describeBehind('shared schemas', ({ createApp, send, it, expect, ours, line4 }) => {
  it('wants a $id', () => {
    const app = createApp()
    expect(() => app.addSchema({ type: 'object' })).toThrow(
      expect.objectContaining({ code: code('SCH_MISSING_ID') }),
    )
  })

  it('gives one schema by its $id', () => {
    const app = createApp()
    app.addSchema(POINT)
    expect(app.getSchema('point')).toEqual(POINT)
    expect(app.getSchema('other')).toBeUndefined()
  })

  ours('the peers take any truthy value as an id')('refuses a $id that is not a string', () => {
    const app = createApp()
    for (const $id of [1, true, {}, '', null]) {
      expect(() => app.addSchema({ $id, type: 'object' })).toThrow(
        expect.objectContaining({ code: code('SCH_MISSING_ID') }),
      )
    }
  })

  it('keeps what was registered apart from the object that the caller holds', () => {
    const app = createApp()
    const mine = { $id: 'mine', type: 'object', properties: { a: { type: 'string' } } }
    app.addSchema(mine)
    mine.properties.a.type = 'integer'
    expect(app.getSchema('mine')).toEqual({
      $id: 'mine',
      type: 'object',
      properties: { a: { type: 'string' } },
    })
  })

  it('gives all schemas that a context sees, those of ancestors included', async () => {
    const app = createApp()
    const seen: Record<string, string[]> = {}
    app.addSchema({ $id: 'one' })
    app.register(async (child) => {
      child.addSchema({ $id: 'two' })
      child.register(async (grandchild) => {
        grandchild.addSchema({ $id: 'three' })
        seen['grandchild'] = Object.keys(grandchild.getSchemas())
      })
      await child.after()
      seen['child'] = Object.keys(child.getSchemas())
    })
    await app.ready()
    seen['root'] = Object.keys(app.getSchemas())
    expect(seen).toEqual({ root: ['one'], child: ['one', 'two'], grandchild: ['one', 'two', 'three'] })
  })

  it('shows no schema of a descendant to its parent', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.addSchema(POINT)
    })
    await app.ready()
    expect(app.getSchemas()).toEqual({})
    expect(app.getSchema('point')).toBeUndefined()
  })

  it('refuses a $ref to a schema of a descendant', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.addSchema(POINT)
    })
    app.post('/', { schema: { body: { $ref: 'point#' } } }, () => 'never')
    await expect(app.ready()).rejects.toThrow('point#')
  })

  it('refuses a $ref to a schema of a sibling', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.addSchema(POINT)
    })
    app.register(async (child) => {
      child.get('/', { schema: { response: { 200: { $ref: 'point#' } } } }, () => ({ x: 1 }))
    })
    await expect(app.ready()).rejects.toThrow('point#')
  })

  it('shows the schemas of a wrapped plugin to its parent', async () => {
    const app = createApp()
    app.register(
      wrap(async (instance) => {
        instance.addSchema(POINT)
      }),
    )
    app.post('/', { schema: { body: { $ref: 'point#' } } }, (request) => request.body)
    await app.ready()
    expect(app.getSchema('point')).toEqual(POINT)
    expect((await send(app, { method: 'POST', path: '/', body: { x: 'word' } })).status).toBe(400)
  })

  it('keeps schemas of the same $id in sibling contexts apart', async () => {
    const app = createApp()
    for (const type of ['integer', 'boolean']) {
      app.register(
        async (child) => {
          child.addSchema({ $id: 'value', type: 'object', properties: { v: { type } }, required: ['v'] })
          child.post(
            '/',
            { schema: { body: { $ref: 'value#' }, response: { 200: { $ref: 'value#' } } } },
            (request) => request.body,
          )
        },
        { prefix: `/${type}` },
      )
    }
    const sendTo = async (path: string, v: unknown): Promise<unknown> => {
      const response = await send(app, { method: 'POST', path, body: { v } })
      return response.status === 200 ? response.json() : response.status
    }
    expect(await sendTo('/integer', '5')).toEqual({ v: 5 })
    expect(await sendTo('/integer', 'word')).toBe(400)
    expect(await sendTo('/boolean', 'true')).toEqual({ v: true })
    expect(await sendTo('/boolean', '5')).toBe(400)
  })

  it('refuses a second schema of the same $id in one context', () => {
    const app = createApp()
    app.addSchema(POINT)
    expect(() => app.addSchema({ $id: 'point', type: 'string' })).toThrow(
      expect.objectContaining({ code: code('SCH_ALREADY_PRESENT') }),
    )
  })

  it('refuses a $id that an ancestor has with other content', async () => {
    const app = createApp()
    app.addSchema(POINT)
    app.register(async (child) => {
      child.addSchema({ $id: 'point', type: 'string' })
    })
    await expect(app.ready()).rejects.toMatchObject({ code: code('SCH_ALREADY_PRESENT') })
  })

  ours('the peers name neither place')('names both places when a $id is taken', () => {
    const app = createApp()
    app.addSchema(POINT)
    const second = (): unknown => app.addSchema({ $id: 'point', type: 'string' })
    expect(second).toThrow(/"?point"?[\s\S]*shared-schemas\.test\.ts:\d+/)
    const places = (message: string): number => [...message.matchAll(/shared-schemas\.test\.ts:\d+/g)].length
    let message = ''
    try {
      second()
    } catch (error) {
      message = error instanceof Error ? error.message : ''
    }
    expect(places(message)).toBe(2)
  })

  it('serves one schema to many routes, for validation and serialization', async () => {
    const app = createApp()
    app.addSchema(POINT)
    for (const path of ['/a', '/b', '/c']) {
      app.post(path, { schema: { body: { $ref: 'point#' }, response: { 200: { $ref: 'point#' } } } }, () => ({
        x: 2,
        secret: 's',
      }))
    }
    for (const path of ['/a', '/b', '/c']) {
      expect((await send(app, { method: 'POST', path, body: { x: 'word' } })).status).toBe(400)
      expect((await send(app, { method: 'POST', path, body: { x: 1 } })).json()).toEqual({ x: 2 })
    }
  })

  it('does not know a schema that only a route holds', async () => {
    const app = createApp()
    app.post('/a', { schema: { body: { $id: 'private', type: 'object' } } }, () => 'a')
    app.get('/b', { schema: { response: { 200: { $ref: 'private#' } } } }, () => ({}))
    await expect(app.ready()).rejects.toThrow('private#')
  })

  line4('5.x takes it and forgets it')('refuses addSchema after the app is ready', async () => {
    const app = createApp()
    await app.ready()
    expect(() => app.addSchema(POINT)).toThrow()
  })

  it('sees a schema that was added after the route', async () => {
    const app = createApp()
    app.post('/', { schema: { body: { $ref: 'point#' } } }, (request) => request.body)
    app.addSchema(POINT)
    expect((await send(app, { method: 'POST', path: '/', body: { x: '3' } })).json()).toEqual({ x: 3 })
    expect((await send(app, { method: 'POST', path: '/', body: {} })).status).toBe(400)
  })
})
