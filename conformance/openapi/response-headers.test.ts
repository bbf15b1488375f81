// The headers of responses that are decided at boot, and those that plugins state, are in the document.
import { cloister } from 'cloister'
import type { Cloister } from 'cloister'
import { presetHeaders } from 'cloister/inspect'
import { openApiDocument } from '@cloister/openapi'
import type { DocumentOptions } from '@cloister/openapi'
import { checkContract } from '@cloister/openapi/contract'
import { web } from '@cloister/web'
import type { WebOptions } from '@cloister/web'
import { describe, expect, it } from 'vitest'
import { errorsOf } from '../../packages/openapi/test/validators.ts'

const book = { type: 'object', properties: { title: { type: 'string' } } } as const
const response = { 200: book }
const deprecated = { since: '2026-11-01', until: '2027-11-01', link: 'https://api.example/changes' }

async function shop(options: WebOptions = {}): Promise<Cloister> {
  const app = cloister({ strict: true, logger: false })
  app.register(web, { origins: ['https://shop.example'], ...options })
  app.after(() => {
    app.get('/books', { schema: { response } }, () => ({ title: 'Emma' }))
    app.post('/books', { schema: { body: book, response } }, () => ({ title: 'Emma' }))
    app.get('/free', { schema: { response }, web: { limit: false, conditional: false } }, () => ({}))
  })
  await app.ready()
  return app
}

/** Returns the names of the headers of a response in the document. */
function headersOf(app: Cloister, at: readonly string[], options: DocumentOptions = {}): string[] {
  const { [at[0] ?? '']: item } = openApiDocument(app, options).paths
  const read = (value: unknown, key: string): unknown => Reflect.get(Object(value), key)
  const found = read(read(read(read(item, at[1] ?? ''), 'responses'), at[2] ?? ''), 'headers')
  return Object.keys(Object(found))
}

const part = (app: Cloister, name: string, options: DocumentOptions = {}): unknown =>
  Reflect.get(Object(openApiDocument(app, options).components), name)

describe('headers of responses in the document', () => {
  it('are those that clients read, by the settings of the route', async () => {
    const app = await shop({ limit: { max: 100, per: '1m', fields: true } })
    expect(headersOf(app, ['/books', 'get', '200'])).toEqual(['ETag', 'RateLimit', 'RateLimit-Policy'])
    expect(headersOf(app, ['/books', 'post', '200'])).toEqual(['RateLimit', 'RateLimit-Policy'])
    expect(headersOf(app, ['/free', 'get', '200'])).toEqual([])
    expect(part(app, 'headers')).toMatchObject({ ETag: { schema: { type: 'string' } } })
    expect(part(app, 'responses')).toMatchObject({
      TooManyRequests: {
        headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
      },
      UnsupportedMediaType: { headers: { 'Accept-Encoding': {} } },
    })
  })

  it('are all with responseHeaders all, and none with false', async () => {
    const app = await shop()
    const all = headersOf(app, ['/books', 'get', '200'], { responseHeaders: 'all' })
    expect(all).toEqual(
      expect.arrayContaining([
        'ETag',
        'Strict-Transport-Security',
        'Content-Security-Policy',
        'Access-Control-Allow-Origin',
        'Vary',
      ]),
    )
    expect(part(app, 'headers', { responseHeaders: 'all' })).toMatchObject({
      'X-Content-Type-Options': { schema: { type: 'string' }, example: 'nosniff' },
    })
    expect(headersOf(app, ['/books', 'get', '200'], { responseHeaders: false })).toEqual([])
    expect(part(app, 'headers', { responseHeaders: false })).toBe(undefined)
  })

  it('of a deprecated route are its own, beside shared responses', async () => {
    const app = cloister({ logger: false })
    await app.register(web)
    app.post('/old', { schema: { body: book, response, deprecated } }, () => ({}))
    app.post('/new', { schema: { body: book, response } }, () => ({}))
    await app.ready()
    const names = ['Deprecation', 'Sunset', 'Link']
    expect(headersOf(app, ['/old', 'post', '200'])).toEqual(names)
    const { paths } = openApiDocument(app)
    const shared = { post: { responses: { 403: { $ref: '#/components/responses/Forbidden' } } } }
    expect(paths).toMatchObject({ '/old': shared, '/new': shared })
    expect(headersOf(app, ['/new', 'post', '200'])).toEqual([])
  })

  it('of the app are named as presetHeaders has them, and one that the route describes stays', async () => {
    const app = cloister({ logger: false })
    presetHeaders(app, () => ({ fields: { 'x-api-version': '3', 'x-frame-options': 'DENY' } }))
    const headers = { 'x-api-version': { type: 'integer' } }
    app.get('/a', { schema: { response } }, () => ({}))
    app.get('/b', { schema: { response: { 200: { ...book, headers } } } }, () => ({}))
    await app.ready()
    expect(headersOf(app, ['/a', 'get', '200'])).toEqual(['X-Api-Version'])
    expect(headersOf(app, ['/b', 'get', '200'])).toEqual(['x-api-version'])
    expect(part(app, 'headers')).toEqual({ 'X-Api-Version': { schema: { type: 'string' }, example: '3' } })
  })

  it.each(['3.0', '3.1'] as const)('make a valid document of version %s', async (version) => {
    const app = await shop({ limit: { max: 100, per: '1m', fields: true } })
    const document = openApiDocument(app, { version, responseHeaders: 'all' })
    expect(await errorsOf(document)).toEqual([])
  })

  it('are sent as the document says', async () => {
    const app = await shop({ limit: { max: 1000, per: '1m', fields: true } })
    const { requests, skipped } = await checkContract(app, { seed: 1, runs: 5 })
    expect([requests > 0, skipped]).toEqual([true, []])
    const sent = (await app.inject('/books')).headers
    for (const name of headersOf(app, ['/books', 'get', '200'], { responseHeaders: 'all' }))
      if (!name.startsWith('Access-Control-')) expect(sent).toHaveProperty(name.toLowerCase())
  })
})
