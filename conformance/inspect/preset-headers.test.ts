// `presetHeaders`: headers that are decided at boot are those that a hook would set, on every response and transport.
import { Readable } from 'node:stream'
import { presetHeaders } from 'cloister/inspect'
import type { HeaderChoice } from 'cloister/inspect'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callMember } from '../call-member.ts'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { describeTransports, useApps } from '../harness/transports.ts'

const SET = { 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' }

const preset = (app: App, choose: Parameters<typeof presetHeaders>[1]): void =>
  presetHeaders(app as object as Parameters<typeof presetHeaders>[0], choose)

const names = fc.constantFrom('X-Frame-Options', 'referrer-policy', 'x-other')
const step = fc.oneof(
  fc.record({ do: fc.constant('set' as const), name: names, value: fc.constantFrom('a', 'b; c', 7) }),
  fc.record({ do: fc.constant('remove' as const), name: names }),
  fc.record({ do: fc.constant('read' as const), name: names }),
)
const END = ['text', 'object', 'stream', 'nothing', 'not modified', 'error', 'not found'] as const
const plan = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST'),
  steps: fc.array(step, { maxLength: 5 }),
  end: fc.constantFrom(...END),
})
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never

function run({ steps, end }: Plan, reply: Reply): { result: unknown; seen: unknown[] } {
  const seen: unknown[] = []
  for (const one of steps) {
    if (one.do === 'set') reply.header(one.name, one.value)
    else if (one.do === 'remove') reply.removeHeader(one.name)
    else seen.push(reply.getHeader(one.name), reply.hasHeader(one.name), sorted(reply.getHeaders()))
  }
  if (end === 'nothing') return { result: reply.code(204).send(), seen }
  if (end === 'not modified') return { result: reply.code(304).send(), seen }
  if (end === 'not found') return { result: reply.callNotFound(), seen }
  if (end === 'stream') return { result: reply.send(Readable.from(['a', 'b'])), seen }
  return { result: end === 'text' ? 'text' : { a: 1 }, seen }
}

const sorted = (headers: object): unknown[] =>
  Object.entries(headers)
    .filter(([name]) => name !== 'date')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))

