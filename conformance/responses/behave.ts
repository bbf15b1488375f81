// The application of the random cases: a handler that does what its case says, and may contradict itself.
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { Readable } from 'node:stream'
import { deflateSync, gzipSync } from 'node:zlib'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import type { Behaviour, Payload } from './draw-case.ts'

/** What a complete response with the status of its handler has as content. */
export const CONTENT = 'content of the handler '.repeat(8)
const CHUNKS = Array.from({ length: 40 }, (_, index) => `chunk ${index} of the handler;`)

/** The content of a complete response, by the kind of its payload; `null` where none can be complete. */
export function contentOf(payload: Payload): string | null {
  if (payload === 'object') return JSON.stringify({ text: CONTENT })
  if (payload === 'undefined' || payload === 'empty text') return ''
  if (payload === 'null') return 'null'
  if (payload === 'stream of many chunks') return CHUNKS.join('')
  if (payload === 'hijacked') return 'hijacked'
  if (payload === 'stream that fails later' || payload === 'web stream that fails later') return null
  if (payload === 'never-ending stream' || payload === 'stream that fails at once') return null
  return CONTENT
}

/** A server that handlers fetch from, in several codings. */
export function createUpstream(): Server {
  return createServer((request, response) => {
    const kind = request.url?.slice(1) ?? ''
    const coded = kind === 'gzip' ? gzipSync(CONTENT) : kind === 'deflate' ? deflateSync(CONTENT) : CONTENT
    response.setHeader('content-type', 'text/plain')
    response.setHeader('x-from', 'upstream')
    response.setHeader('connection', 'x-hop')
    response.setHeader('x-hop', '1')
    if (coded !== CONTENT) response.setHeader('content-encoding', kind)
    if (kind !== 'chunked') response.setHeader('content-length', Buffer.byteLength(coded))
    if (request.method === 'HEAD') response.end()
    else if (kind === 'chunked') {
      response.write(CONTENT.slice(0, 5))
      response.end(CONTENT.slice(5))
    } else response.end(coded)
  })
}

/** Time after which a route gives up on its handler, and time that a late one takes. */
export const HANDLER_TIMEOUT_MS = 60
const LATE_MS = 150

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function* manyChunks(): AsyncGenerator<string, void> {
  for (const [index, chunk] of CHUNKS.entries()) {
    if (index % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
    yield chunk
  }
}

async function* failing(): AsyncGenerator<string, void> {
  yield CONTENT.slice(0, 20)
  await new Promise((resolve) => setTimeout(resolve, 5))
  throw new Error('planned failure of a stream')
}

/** The sources that are being read, by the ids of their requests. */
export const openSources = new Set<string>()

async function* endless(id: string): AsyncGenerator<string, void> {
  openSources.add(id)
  try {
    for (;;) {
      yield 'tick;'
      await wait(20)
    }
  } finally {
    openSources.delete(id)
  }
}

async function* late(): AsyncGenerator<string, void> {
  await wait(LATE_MS)
  yield CONTENT
}

/** A stream whose first piece comes when the handler has had its time. */
function createLate(canDestroy: boolean): Readable {
  const stream = Readable.from(late(), { objectMode: false })
  if (!canDestroy) stream.destroy = () => stream
  return stream
}

/** Streams of libraries may pipe in their own way. */
class PipesItself extends Readable {
  override pipe<Target extends NodeJS.WritableStream>(target: Target, options?: { end?: boolean }): Target {
    return super.pipe(target, options)
  }
}

function createStream(payload: Payload, id: string): Readable {
  if (payload === 'stream of many chunks') return Readable.from(manyChunks(), { objectMode: false })
  if (payload === 'stream that fails later') return Readable.from(failing(), { objectMode: false })
  if (payload === 'late stream') return createLate(true)
  if (payload === 'late stream that cannot be destroyed') return createLate(false)
  if (payload === 'never-ending stream') return Readable.from(endless(id), { objectMode: false })
  if (payload === 'stream that fails at once') {
    return new Readable({
      read() {
        this.destroy(new Error('planned failure of a stream'))
      },
    })
  }
  if (payload === 'stream that pipes itself') {
    return new PipesItself({
      read() {
        this.push(CONTENT)
        this.push(null)
      },
    })
  }
  return Readable.from([Buffer.from(CONTENT.slice(0, 7)), Buffer.from(CONTENT.slice(7))], {
    objectMode: false,
  })
}

function createWebStream(fails: boolean): ReadableStream<Uint8Array> {
  const chunks = [CONTENT.slice(0, 9), CONTENT.slice(9)]
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk === undefined) controller.close()
      else if (fails && chunks.length === 0) controller.error(new Error('planned failure of a stream'))
      else controller.enqueue(encoder.encode(chunk))
    },
  })
}

