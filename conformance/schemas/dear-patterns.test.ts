import { expect } from 'vitest'
import { isPeer } from '../harness/subject.ts'
import { tick } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

const SLUG = { type: 'object', properties: { slug: { type: 'string', pattern: '^([a-z]+-?)*$' } } }

describeTransports('an expression of exponential time', ({ createApp, send, it, ours }) => {
  ours('the peers start, and a few characters stop the process')(
    'stops the start, with the expression, the route and the line',
    async () => {
      const app = createApp()
      app.post('/pages', { schema: { body: SLUG } }, () => 1)
      const failure = await Promise.resolve(app.ready()).then(
        () => 'the app booted',
        (error: unknown) => String(error),
      )
      expect(failure).toContain('^([a-z]+-?)*$')
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

describeTransports('an expression of polynomial time', ({ createApp, it, ours }) => {
  const body = (keywords: object): Record<string, unknown> => ({
    type: 'object',
    properties: { mail: { type: 'string', pattern: '^.+@.+$', ...keywords } },
  })

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

  ours('the peers start, and one long text stops the process')(
    'is warned of at the start, with the route, the line and the ways out',
    async () => {
      const [message, ...others] = await warningsOf({ body: body({}) }, '/mails')
      expect(others).toEqual([])
      expect(message).toContain('^.+@.+$')
      expect(message).toContain('POST /mails')
      expect(message).toContain('dear-patterns.test.ts')
      expect(message).toContain('"maxLength": 6324')
    },
  )

  it('is no matter beside a small maxLength, nor in a path, whose params are short', async () => {
    expect(await warningsOf({ body: body({ maxLength: 254 }) }, '/mails')).toEqual([])
    expect(await warningsOf({ params: body({}) }, '/mails/:mail')).toEqual([])
  })
})

describeTransports('a schema in which a thousand others lie', ({ createApp, it }) => {
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
