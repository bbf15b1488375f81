// Names of forms that reach a prototype, under the options for JSON bodies.
import type { App } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'
import type { TransportName } from '../harness/transports.ts'
import type { Part } from './form-body.ts'
import { formRequest } from './form-body.ts'

const ALL: readonly TransportName[] = ['in-process', 'socket', 'http2', 'memory', 'fetch']
const URLENCODED = 'application/x-www-form-urlencoded'
const SPELLINGS = [
  '__proto__',
  'constructor',
  '__proto__[a]',
  'a[__proto__][b]',
  'a.__proto__.b',
  'constructor[prototype][a]',
  'a.constructor.prototype.b',
] as const
const NEAR = ['proto', '__proto', 'constructors', 'my_constructor', 'prototype', 'a[b]'] as const
const STREAMED = { type: 'string', format: 'binary', maxLength: 10_000_000 }

describeTransports(
  'names of forms that reach a prototype',
  ({ createApp, send, ours, expect }) => {
    const test = ours('fastify needs plugins for forms')
    const formApp = (options: Record<string, unknown> = {}): App => {
      const app = createApp(options)
      const open = { type: 'object', additionalProperties: true }
      const files = { type: 'object', properties: { ['__proto__']: STREAMED, constructor: STREAMED } }
      const shown = async ({ body }: { body: unknown }): Promise<unknown> => ({
        own: Object.keys(Object(body)),
        inherited: Reflect.get(Object(body), 'isAdmin') ?? null,
        polluted: Reflect.get({}, 'isAdmin') ?? null,
      })
      const content = { 'multipart/form-data': { schema: open }, [URLENCODED]: { schema: open } }
      app.post('/', { schema: { body: { content } } }, shown)
      return app.post(
        '/files',
        { schema: { body: { content: { 'multipart/form-data': { schema: files } } } } },
        shown,
      )
    }
    const pair = (name: string) => ({
      method: 'POST',
      path: '/',
      headers: { 'content-type': URLENCODED },
      body: `before=1&${encodeURIComponent(name)}=2`,
    })
    const partsOf = (name: string): readonly Part[] => [
      { name, value: 'text' },
      { name, value: '{"isAdmin":true}', type: 'application/json' },
    ]
    const before = { name: 'before', value: '1' }
    const seen = (own: readonly string[]) => ({ own, inherited: null, polluted: null })

    test('are refused by default, as text, JSON, file and in a form of pairs', async () => {
      const app = formApp()
      for (const name of SPELLINGS) {
        const forms = [...partsOf(name).map((part) => formRequest([before, part])), pair(name)]
        for (const form of forms) {
          const response = await send(app, form)
          expect([response.status, response.json()]).toMatchObject([
            400,
            { code: 'CLO_ERR_FORM_INVALID', message: expect.stringContaining(`'${name}'`) },
          ])
        }
      }
      for (const name of ['__proto__', 'constructor']) {
        const response = await send(app, formRequest([{ name, value: 'x', filename: 'a.txt' }], '/files'))
        expect([response.status, response.json()]).toMatchObject([400, { code: 'CLO_ERR_FORM_INVALID' }])
      }
    })

    test("are dropped with 'remove', and the rest arrives", async () => {
      const app = formApp({ onProtoPoisoning: 'remove', onConstructorPoisoning: 'remove' })
      for (const name of SPELLINGS) {
        const forms = [...partsOf(name).map((part) => formRequest([part, before])), pair(name)]
        for (const form of forms) expect((await send(app, form)).json()).toEqual(seen(['before']))
      }
      const files = formRequest(
        [{ name: 'constructor', value: 'x'.repeat(100_000), filename: 'a' }],
        '/files',
      )
      expect((await send(app, files)).json()).toEqual(seen([]))
    })

    test("stay own properties with 'ignore'", async () => {
      const app = formApp({ onProtoPoisoning: 'ignore', onConstructorPoisoning: 'ignore' })
      for (const name of SPELLINGS) {
        const forms = [...partsOf(name).map((part) => formRequest([before, part])), pair(name)]
        for (const form of forms) expect((await send(app, form)).json()).toEqual(seen(['before', name]))
      }
    })

    test('leave names alone that only look like them', async () => {
      const app = formApp()
      for (const name of NEAR) {
        const forms = [formRequest([before, { name, value: 'x' }]), pair(name)]
        for (const form of forms) expect((await send(app, form)).json()).toEqual(seen(['before', name]))
      }
    })

    test('are found in what a parser of query strings nests', async () => {
      const nested = { a: [{ ['__proto__']: { isAdmin: true } }] }
      const app = formApp({ querystringParser: () => nested })
      expect((await send(app, pair('a'))).status).toBe(400)
    })
  },
  ALL,
)