async function createPayload(payload: Payload, upstream: string, id: string): Promise<unknown> {
  if (payload.startsWith('fetched ')) return fetch(`${upstream}/${payload.slice(8)}`)
  if (payload === 'text') return CONTENT
  if (payload === 'empty text') return ''
  if (payload === 'bytes') return Buffer.from(CONTENT)
  if (payload === 'object') return { text: CONTENT }
  if (payload === 'undefined') return undefined
  if (payload === 'null') return null
  if (payload === 'web stream') return createWebStream(false)
  if (payload === 'web stream that fails later') return createWebStream(true)
  if (payload === 'blob') return new Blob([CONTENT])
  if (payload === 'response') return new Response(CONTENT, { headers: { 'x-from': 'response' } })
  if (payload === 'response of a stream')
    return new Response(createWebStream(false), { headers: { 'x-from': 'response', 'content-length': '4' } })
  return createStream(payload, id)
}

async function read(body: unknown): Promise<void> {
  if (body instanceof Readable) for await (const _ of body) continue
}

function setOnRaw(reply: Reply, { rawHeaders, rawStatus, rawMessage }: Behaviour): void {
  for (const [name, value] of rawHeaders) {
    try {
      Reflect.apply(reply.raw.setHeader, reply.raw, [name, value])
    } catch {
      // Node refuses some values at once, as it does for every application.
    }
  }
  if (rawStatus !== undefined) Reflect.set(reply.raw, 'statusCode', rawStatus)
  if (rawMessage !== undefined) reply.raw.statusMessage = rawMessage
}

/** An error of a stream that the framework has made: of the network, or of whoever uses it too. */
function injectFault({ fails }: Behaviour, { raw }: Request, reply: Reply): void {
  if (fails === 'none') return
  const stream = fails === 'request' ? raw : reply.raw
  setImmediate(() => stream.destroy(new Error('planned failure of a stream')))
}

async function behave(
  behaviour: Behaviour,
  request: Request,
  reply: Reply,
  upstream: string,
): Promise<unknown> {
  const { payload, sends, status, headers, trailers, hints, hintsAfter, reads } = behaviour
  if (hints !== undefined) Reflect.apply(reply.writeEarlyHints, reply, [hints])
  if (reads === 'before') await read(request['body'])
  reply.code(status)
  for (const [name, value] of headers) reply.header(name, value)
  if (payload === 'hijacked') {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-length': 8 })
    reply.raw.end('hijacked')
    return reply
  }
  setOnRaw(reply, behaviour)
  for (const [name, value] of trailers) reply.trailer(name, () => Promise.resolve(value))
  injectFault(behaviour, request, reply)
  const made = await createPayload(payload, upstream, String(request.id))
  if (sends === 'later') await wait(4)
  if (sends === 'late') await wait(LATE_MS)
  if (sends === 'return' && !hintsAfter && !behaviour.writesBehind && reads !== 'after') return made
  reply.send(made)
  if (hintsAfter) Reflect.apply(reply.writeEarlyHints, reply, [{ link: '</late.css>; rel=preload' }])
  if (behaviour.writesBehind) {
    try {
      reply.raw.write('BEHIND')
    } catch {
      // An error is what an application may expect here.
    }
  }
  if (reads === 'after') await read(request['body'])
  return reply
}

/**
 * Adds the routes of the cases to an app.
 *
 * @param find - the behaviour for the id of a request
 */
export function addRoutes(app: App, find: (id: string) => Behaviour | undefined, upstream: string): void {
  app.addContentTypeParser('application/x-stream', (_request: Request, body: never, done) => done(null, body))
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request: Request, body: never, done) =>
    done(null, body),
  )
  for (const [path, options] of [
    ['/c/:id', {}],
    ['/t/:id', { handlerTimeout: HANDLER_TIMEOUT_MS }],
  ] as const) {
    app.route({
      ...options,
      method: ['GET', 'HEAD', 'POST', 'OPTIONS'],
      url: path,
      onRequest: (request, reply, done) => {
        const { id } = Object(request['params'])
        reply.header('x-token', String(id))
        done()
      },
      handler: async (request, reply) => {
        const { id } = Object(request['params'])
        const behaviour = find(String(id))
        if (behaviour === undefined) throw new Error(`no case ${String(id)}`)
        return behave(behaviour, request, reply, upstream)
      },
    })
  }
}
