import { createHash, randomBytes } from 'node:crypto'
import { cloister } from 'cloister'
import rawBody from 'fastify-raw-body'
import { expect, it } from 'vitest'
import { ours } from '../../harness/transports.ts'
import { describePlugin, json, sendJson, start, type Untyped } from '../subject.ts'

describePlugin('formbody', ({ use, createApp }) => {
  it('parses a form and validates it with the schema of the body', async () => {
    const app = createApp()
    await app.register(use('formbody'))
    const schema = {
      body: {
        type: 'object',
        properties: { name: { type: 'string' }, age: { type: 'integer' }, tags: { type: 'array' } },
        required: ['name'],
      },
    }
    app.post('/people', { schema }, (request: Untyped) => request.body)
    const url = await start(app)
    const post = (body: string): Promise<Response> =>
      fetch(`${url}/people`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const good = await post('name=Ada+Lovelace&age=36&tags=a&tags=b')
    expect(await json(good)).toEqual({ name: 'Ada Lovelace', age: 36, tags: ['a', 'b'] })
    const bad = await post('age=36')
    expect(bad.status).toBe(400)
    expect((await json(bad)).message).toBe("body must have required property 'name'")
  })

  it('keeps to the body limit that it was given', async () => {
    const app = createApp()
    await app.register(use('formbody'), { bodyLimit: 10 })
    app.post('/', (request: Untyped) => request.body)
    const url = await start(app)
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ text: 'far too long' }) })
    expect(response.status).toBe(413)
  })
})

