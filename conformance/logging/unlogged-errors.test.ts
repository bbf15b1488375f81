// Errors of an app that hides them from its clients, and has no logger either.
import { Readable } from 'node:stream'
import { afterEach, vi } from 'vitest'
import { describeTransports } from '../harness/transports.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const REASON = 'Fastify writes errors to a logger only'

describeTransports('errors without a logger', ({ createApp, send, ours, expect }) => {
  const written = (): readonly string[] => {
    const texts: string[] = []
    vi.spyOn(console, 'error').mockImplementation((text) => void texts.push(String(text)))
    return texts
  }
  const failing = (): unknown => {
    throw new Error('the disk is full')
  }

  ours(REASON)('go to stderr with route and stack, once for each request', async () => {
    const texts = written()
    const app = createApp({ strict: true })
    app.get('/books/:id', failing)
    const response = await send(app, { path: '/books/1?token=secret' })
    expect(response.status).toBe(500)
    expect(response.text).not.toContain('disk')
    await send(app, { path: '/books/2' })
    expect(texts).toHaveLength(2)
    expect(texts[0]).toMatch(
      /^GET \/books\/:id failed; .*logger: true.*\nError: the disk is full\n {4}at .*failing/,
    )
  })

  ours(REASON)('end with what the developer should do, in development', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const texts = written()
    const app = createApp({ strict: true, handlerTimeout: 50 })
    app.get('/', () => {})
    expect((await send(app, { path: '/' })).status).toBe(503)
    expect(texts.join('')).toMatch(
      /timed out after 50 ms on route GET \/\n(?: {4}at .*\n)+Return a value or call reply\.send\(\) on every path/,
    )
  })

  ours(REASON)(
    'do not go to stderr with a logger, a visible message, a status below 500 or an error handler',
    async () => {
      const texts = written()
      const logger = { level: 'error', stream: { write: () => {} } }
      for (const options of [{ strict: true, logger }, {}]) {
        const app = createApp(options)
        app.get('/', failing)
        expect((await send(app, { path: '/' })).status).toBe(500)
      }
      const app = createApp({ strict: true })
      app.get('/teapot', () => {
        throw Object.assign(new Error('no coffee'), { statusCode: 418 })
      })
      expect((await send(app, { path: '/teapot' })).status).toBe(418)
      expect((await send(app, { path: '/nowhere' })).status).toBe(404)
      const handled = createApp({ strict: true })
      handled.setErrorHandler((_error, _request, reply) => reply.code(500).send('handled'))
      handled.get('/', failing)
      expect((await send(handled, { path: '/' })).text).toBe('handled')
      expect(texts).toEqual([])
    },
  )

  ours(REASON)('go to stderr when a stream fails after the head was sent', async () => {
    const texts = written()
    const app = createApp({ strict: true })
    app.get('/', () =>
      Readable.from(
        (async function* parts() {
          yield 'a'
          await new Promise((resolve) => setTimeout(resolve, 20))
          throw new Error('the source ended')
        })(),
      ),
    )
    await send(app, { path: '/' }).catch(() => {})
    await vi.waitFor(() => expect(texts.join('')).toContain('the source ended'))
  })

  ours(REASON)('cause one process warning in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const texts = written()
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const app = createApp({ strict: true })
    app.get('/', failing)
    await send(app, { path: '/' })
    await send(app, { path: '/' })
    const codes = warnings.mock.calls.map(([, details]) => Object(details).code)
    expect(codes).toEqual(['CLO_WRN_ERRORS_UNSEEN'])
    expect(texts).toEqual([])
  })
})
