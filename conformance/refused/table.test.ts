// What reaches a handler is what was sent, or the request is refused: the rows of docs/guide/refused.md.
import type { Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import type { SendRequest } from '../harness/send.ts'
import { describeTransports } from '../harness/transports.ts'
import { addRoutes, JSON_TYPE, object } from './routes.ts'
import { ACCEPTED, latin1, post, ROWS } from './rows.ts'

const REASON = 'the peers read another value'
const EXACT = { integers: 'exact', bodyText: 'utf-8', duplicateNames: 'refuse', unknownEncodings: 'refuse' }
/** The options as `strict` sets them, and alone. */
const WAYS = [{ strict: true }, EXACT]

describeTransports(
  'refused instead of guessed',
  ({ createApp, send, expect, ours }) => {
    const test = ours(REASON)

    test.each(ROWS)('%s', async (_what, request, status, words) => {
      for (const options of WAYS) {
        const app = createApp(options)
        const seen = addRoutes(app)
        const response = await send(app, request)
        expect([response.status, response.text, seen.calls]).toEqual([
          status,
          expect.stringMatching(words),
          0,
        ])
        if (request.headers?.['content-encoding'] !== undefined)
          expect(response.headers['accept-encoding']).toBe('identity')
      }
      // Without the options, the request is read as in Fastify 4.x.
      const app = createApp()
      addRoutes(app)
      expect((await send(app, request)).text).not.toMatch(/exactly|UTF-8|twice|surrogate|charset|coding/)
    })

    test.each(ACCEPTED)('not %s', async (_what, request, seen) => {
      for (const options of WAYS) {
        const app = createApp(options)
        addRoutes(app)
        const response = await send(app, request)
        expect([response.status, response.json()]).toMatchObject([200, seen])
      }
    })

    test('a body that a preParsing hook has decoded is read', async () => {
      const app = createApp({ strict: true })
      addRoutes(app)
      app.addHook('preParsing', async (_request, _reply, payload: Readable) => {
        const decoded = Object.assign(createGunzip(), { receivedEncodedLength: 0 })
        payload.on('data', (chunk) => (decoded.receivedEncodedLength += chunk.length))
        return payload.pipe(decoded)
      })
      const request = post(gzipSync('{"id":1}'), JSON_TYPE, { 'content-encoding': 'gzip' })
      expect((await send(app, request)).json()).toMatchObject({ body: { id: 1 } })
    })

    test('a parser of the application that takes bytes gets them as they were sent', async () => {
      const app = createApp({ strict: true })
      app.addContentTypeParser('x/bytes', { parseAs: 'buffer' }, (_request, body, done) =>
        done(null, { bytes: Buffer.from(body).toString('hex') }),
      )
      app.post('/', (request) => request.body)
      const request = post(latin1('é'), 'x/bytes; charset=latin1', { 'content-encoding': 'bogus' })
      expect((await send(app, request)).json()).toEqual({ bytes: 'e9' })
    })

    test('a body that a preParsing hook passes on has its coding still', async () => {
      const app = createApp({ strict: true })
      const seen = addRoutes(app)
      app.addHook('preParsing', async (_request, _reply, payload: Readable) => payload)
      const request = post('{"id":1}', JSON_TYPE, { 'content-encoding': 'gzip' })
      expect([(await send(app, request)).status, seen.calls]).toEqual([415, 0])
    })

    test('a parser of the application that takes text gets no other charset or coding', async () => {
      const app = createApp({ strict: true })
      app.addContentTypeParser('x/text', { parseAs: 'string' }, async (_request, body) => body)
      app.post('/', (request) => request.body)
      const statusOf = async (type: string, coding: string): Promise<number> =>
        (await send(app, post('abc', type, { 'content-encoding': coding }))).status
      expect(await statusOf('x/text; charset=utf-8', 'identity')).toBe(200)
      expect(await statusOf('x/text; charset=latin1', 'identity')).toBe(415)
      expect(await statusOf('x/text', 'bogus')).toBe(415)
    })

    test('items come in no other charset or coding', async () => {
      const app = createApp({ strict: true })
      const schema = { body: { type: 'array', items: object } }
      app.post(
        '/',
        { schema: { body: { content: { 'application/x-ndjson': { schema: schema.body } } } } },
        async () => 'ran',
      )
      const type = 'application/x-ndjson'
      expect((await send(app, post('{"id":1}\n', type))).status).toBe(200)
      expect((await send(app, post('{"id":1}\n', `${type}; charset=latin1`))).status).toBe(415)
      expect((await send(app, post('{"id":1}\n', type, { 'content-encoding': 'bogus' }))).status).toBe(415)
    })

    test('each option alone refuses only its own rows', async () => {
      const rows: readonly (readonly [string, SendRequest])[] = [
        ['integers', post('{"id":1e400}')],
        ['bodyText', post(latin1('{"name":"é"}'))],
        ['bodyText', post('a', 'text/plain; charset=latin1')],
        ['duplicateNames', post('{"id":1,"id":2}')],
        ['unknownEncodings', post('{"id":1}', JSON_TYPE, { 'content-encoding': 'x' })],
      ]
      for (const option of ['integers', 'bodyText', 'duplicateNames', 'unknownEncodings'] as const) {
        const app = createApp({ [option]: EXACT[option] })
        addRoutes(app)
        for (const [of, request] of rows) {
          const { status } = await send(app, request)
          // Infinity is no integer in any mode.
          expect([option, of, status < 300]).toEqual([option, of, of !== option && of !== 'integers'])
        }
      }
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
