// A hook that changes the content type decides which parser reads the body.
import { describeTransports } from '../harness/transports.ts'

describeTransports(
  'a content type that a hook has changed',
  ({ createApp, send, it, expect }) => {
    it('decides which parser reads the body', async () => {
      const app = createApp()
      app.addHook('onRequest', async (request) => {
        request.headers['content-type'] = 'text/plain'
      })
      app.post('/', async (request) => typeof request.body)
      const response = await send(app, { method: 'POST', path: '/', body: { a: 1 } })
      expect(response.text).toBe('string')
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
