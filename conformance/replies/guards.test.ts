// What must not get lost, and must not get out: small guards on the way of a request and its response.
import { Readable } from 'node:stream'
import { rawSocket } from '../harness/raw-socket.ts'
import { describeTransports } from '../harness/transports.ts'

describeTransports('replies: guards', ({ transport, createApp, send, it, expect, ours, overNode }) => {
  overNode('reads request.raw')(
    'keeps the raw headers as the client sent them, whatever coercion makes of them',
    async () => {
      const app = createApp()
      const headers = { type: 'object', properties: { 'x-count': { type: 'integer' } } }
      app.get('/', { schema: { headers } }, (request) => [
        request.headers['x-count'],
        request.raw.headers['x-count'],
      ])
      const response = await send(app, { path: '/', headers: { 'x-count': '7' } })
      expect(response.json()).toEqual([7, '7'])
    },
  )

  it('attaches the first problem of a request, not the last one', async () => {
    const app = createApp()
    const wanted = (name: string): object => ({ type: 'object', required: [name] })
    const schema = { body: wanted('inBody'), querystring: wanted('inQuery') }
    app.post('/', { schema, attachValidation: true }, (request) => String(request.validationError?.message))
    const response = await send(app, { method: 'POST', path: '/', body: {} })
    expect(response.text).toContain('inBody')
    expect(response.text).not.toContain('inQuery')
  })

  ours('the peers show them')('filters the properties of an error by the response schema', async () => {
    const app = createApp({ exposeErrors: false })
    const properties = { message: { type: 'string' }, secret: { type: 'string' } }
    app.get('/', { schema: { response: { 500: { type: 'object', properties } } } }, async () => {
      throw Object.assign(new Error('hidden text'), { secret: 'hidden too' })
    })
    const response = await send(app, { path: '/' })
    expect([response.status, response.text.includes('hidden')]).toEqual([500, false])
  })

  ours('the peers give it to a pattern')(
    'gives a malformed media type to no parser but the last resort',
    async () => {
      const app = createApp()
      const parsedBy =
        (name: string) => (_request: unknown, _body: unknown, done: (e: null, v: string) => void) =>
          done(null, name)
      app.addContentTypeParser(/^own/, { parseAs: 'string' }, parsedBy('pattern'))
      app.addContentTypeParser('*', { parseAs: 'string' }, parsedBy('last resort'))
      app.post('/', (request) => ({ by: request.body }))
      const sent = { method: 'POST', path: '/', body: 'x' }
      const byType = async (type: string): Promise<unknown> =>
        (await send(app, { ...sent, headers: { 'content-type': type } })).json()
      expect([await byType('own/type'), await byType('own type')]).toEqual([
        { by: 'pattern' },
        { by: 'last resort' },
      ])
    },
  )

  it('hides the parsers of the parent in a child that has removed all', async () => {
    const app = createApp()
    app.addContentTypeParser('x/own', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.post('/', (request) => ({ body: request.body }))
    app.register(async (child) => {
      child.removeAllContentTypeParsers()
      child.post('/child', (request) => ({ body: request.body }))
    })
    const headers = { 'content-type': 'x/own' }
    const statusOf = async (path: string): Promise<number> =>
      (await send(app, { method: 'POST', path, headers, body: 'x' })).status
    expect([await statusOf('/'), await statusOf('/child')]).toEqual([200, 415])
  })

  it('refuses set-cookie as a trailer', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => reply.trailer('set-cookie', async () => 'a=1').send('x'))
    expect((await send(app, { path: '/' })).status).toBe(500)
  })

  overNode('responds through reply.raw')(
    'runs no further hook and no handler once a hook has responded through the raw response',
    async () => {
      const app = createApp()
      const ran: string[] = []
      app.addHook('onRequest', async (_request, reply) => {
        reply.raw.end('raw')
      })
      app.addHook('onRequest', async () => void ran.push('second'))
      app.addHook('preHandler', async () => void ran.push('preHandler'))
      app.get('/', () => {
        ran.push('handler')
        return 'handled'
      })
      expect([(await send(app, { path: '/' })).text, ran]).toEqual(['raw', []])
    },
  )

  it('writes half of a surrogate pair as JSON.stringify does, in short and in long texts', async () => {
    const app = createApp()
    const schema = { response: { 200: { type: 'object', properties: { text: { type: 'string' } } } } }
    const texts = [3, 19, 20, 21, 41, 45, 200].flatMap((length) => [
      `${'x'.repeat(length)}\ud800`,
      `\udc00${'x'.repeat(length)}`,
      `${'x'.repeat(length)}\ud83d\ude00`,
    ])
    app.get('/:index', { schema }, (request) => ({ text: texts[Number(Object(request.params).index)] }))
    for (const [index, text] of texts.entries()) {
      expect((await send(app, { path: `/${index}` })).text).toBe(JSON.stringify({ text }))
    }
  })

  it(
    'ends the source of a stream whose client has gone',
    { skip: transport !== 'socket' && transport !== 'wire' },
    async () => {
      const app = createApp()
      const source = new Readable({ read() {} })
      const gone = new Promise((resolve) => source.once('close', resolve))
      source.push('begun')
      app.get('/', (_request, reply) => reply.type('text/plain').send(source))
      await rawSocket(app, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', { end: true }).catch(() => null)
      await gone
      expect(source.destroyed).toBe(true)
    },
  )

  it(
    'closes the connection of a body that is refused',
    { skip: transport !== 'socket' && transport !== 'wire' },
    async () => {
      const app = createApp({ bodyLimit: 10 })
      app.post('/', (request) => request.body)
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 40\r\n\r\n'
      const response = await rawSocket(app, `${head}${'x'.repeat(40)}`)
      expect([response.status, response.headers['connection']]).toEqual([413, 'close'])
    },
  )
})