describePlugin('multipart', ({ use, createApp }) => {
  const form = (fields: Record<string, string>, file?: Buffer): FormData => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.append(name, value)
    if (file !== undefined) {
      data.append('upload', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'picture.png')
    }
    return data
  }

  it('streams a file of some size through the handler, with its name and type', async () => {
    const app = createApp()
    await app.register(use('multipart'), { limits: { fileSize: 5_000_000 } })
    app.post('/', async (request: Untyped) => {
      const part = await request.file()
      const hash = createHash('sha256')
      for await (const chunk of part.file) hash.update(chunk)
      return {
        name: part.filename,
        type: part.mimetype,
        title: part.fields.title.value,
        hash: hash.digest('hex'),
      }
    })
    const url = await start(app)
    const file = randomBytes(1_000_000)
    const response = await fetch(url, { method: 'POST', body: form({ title: 'Sea' }, file) })
    expect(await json(response)).toEqual({
      name: 'picture.png',
      type: 'image/png',
      title: 'Sea',
      hash: createHash('sha256').update(file).digest('hex'),
    })
  })

  const countBytes = async (request: Untyped): Promise<{ bytes: number }> => {
    let bytes = 0
    const part = await request.file()
    for await (const chunk of part.file) bytes += chunk.length
    return { bytes }
  }

  it('takes files above the body limit of the app, with a length and in chunks', async () => {
    const app = createApp({ bodyLimit: 1000 })
    await app.register(use('multipart'), { limits: { fileSize: 5_000_000 } })
    app.post('/', countBytes)
    const url = await start(app)
    const body = form({}, randomBytes(4_000_000))
    expect(await json(await fetch(url, { method: 'POST', body }))).toEqual({ bytes: 4_000_000 })

    const encoded = new Response(form({}, randomBytes(4_000_000)))
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    const chunked = await fetch(url, { method: 'POST', body: encoded.body, headers, duplex: 'half' })
    expect(await json(chunked)).toEqual({ bytes: 4_000_000 })
  })

  ours('the peers let the stream pass')('holds a file to the body limit of its own route', async () => {
    const app = createApp()
    await app.register(use('multipart'), { limits: { fileSize: 5_000_000 } })
    app.post('/', { bodyLimit: 100_000 }, countBytes)
    const url = await start(app)
    const post = (bytes: number): Promise<Response> =>
      fetch(url, { method: 'POST', body: form({}, randomBytes(bytes)) })
    expect(await json(await post(90_000))).toEqual({ bytes: 90_000 })
    expect((await post(200_000)).status).toBe(413)
  })

  it('iterates over parts in the order they were sent', async () => {
    const app = createApp()
    await app.register(use('multipart'))
    app.post('/', async (request: Untyped) => {
      const seen: string[] = []
      for await (const part of request.parts()) {
        seen.push(`${part.type}:${part.fieldname}`)
        if (part.type === 'file') await part.toBuffer()
      }
      return { seen }
    })
    const url = await start(app)
    const response = await fetch(url, { method: 'POST', body: form({ a: '1', b: '2' }, Buffer.from('x')) })
    expect(await json(response)).toEqual({ seen: ['field:a', 'field:b', 'file:upload'] })
  })

  it('attaches fields to the body, where the schema of the body is applied to them', async () => {
    const app = createApp()
    await app.register(use('multipart'), { attachFieldsToBody: 'keyValues' })
    const schema = {
      body: {
        type: 'object',
        properties: { title: { type: 'string', minLength: 2 }, count: { type: 'integer' } },
        required: ['title'],
      },
    }
    app.post('/', { schema }, (request: Untyped) => ({
      title: request.body.title,
      count: request.body.count,
      bytes: request.body.upload?.length,
    }))
    const url = await start(app)
    const good = await fetch(url, {
      method: 'POST',
      body: form({ title: 'Sea', count: '3' }, Buffer.from('four')),
    })
    expect(await json(good)).toEqual({ title: 'Sea', count: 3, bytes: 4 })
    const bad = await fetch(url, { method: 'POST', body: form({ title: 'S' }) })
    expect(bad.status).toBe(400)
    expect((await json(bad)).message).toBe('body/title must NOT have fewer than 2 characters')
  })

  it('refers to its shared schema from the schema of a body', async () => {
    const app = createApp()
    await app.register(use('multipart'), { attachFieldsToBody: true, sharedSchemaId: '#filePart' })
    const schema = {
      body: {
        type: 'object',
        required: ['upload'],
        properties: { upload: { $ref: '#filePart' }, title: { $ref: '#filePart' } },
      },
    }
    app.post('/', { schema }, (request: Untyped) => ({ title: request.body.title.value }))
    const url = await start(app)
    const good = await fetch(url, { method: 'POST', body: form({ title: 'Sea' }, Buffer.from('x')) })
    expect(await json(good)).toEqual({ title: 'Sea' })
    const bad = await fetch(url, { method: 'POST', body: form({ title: 'Sea' }) })
    expect(bad.status).toBe(400)
    expect((await json(bad)).message).toBe("body must have required property 'upload'")
  })

  it('responds with 413 to a file over the limit and 406 to a body that is no form', async () => {
    const app = createApp()
    await app.register(use('multipart'), { limits: { fileSize: 10 } })
    app.post('/', async (request: Untyped) => {
      const part = await request.file()
      return { bytes: (await part.toBuffer()).length }
    })
    const url = await start(app)
    const large = await fetch(url, { method: 'POST', body: form({}, randomBytes(100)) })
    expect(large.status).toBe(413)
    expect((await json(large)).code).toBe('FST_REQ_FILE_TOO_LARGE')
    const other = await sendJson(url, 'POST', { a: 1 })
    expect(other.status).toBe(406)
    expect((await json(other)).code).toBe('FST_INVALID_MULTIPART_CONTENT_TYPE')
  })

  it('saves files of a request and removes them after the response', async () => {
    const { existsSync } = await import('node:fs')
    const app = createApp()
    await app.register(use('multipart'))
    let path = ''
    app.post('/', async (request: Untyped) => {
      const saved = await request.saveRequestFiles()
      path = (saved.files ?? saved)[0].filepath
      return { existed: existsSync(path) }
    })
    const url = await start(app)
    const response = await fetch(url, { method: 'POST', body: form({}, Buffer.from('x')) })
    expect(await json(response)).toEqual({ existed: true })
    await expect.poll(() => existsSync(path)).toBe(false)
  })
})

