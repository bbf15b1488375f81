// What error responses say to caches: the option `cacheErrors`.
import { describeTransports } from '../harness/transports.ts'

const REASON = 'the peers keep the headers'
const LONG = 'public, max-age=3600'
const FIELDS = {
  'cache-control': LONG,
  etag: '"v1"',
  'last-modified': 'Sun, 29 Nov 2026 10:00:00 GMT',
  expires: 'Mon, 30 Nov 2026 10:00:00 GMT',
  'cdn-cache-control': 'max-age=600',
  'surrogate-control': 'max-age=600',
}

describeTransports('errors: caches', ({ createApp, send, expect, it, ours }) => {
  it('a failed reply keeps what its handler said to caches, as in 4.x', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      reply.headers(FIELDS)
      throw new Error('no database')
    })
    const { status, headers } = await send(app, { path: '/' })
    expect([status, headers]).toEqual([500, expect.objectContaining(FIELDS)])
  })

  for (const fails of ['throws', 'rejects', 'sends an error', 'sends what cannot be written', 'is not found'])
    ours(REASON)(`with strict, a reply that ${fails} sends nothing that lets caches keep it`, async () => {
      const app = createApp({ strict: true })
      app.get('/', (_request, reply) => {
        reply.headers({ ...FIELDS, 'x-kept': 'yes' })
        const error = new Error('no database')
        if (fails === 'throws') throw error
        if (fails === 'rejects') return Promise.reject(error)
        if (fails === 'is not found') return reply.callNotFound()
        return reply.send(fails === 'sends an error' ? error : { toJSON: () => BigInt(1) })
      })
      const { status, headers } = await send(app, { path: '/' })
      expect(status).toBe(fails === 'is not found' ? 404 : 500)
      const { 'cache-control': control, ...others } = FIELDS
      expect([headers['cache-control'], control]).toEqual(['no-store', LONG])
      for (const name of Object.keys(others)) expect(headers).not.toHaveProperty(name)
      expect(headers['x-kept']).toBe('yes')
    })

  ours(REASON)('with strict, what forbids caches is kept, and without it nothing is added', async () => {
    const app = createApp({ strict: true })
    const values = { '/store': 'private, no-store', '/cache': 'No-Cache', '/nothing': undefined }
    for (const [path, value] of Object.entries(values))
      app.get(path, (_request, reply) => {
        if (value !== undefined) reply.header('cache-control', value)
        throw new Error('no database')
      })
    for (const [path, value] of Object.entries(values))
      expect((await send(app, { path })).headers['cache-control']).toBe(value)
  })

  ours(REASON)('with strict, headers of the error, its handler and onSend hooks are sent', async () => {
    const app = createApp({ strict: true })
    app.addHook('onSend', async (_request, reply) => void reply.header('expires', '0'))
    app.get('/error', (_request, reply) => {
      reply.headers(FIELDS)
      throw Object.assign(new Error('gone'), { statusCode: 410, headers: { 'cache-control': 'max-age=5' } })
    })
    const errorHandler = (
      _error: unknown,
      _request: unknown,
      reply: { header(name: string, value: string): unknown },
    ) => {
      reply.header('etag', '"of the handler"')
      return 'failed'
    }
    app.get('/handler', { errorHandler }, (_request, reply) => {
      reply.headers(FIELDS)
      throw new Error('no database')
    })
    const error = await send(app, { path: '/error' })
    expect([error.status, error.headers['cache-control'], error.headers['expires']]).toEqual([
      410,
      'max-age=5',
      '0',
    ])
    const { headers } = await send(app, { path: '/handler' })
    expect([headers['etag'], headers['cache-control']]).toEqual(['"of the handler"', 'no-store'])
  })
})