describeTransports(
  'preset headers',
  ({ createApp, send, it: test, transport }) => {
    test('are the same as those that a hook sets, whatever the reply does', async () => {
      let given: Plan = { method: 'GET', steps: [], end: 'text' }
      let seen: unknown[] = []
      const create = (prepare: (app: App) => void): App => {
        const app = createApp({ logger: false })
        prepare(app)
        const handler = (_request: Request, reply: Reply): unknown => {
          const ran = run(given, reply)
          seen = ran.seen
          if (given.end === 'error') throw new Error('broken')
          return ran.result
        }
        app.get('/', handler)
        app.post('/', handler)
        return app
      }
      const byPreset = create((app) => preset(app, () => ({ fields: SET })))
      const byHook = create((app) =>
        app.addHook('onRequest', async (_request: Request, reply: Reply) => void reply.headers(SET)),
      )
      const ask = async (app: App, one: Plan): Promise<unknown[]> => {
        given = one
        const { status, headers, text } = await send(app, { method: one.method, path: '/' })
        return [status, sorted(headers), text, seen]
      }
      await fc.assert(
        fc.asyncProperty(plan, async (one) => {
          expect(await ask(byPreset, one)).toEqual(await ask(byHook, one))
        }),
        { numRuns: 60 },
      )
    })

    test('are on errors, unknown paths, other methods and refused requests', async () => {
      const app = createApp({ methodNotAllowed: true })
      preset(app, ({ url }) => ({ fields: { 'x-route': url ?? 'none' } }))
      app.get('/books/:id', { schema: { params: { id: { type: 'integer' } } } }, () => 'a book')
      const routeOf = async (method: string, path: string) => {
        const { status, headers } = await send(app, { method, path })
        return [status, headers['x-route']]
      }
      expect(await routeOf('GET', '/books/7')).toEqual([200, '/books/:id'])
      expect(await routeOf('HEAD', '/books/7')).toEqual([200, '/books/:id'])
      expect(await routeOf('GET', '/books/x')).toEqual([400, '/books/:id'])
      expect(await routeOf('GET', '/nowhere')).toEqual([404, 'none'])
      expect(await routeOf('DELETE', '/books/7')).toEqual([405, 'none'])
      expect(await routeOf('OPTIONS', '/books/7')).toEqual([204, 'none'])
      expect(await routeOf('GET', '/%zz')).toEqual([400, 'none'])
    })

    test('are chosen by a field of the request, and Vary is merged with that of the reply', async () => {
      const app = createApp()
      const values = new Map([['https://a.example', { 'access-control-allow-origin': 'https://a.example' }]])
      const choice: HeaderChoice = { fields: { vary: 'Origin' }, by: { field: 'Origin', values } }
      preset(app, () => choice)
      app.get('/', (_request: Request, reply: Reply) => {
        reply.header('Vary', 'Accept, ORIGIN')
        return reply.getHeader('vary')
      })
      const ask = async (headers: Record<string, string>) => (await send(app, { path: '/', headers })).headers
      const listed = await ask({ origin: 'https://a.example' })
      expect([listed['access-control-allow-origin'], listed['vary']]).toEqual([
        'https://a.example',
        'Accept, ORIGIN',
      ])
      for (const headers of [{}, { origin: 'https://b.example' }, { origin: 'constructor' }])
        expect((await ask(headers))['access-control-allow-origin']).toBeUndefined()
    })

    test.skipIf(transport === 'memory' || transport === 'fetch')(
      'precede what is set on the raw response, as headers of the reply do',
      async () => {
        const app = createApp()
        preset(app, () => ({ fields: SET }))
        app.get('/', (_request: Request, reply: Reply) => {
          reply.raw.setHeader('x-frame-options', 'SAMEORIGIN')
          reply.raw.setHeader('x-raw', 'raw')
          return 'ok'
        })
        const { headers } = await send(app, { path: '/' })
        expect(headers).toMatchObject({ ...SET, 'x-raw': 'raw' })
      },
    )
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describe('the boot call', () => {
  const createApp = useApps()

  it('adds those of a plugin to those of the app, and the nearer ones win', async () => {
    const app = createApp()
    preset(app, () => ({ fields: { 'x-a': 'root', 'x-b': 'root', vary: 'Origin' } }))
    app.register(async (child: App) => {
      preset(child, () => ({ fields: { 'X-B': 'child', Vary: 'Accept' } }))
      child.get('/child', () => 'ok')
    })
    app.get('/root', () => 'ok')
    const headersOf = async (url: string) => (await app.inject({ url })).headers
    expect(await headersOf('/child')).toMatchObject({ 'x-a': 'root', 'x-b': 'child', vary: 'Origin, Accept' })
    expect(callMember(app, 'explain', 'GET', '/child')).toMatchObject({
      responseHeaders: [
        { name: 'x-a', value: 'root', dependsOn: null, plugin: 'root' },
        { name: 'vary', value: 'Origin' },
        {
          name: 'x-b',
          value: 'child',
          callSite: expect.stringMatching(/preset-headers\.test\.ts:\d+$/) as unknown,
        },
        { name: 'vary', value: 'Accept' },
      ],
    })
    expect(await headersOf('/root')).toMatchObject({ 'x-a': 'root', 'x-b': 'root', vary: 'Origin' })
  })

  it('refuses fields that are none, or that each response decides, and says where they come from', async () => {
    const wrong: readonly Record<string, string>[] = [
      { 'content-length': '1' },
      { 'Content-Type': 'text/html' },
      { 'set-cookie': 'a=b' },
      { connection: 'close' },
      { 'x y': 'z' },
      { 'x-a': 'line\r\nx-b: c' },
      { 'x-a': 'Ā' },
    ]
    for (const fields of wrong) {
      const app = createApp()
      preset(app, () => ({ fields }))
      app.get('/', () => 'ok')
      await expect(app.ready()).rejects.toMatchObject({
        code: 'CLO_ERR_PRESET_HEADER_INVALID',
        message: expect.stringMatching(/of GET \/.*preset-headers\.test\.ts:\d+/) as unknown,
      })
    }
    const late = createApp()
    await late.ready()
    expect(() => preset(late, () => null)).toThrow(/preset headers/)
  })
})
