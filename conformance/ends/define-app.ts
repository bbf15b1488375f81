// The app of a case, which writes down what ran.
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import etag from '@fastify/etag'
import session from '@fastify/session'
import { PassThrough, Readable } from 'node:stream'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { createGate } from '../harness/time.ts'
import type { Gate } from '../harness/time.ts'
import type { Case, Hook } from './draw.ts'

/** What ran for one request. */
export interface Story {
  readonly ran: string[]
  taken: number
  given: number
  /** sources that are open */
  sources: number
  /** guards that were not released */
  guards: number
  /** how often the session was saved */
  saved: number
}

/** What the app tells its client and its judge. */
export interface Stage {
  readonly stories: Map<string, Story>
  /** the request waits for its client to leave */
  readonly arrived: Gate<void>
  readonly left: Gate<void>
}

/** Mistakes that the test has to find. */
export type Fault =
  | 'loses an onSend hook'
  | 'never runs the handler'
  | 'keeps a source'
  | 'gives nothing back'
  | 'swaps hooks'
  | 'aborts twice'
  | 'keeps a guard'
  | 'loses a session'

/** Creates an empty stage. */
export function createStage(): Stage {
  return { stories: new Map(), arrived: createGate(), left: createGate() }
}

type Done = (error?: Error | null, payload?: unknown) => void

/** Defines the hooks and the route of a case. */
export function defineApp(app: App, given: Case, stage: Stage, fault?: Fault): void {
  const storyOf = (request: unknown): Story => {
    const url = String(Reflect.get(Object(request), 'url'))
    const story = stage.stories.get(url) ?? { ran: [], taken: 0, given: 0, sources: 0, guards: 0, saved: 0 }
    stage.stories.set(url, story)
    return story
  }
  const untilLeft = async (): Promise<void> => {
    stage.arrived.open()
    await stage.left.promise
  }
  registerPlugin(app, given, storyOf, fault)
  app.addHook('onRequest', async (request: Request) => void storyOf(request).taken++)
  app.addHook('onRequestAbort', async (request: Request) => {
    storyOf(request).ran.push('onRequestAbort')
    if (fault === 'aborts twice') storyOf(request).ran.push('onRequestAbort')
    stage.left.open()
  })
  app.addHook('onResponse', async (request: Request) => void storyOf(request).ran.push('onResponse'))
  if (given.decodes) app.addHook('preParsing', decode)
  const shown = fault === 'swaps hooks' ? given.hooks.map((_, at) => given.hooks.length - 1 - at) : undefined
  for (const [index, hook] of given.hooks.entries()) {
    addHook(app, hook, (request) => {
      storyOf(request).ran.push(`hook ${shown?.[index] ?? index}`)
      if (given.refusal === index) throw new Error('refused')
      return given.waits === index ? untilLeft() : undefined
    })
  }
  if (fault === 'never runs the handler')
    app.addHook('preHandler', async (_request: Request, reply: Reply) => reply.send('early'))
  for (const [index, hook] of given.sends.entries()) {
    if (fault === 'loses an onSend hook' && index === given.sends.length - 1) continue
    addHook(app, hook, (request) => {
      storyOf(request).ran.push(`onSend ${index}`)
      return undefined
    })
  }
  app.addHook('onSend', async (request: Request, _reply: Reply, payload: unknown) => {
    if (fault !== 'gives nothing back') giveBack(storyOf(request))
    return payload
  })
  app.addContentTypeParser('application/x-stream', (_request: unknown, payload: unknown, done: Done) =>
    done(null, payload),
  )
  if (given.hasGuard) addGuard(app, storyOf, fault)
  const handler = createHandler(given, stage, storyOf, untilLeft, fault)
  if (given.handler === 'is mounted') mount(app, given, storyOf, untilLeft)
  else app.post('/:id', { schema: schemaOf(given) }, handler)
}

const ITEMS = { content: { 'application/x-ndjson': { schema: { type: 'object' } } } }
const FILE = { type: 'string', format: 'binary' }

function schemaOf({ handler }: Case): Record<string, unknown> {
  if (handler === 'generates') return { response: { 200: ITEMS } }
  if (handler !== 'reads a form' && handler !== 'streams a form') return {}
  const schema = { type: 'object', required: ['file'], properties: { file: FILE } }
  const encoding = handler === 'streams a form' ? { file: { stream: true } } : {}
  return { body: { content: { 'multipart/form-data': { schema, encoding } } } }
}

/** Mounts a handler of the web platform, which reads the body itself. */
function mount(
  app: App,
  given: Case,
  storyOf: (request: unknown) => Story,
  untilLeft: () => Promise<void>,
): void {
  const add: unknown = Reflect.get(app, 'mount')
  if (typeof add !== 'function') throw new Error('the app mounts no handlers')
  add.call(app, '/', async (request: globalThis.Request) => {
    storyOf({ url: new URL(request.url).pathname }).ran.push('handler')
    if (given.leaves === 'in handler') await untilLeft()
    return new Response(await request.text())
  })
}

