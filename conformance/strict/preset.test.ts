// The option `strict`: it sets the safe value of other options, and what is given wins over it.
import { OPTIONS } from '../../packages/cloister/src/options/option-table.ts'
import { checkOptions } from '../../packages/cloister/src/options/check-options.ts'
import { describeBehind } from '../harness/transports.ts'

const REASON = 'the peers have no such option'
const text = { type: 'string' }
const closed = (properties: object): object => ({ type: 'object', additionalProperties: false, properties })

describeBehind('strict', ({ createApp, send, expect, ours }) => {
  const post = (body: object): Parameters<typeof send>[1] => ({ method: 'POST', path: '/', body })

  ours(REASON)('coerces no JSON bodies, but queries', async () => {
    const n = { type: 'object', properties: { n: { type: 'integer' } } }
    const app = createApp({ strict: true })
    app.post('/', { schema: { body: n } }, (request) => request.body)
    app.get('/', { schema: { querystring: n } }, (request) => request.query)
    expect((await send(app, post({ n: null }))).status).toBe(400)
    expect((await send(app, { path: '/?n=5' })).json()).toEqual({ n: 5 })
  })

  ours(REASON)('serializes strictly, and keeps the reason in the log', async () => {
    const response = { 200: { type: 'object', properties: { count: { type: 'integer' } } } }
    const app = createApp({ strict: true }).get('/', { schema: { response } }, () => ({ count: 1.5 }))
    const received = await send(app, { path: '/' })
    expect(received.status).toBe(500)
    expect(received.text).not.toContain('1.5')
  })

  ours(REASON)('keeps what a matching branch declares, in bodies that are not coerced', async () => {
    const app = createApp({ strict: true })
    const body = { anyOf: [closed({ a: text }), closed({ b: text })] }
    app.post('/', { schema: { body } }, (request) => request.body)
    expect((await send(app, post({ b: 'x', c: 'y' }))).json()).toEqual({ b: 'x' })
  })

  ours(REASON)('refuses statuses that a route does not declare', async () => {
    const app = createApp({ strict: true })
    app.get('/', { schema: { response: { 200: closed({ name: text }) } } }, (_request, reply) =>
      reply.code(201).send({ name: 'Ada', password: 'secret' }),
    )
    const received = await send(app, { path: '/' })
    expect(received.status).toBe(500)
    expect(received.text).not.toContain('secret')
  })

  ours(REASON)('refuses route options that the framework does not have', () => {
    expect(() => createApp({ strict: true }).get('/', { sometimes: 1 }, () => 'x')).toThrow(/'sometimes'/)
  })

  ours(REASON)('refuses a trustProxy that believes every client, and says what to write', () => {
    for (const trustProxy of [true, 0, 1, 2]) {
      expect(createApp({ trustProxy })).toBeDefined()
      expect(() => createApp({ strict: true, trustProxy })).toThrow(
        new RegExp(`'trustProxy' must not be .*${trustProxy}.*{ hops: 1, from: '10.0.0.0/8' }`),
      )
    }
    const from = '10.0.0.0/8'
    for (const trustProxy of [false, from, [from], { hops: 1, from }, (address: string) => address === from])
      expect(createApp({ strict: true, trustProxy })).toBeDefined()
  })

  for (const [name, row] of OPTIONS) {
    if (row.strict === undefined) continue
    ours(REASON)(`sets ${name}, unless it is given`, () => {
      const read = (given: object): unknown => Reflect.get(checkOptions(given), name)
      expect(read({})).toEqual(row.default)
      expect(read({ strict: false })).toEqual(row.default)
      expect(read({ strict: true })).toEqual(row.strict)
      expect(read({ strict: true, [name]: row.default })).toEqual(row.default)
      expect(row.strict).not.toEqual(row.default)
    })
  }
})
