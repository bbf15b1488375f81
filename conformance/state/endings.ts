// Every way in which the handler of an idempotent route can end, and what the next request with its key gets.
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReadableStream } from 'node:stream/web'
import type { App, Reply, Request } from '../harness/app-shape.ts'

/** What the next request with the key gets: it runs, or gets the response again, or hears that it is not kept. */
export type Next = 'runs' | 'again' | 'not kept'

/** A way to end. */
export interface Ending {
  readonly title: string
  readonly next: Next
  /** of the first response */
  readonly status: number
  readonly handler: (request: Request, reply: Reply) => unknown
  /** what the app has beside */
  readonly app?: (app: App) => void
  readonly route?: object
  /** what a synchronous handler can't do */
  readonly isAsync?: boolean
  /** what the next request gets if the client had left: nothing reads a stream then, so that it can't fail */
  readonly left?: Next
  /** the first response was another */
  readonly isOther?: boolean
  readonly needs?: 'node' | 'trailers'
}

const fail = (error: unknown): never => {
  throw error
}
const late = (message: string): Error => Object.assign(new Error(message), { statusCode: 404 })
const text = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }

type Row = (title: string, status: number, handler: Ending['handler'], more?: Partial<Ending>) => Ending
const row =
  (next: Next): Row =>
  (title, status, handler, more = {}) => ({ title, status, handler, next, ...more })
const [again, runs, notKept] = [row('again'), row('runs'), row('not kept')]

const RETURNED: readonly Ending[] = [
  again('returns an object', 200, () => ({ paid: true })),
  again('returns a list', 200, () => [1, 'é']),
  again('returns a text', 200, () => 'paid é'),
  again('returns an empty text', 200, () => ''),
  again('returns null', 200, () => null),
  again('returns a number', 200, () => 7),
  again('returns false', 200, () => false),
  again('returns nothing', 200, () => undefined, { isAsync: true }),
  again('returns bytes', 200, () => Buffer.from([0, 255, 128])),
  again('returns no bytes', 200, () => Buffer.alloc(0)),
  again('returns an array of bytes', 200, () => new Uint8Array([1, 200])),
  again('returns the fields of a form', 200, () => new URLSearchParams({ a: 'b c' })),
  notKept('returns a Response', 201, () => new Response('paid', { status: 201 })),
  notKept('returns a Blob', 200, () => new Blob(['paid'])),
  notKept('returns a stream of Node', 200, () => Readable.from(['a', 'b'])),
  notKept('returns a stream of the web', 200, () => new ReadableStream({ start: (one) => one.close() })),
  notKept('returns more than is kept', 200, () => 'x'.repeat(101)),
]

const SENT: readonly Ending[] = [
  again('sends an object', 201, (_request, reply) => reply.code(201).send({ paid: true })),
  again('sends nothing', 200, (_request, reply) => reply.send()),
  again('sends 204', 204, (_request, reply) => reply.code(204).send()),
  again('sends 205', 205, (_request, reply) => reply.code(205).send()),
  again('sends 304 with a tag', 304, (_request, reply) => reply.code(304).header('etag', '"1"').send()),
  again('sends 404', 404, (_request, reply) => reply.code(404).send({ error: 'none' })),
  again('sends 499', 499, (_request, reply) => reply.code(499).send('late')),
  again('redirects', 302, (_request, reply) => reply.redirect('/elsewhere')),
  again('redirects with 303', 303, (_request, reply) => reply.redirect('/elsewhere', 303)),
  again('sends text of a type', 200, (_request, reply) => reply.type('application/xml').send('<paid/>')),
  again('sends JSON as a text', 200, (_request, reply) => reply.type('application/json').send('{"a":  1}')),
  again('sets headers, some twice', 200, (_request, reply) =>
    reply
      .header('x-own', '1')
      .header('link', ['<a>', '<b>'])
      .header('cache-control', 'no-store')
      .send('paid'),
  ),
  again('has a serializer of its own', 200, (_request, reply) =>
    reply
      .type('text/csv')
      .serializer((value) => `csv ${JSON.stringify(value)}`)
      .send({ a: 1 }),
  ),
  again('sends trailers', 200, (_request, reply) => reply.trailer('x-sum', async () => '7').send('paid'), {
    needs: 'trailers',
  }),
  again(
    'sends, and then throws',
    200,
    async (_request, reply) => {
      reply.send('paid')
      await sleep(1)
      throw new Error('late')
    },
    { isAsync: true },
  ),
  runs('sends 500', 500, (_request, reply) => reply.code(500).send({ error: 'broken' })),
  runs('sends 503 without content', 503, (_request, reply) => reply.code(503).send()),
  runs('sends a stream with 502', 502, (_request, reply) => reply.code(502).send(Readable.from(['a']))),
]

