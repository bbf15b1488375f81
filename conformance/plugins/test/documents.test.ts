import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePlugin, json, start, type PluginApp, type Untyped } from '../subject.ts'

const ejs: Untyped = createRequire(import.meta.url)('ejs')

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'))
  await writeFile(join(folder, 'index.html'), '<h1>Home</h1>')
  await writeFile(join(folder, 'letters.txt'), 'abcdefghij')
  await writeFile(join(folder, 'page.ejs'), '<p><%= name %></p>')
  await writeFile(join(folder, 'layout.ejs'), '<body><%- body %></body>')
})

afterAll(() => rm(folder, { recursive: true }))

describePlugin('static', ({ use, createApp }) => {
  it('serves files with type, length and validators, and responds with 304 to a client that has them', async () => {
    const app = createApp()
    await app.register(use('static'), { root: folder, prefix: '/public/' })
    const url = await start(app)
    const first = await fetch(`${url}/public/letters.txt`)
    expect(first.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(first.headers.get('content-length')).toBe('10')
    expect(await first.text()).toBe('abcdefghij')
    const tag = first.headers.get('etag') ?? ''
    const second = await fetch(`${url}/public/letters.txt`, {
      headers: { 'if-none-match': tag, 'cache-control': 'max-age=0' },
    })
    expect(second.status).toBe(304)
  })

  it('serves ranges, HEAD and the index of a folder', async () => {
    const app = createApp()
    await app.register(use('static'), { root: folder })
    const url = await start(app)
    const range = await fetch(`${url}/letters.txt`, { headers: { range: 'bytes=2-4' } })
    expect(range.status).toBe(206)
    expect(range.headers.get('content-range')).toBe('bytes 2-4/10')
    expect(await range.text()).toBe('cde')
    const head = await fetch(`${url}/letters.txt`, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe('10')
    expect(await (await fetch(`${url}/`)).text()).toBe('<h1>Home</h1>')
  })

  it('passes what it does not have to the not-found handler, and never escapes its folder', async () => {
    const app = createApp()
    await app.register(use('static'), { root: folder })
    app.setNotFoundHandler((_request: unknown, reply: Untyped) => reply.code(404).send({ missing: true }))
    const url = await start(app)
    const missing = await fetch(`${url}/nothing.txt`)
    expect(missing.status).toBe(404)
    expect(await json(missing)).toEqual({ missing: true })
    expect((await fetch(`${url}/..%2f..%2fetc%2fpasswd`)).status).toBeGreaterThanOrEqual(400)
  })

  it('gives replies sendFile() and download()', async () => {
    const app = createApp()
    await app.register(use('static'), { root: folder, serve: false })
    app.get('/send', (_request: unknown, reply: Untyped) => reply.sendFile('letters.txt'))
    app.get('/get', (_request: unknown, reply: Untyped) => reply.download('letters.txt', 'abc.txt'))
    const url = await start(app)
    expect(await (await fetch(`${url}/send`)).text()).toBe('abcdefghij')
    const download = await fetch(`${url}/get`)
    expect(download.headers.get('content-disposition')).toMatch(/^attachment; filename="?abc\.txt"?$/)
    expect(await download.text()).toBe('abcdefghij')
  })
})

/** An app whose routes use shared schemas in every part, documented by the swagger plugin. */
async function documentedApp(app: PluginApp, use: (name: string) => Untyped): Promise<void> {
  await app.register(use('swagger'), {
    openapi: { openapi: '3.0.3', info: { title: 'Books', version: '1.0.0' } },
    refResolver: { buildLocalReference: (json: Untyped) => json.$id },
  })
  app.addSchema({
    $id: 'author',
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
  })
  app.addSchema({
    $id: 'book',
    type: 'object',
    properties: { title: { type: 'string' }, author: { $ref: 'author#' } },
  })
  app.addSchema({
    $id: 'bookId',
    type: 'object',
    properties: { id: { type: 'integer' } },
    required: ['id'],
  })
  app.register(
    async (child: PluginApp) => {
      child.addSchema({ $id: 'note', type: 'object', properties: { text: { type: 'string' } } })
      child.post(
        '/books/:id',
        {
          schema: {
            tags: ['books'],
            params: { $ref: 'bookId#' },
            querystring: { type: 'object', properties: { draft: { type: 'boolean' } } },
            body: { $ref: 'book#' },
            response: {
              200: { description: 'The book', $ref: 'book#' },
              '4xx': { description: 'A note', $ref: 'note#' },
            },
          },
        },
        (request: Untyped) => request.body,
      )
      child.get('/hidden', { schema: { hide: true } }, () => ({}))
    },
    { prefix: '/v1' },
  )
}

describePlugin('swagger', ({ line, use, createApp }) => {
  it('documents headers as they are written, short forms in full, and what Ajv keywords stand for', async () => {
    const binary = (ajv: Untyped): void =>
      ajv.addKeyword({
        keyword: 'isFile',
        compile: (_value: unknown, parent: Record<string, unknown>) => {
          Object.assign(parent, { type: 'string', format: 'binary' })
          delete parent['isFile']
          return () => true
        },
      })
    const app = createApp({ ajv: { plugins: [binary] } })
    await app.register(use('swagger'), {
      openapi: { openapi: '3.0.3', info: { title: 'Files', version: '1.0.0' } },
    })
    const response = line === 4 ? { age: { type: 'number' } } : undefined
    app.post(
      '/',
      {
        schema: {
          headers: { type: 'object', properties: { authKey: { type: 'string' } } },
          body: { type: 'object', properties: { file: { isFile: true } } },
          response: { 200: response ?? { type: 'object', properties: { age: { type: 'number' } } } },
        },
      },
      () => ({ age: 1 }),
    )
    await app.ready()
    // As it is published: without the marks that the plugin keeps in it.
    const document = JSON.parse(JSON.stringify(app.swagger()))
    await SwaggerParser.validate(structuredClone(document))
    const { parameters, requestBody, responses } = document.paths['/'].post
    expect(parameters.map((parameter: Untyped) => parameter.name)).toEqual(['authKey'])
    expect(requestBody.content['application/json'].schema.properties).toEqual({
      file: { type: 'string', format: 'binary' },
    })
    expect(responses['200'].content['application/json'].schema).toEqual({
      type: 'object',
      properties: { age: { type: 'number' } },
    })
  })

  it('makes a valid OpenAPI document with the shared schemas as components', async () => {
    const app = createApp()
    await documentedApp(app, use)
    await app.ready()
    const document = app.swagger()
    await SwaggerParser.validate(structuredClone(document))
    expect(Object.keys(document.paths)).toEqual(['/v1/books/{id}'])
    const { post } = document.paths['/v1/books/{id}']
    expect(Object.keys(document.components.schemas).toSorted()).toEqual(['author', 'book', 'bookId', 'note'])
    expect(document.components.schemas.book.properties.author.$ref).toBe('#/components/schemas/author')
    expect(post.tags).toEqual(['books'])
    expect(post.requestBody.content['application/json'].schema.$ref).toBe('#/components/schemas/book')
    expect(
      post.parameters.map((parameter: Untyped) => [
        parameter.in,
        parameter.name,
        parameter.required ?? false,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['query', 'draft', false],
        ['path', 'id', true],
      ]),
    )
    expect(post.responses['200'].content['application/json'].schema.$ref).toBe('#/components/schemas/book')
    expect(post.responses['4XX'].content['application/json'].schema.$ref).toBe('#/components/schemas/note')
  })

  it('does not change validation and serialization by the documented schemas', async () => {
    const app = createApp()
    await documentedApp(app, use)
    const url = await start(app)
    const post = (body: unknown): Promise<Response> =>
      fetch(`${url}/v1/books/7`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const good = await post({ title: 'T', author: { name: 'A', secret: 1 }, other: 2 })
    expect(await json(good)).toEqual({ title: 'T', author: { name: 'A' } })
    const bad = await post({ author: {} })
    expect(bad.status).toBe(400)
  })

  it('writes the document as YAML', async () => {
    const app = createApp()
    await documentedApp(app, use)
    await app.ready()
    expect(app.swagger({ yaml: true })).toMatch(/^openapi: 3\.0\.3\n/)
  })
})

describePlugin('swagger-ui', ({ use, createApp }) => {
  it('serves its page, its assets and the document', async () => {
    const app = createApp()
    await documentedApp(app, use)
    await app.register(use('swagger-ui'), { routePrefix: '/docs' })
    const url = await start(app)
    const page = await fetch(`${url}/docs/`)
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain('swagger-ui-bundle.js')
    expect((await fetch(`${url}/docs/static/swagger-ui.css`)).headers.get('content-type')).toMatch(
      /^text\/css/,
    )
    const document = await json(await fetch(`${url}/docs/json`))
    await SwaggerParser.validate(document)
    expect(await (await fetch(`${url}/docs/yaml`)).text()).toContain('/v1/books/{id}')
  })
})

describePlugin('view', ({ use, createApp }) => {
  it('renders a template with a layout and the values of the reply', async () => {
    const app = createApp()
    await app.register(use('view'), { engine: { ejs }, root: folder, layout: 'layout.ejs' })
    app.get('/', (_request: unknown, reply: Untyped) => reply.view('page.ejs', { name: 'Ada & Eve' }))
    const url = await start(app)
    const response = await fetch(url)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toBe('<body><p>Ada &amp; Eve</p></body>')
  })

  it('hands the error of a missing template to the error handler', async () => {
    const app = createApp()
    await app.register(use('view'), { engine: { ejs }, root: folder })
    app.setErrorHandler((_error: unknown, _request: unknown, reply: Untyped) =>
      reply.code(500).send({ own: true }),
    )
    app.get('/', (_request: unknown, reply: Untyped) => reply.view('missing.ejs', {}))
    const url = await start(app)
    expect(await (await fetch(url)).json()).toEqual({ own: true })
  })
})