describePlugin('compress', ({ use, createApp }) => {
  const text = 'all work and no play '.repeat(200)

  it('compresses a response by what the client accepts', async () => {
    const { brotliDecompressSync, gunzipSync } = await import('node:zlib')
    const app = createApp()
    await app.register(use('compress'), { threshold: 100 })
    app.get('/', () => ({ text }))
    const url = await start(app)
    const raw = async (encoding: string): Promise<{ encoding: unknown; bytes: Buffer }> => {
      const { request } = await import('node:http')
      return new Promise((resolve, reject) => {
        request(url, { headers: { 'accept-encoding': encoding } }, (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('end', () =>
            resolve({ encoding: incoming.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
          )
        })
          .on('error', reject)
          .end()
      })
    }
    const gzip = await raw('gzip')
    expect(gzip.encoding).toBe('gzip')
    expect(JSON.parse(gunzipSync(gzip.bytes).toString())).toEqual({ text })
    const brotli = await raw('br')
    expect(brotli.encoding).toBe('br')
    expect(JSON.parse(brotliDecompressSync(brotli.bytes).toString())).toEqual({ text })
    const plain = await raw('identity')
    expect(plain.encoding).toBe(undefined)
    expect(JSON.parse(plain.bytes.toString())).toEqual({ text })
  })

  it('compresses streams, but not small responses and routes that opted out', async () => {
    const { Readable } = await import('node:stream')
    const app = createApp()
    await app.register(use('compress'), { threshold: 100 })
    app.get('/small', () => ({ a: 1 }))
    app.get('/off', { compress: false }, () => ({ text }))
    app.get('/stream', (_request: unknown, reply: Untyped) =>
      reply.type('text/plain').compress(Readable.from([text])),
    )
    const url = await start(app)
    const encoding = async (path: string): Promise<string | null> =>
      (await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'gzip' } })).headers.get(
        'content-encoding',
      )
    expect(await encoding('/small')).toBe(null)
    expect(await encoding('/off')).toBe(null)
    const stream = await fetch(`${url}/stream`, { headers: { 'accept-encoding': 'gzip' } })
    expect(stream.headers.get('content-encoding')).toBe('gzip')
    expect(await stream.text()).toBe(text)
  })

  it('decompresses request bodies before they are parsed and validated', async () => {
    const { gzipSync } = await import('node:zlib')
    const app = createApp()
    await app.register(use('compress'))
    const schema = { body: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }
    app.post('/', { schema }, (request: Untyped) => request.body)
    const url = await start(app)
    const post = (body: Buffer, encoding: string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      })
    expect(await (await post(gzipSync('{"n":7}'), 'gzip')).json()).toEqual({ n: 7 })
    expect((await post(gzipSync('{"m":7}'), 'gzip')).status).toBe(400)
    expect((await post(Buffer.from('{"n":7}'), 'zip')).status).toBe(415)
  })
})

it('fastify-raw-body has the name rawBody for itself on routes that ask it', async () => {
  const app = cloister()
  const plugin: Untyped = rawBody
  await app.register(plugin, { global: false })
  app.post('/plugin', { config: { rawBody: true } }, (request: Untyped) => ({ raw: request.rawBody }))
  app.post('/own', { rawBody: true }, (request) => ({ raw: request.rawBody.toString() }))
  app.post('/none', (request: Untyped) => ({ raw: request.rawBody ?? null }))
  const ask = async (url: string): Promise<unknown> =>
    (await app.inject({ method: 'POST', url, payload: { a: 1 } })).json()
  expect(await ask('/plugin')).toEqual({ raw: '{"a":1}' })
  expect(await ask('/own')).toEqual({ raw: '{"a":1}' })
  expect(await ask('/none')).toEqual({ raw: null })
  await app.close()
})
