import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { websocket } from '@cloister/websocket'
import { cloister } from 'cloister'
import type { Cloister, CloisterOptions } from 'cloister'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { explorer } from '../src/index.ts'
import type { ExplorerOptions } from '../src/index.ts'
import { SCRIPT, STYLE } from '../src/page.generated.ts'
import type { RequestForm } from '../src/request-form.ts'

function appWith(options: ExplorerOptions = {}, appOptions: CloisterOptions = {}): Cloister {
  const app = cloister(appOptions)
  app.register(explorer, options)
  app.addHook('onRequest', async function authenticate() {})
  const user = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 1 } },
  } as const
  const params = { type: 'object', properties: { id: { type: 'integer', minimum: 7 } } } as const
  app.get('/users/:id', { schema: { params } }, async function readUser() {
    return 'a user'
  })
  app.post('/users', { schema: { body: user } }, async function addUser() {
    return 'added'
  })
  return app
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('the page', () => {
  it('is one file of less than 60 kB, under a policy that names its script and style by hash', async () => {
    const page = await appWith().inject('/_explorer')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(Buffer.byteLength(page.body)).toBeLessThan(60_000)
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(page.body).toContain(`<script type="module">${SCRIPT}</script>`)
    expect(page.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src ${hash(SCRIPT)}; style-src ${hash(STYLE)}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
  })

  it('is at the path that was given', async () => {
    const app = appWith({ path: '/dev/look' })
    expect((await app.inject('/dev/look')).statusCode).toBe(200)
    expect((await app.inject('/_explorer')).statusCode).toBe(404)
  })

  it('starts in an app that requires schemas of its routes', async () => {
    const app = cloister({ requireSchemas: true })
    app.register(explorer)
    expect((await app.inject('/_explorer')).statusCode).toBe(200)
  })
})

describe('the data', () => {
  it('has the app as app.explain() has it', async () => {
    const app = appWith()
    app.decorate('explain', 'of another plugin')
    const data: unknown = (await app.inject('/_explorer/app.json')).json()
    expect(data).toMatchObject({ own: '/_explorer', app: { kind: 'app', contexts: { name: 'root' } } })
  })

  it('has a route with the fields of its form and first values', async () => {
    const read = async (method: string, url: string): Promise<unknown> => {
      const query = new URLSearchParams({ method, url, constraints: '{}' })
      return (await appWith().inject(`/_explorer/route.json?${query.toString()}`)).json()
    }
    expect(await read('GET', '/users/:id')).toMatchObject({
      explanation: { kind: 'route', hooks: [{ name: 'onRequest', fn: 'authenticate' }] },
      form: {
        path: '/users/{id}',
        fields: [{ in: 'path', name: 'id', required: true, value: '7', hint: 'integer' }],
        bodies: [],
      },
    })
    expect(await read('POST', '/users')).toMatchObject({
      form: { bodies: [{ mediaType: 'application/json', value: '{\n  "name": "string"\n}' }] },
    })
  })

  it('has a row for each property, and for the items of a list, which are not required', async () => {
    const app = appWith()
    const tags = { type: 'array', items: { type: 'string' } } as const
    const body = { type: 'object', required: ['tags'], properties: { tags } } as const
    app.post('/tags', { schema: { body } }, async () => 'added')
    const read = await app.inject('/_explorer/route.json?method=POST&url=/tags&constraints=%7B%7D')
    const { form }: { form: RequestForm } = read.json()
    expect(form.schemas[0]?.rows).toMatchObject([
      { name: 'tags', type: 'array', required: true },
      { name: 'tags[]', type: 'string', required: false },
    ])
  })

  it('has the stages of a request that was sent with an id', async () => {
    const app = appWith()
    await app.inject({ url: '/users/8', headers: { 'x-cloister-explorer': 'one' } })
    const stages = async (): Promise<unknown[]> => {
      const found: { stage: string; hook?: string }[] = (await app.inject('/_explorer/traces/one')).json()
      return found.map(({ stage, hook }) => (hook === undefined ? stage : `${stage} ${hook}`))
    }
    expect(await stages()).toEqual(['onRequest', 'onRequest authenticate', 'validate', 'handler', 'write'])
    expect((await app.inject('/_explorer/traces/two')).json()).toEqual([])
  })

  it('has the stages of a request that has its id in a cookie, as handshakes do', async () => {
    const app = appWith()
    await app.inject({ url: '/users/8', headers: { cookie: 'a=b; cloister-explorer=three' } })
    expect((await app.inject('/_explorer/traces/three')).json()).toContainEqual(
      expect.objectContaining({ stage: 'handler' }),
    )
  })

  it('has WebSocket routes and streams of events as what they are, with the first message', async () => {
    const app = appWith()
    const tick = { type: 'object', properties: { count: { type: 'integer' } } } as const
    const incoming = {
      type: 'object',
      required: ['text'],
      properties: { text: { type: 'string', pattern: '^[A-Z]{3}$' } },
    } as const
    const sockets = await app.register(websocket)
    sockets.ws('/rooms/:room', { schema: { incoming, outgoing: tick } }, async (socket) => socket.closed)
    sockets.ws('/news', { schema: { incoming: false } }, async (socket) => socket.closed)
    const response = { 200: { content: { 'text/event-stream': { schema: tick } } } } as const
    app.get('/ticks', { schema: { response } }, async function* () {
      yield { count: 1 }
    })
    const { kinds } = (await app.inject('/_explorer/app.json')).json<{ kinds: unknown }>()
    expect(kinds).toEqual([
      { method: 'GET', url: '/rooms/:room', constraints: {}, kind: 'socket' },
      { method: 'GET', url: '/news', constraints: {}, kind: 'socket' },
      { method: 'GET', url: '/ticks', constraints: {}, kind: 'events' },
      { method: 'HEAD', url: '/ticks', constraints: {}, kind: 'events' },
    ])
    const form = async (url: string): Promise<unknown> => {
      const query = new URLSearchParams({ method: 'GET', url, constraints: '{}' })
      return (await app.inject(`/_explorer/route.json?${query.toString()}`)).json<{ form: unknown }>().form
    }
    expect(await form('/rooms/:room')).toMatchObject({
      socket: { canSend: true, message: '{\n  "text": "AAA"\n}' },
      schemas: [{ title: 'path' }, { title: 'incoming message' }, { title: 'outgoing message' }],
    })
    expect(await form('/news')).toMatchObject({ socket: { canSend: false } })
    expect(await form('/ticks')).toMatchObject({ hasEvents: true, schemas: [{ title: 'each event, data' }] })
  })

  it('has the stages that a refused request reached', async () => {
    const app = appWith()
    await app.inject({ url: '/users/x', headers: { 'x-cloister-explorer': 'two' } })
    const found: { stage: string }[] = (await app.inject('/_explorer/traces/two')).json()
    expect(found.map(({ stage }) => stage)).not.toContain('handler')
  })
})

describe('who sees it', () => {
  it('refuses to start in production, and says what to do', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    await expect(appWith().ready()).rejects.toMatchObject({
      code: 'CLO_ERR_EXPLORER_PRODUCTION',
      message: expect.stringContaining('{ allow: true }'),
    })
    await appWith({ allow: true }).ready()
  })

  it.each([
    ['another machine', { remoteAddress: '10.0.0.7' }],
    ['a name that another site points here', { headers: { host: 'evil.example' } }],
    ['a client behind a proxy', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
  ])('refuses %s, unless it is allowed', async (_what, request) => {
    for (const path of ['', '/app.json', '/traces/one']) {
      const options = { url: `/_explorer${path}`, ...request }
      expect((await appWith({}, { trustProxy: true }).inject(options)).statusCode).toBe(403)
      expect((await appWith({ allow: true }).inject(options)).statusCode).toBe(200)
    }
  })

  it.each([
    [{ path: 'explorer' }, "path must be a path such as '/_explorer'"],
    [{ editorUrl: 'vscode:' }, 'editorUrl must be a URL with {file}'],
  ])('refuses the option %j', async (options, message) => {
    await expect(appWith(options).ready()).rejects.toMatchObject({
      code: 'CLO_ERR_EXPLORER_OPTION',
      message: expect.stringContaining(message),
    })
  })
})
