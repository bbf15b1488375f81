import { Readable } from 'node:stream'

import { cloister } from 'cloister'
import type { CloisterInstance, CloisterOptions } from 'cloister'

/** What the tests use of an app. */
export type App = Pick<CloisterInstance, 'fetch' | 'listen' | 'close'>

/** Sends back what it got of each kind of request. */
export function echoApp(options: CloisterOptions = {}): App {
  const app = cloister(options)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request, body) => [...new URLSearchParams(body)],
  )
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, async (request, body) => {
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    const parts = [...form].map(async ([name, part]) =>
      typeof part === 'string' ? [name, part] : [name, part.name, part.type, await part.text()],
    )
    return Promise.all(parts)
  })
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, async (_request, body) => body)
  app.all('/echo', (request) => ({
    method: request.method,
    query: request.query,
    type: request.headers['content-type'] ?? null,
    body: Buffer.isBuffer(request.body) ? [...request.body] : (request.body ?? null),
  }))
  app.get('/headers', (request) => request.headers)
  app.get('/users/:id/files/*', (request) => request.params)
  app.get('/at/:hour(^\\d+$)h:minute(^\\d+$)', (request) => request.params)
  app.get('/pages/:page?', (request) => request.params)
  app.get('/a::b', () => 'colon')
  app.get('/versions', { constraints: { version: '1.2.0' } }, () => 'one')
  app.get('/text', (_request, reply) => reply.type('text/csv').send('a,b\n1,2\n'))
  app.get('/bytes', (_request, reply) =>
    reply
      .type('application/octet-stream')
      .send(Readable.from([Buffer.from([0, 1, 254]), Buffer.from([255])])),
  )
  app.get('/nothing', (_request, reply) => reply.code(204).send())
  app.get('/empty', (_request, reply) => reply.code(201).send())
  app.get('/null', (_request, reply) => reply.type('application/json').send('null'))
  app.get('/broken', (_request, reply) => reply.type('application/json').send('<html>'))
  app.get('/missing', (_request, reply) => reply.code(404).send({ message: 'none' }))
  app.get('/failing', () => {
    throw new Error('out of order')
  })
  app.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 10_000).unref())
    return 'slow'
  })
  return app
}
