// `headerOf` reads one header, as `request.headers` has it.
import { headerOf } from 'cloister/inspect'
import { describeTransports, nodeTransports } from '../harness/transports.ts'

const SENT = {
  'x-one': 'a',
  'x-twice': ['b', 'c'],
  cookie: 'a=b',
  'if-none-match': '"x"',
  authorization: 'Basic eA==',
  'content-type': 'text/plain',
}
const NAMES = [...Object.keys(SENT), 'host', 'x-none']

describeTransports('one header of a request', ({ createApp, send, expect, ours }) => {
  ours('the peers have no such function')(
    'is that of request.headers, before and after it is changed',
    async () => {
      const app = createApp()
      const pairs: unknown[] = []
      const note = (request: { readonly headers: Readonly<Record<string, unknown>> }): void => {
        const one = NAMES.map((name) => headerOf(request, name))
        const { headers } = request
        const all = NAMES.map((name) => headers[name])
        const again = NAMES.map((name) => headerOf(request, name))
        pairs.push([one, all], [again, all])
      }
      app.addHook('onRequest', async (request) => note(request))
      app.addHook('preValidation', async (request) => {
        request.headers['x-one'] = 'changed'
        request.headers['x-none'] = 'new'
        note(request)
      })
      app.addHook('preHandler', async (request) => {
        request.headers = { 'x-one': 'replaced' }
        note(request)
      })
      app.post('/', async (request) => `${headerOf(request, 'x-one')} ${headerOf(request, 'x-none')}`)
      const response = await send(app, { method: 'POST', path: '/', headers: SENT, body: 'text' })
      expect(response.text).toBe('replaced new')
      expect(pairs).toHaveLength(6)
      for (const pair of pairs)
        expect(pair).toEqual([Reflect.get(Object(pair), 1), Reflect.get(Object(pair), 1)])
    },
  )
})

describeTransports(
  'one header of a request with Node objects',
  ({ createApp, send, expect, ours }) => {
    ours('the peers have no such function')('sees what is changed on the raw request', async () => {
      const app = createApp()
      app.addHook('onRequest', async (request) => {
        request.raw.headers['x-one'] = 'raw'
      })
      app.get('/', async (request) => headerOf(request, 'x-one'))
      const response = await send(app, { path: '/', headers: { 'x-one': 'a' } })
      expect(response.text).toBe('raw')
    })
  },
  nodeTransports('the raw request is the object of Node'),
)
