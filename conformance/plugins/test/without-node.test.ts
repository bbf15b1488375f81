// Plugins for headers run unmodified where there are no objects of Node: they set headers on the raw response.
import { expect, it } from 'vitest'
import { isPeer } from '../../harness/subject.ts'
import { describePlugin } from '../subject.ts'

/** Headers of the connection, and of the time. */
const OF_TRANSPORT = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']

describePlugin('helmet', ({ use, createApp }) => {
  it.skipIf(isPeer).each([
    ['GET', { origin: 'https://a.example' }],
    ['GET', { origin: 'https://b.example' }],
    ['OPTIONS', { origin: 'https://a.example', 'access-control-request-method': 'GET' }],
  ])('and cors send over app.fetch for %s with %j what they send in process', async (method, headers) => {
    const app = createApp()
    app.register(use('helmet'))
    app.register(use('cors'), { origin: ['https://a.example'], credentials: true })
    app.after(() => {
      app.get('/', async (_request: unknown, reply: { header(name: string, value: string): unknown }) => {
        reply.header('x-own', '1')
        return { ok: true }
      })
    })
    const expected = await app.inject({ method, url: '/', headers })
    const response: Response = await app.fetch(new Request('http://localhost/', { method, headers }))
    const kept = Object.entries(expected.headers).filter(([name]) => !OF_TRANSPORT.includes(name))
    const texts = kept.map(([name, value]) => [name, [value].flat().join(', ')])
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      expected.statusCode,
      Object.fromEntries(texts),
    ])
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  })
})
