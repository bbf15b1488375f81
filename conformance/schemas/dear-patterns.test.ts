import { expect } from 'vitest'
import { isPeer } from '../harness/subject.ts'
import { tick } from '../harness/time.ts'
import { describeBehind } from '../harness/transports.ts'

const SLUG = { type: 'object', properties: { slug: { type: 'string', pattern: '^([a-z]+-?)*$' } } }

describeBehind('an expression of exponential time', ({ createApp, send, it, ours }) => {
  ours('the peers start, and a few characters stop the process')(
    'is run in linear time: no text blocks the process, however long',
    async () => {
      const app = createApp()
      app.post('/pages', { schema: { body: SLUG } }, () => 'taken')
      const post = (slug: string) => send(app, { method: 'POST', path: '/pages', body: { slug } })
      expect((await post(`${'a'.repeat(500_000)}!`)).status).toBe(400)
      expect((await post('a-page')).status).toBe(200)
    },
  )

  ours('the peers start, and a few characters stop the process')(
    'stops the start where only V8 can run it, with the expression, the reason, the route and the line',
    async () => {
      const app = createApp()
      const pattern = String.raw`^([a-z]+-?)*(x)\2$`
      const body = { type: 'object', properties: { slug: { type: 'string', pattern } } }
      app.post('/pages', { schema: { body } }, () => 1)
      const failure = await Promise.resolve(app.ready()).then(
        () => 'the app booted',
        (error: unknown) => String(error),
      )
      expect(failure).toContain('^([a-z]+-?)*(x)')
      expect(failure).toContain('a backreference')
      expect(failure).toContain('POST /pages')
      expect(failure).toContain('dear-patterns.test.ts')
    },
  )

  it('is no matter where each text is read in one way', async () => {
    const app = createApp()
    const slug = { ...SLUG.properties.slug, pattern: '^[a-z]+(?:-[a-z]+)*$' }
    app.post('/pages', { schema: { body: { ...SLUG, properties: { slug } } } }, () => 'taken')
    const post = (value: string) => send(app, { method: 'POST', path: '/pages', body: { slug: value } })
    expect((await post('a-page')).status).toBe(200)
    expect((await post(`${'a'.repeat(5000)}!`)).status).toBe(400)
  })
})

describeBehind('an expression of polynomial time', ({ createApp, it, ours }) => {
  const mail = (pattern: string, keywords: object = {}): Record<string, unknown> => ({
    type: 'object',
    properties: { mail: { type: 'string', pattern, ...keywords } },
  })
  /** Its reference keeps it from automata. */
  const body = (keywords: object): Record<string, unknown> => mail(String.raw`^(.+)@.+\1$`, keywords)

  async function warningsOf(schema: Record<string, unknown>, url: string): Promise<string[]> {
    const heard: string[] = []
    const hear = (warning: Error): void => {
      if ('code' in warning && warning.code === 'CLO_WRN_PATTERN_SLOW') heard.push(warning.message)
    }
    process.on('warning', hear)
    const app = createApp()
    app.post(url, { schema }, () => 1)
    await app.ready()
    await tick()
    process.off('warning', hear)
    return heard
  }

  it('is not warned of, since it is run in linear time', async () => {
    expect(await warningsOf({ body: mail('^.+@.+$') }, '/mails')).toEqual([])
  })

  ours('the peers start, and one long text stops the process')(
    'is warned of at the start where only V8 can run it, with the reason, the route, the line and the ways out',
    async () => {
      const [message, ...others] = await warningsOf({ body: body({}) }, '/mails')
      expect(others).toEqual([])
      expect(message).toContain('^(.+)@.+')
      expect(message).toContain('a backreference')
      expect(message).toContain('POST /mails')
      expect(message).toContain('dear-patterns.test.ts')
      expect(message).toContain('"maxLength": 493')
    },
  )

  it('is no matter beside a small maxLength, nor in a path, whose params are short', async () => {
    expect(await warningsOf({ body: body({ maxLength: 254 }) }, '/mails')).toEqual([])
    expect(await warningsOf({ params: body({}) }, '/mails/:mail')).toEqual([])
  })
})

describeBehind('an expression of the application that is no schema', ({ createApp, send, ours }) => {
  const dear = ours('on the peers a few characters stop the process')

  dear('is run in linear time in a path, and params are what V8 finds', async () => {
    const app = createApp({ allowUnsafeRegex: true, maxParamLength: 2000 })
    app.get('/one/:id(^(?:a|a)*b$)', (request) => request.params)
    app.get('/three/:word(^(?:a|a)*):rest.:end', (request) => request.params)
    app.get('/two/:word(^(?:[a-z]+-?)*):number(^\\d+)', (request) => request.params)
    const get = async (path: string): Promise<unknown> => {
      const { status, json } = await send(app, { path })
      return status === 200 ? json() : status
    }
    expect(await get('/one/aab')).toEqual({ id: 'aab' })
    expect(await get(`/one/${'a'.repeat(1500)}`)).toBe(404)
    expect(await get('/two/some-words12')).toEqual({ word: 'some-words', number: '12' })
    expect(await get(`/two/${'a'.repeat(1500)}`)).toBe(404)
    expect(await get('/three/aab.c')).toEqual({ word: 'aa', rest: 'b', end: 'c' })
    expect(await get(`/three/${'a'.repeat(1500)}`)).toBe(404)
  })

  dear('is run in linear time on hosts and content types', async () => {
    const app = createApp()
    app.route({
      method: 'GET',
      url: '/',
      constraints: { host: /^(?:[a-z]+-?)*x\.test$/i },
      handler: () => 'host',
    })
    app.addContentTypeParser(
      /^application\/(?:[a-z]+\+?)*x$/,
      { parseAs: 'string' },
      (_request, body, done) => {
        done(null, body)
      },
    )
    app.post('/', (request) => request.body)
    const host = (name: string) => send(app, { path: '/', headers: { host: `${name}.test` } })
    expect((await host('some-x')).status).toBe(200)
    expect((await host('a'.repeat(60))).status).toBe(404)
    const post = (type: string) =>
      send(app, {
        method: 'POST',
        path: '/',
        headers: { 'content-type': `application/${type}` },
        body: 'text',
      })
    expect((await post('some+x')).text).toBe('text')
    expect((await post('a'.repeat(1000))).status).toBe(415)
  })
})

describeBehind('a schema in which a thousand others lie', ({ createApp, it }) => {
  const nested = (depth: number): object => {
    let schema: object = { type: 'integer' }
    for (let level = 0; level < depth; level++) schema = { type: 'object', properties: { a: schema } }
    return schema
  }

  it.each(['body', 'response'])('stops the start as %s', async (part) => {
    const app = createApp()
    const schema = part === 'body' ? { body: nested(1000) } : { response: { 200: nested(1000) } }
    const failure = await Promise.resolve()
      .then(() => app.post('/deep', { schema }, () => 1))
      .then(() => app.ready())
      .then(
        () => 'the app booted',
        (error: unknown) => String(error),
      )
    expect(failure).not.toBe('the app booted')
    if (isPeer) return
    expect(failure).toContain('more than 200 levels')
    expect(failure).toContain('POST /deep')
  })
})
