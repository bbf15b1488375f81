// The app of a case, which writes down what it has handed over and what ran.
import compress from '@fastify/compress'
import etag from '@fastify/etag'
import { setTimeout as pause } from 'node:timers/promises'
import type { App, Reply, Request } from '../../harness/app-shape.ts'
import type { Case } from './draw.ts'
import { handOver } from './sources.ts'
import type { Handed } from './sources.ts'

/** What ran for the request of the case. */
export interface Story {
  readonly handed: Handed[]
  begun: number
  /** of `onResponse` and `onRequestAbort` */
  ends: number
  onError: number
}

type Done = (error?: Error | null, payload?: unknown) => void
type Give = () => unknown

/** Longer than the time after which a source fails later. */
const WAIT_MS = 12
/** Longer than `handlerTimeout`. */
const LATE_MS = 60

const isOurs = ({ url }: Request): boolean => url === '/case'

/** Defines the hooks and the route of a case. */
export function defineApp(app: App, given: Case, story: Story): void {
  const give = (): unknown => {
    const handed = handOver(`source ${story.handed.length}`, given.kind, given.end)
    story.handed.push(handed)
    return handed.payload
  }
  if (given.plugin === 'compress') void app.register(compress, { threshold: 0 })
  if (given.plugin === 'etag') void app.register(etag)
  void app.register(async (scope: App) => {
    watch(scope, story)
    addErrorHandler(scope, given, give)
    for (const send of given.sends) addOnSend(scope, send, give)
    addReplacement(scope, given, give)
    addEarlyResponse(scope, given, give)
    addRoute(scope, given, give)
  })
}

function watch(app: App, story: Story): void {
  const end = async (request: Request): Promise<void> => void (isOurs(request) && story.ends++)
  app.addHook('onRequest', async (request: Request) => void (isOurs(request) && story.begun++))
  app.addHook('onError', async () => void story.onError++)
  app.addHook('onResponse', end)
  app.addHook('onRequestAbort', end)
  app.get('/next', { exposeHeadRoute: false }, () => 'next')
}

const PLACE = 'the error of the place'

function addErrorHandler(app: App, { place, status, hasErrorHandler }: Case, give: Give): void {
  if (!hasErrorHandler) return
  app.setErrorHandler((error: unknown, _request: Request, reply: Reply) => {
    if (!(error instanceof Error) || error.message !== PLACE) return reply.send(error)
    reply.code(status)
    return place === 'the error handler sends' ? reply.send(give()) : give()
  })
}

/** A hook that replaces its payload, in each way. */
function addReplacement(app: App, { place, mode }: Case, give: Give): void {
  const [name] = (['preParsing', 'preSerialization', 'onSend'] as const).filter(
    (one) => place === `${one} replaces`,
  )
  if (name === undefined) return
  const ms = mode.endsWith('later') ? WAIT_MS : 0
  if (mode.startsWith('done')) {
    app.addHook(name, (request: Request, _reply: Reply, payload: unknown, done: Done) => {
      const call = (): void => done(null, isOurs(request) ? give() : payload)
      if (ms === 0) call()
      else setTimeout(call, ms)
    })
  } else {
    app.addHook(name, async (request: Request, _reply: Reply, payload: unknown) => {
      if (ms > 0) await pause(ms)
      return isOurs(request) ? give() : payload
    })
  }
}

function addOnSend(app: App, send: Case['sends'][number], give: Give): void {
  if (send === 'calls back later') {
    app.addHook(
      'onSend',
      (_request: Request, _reply: Reply, payload: unknown, done: Done) =>
        void setTimeout(() => done(null, payload), WAIT_MS),
    )
    return
  }
  app.addHook('onSend', async (request: Request, _reply: Reply, payload: unknown) => {
    if (!isOurs(request)) return payload
    if (send === 'waits' || send === 'fails later') await pause(WAIT_MS)
    if (send.startsWith('fails')) throw new Error('the error of onSend')
    if (send === 'replaces by text') return 'text'
    if (send === 'replaces by nothing') return null
    return send === 'replaces by another source' ? give() : payload
  })
}

function addEarlyResponse(app: App, { place, status }: Case, give: Give): void {
  if (place === 'preHandler sends') {
    app.addHook('preHandler', async (request: Request, reply: Reply) => {
      if (isOurs(request)) reply.code(status).send(give())
    })
  }
  if (place === 'onRequest sends later') {
    app.addHook('onRequest', async (request: Request, reply: Reply) => {
      if (!isOurs(request)) return
      await pause(WAIT_MS)
      reply.code(status).send(give())
    })
  }
}

const LINES = { content: { 'application/x-ndjson': { schema: {} } } }

function addRoute(app: App, given: Case, give: Give): void {
  const { place, status, method } = given
  if (place === 'the not-found handler sends') {
    app.setNotFoundHandler((_request: Request, reply: Reply) => reply.code(status).send(give()))
  } else if (place === 'a mounted handler returns') {
    const mount: unknown = Reflect.get(app, 'mount')
    if (typeof mount !== 'function') throw new Error('the app mounts no handlers')
    mount.call(app, '/case', async () => give())
  } else {
    const isSync = place === 'the handler returns' || place === 'the handler sends and throws'
    const handler = (_request: Request, reply: Reply): unknown => {
      reply.code(status)
      if (given.hasTrailer) reply.trailer('x-trailer', async () => 'trailer')
      return isSync ? respondAtOnce(given, reply, give) : respond(given, reply, give)
    }
    const timeout = given.hasTimeout ? { handlerTimeout: 30 } : {}
    const schema = given.kind === 'items' ? { response: { default: LINES } } : {}
    app.route({ method: method === 'HEAD' ? 'GET' : method, url: '/case', ...timeout, schema, handler })
  }
}

function respondAtOnce({ place }: Case, reply: Reply, give: Give): unknown {
  if (place === 'the handler returns') return give()
  reply.send(give())
  throw new Error('the error of the handler')
}

async function respond({ place }: Case, reply: Reply, give: Give): Promise<unknown> {
  switch (place) {
    case 'preParsing replaces':
    case 'onSend replaces':
      return 'text'
    case 'preSerialization replaces':
      return { a: 1 }
    case 'the error handler returns':
    case 'the error handler sends':
      throw new Error(PLACE)
    case 'the handler sends later':
      setTimeout(() => reply.send(give()), 5)
      return reply
    case 'the handler sends after another':
      return reply.send('text').send(give())
    case 'the handler sends before another':
      return reply.send(give()).send('text')
    case 'the handler resolves after it has sent':
      void reply.send('text')
      return give()
    case 'the handler sends and rejects':
      void reply.send(give())
      throw new Error('the error of the handler')
    case 'the handler sends after hijack':
      reply.hijack().raw.end('text')
      return reply.send(give())
    case 'the handler is late':
      await pause(LATE_MS)
      return give()
    case 'the handler resolves to':
      await pause(1)
      return give()
    default:
      return reply.send(give())
  }
}
