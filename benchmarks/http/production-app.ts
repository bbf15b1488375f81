/**
 * The parts of an application in production, said once for every framework: hooks, published plugins, and routes
 * that stream, take uploads, refuse and fail.
 */
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import type { AppParts } from './app-kinds.ts'
import { countSpans } from './spans.ts'
import type { Tally } from './tally.ts'
import * as work from './workload.ts'

type Done = (error?: Error | null, payload?: unknown) => void

interface Request {
  readonly query: unknown
  readonly body: unknown
  readonly url: string
  file?: () => Promise<{ toBuffer: () => Promise<Buffer> } | undefined>
}

interface Reply {
  type(mediaType: string): unknown
  header(name: string, value: string): unknown
  send(payload: unknown): unknown
}

/** What the parts need of a framework. */
export interface ProductionHost {
  // oxlint-disable-next-line typescript/no-explicit-any -- plugins of the two frameworks have types of their own, and are handed through as they come
  register(plugin: any, options?: object): unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- overloads by name, of which each framework has its own
  addHook(name: any, hook: any): unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- the handlers read little, and the same from both
  route(options: any): unknown
}

const require = createRequire(import.meta.url)

/** Adds what a kind of application has beside its routes, before these are defined. */
export async function addParts(host: ProductionHost, parts: AppParts, tally: Tally): Promise<void> {
  if (parts.service) await host.register(spanPlugin(tally))
  if (parts.uploads) host.register(require('@fastify/multipart'))
  if (parts.plugins) {
    host.register(
      require('@fastify/cors'),
      parts.service ? { origin: ['https://example.org'], credentials: true } : { origin: true },
    )
    host.register(require('@fastify/helmet'))
    host.register(require('@fastify/cookie'))
  }
  if (parts.service)
    await host.register(require('@fastify/rate-limit'), {
      max: 1_000_000_000,
      timeWindow: 60_000,
      addHeaders: NO_FIELDS,
      addHeadersOnExceeding: NO_FIELDS,
    })
  if (parts.hooks) addHooks(host, tally)
}

/** Their lengths change, and the load counts bytes; the other servers send none either. */
const NO_FIELDS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
}

/** Spans of requests alone: those of hooks and handlers are switched off. */
function spanPlugin(tally: Tally): unknown {
  const { FastifyOtelInstrumentation } = require('@fastify/otel')
  const instrumentation = new FastifyOtelInstrumentation({ instrumentHooks: false, instrumentHandler: false })
  instrumentation.setTracerProvider(countSpans(tally))
  return instrumentation.plugin()
}

/** What services usually do: note the start, look the caller up, add a header, count the response. */
export function addHooks(host: ProductionHost, tally: Tally): void {
  host.addHook('onRequest', (_request: Request, _reply: Reply, done: Done) => {
    tally.hooks += 1
    done()
  })
  host.addHook('preHandler', async (request: Request) => {
    tally.hooks += 1
    await lookUp(request.url)
  })
  host.addHook('onSend', (_request: Request, reply: Reply, payload: unknown, done: Done) => {
    tally.hooks += 1
    reply.header('x-powered-by', 'benchmark')
    done(null, payload)
  })
  host.addHook('onResponse', (_request: Request, _reply: Reply, done: Done) => {
    tally.hooks += 1
    done()
  })
}

/** Stands for a cache that returns a promise. */
function lookUp(key: string): Promise<string> {
  return Promise.resolve(key)
}

/** The routes beside the three of `workload.ts` and the lists. */
export function defineProductionRoutes(host: ProductionHost): void {
  const { bytes, streamed } = work
  const get = (url: string, handler: (request: Request, reply: Reply) => unknown, schema?: object): void => {
    host.route({ method: 'GET', url, handler, ...(schema === undefined ? {} : { schema }) })
  }
  get('/stream', (_request, reply) => {
    reply.type(work.BYTES_TYPE)
    reply.send(Readable.from(streamed, { objectMode: false }))
  })
  get('/bytes', (_request, reply) => {
    reply.type(work.BYTES_TYPE)
    reply.send(bytes)
  })
  get('/broken', () => {
    throw new Error('no connection')
  })
  get('/search', (request, reply) => void reply.send(request.query), { querystring: work.searchQuery })
  const post = (url: string, handler: (request: Request, reply: Reply) => unknown): void => {
    host.route({ method: 'POST', url, handler })
  }
  post('/documents', (request, reply) => void reply.send(work.countItems(request.body)))
  post('/uploads', async (request) => {
    const file = await request.file?.()
    return { bytes: (await file?.toBuffer())?.length ?? 0 }
  })
}
