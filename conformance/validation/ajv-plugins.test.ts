// The plugins of Ajv as published, given to the factory or used in an error handler.
import ajvErrors from 'ajv-errors'
import ajvFormats from 'ajv-formats'
import ajvKeywords from 'ajv-keywords'
import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'
import { ajvMergePatch, localize } from './untyped-packages.ts'

function addRoute(app: App, body: object): App {
  return app.post('/', { schema: { body } }, (request) => ({ seen: request.body }))
}

describeBehind('plugins of the validator', ({ createApp, send, it, expect }) => {
  const post = { method: 'POST', path: '/' }

  it('gives the messages of ajv-errors, with allErrors', async () => {
    const app = addRoute(createApp({ ajv: { customOptions: { allErrors: true }, plugins: [ajvErrors] } }), {
      type: 'object',
      properties: {
        name: { type: 'string', errorMessage: { type: 'Bad name' } },
        age: { type: 'number', minimum: 18, errorMessage: { type: 'Bad age', minimum: 'Too young' } },
      },
      required: ['name', 'age'],
      errorMessage: { required: { name: 'Why no name!', age: 'Why no age!' } },
    })
    const message = async (body: object): Promise<unknown> =>
      Object((await send(app, { ...post, body })).json()).message
    expect(await message({ name: {}, age: 20 })).toBe('body/name Bad name')
    expect(await message({ name: 'a', age: 'x' })).toBe('body/age Bad age')
    expect(await message({ name: 'a', age: 1 })).toBe('body/age Too young')
    expect(await message({})).toBe('body Why no name!, body Why no age!')
    expect((await send(app, { ...post, body: { name: 'a', age: 20 } })).status).toBe(200)
  })

  it('refuses ajv-errors without allErrors, as the plugin itself does', async () => {
    const boot = async (): Promise<void> => {
      const app = createApp({ ajv: { plugins: [ajvErrors] } })
      addRoute(app, { type: 'object', properties: { a: { type: 'string', errorMessage: 'bad' } } })
      await app.ready()
    }
    await expect(boot()).rejects.toThrow('allErrors')
  })

  it('takes a plugin with options as a pair', async () => {
    const app = createApp({
      ajv: { customOptions: { allErrors: true }, plugins: [[ajvErrors, { singleError: true }]] },
    })
    addRoute(app, {
      type: 'object',
      properties: {
        a: {
          type: 'string',
          minLength: 3,
          pattern: '^z',
          errorMessage: { minLength: 'short', pattern: 'no z' },
        },
      },
    })
    const response = await send(app, { ...post, body: { a: 'b' } })
    expect(response.json()).toMatchObject({ message: 'body/a short;no z' })
  })

  it('takes formats of ajv-formats in another mode', async () => {
    const app = createApp({ ajv: { plugins: [[ajvFormats, { formats: ['date'], keywords: true }]] } })
    addRoute(app, {
      type: 'object',
      properties: { d: { type: 'string', format: 'date', formatMinimum: '2024-01-01' } },
    })
    expect((await send(app, { ...post, body: { d: '2024-05-05' } })).status).toBe(200)
    expect((await send(app, { ...post, body: { d: '2023-05-05' } })).status).toBe(400)
  })

  it('applies keywords of ajv-keywords', async () => {
    const app = addRoute(createApp({ ajv: { plugins: [ajvKeywords] } }), {
      type: 'object',
      properties: {
        word: { type: 'string', transform: ['trim', 'toLowerCase'] },
        n: { type: 'number', range: [2, 4] },
      },
    })
    const response = await send(app, { ...post, body: { word: '  ABC ', n: 3 } })
    expect(response.json()).toEqual({ seen: { word: 'abc', n: 3 } })
    expect((await send(app, { ...post, body: { n: 5 } })).status).toBe(400)
  })

  it('takes one keyword of ajv-keywords by name', async () => {
    const app = addRoute(createApp({ ajv: { plugins: [[ajvKeywords, ['transform']]] } }), {
      type: 'object',
      properties: { word: { type: 'string', transform: ['trim'] } },
    })
    expect((await send(app, { ...post, body: { word: ' a ' } })).json()).toEqual({ seen: { word: 'a' } })
  })

  // The plugin changes the source that it is given: each test makes its own.
  const source = (): object => ({ type: 'object', properties: { q: { type: 'string' } } })

  it('applies $merge of ajv-merge-patch', async () => {
    const app = addRoute(createApp({ ajv: { plugins: [ajvMergePatch] } }), {
      $merge: { source: source(), with: { required: ['q'] } },
    })
    expect((await send(app, { ...post, body: { q: 'a' } })).json()).toEqual({ seen: { q: 'a' } })
    expect((await send(app, { ...post, body: {} })).status).toBe(400)
  })

  it('applies $patch of ajv-merge-patch', async () => {
    const app = addRoute(createApp({ ajv: { plugins: [ajvMergePatch] } }), {
      $patch: { source: source(), with: [{ op: 'add', path: '/properties/q', value: { type: 'number' } }] },
    })
    expect((await send(app, { ...post, body: { q: 5 } })).json()).toEqual({ seen: { q: 5 } })
    expect((await send(app, { ...post, body: { q: 'word' } })).status).toBe(400)
  })

  it('merges into a shared schema with ajv-merge-patch', async () => {
    const app = createApp({ ajv: { plugins: [ajvMergePatch] } }).addSchema({ $id: 'base', ...source() })
    addRoute(app, { $merge: { source: { $ref: 'base#' }, with: { required: ['q'] } } })
    expect((await send(app, { ...post, body: { q: 'a' } })).status).toBe(200)
    expect((await send(app, { ...post, body: {} })).status).toBe(400)
  })

  it('localises messages with ajv-i18n in an error handler', async () => {
    const app = createApp()
    app.setErrorHandler((error, _request, reply) => {
      if (error.validation === undefined) return reply.send(error)
      localize('ru', error.validation)
      return reply.code(400).send(error.validation)
    })
    addRoute(app, { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] })
    const response = await send(app, { ...post, body: {} })
    expect(response.status).toBe(400)
    expect(response.json()).toMatchObject([
      { keyword: 'required', message: 'должно иметь обязательное поле name' },
    ])
  })

  it('reports a plugin that throws when the app boots', async () => {
    const boot = async (): Promise<void> => {
      const app = createApp({
        ajv: {
          plugins: [
            () => {
              throw new Error('made for another version of Ajv')
            },
          ],
        },
      })
      addRoute(app, { type: 'object' })
      await app.ready()
    }
    await expect(boot()).rejects.toThrow('made for another version of Ajv')
  })

  it('gives each plugin an Ajv of major version 8', async () => {
    const seen: string[] = []
    const app = createApp({
      ajv: {
        plugins: [
          (ajv: { opts: object; addKeyword: unknown; getSchema: unknown }) => {
            seen.push(typeof ajv.addKeyword, typeof ajv.getSchema)
            return ajv
          },
        ],
      },
    })
    addRoute(app, { type: 'object' })
    await app.ready()
    expect(new Set(seen)).toEqual(new Set(['function']))
  })
})
