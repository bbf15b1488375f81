// `preParsing` hooks that decode bodies, and those that state that they only do this.
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { describeTransports } from '../harness/transports.ts'

type Done = (error: Error | null, body?: unknown) => void

const refuse = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  throw Object.assign(new Error('refused'), { statusCode: 403 })
}

const post = (headers: Record<string, string> = {}) => ({
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/json', ...headers },
  body: '{"a":1}',
})

describeTransports('hooks that only decode bodies', ({ createApp, send, ours, expect }) => {
  const run = ours('the peers know no such hooks')

  run('run for requests with Content-Encoding and no others', async () => {
    const app = createApp()
    const seen: string[] = []
    const decode = async (_request: unknown, _reply: unknown, payload: unknown): Promise<unknown> => {
      seen.push('decode')
      for await (const chunk of Object(payload)) seen.push(String(chunk))
      return Readable.from([Buffer.from('{"a":2}')])
    }
    app.addHook('preParsing', Object.assign(decode, { [Symbol.for('cloister.decodes')]: true }))
    app.post('/', (request, reply) => void reply.send(request.body))
    expect((await send(app, post())).json()).toEqual({ a: 1 })
    expect(seen).toEqual([])
    expect((await send(app, post({ 'content-encoding': 'own' }))).json()).toEqual({ a: 2 })
    expect(seen).toEqual(['decode', '{"a":1}'])
  })

  run('run for every request beside a hook that reads all bodies, in order', async () => {
    const app = createApp()
    const seen: string[] = []
    const hook = (name: string) => async (): Promise<void> => void seen.push(name)
    app.addHook('preParsing', hook('all'))
    app.addHook('preParsing', Object.assign(hook('decode'), { [Symbol.for('cloister.decodes')]: true }))
    app.post('/', (request, reply) => void reply.send(request.body))
    expect((await send(app, post())).json()).toEqual({ a: 1 })
    expect(seen).toEqual(['all', 'decode'])
  })
})

describeTransports('hooks that decode bodies', ({ createApp, send, ours, expect }) => {
  const test = ours('the failure of such a stream ends the process of the peers')
  const decode = async (_request: unknown, _reply: unknown, payload: unknown): Promise<unknown> => {
    const decoded = createGunzip()
    Object(payload).pipe(decoded)
    return decoded
  }
  const pause = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

  test.each([
    ['waits in another hook', 400, { preParsing: [decode, pause] }, 'application/json'],
    ['fails in another hook', 403, { preParsing: [decode, refuse] }, 'application/json'],
    ['has no parser', 415, { preParsing: decode }, 'x/unknown'],
    ['is too large', 413, { preParsing: decode, bodyLimit: 3 }, 'application/json'],
    ['is a stream that the handler does not read', 200, { preParsing: decode }, 'x/stream'],
    ['is not read', 200, { preParsing: decode, method: 'DELETE' }, undefined],
  ])('a body that cannot be decoded ends no process where it %s', async (_name, status, options, type) => {
    const app = createApp()
    app.addContentTypeParser('x/stream', (_request: unknown, payload: unknown, done: Done) =>
      done(null, payload),
    )
    app.route({
      method: 'POST',
      ...options,
      url: '/',
      handler: async () => {
        await pause()
        return 'handled'
      },
    })
    app.get('/next', () => 'next')
    const { method = 'POST' } = Object(options)
    const headers = type === undefined ? {} : { 'content-type': type }
    const response = await send(app, { method, path: '/', headers, body: 'this is no gzip' })
    expect(response.status).toBe(status)
    await pause()
    expect((await send(app, { path: '/next' })).text).toBe('next')
  })

  const FORM = { content: { 'multipart/form-data': { schema: { type: 'object' } } } }

  test('a form that cannot be decoded is refused where another hook waits', async () => {
    const app = createApp()
    app.route({
      method: 'POST',
      url: '/',
      preParsing: [decode, pause],
      schema: { body: FORM },
      handler: pause,
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const response = await send(app, { method: 'POST', path: '/', headers, body: 'this is no gzip' })
    expect(response.status).toBe(400)
  })

  test('a mounted handler gets the failure of a body that cannot be decoded, also where a hook waits', async () => {
    const app = createApp()
    app.addHook('preParsing', decode)
    app.addHook('preHandler', pause)
    const mount: unknown = Reflect.get(app, 'mount')
    if (typeof mount !== 'function') throw new Error('the app mounts no handlers')
    mount.call(app, '/', async (request: globalThis.Request) => new Response(await request.text()))
    const response = await send(app, { method: 'POST', path: '/', body: 'this is no gzip' })
    expect(response.status).toBe(400)
  })
})
