// The app that the corpus is sent to: each handler counts that it ran.
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { bearerAuth } from '@cloister/bearer-auth'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { factory } from '../harness/subject.ts'
import type { Hits } from './judge.ts'

/** The app, and which of its handlers have run. */
export interface ReferenceApp {
  readonly app: App
  readonly hits: Hits
}

const TOKEN = 's3cret-token-0123456789abcdef'
const LIMITS = {
  bodyLimit: 65_536,
  keepAliveTimeout: 1500,
  http: { connectionsCheckingInterval: 200 },
}

const person = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string', maxLength: 64 }, age: { type: 'integer' } },
}
const operation = {
  $async: true,
  type: 'object',
  additionalProperties: true,
  required: ['op'],
  properties: { op: { const: 'read' } },
}
const versioned = {
  type: 'object',
  required: ['X-Api-Version'],
  properties: { 'X-Api-Version': { type: 'string', pattern: '^[0-9]+$' } },
  dependencies: { 'X-Admin-Mode': ['X-Admin-Key'] },
}

async function* words(): AsyncGenerator<string, void> {
  for (const word of ['one\n', 'two\n', 'three\n']) {
    yield word
    await sleep(15)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const leaked = (): unknown => Reflect.get({}, 'polluted') ?? null

type Hit = (name: string) => void

function addReads(app: App, hit: Hit): void {
  app.get('/', async () => {
    hit('root')
    return { ok: true }
  })
  app.get('/echo-headers', async ({ method, url, headers }) => {
    hit('echo')
    return { method, url, headers, proto: leaked() === null }
  })
  app.get('/query', async ({ query }) => {
    hit('query')
    return { keys: Object.keys(query), count: Object.keys(query).length, leaked: leaked() }
  })
  app.get('/params/:id', async ({ params }) => {
    hit('params')
    return { id: params['id'] }
  })
  app.get('/needs-header', { schema: { headers: versioned } }, async () => {
    hit('needsheader')
    return { ok: true }
  })
  app.get('/deny', { schema: { querystring: false } }, async () => {
    hit('deny')
    return { ok: true }
  })
  app.get('/public', async () => {
    hit('public')
    return { public: true }
  })
}

function addBodies(app: App, hit: Hit): void {
  app.post('/json', { schema: { body: person } }, async ({ body }) => {
    hit('json')
    return { received: body, keys: isObject(body) ? Object.keys(body) : [], leaked: leaked() }
  })
  const typed = { content: { 'application/json': { schema: person } } }
  app.post('/typed', { schema: { body: typed } }, async ({ body }) => {
    hit('typed')
    return { received: body }
  })
  const number = { type: 'integer', minimum: 1, maximum: 10 }
  app.post('/primitive', { schema: { body: number } }, async ({ body }) => {
    hit('primitive')
    return { seen: typeof body }
  })
  app.post('/async', { schema: { body: operation } }, async ({ body }) => {
    hit('async')
    return { op: isObject(body) ? body['op'] : undefined }
  })
  app.post('/raw', async ({ body }) => {
    hit('raw')
    const text = typeof body === 'string' ? body : ''
    return { length: Buffer.byteLength(text), text: text.length <= 1024 ? text : null }
  })
}

function addResponses(app: App, hit: Hit): void {
  app.get('/stream', async (_request: Request, reply: Reply) => {
    hit('stream')
    return reply.type('text/plain').send(Readable.from(words()))
  })
  app.get('/set-header', async ({ query }: Request, reply: Reply) => {
    hit('sethdr')
    reply.header('x-test', query['v'])
    return { ok: true }
  })
  app.get('/redirect', async ({ query }: Request, reply: Reply) => {
    hit('redirect')
    return reply.redirect(String(query['to']))
  })
  app.get('/nobody', async (_request: Request, reply: Reply) => {
    hit('nobody')
    return reply.code(204).send()
  })
  app.get('/notmod', async (_request: Request, reply: Reply) => {
    hit('notmod')
    return reply.code(304).send()
  })
  app.get('/boom', async () => {
    hit('boom')
    throw new Error('db login failed for password=hunter2')
  })
}

function addContexts(app: App, hit: Hit): void {
  const admin = async (child: App): Promise<void> => {
    child.register(bearerAuth, { keys: new Set([TOKEN]) })
    child.get('/secret', async () => {
      hit('admin')
      return { secret: 42 }
    })
    child.setNotFoundHandler(async (_request: Request, reply: Reply) => {
      hit('admin404')
      return reply.code(404).send({ tenant: 'admin-private' })
    })
  }
  const open = async (child: App): Promise<void> => {
    child.get('/hello', async () => {
      hit('open')
      return { open: true }
    })
    child.setNotFoundHandler(async (_request: Request, reply: Reply) => {
      hit('open404')
      return reply.code(404).send({ tenant: 'open' })
    })
  }
  app.register(admin, { prefix: '/admin' })
  app.register(open, { prefix: '/open' })
}

/** Makes the app; it does not listen yet. */
export function createReferenceApp(
  transport: 'auto' | 'node',
  deadlines: { readonly headersTimeout: number; readonly requestTimeout: number },
): ReferenceApp {
  const hits: Record<string, number> = Object.create(null) as Record<string, number>
  const hit: Hit = (name) => {
    hits[name] = (hits[name] ?? 0) + 1
  }
  const app = factory({ forceCloseConnections: true, transport, ...LIMITS, ...deadlines })
  addReads(app, hit)
  addBodies(app, hit)
  addResponses(app, hit)
  addContexts(app, hit)
  return { app, hits }
}
