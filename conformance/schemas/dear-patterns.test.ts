import { expect } from 'vitest'
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
