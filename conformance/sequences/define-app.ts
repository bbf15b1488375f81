// The app of a connection: it does with each request what was drawn, and writes down what ran.
import type { App, Done, Reply, Request } from '../harness/app-shape.ts'
import { PATH_HOOKS } from '../harness/path-hooks.ts'
import { tick } from '../harness/time.ts'
import { isStreamed } from './draw.ts'
import type { Asked, Case, Stop } from './draw.ts'
import { handle, hijack } from './handlers.ts'

/** What ran for one request. */
export interface Story {
  begun: number
  readonly ends: string[]
}

/** Mistakes that the test has to find. */
export type Mistake =
  | 'ends twice'
  | 'never ends'
  | 'loses a response'
  | 'mixes up responses'
  | 'ends a connection'
  | 'cuts a response'
  | 'gives another content'

/** The limit of bodies in these apps. */
export const BODY_LIMIT = 60
const HANDLER_TIMEOUT_MS = 40

/** Returns the URL of a request; the app finds by it what to do. */
export function urlOf(asked: Asked, index: number): string {
  const kind = isStreamed(asked) ? 'streamed' : asked.body === 'none' ? 'none' : 'parsed'
  return `/${asked.handler === 'is too late' ? 'late/' : ''}${kind}/${index}`
}

/** Defines the app. */
export function defineApp(
  app: App,
  { requests }: Case,
  stories: Map<string, Story>,
  mistake?: Mistake,
): void {
  const idOf = ({ url }: Request): string => url.slice(url.lastIndexOf('/') + 1)
  const askedOf = (request: Request): Asked => {
    const asked = requests[Number(idOf(request))]
    if (asked === undefined) throw new Error(`no request ${request.url}`)
    return asked
  }
  const note = (request: Request, end: string): void => {
    if (mistake === 'never ends') return
    const ends = stories.get(idOf(request))?.ends
    ends?.push(end)
    if (mistake === 'ends twice') ends?.push(end)
  }
  app.addHook('onRequest', async (request, reply) => {
    const id = idOf(request)
    const story = stories.get(id) ?? { begun: 0, ends: [] }
    stories.set(id, story)
    story.begun++
    reply.header('x-token', mistake === 'mixes up responses' ? 'another' : id)
    if (mistake === 'loses a response') reply.hijack()
    if (mistake === 'ends a connection') reply.raw.once('finish', () => request.raw.socket.end())
    if (mistake === 'cuts a response') {
      reply.hijack().raw.writeHead(200, { 'content-length': 9 }).write('cut')
      setImmediate(() => request.raw.socket.destroy())
    }
    if (mistake === 'gives another content') return reply.send('another content')
  })
  app.addHook('onResponse', async (request) => {
    note(request, 'onResponse')
    if (askedOf(request).fails === 'onResponse') throw new Error('onResponse fails')
  })
  app.addHook('onRequestAbort', async (request) => note(request, 'onRequestAbort'))
  app.addHook('onError', async (request) => {
    if (askedOf(request).fails === 'onError') throw new Error('onError fails')
  })
  for (const at of PATH_HOOKS) addStop(app, at, askedOf)
  app.setErrorHandler((error, request, reply) => {
    if (askedOf(request).fails === 'the error handler') throw error
    reply.code(error.statusCode ?? 500).send({ error: error.message })
  })
  app.addContentTypeParser('application/x-stream', (_request, body: never, done) => done(null, body))
  const body = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }
  const method = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']
  const handler = (request: Request, reply: Reply): unknown =>
    handle(askedOf(request), idOf(request), request, reply)
  const late = { handlerTimeout: HANDLER_TIMEOUT_MS }
  for (const [prefix, options] of [
    ['', {}],
    ['/late', late],
  ] as const) {
    app.route({ method, url: `${prefix}/none/:id`, handler, ...options })
    app.route({ method, url: `${prefix}/streamed/:id`, handler, ...options })
    app.route({ method: method.slice(2), url: `${prefix}/parsed/:id`, schema: { body }, handler, ...options })
  }
}

/** Defines a route for another protocol, which no client asks for. */
export function defineUpgrade(app: App): void {
  const upgrade = { protocol: 'x-other', settings: {}, take: () => undefined }
  app.route({ method: 'GET', url: '/upgrade', upgrade, handler: () => 'no upgrade' })
}

/** Adds the hook of a stage, which ends the path of some requests. */
function addStop(app: App, at: Stop['at'], askedOf: (request: Request) => Asked): void {
  const stopOf = (request: Request): Stop | null => {
    const { stop } = askedOf(request)
    return stop?.at === at ? stop : null
  }
  if (at === 'preParsing' || at === 'preSerialization' || at === 'onSend') {
    app.addHook(at, (request: Request, _reply: Reply, payload: unknown, done: Done) => {
      const stop = stopOf(request)
      const error = new Error(`${at} fails`)
      if (stop?.how === 'throws') throw error
      if (stop === null) done(null, payload)
      else setImmediate(() => done(error))
    })
    return
  }
  app.addHook(at, async (request, reply) => {
    const how = stopOf(request)?.how
    if (how === undefined) return
    if (how === 'rejects later' || how === 'sends later') await tick()
    if (how === 'throws' || how === 'rejects later') throw new Error(`${at} fails`)
    if (how === 'hijacks') hijack(reply, at)
    else return reply.send(`sent by ${at}`)
  })
}
