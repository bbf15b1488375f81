// `contentNegotiation`: requests that accept none of the declared types, and bodies of types that no route reads.
import type { App, Request } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

const text = { schema: { type: 'string' } }
const object = { schema: { type: 'object' } }

describeTransports(
  'contentNegotiation',
  ({ createApp, send, expect, ours }) => {
    const test = ours('the peers ignore Accept, and name no types')
    const start = (options: Record<string, unknown> = { contentNegotiation: true }): App => {
      const app = createApp(options)
      app.addContentTypeParser(
        'text/csv',
        { parseAs: 'string' },
        async (_request: Request, body: string) => body,
      )
      const declared = { response: { 200: { content: { 'text/csv': text, 'text/html': text } } } }
      app.get('/declared', { schema: declared }, (_request: Request, reply) =>
        reply.type('text/csv').send('a'),
      )
      app.get('/plain', { schema: { response: { 200: { type: 'string' } } } }, () => 'a')
      const any = { response: { 200: { content: { '*/*': text } } } }
      app.get('/any', { schema: any }, (_request: Request, reply) => reply.type('text/csv').send('a'))
      app.get('/none', () => 'a')
      for (const method of ['POST', 'PATCH', 'QUERY'])
        app.route({
          method,
          url: '/body',
          schema: { body: { content: { 'application/json': object, 'text/csv': text } } },
          handler: () => 'read',
        })
      app.post('/unread', () => 'read')
      return app
    }
    const statusOf = async (app: App, path: string, accept: string | null) => {
      const headers: Record<string, string> = accept === null ? {} : { accept }
      return (await send(app, { path, headers })).status
    }

    test('refuses a request that accepts none of the declared types, with 406 and their names', async () => {
      const app = start()
      for (const accept of [
        'application/json',
        'text/html;q=0',
        'image/*, text/plain',
        'text/html;q=0, image/*',
        'image/png;a="text/csv,text/html"',
        'image/png;a="text/csv, text/html',
      ]) {
        const sent = await send(app, { path: '/declared', headers: { accept } })
        expect([accept, sent.status, sent.headers['vary']]).toEqual([accept, 406, 'Accept'])
        expect(sent.json()).toMatchObject({
          code: code('NOT_ACCEPTABLE'),
          message: expect.stringContaining('text/csv, text/html') as unknown,
        })
      }
      for (const accept of [
        null,
        '*/*',
        'text/*',
        'TEXT/CSV',
        'application/json, */*;q=0.1',
        'text/html',
        'a/b;c=";,", text/csv',
      ])
        expect([accept, await statusOf(app, '/declared', accept)]).toEqual([accept, 200])
    })

    test('leaves routes that do not declare their types', async () => {
      const app = start()
      for (const path of ['/plain', '/any', '/none']) expect(await statusOf(app, path, 'image/png')).toBe(200)
      expect(await statusOf(app, '/nowhere', 'image/png')).toBe(404)
    })

    test('names the types that a route reads in a 415', async () => {
      const app = start()
      const refused = async (method: string, path: string) => {
        const { status, headers } = await send(app, {
          method,
          path,
          headers: { 'content-type': 'image/png' },
          body: Buffer.from('x'),
        })
        return [status, headers['accept'], headers['accept-patch'], headers['accept-query']]
      }
      const types = 'application/json, text/csv'
      expect(await refused('POST', '/body')).toEqual([415, types, undefined, undefined])
      expect(await refused('PATCH', '/body')).toEqual([415, types, types, undefined])
      expect(await refused('QUERY', '/body')).toEqual([415, types, undefined, types])
      const [status, accept] = await refused('POST', '/unread')
      expect([status, String(accept).split(', ')]).toEqual([
        415,
        expect.arrayContaining(['application/json', 'text/plain', 'text/csv']),
      ])
    })

    test('is off by default, and on with strict', async () => {
      expect(await statusOf(start({}), '/declared', 'image/png')).toBe(200)
      const app = createApp({ strict: true })
      const schema = { response: { 200: { content: { 'text/csv': text } } } }
      app.get('/', { schema }, (_request: Request, reply) => reply.type('text/csv').send('a'))
      expect(await statusOf(app, '/', 'image/png')).toBe(406)
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
