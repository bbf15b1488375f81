// An app that notes each of its stages, and ends its replies in every way.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { App, Reply, Request } from '../../harness/app-shape.ts'
import type { LogLine } from '../../harness/log-lines.ts'
import { idOf, type Notes } from './notes.ts'

const STAGES = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend', 'onResponse'] as const

async function* pieces(): AsyncGenerator<string> {
  for (let count = 0; count < 3; count++) {
    await turn()
    yield 'piece '
  }
}

/** How handlers end their reply, by the first segment of the path. */
const ENDINGS: Readonly<Record<string, (reply: Reply, request: Request) => unknown>> = {
  value: () => ({ a: 1 }),
  later: async () => {
    await turn()
    return { a: 1 }
  },
  empty: (reply) => reply.code(204).send(),
  unchanged: (reply) => reply.code(304).send(),
  long: () => 'é'.repeat(40_000),
  bytes: async () => Buffer.alloc(9000),
  throws: () => {
    throw new Error('thrown')
  },
  rejects: async () => {
    await turn()
    throw Object.assign(new Error('rejected'), { statusCode: 418 })
  },
  streams: (reply) => reply.send(Readable.from(pieces())),
  hints: async (reply) => {
    reply.writeEarlyHints({ link: '</a.css>; rel=preload' })
    await turn()
    return 'hinted'
  },
  missing: (reply) => reply.callNotFound(),
  header: (reply) => {
    reply.raw.setHeader('x-raw', '1')
    return 'with a raw header'
  },
  raw: (reply) => {
    reply.hijack()
    reply.raw.end('by hand')
  },
  rawPieces: async (reply) => {
    reply.hijack()
    reply.raw.writeHead(201, { 'x-head': '1' })
    reply.raw.write('by ')
    await turn()
    reply.raw.end('hand')
  },
  /** until the client has left */
  waits: async (_reply, request) => {
    await once(request.raw, 'close')
    return 'late'
  },
}

/** The first segments of the paths of `addRoutes`. */
export const KINDS: readonly string[] = [...Object.keys(ENDINGS), 'hook', 'checked', 'nowhere']

/** Options with which the lines of the log are noted, too. */
export function loggerOf(notes: Notes): Record<string, unknown> {
  const write = (text: string): void => {
    const line: LogLine = JSON.parse(text)
    if (typeof line['reqId'] === 'string') notes.add(line['reqId'], `line ${String(line['msg'])}`)
  }
  return {
    logger: { stream: { write } },
    genReqId: ({ url }: { url?: string }) => idOf(url),
    bodyLimit: 1000,
  }
}

/** Adds a route for each way to end a reply, and a hook for each stage. */
export function addRoutes(app: App, notes: Notes): void {
  for (const stage of STAGES) {
    app.addHook(stage, async ({ url }: Request) => {
      notes.add(idOf(url), stage)
      if (stage === 'preHandler') await turn()
    })
  }
  app.addHook('onRequest', async (request: Request, reply: Reply) => {
    if (request.url.startsWith('/hook/')) return reply.send('early')
    return undefined
  })
  app.addHook('onError', async ({ url }: Request) => notes.add(idOf(url), 'onError'))
  app.addHook('onRequestAbort', async ({ url }: Request) => notes.add(idOf(url), 'onRequestAbort'))
  const method = ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']
  for (const [kind, end] of Object.entries(ENDINGS)) {
    app.route({
      method,
      url: `/${kind}/:id`,
      handler(request: Request, reply: Reply) {
        notes.add(idOf(request.url), 'handler')
        return end(reply, request)
      },
    })
  }
  app.route({ method, url: '/hook/:id', handler: () => 'never' })
  const querystring = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  app.route({ method, url: '/checked/:id', schema: { querystring }, handler: () => 'never' })
}