/** Registers a plugin of the ecosystem; a session is saved for each request that its handler has seen. */
function registerPlugin(
  app: App,
  { plugin }: Case,
  storyOf: (request: unknown) => Story,
  fault: Fault | undefined,
): void {
  if (plugin === 'none') return
  if (plugin === 'compress') void app.register(compress, { threshold: 0 })
  if (plugin === 'etag') void app.register(etag)
  if (plugin !== 'cookie' && plugin !== 'session') return
  void app.register(cookie)
  if (plugin === 'cookie') return
  const set = (_id: string, { url }: { url?: string }, done: () => void): void => {
    if (url !== undefined && fault !== 'loses a session') storyOf({ url }).saved++
    done()
  }
  const store = {
    set,
    get: (_id: string, done: Done) => done(null),
    destroy: (_id: string, done: Done) => done(),
  }
  void app.register(session, { secret: 'x'.repeat(32), cookie: { secure: false }, store })
  app.addHook('preHandler', async (request: Request) => {
    Object.assign(Object(request['session']), { url: request.url })
  })
}

function giveBack(story: Story): void {
  if (story.given < story.taken) story.given++
}

function addGuard(app: App, storyOf: (request: unknown) => Story, fault: Fault | undefined): void {
  const add: unknown = Reflect.get(app, 'addGuard')
  if (typeof add !== 'function') throw new Error('the app has no guards')
  add.call(
    app,
    'held',
    (request: unknown) => {
      const story = storyOf(request)
      story.guards++
      return { story }
    },
    { release: ({ story }: { story: Story }) => fault !== 'keeps a guard' && story.guards-- },
  )
}

type Work = (request: unknown) => Promise<void> | undefined

/** Adds a hook that does its work in the drawn way. */
function addHook(app: App, { at, mode }: Hook, work: Work): void {
  const settle = (request: unknown, done: Done, payload?: unknown): void => {
    const finish = (error?: Error): void => (error === undefined ? done(null, payload) : done(error))
    let waiting: Promise<void> | undefined
    try {
      waiting = work(request)
    } catch (error) {
      return finish(error instanceof Error ? error : new Error('no error'))
    }
    if (waiting !== undefined) void waiting.then(() => finish())
    else if (mode === 'done') setImmediate(finish)
    else finish()
  }
  if (at === 'onSend' || at === 'preParsing') {
    addPayloadHook(app, { at, mode }, work, settle)
  } else if (mode === 'async') {
    app.addHook(at, async (request: Request, _reply: Reply) => work(request))
  } else {
    app.addHook(at, (request: Request, _reply: Reply, done: Done) => settle(request, done))
  }
}

/** `pipe` does not pass on the end of a client that leaves. */
async function decode(_request: Request, _reply: Reply, payload: unknown): Promise<unknown> {
  return payload instanceof Readable ? payload.pipe(new PassThrough()) : payload
}

type Settle = (request: unknown, done: Done, payload: unknown) => void

function addPayloadHook(app: App, { at, mode }: Hook, work: Work, settle: Settle): void {
  const name = at === 'onSend' ? 'onSend' : 'preParsing'
  if (mode === 'async')
    app.addHook(name, async (request: Request, _reply: Reply, payload: unknown) => {
      await work(request)
      return payload
    })
  else
    app.addHook(name, (request: Request, _reply: Reply, payload: unknown, done: Done) =>
      settle(request, done, payload),
    )
}

function createHandler(
  given: Case,
  stage: Stage,
  storyOf: (request: unknown) => Story,
  untilLeft: () => Promise<void>,
  fault: Fault | undefined,
) {
  const isEndless = given.leaves === 'in response'
  if (given.handler === 'generates')
    return async function* (request: Request) {
      const story = storyOf(request)
      story.ran.push('handler')
      story.sources++
      try {
        yield { n: 1 }
        if (isEndless) await untilLeft()
        yield { n: 2 }
      } finally {
        story.sources--
      }
    }
  return async (request: Request, reply: Reply): Promise<unknown> => {
    const story = storyOf(request)
    story.ran.push('handler')
    if (given.leaves === 'in handler') await untilLeft()
    switch (given.handler) {
      case 'throws':
        throw new Error('broken')
      case 'obeys':
        if (request.signal instanceof AbortSignal) request.signal.throwIfAborted()
        return 'not aborted'
      case 'streams':
        return reply.type('text/plain').send(createSource(story, stage, isEndless, fault))
      case 'reads a form':
        return { size: String(Object(request.body).file).length > 0 }
      case 'streams a form': {
        const { file } = Object(request.body)
        let size = 0
        for await (const piece of file) size += piece.length
        return { size }
      }
      case 'pipes':
        return reply.type('text/plain').send(request.body)
      case 'hijacks':
        giveBack(story)
        reply.hijack().raw.writeHead(200, { 'content-length': '2' })
        reply.raw.end('ok')
        return reply
      default:
        return { ok: true }
    }
  }
}

function createSource(story: Story, stage: Stage, isEndless: boolean, fault: Fault | undefined): Readable {
  story.sources++
  const source = new Readable({
    read: () => {},
    destroy: (error, done) => {
      if (fault !== 'keeps a source') story.sources--
      done(error)
    },
  })
  source.push('first')
  if (isEndless) stage.arrived.open()
  else source.push(null)
  return source
}
