// Requests and neighbours that mean harm: what they send or do reaches no response, no option and no other request.
import type { Reply } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

const fail = (): never => {
  throw new Error('broken')
}

describeTransports('errors: hostile input', ({ createApp, send, it, ours, overNode, expect }) => {
  ours('the peers echo the header')('names no more of an unknown content type than its type', async () => {
    const app = createApp()
    app.post('/', () => 'reached')
    const message = async (type: string): Promise<unknown> => {
      const response = await send(app, {
        method: 'POST',
        path: '/',
        headers: { 'content-type': type },
        body: 'x',
      })
      expect(response.status).toBe(415)
      return Object(response.json()).message
    }
    expect(await message('Text/HTML; x="<script>"')).toBe('Unsupported Media Type: text/html')
    expect(await message('<script>alert(1)</script>')).toBe('Unsupported Media Type: not a media type')
    expect(await message(`a/${'b'.repeat(1000)}`)).toBe('Unsupported Media Type: not a media type')
  })

  it('reads a content type of many blanks', async () => {
    const app = createApp()
    app.post('/', () => 'reached')
    const headers = { 'content-type': `a/b${' '.repeat(12_000)}x` }
    expect((await send(app, { method: 'POST', path: '/', headers, body: 'x' })).status).toBe(415)
  })

  ours('the peers read inherited options')('takes no options from Object.prototype', async () => {
    // oxlint-disable-next-line no-extend-native -- that is what is tested
    Object.defineProperty(Object.prototype, 'bodyLimit', { value: 1, configurable: true, writable: true })
    try {
      const app = createApp()
      app.post('/', (request) => request.body)
      const response = await send(app, { method: 'POST', path: '/', body: { a: 'more than a byte' } })
      expect(response.json()).toEqual({ a: 'more than a byte' })
    } finally {
      Reflect.deleteProperty(Object.prototype, 'bodyLimit')
    }
  })

  overNode('it writes to the raw response', ours('with the peers the process ends'))(
    'outlives a raw response that is written after its end',
    async () => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        reply.hijack()
        reply.raw.end('whole')
        reply.raw.write('late')
        reply.raw.end('later')
      })
      expect((await send(app, { path: '/' })).text).toBe('whole')
      expect((await send(app, { path: '/' })).text).toBe('whole')
    },
  )

  for (const [what, sabotage] of [
    ['writes no head', (reply: Reply) => void Reflect.set(reply.raw, 'writeHead', fail)],
    [
      'takes no status',
      (reply: Reply) => {
        Reflect.set(reply.raw, 'writeHead', fail)
        Object.defineProperty(reply.raw, 'statusCode', { get: () => 200, set: fail })
      },
    ],
  ] as const)
    overNode('it breaks the raw response', ours('with the peers the process ends'))(
      `cuts the connection of a raw response that ${what}`,
      async () => {
        const app = createApp()
        const ended: string[] = []
        app.addHook('onRequestAbort', async () => void ended.push('aborted'))
        app.get('/', (_request, reply) => {
          sabotage(reply)
          return 'never sent'
        })
        app.get('/next', () => 'sent')
        await expect(send(app, { path: '/' })).rejects.toThrow()
        expect(ended).toEqual(['aborted'])
        expect((await send(app, { path: '/next' })).text).toBe('sent')
      },
    )
})

describeTransports(
  'errors: two hosts over HTTP/2',
  ({ createApp, send, ours, expect }) => {
    ours('the peers take either')('responds with 400 when Host differs from :authority', async () => {
      const app = createApp()
      app.get('/', () => 'reached')
      const ask = (host: string): ReturnType<typeof send> =>
        send(app, { path: '/', headers: { ':authority': 'good.example', host } })
      expect((await ask('Good.example')).status).toBe(200)
      const refused = await ask('evil.example')
      expect([refused.status, refused.json()]).toMatchObject([400, { code: code('HOST_AMBIGUOUS') }])
    })
  },
  ['http2'],
)