const FAILED: readonly Ending[] = [
  runs('throws', 500, () => fail(new Error('broken'))),
  runs('throws a 404', 404, () => fail(late('none'))),
  runs('throws a text', 500, () => fail('broken')),
  runs('throws null', 500, () => fail(null)),
  runs('sends an error', 500, (_request, reply) => reply.send(new Error('broken'))),
  runs('sends an error with a status', 404, (_request, reply) => reply.code(404).send(new Error('none'))),
  runs('throws, and an error handler sends 200', 200, () => fail(new Error('broken')), {
    app: (app) =>
      void app.setErrorHandler((error: Error, _request: Request, reply: Reply) =>
        error.message === 'broken' ? reply.code(200).send('sorry') : reply.send(error),
      ),
  }),
  runs('returns what its schema refuses', 500, () => ({ other: 1 }), {
    route: { schema: { response: { 200: text } }, serialization: 'strict' },
  }),
  runs('returns what has no JSON', 500, () => ({ big: 1n })),
  runs('fails in preSerialization', 500, () => ({ paid: true }), {
    app: (app) => void app.addHook('preSerialization', async () => fail(new Error('broken'))),
  }),
  runs('fails in onSend of the app', 500, () => 'paid', {
    app: (app) =>
      void app.addHook('onSend', async (_request: Request, reply: Reply) =>
        reply.statusCode === 200 ? fail(new Error('broken')) : undefined,
      ),
  }),
  runs(
    'returns a stream that fails before its first byte',
    500,
    () =>
      new Readable({
        read() {
          this.destroy(new Error('broken'))
        },
      }),
    { left: 'not kept' },
  ),
]

const BESIDE: readonly Ending[] = [
  again('sends what onSend of the app has changed', 200, () => 'paid', {
    app: (app) =>
      void app.addHook(
        'onSend',
        async (_request: Request, _reply: Reply, payload: unknown) => `<${String(payload)}>`,
      ),
  }),
  again('sends what onSend of the route has changed', 200, () => 'paid', {
    route: { onSend: async (_request: Request, _reply: Reply, payload: unknown) => `<${String(payload)}>` },
  }),
  // The work was done, and its response is stored before the hooks of the route.
  again('fails in onSend of the route', 500, () => 'paid', {
    isOther: true,
    route: {
      onSend: async (_request: Request, reply: Reply) =>
        reply.statusCode === 200 && !reply.hasHeader('idempotent-replayed')
          ? fail(new Error('broken'))
          : undefined,
    },
  }),
  again('sends what preSerialization has changed', 200, () => ({ paid: 1 }), {
    app: (app) => void app.addHook('preSerialization', async () => ({ paid: 2 })),
  }),
  runs('calls the not-found handler of the framework', 404, (_request, reply) => reply.callNotFound()),
  runs('calls a not-found handler that sends 200', 200, (_request, reply) => reply.callNotFound(), {
    app: (app) =>
      void app.setNotFoundHandler((_request: Request, reply: Reply) => reply.code(200).send('page')),
  }),
  runs('calls a not-found handler that takes its time', 404, (_request, reply) => reply.callNotFound(), {
    app: (app) =>
      void app.setNotFoundHandler(async (_request: Request, reply: Reply) => {
        await sleep(5)
        return reply.code(404).send('none')
      }),
  }),
  notKept(
    'hijacks',
    200,
    (_request, reply) => {
      reply.hijack()
      reply.raw.end('own')
    },
    { needs: 'node' },
  ),
  notKept('ends the raw response', 200, (_request, reply) => void reply.raw.end('own'), { needs: 'node' }),
]

/** All ways to end. */
export const ENDINGS: readonly Ending[] = [...RETURNED, ...SENT, ...FAILED, ...BESIDE]
