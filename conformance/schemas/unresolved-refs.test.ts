import { expect } from 'vitest'
import { describeBehind } from '../harness/transports.ts'

async function bootMessage(app: PromiseLike<unknown>): Promise<string> {
  try {
    await app
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return expect.fail('the app booted')
}

describeBehind('a $ref that does not resolve', ({ createApp, it, expect, ours }) => {
  for (const part of ['body', 'querystring', 'params', 'headers']) {
    it(`fails the boot in ${part}`, async () => {
      const app = createApp()
      app.post(
        '/:id',
        { schema: { [part]: { type: 'object', properties: { a: { $ref: 'nowhere#' } } } } },
        () => 1,
      )
      expect(await bootMessage(app.ready())).toContain('nowhere#')
    })
  }

  it('fails the boot in a response', async () => {
    const app = createApp()
    app.get(
      '/',
      { schema: { response: { 200: { type: 'object', properties: { a: { $ref: 'nowhere#' } } } } } },
      () => 1,
    )
    expect(await bootMessage(app.ready())).toContain('nowhere#')
  })

  it('fails the boot when the path inside a shared schema does not exist', async () => {
    const app = createApp().addSchema({ $id: 'lib', type: 'object', definitions: {} })
    app.post('/', { schema: { body: { $ref: 'lib#/definitions/missing' } } }, () => 1)
    expect(await bootMessage(app.ready())).toContain('lib#/definitions/missing')
  })

  it('names the route', async () => {
    const app = createApp()
    app.post('/orders/:id', { schema: { body: { $ref: 'nowhere#' } } }, () => 1)
    const message = await bootMessage(app.ready())
    expect(message).toContain('POST')
    expect(message).toContain('/orders/:id')
  })

  ours('the peers do not look for near names')('suggests the nearest id that is visible', async () => {
    const app = createApp()
      .addSchema({ $id: 'address', type: 'object' })
      .addSchema({ $id: 'zebra', type: 'object' })
    app.post('/', { schema: { body: { $ref: 'adress#' } } }, () => 1)
    const message = await bootMessage(app.ready())
    expect(message).toContain('adress#')
    expect(message).toMatch(/\baddress\b/)
    expect(message).not.toContain('zebra')
  })

  ours('the peers do not look for near names')('suggests the nearest id for a response too', async () => {
    const app = createApp().addSchema({ $id: 'address', type: 'object' })
    app.get('/', { schema: { response: { 200: { $ref: 'adress#' } } } }, () => 1)
    expect(await bootMessage(app.ready())).toMatch(/\baddress\b/)
  })

  ours('the peers do not say where an id exists')('names the context in which the id exists', async () => {
    const app = createApp()
    app.register(async function billing(child) {
      child.addSchema({ $id: 'invoice', type: 'object' })
    })
    app.register(async function shop(child) {
      child.post('/', { schema: { body: { $ref: 'invoice#' } } }, () => 1)
    })
    const message = await bootMessage(app.ready())
    expect(message).toContain('invoice#')
    expect(message).toContain('billing')
  })

  ours("the peers' stack never reaches the user's file")('names the place of the route', async () => {
    const app = createApp()
    app.post('/', { schema: { body: { $ref: 'nowhere#' } } }, () => 1)
    expect(await bootMessage(app.ready())).toMatch(/unresolved-refs\.test\.ts:\d+/)
  })

  ours('the peers name the route only')('names the part and the pointer of the reference', async () => {
    const app = createApp()
    app.post(
      '/',
      { schema: { body: { type: 'object', properties: { a: { items: { $ref: 'nowhere#' } } } } } },
      () => 1,
    )
    const message = await bootMessage(app.ready())
    expect(message).toContain('body')
    expect(message).toContain('/properties/a/items')
  })
})
