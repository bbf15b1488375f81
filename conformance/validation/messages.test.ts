// The option validationMessages: messages of violations in the language of the client.
import de from 'ajv-i18n/localize/de/index.js'
import fr from 'ajv-i18n/localize/fr/index.js'
import { describeBehind } from '../harness/transports.ts'

const REASON = 'the peers leave translation to error handlers'
const body = { type: 'object', required: ['name'], properties: { age: { type: 'integer' } } }
const GERMAN = 'body muss das erforderliche Attribut name enthalten'

describeBehind('validation messages', ({ createApp, send, expect, ours }) => {
  const post = { method: 'POST', path: '/', body: {} }
  const translated = (more: object = {}): ReturnType<typeof createApp> =>
    createApp({ validationMessages: { de, fr }, ...more }).post('/', { schema: { body } }, () => 'never')

  for (const [accept, language, message] of [
    ['de', 'de', GERMAN],
    ['de-AT, en;q=0.5', 'de', GERMAN],
    ['fr;q=0.5, de;q=0.9', 'de', GERMAN],
    ['fr', 'fr', 'body requiert la propriété name'],
    ['en, de;q=0.5', 'en', "body must have required property 'name'"],
    ['ja', 'en', "body must have required property 'name'"],
    [undefined, 'en', "body must have required property 'name'"],
  ] as const) {
    ours(REASON)(`follow Accept-Language: ${accept}`, async () => {
      const headers = accept === undefined ? {} : { 'accept-language': accept }
      const response = await send(translated(), { ...post, headers })
      expect(response.status).toBe(400)
      expect(response.headers['content-language']).toBe(language)
      expect(response.headers['vary']).toBe('Accept-Language')
      expect(response.json()).toMatchObject({ message })
    })
  }

  ours(REASON)('change nothing else in problem details', async () => {
    const response = await send(translated({ problemDetails: true }), {
      ...post,
      headers: { 'accept-language': 'de' },
    })
    expect(response.json()).toMatchObject({
      detail: GERMAN,
      errors: [
        {
          pointer: '',
          keyword: 'required',
          message: 'muss das erforderliche Attribut name enthalten',
          params: { missingProperty: 'name' },
        },
      ],
    })
  })

  ours(REASON)('are for the default error response: other errors have no language', async () => {
    const response = await send(translated(), { path: '/nowhere', headers: { 'accept-language': 'de' } })
    expect(response.headers['content-language']).toBeUndefined()
  })

  ours(REASON)('come from one function, which has the request', async () => {
    const app = createApp({
      validationMessages: (issues: { message?: string; keyword: string }[], request: { url: string }) => {
        for (const issue of issues) issue.message = `breaks ${issue.keyword} of ${request.url}`
      },
    })
    app.post('/', { schema: { body } }, () => 'never')
    const response = await send(app, post)
    expect(response.json()).toMatchObject({ message: 'body breaks required of /' })
    expect(response.headers['content-language']).toBeUndefined()
  })

  ours(REASON)('reach error handlers and $async schemas', async () => {
    const app = createApp({ validationMessages: { de } })
    app.setErrorHandler((error, _request, reply) => reply.code(422).send({ problem: error.message }))
    app.post('/', { schema: { body: { $async: true, ...body } } }, () => 'never')
    const response = await send(app, { ...post, headers: { 'accept-language': 'de' } })
    expect(response.json()).toEqual({ problem: GERMAN })
  })

  ours(REASON)('leave the messages as they are for clients that ask for no language', async () => {
    const en = (issues: { message?: string }[]): void => {
      for (const issue of issues) issue.message = 'is wrong'
    }
    const app = createApp({ validationMessages: { en } }).post('/', { schema: { body } }, () => 'never')
    const message = "body must have required property 'name'"
    expect((await send(app, post)).json()).toMatchObject({ message })
    const english = await send(app, { ...post, headers: { 'accept-language': 'en' } })
    expect(english.json()).toMatchObject({ message: 'body is wrong' })
  })

  ours(REASON)('are for the errors of JSON Schema, not for those of other validators', async () => {
    const app = createApp({
      validationMessages: (issues: { message?: string }[]) => {
        for (const issue of issues) issue.message = 'translated'
      },
    })
    const validatorCompiler = () => () => ({ error: [{ message: 'is refused' }] })
    app.post('/', { schema: { body }, validatorCompiler }, () => 'never')
    expect((await send(app, post)).json()).toMatchObject({ message: 'body is refused' })
  })

  ours(REASON)('are none without the option: the response has no language', async () => {
    const app = createApp().post('/', { schema: { body } }, () => 'never')
    const { headers } = await send(app, { ...post, headers: { 'accept-language': 'de' } })
    expect([headers['content-language'], headers['vary']]).toEqual([undefined, undefined])
  })

  ours(REASON)('are an error where the function is asynchronous', async () => {
    const app = createApp({ validationMessages: async () => {} })
    app.post('/', { schema: { body } }, () => 'never')
    expect((await send(app, post)).json()).toMatchObject({ code: 'CLO_ERR_CALLBACK_NOT_SYNC' })
  })
})
