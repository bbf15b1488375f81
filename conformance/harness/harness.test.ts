import { rawSocket } from './raw-socket.ts'
import { describeTransports } from './transports.ts'

describeTransports(
  'the harness',
  ({ createApp, send, it, expect }) => {
    it('sends a request and reads status, headers and body', async () => {
      const app = createApp()
      app.post('/echo', (request, reply) =>
        reply.code(201).header('x-method', request.method).send(request.body),
      )
      const response = await send(app, { method: 'POST', path: '/echo', body: { hello: 'world' } })
      expect(response.status).toBe(201)
      expect(response.headers['x-method']).toBe('POST')
      expect(response.json()).toEqual({ hello: 'world' })
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describeTransports(
  'the raw socket',
  ({ createApp, it, expect }) => {
    it('writes bytes as they are', async () => {
      const app = createApp()
      app.get('/', () => 'hi')
      const response = await rawSocket(app, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      expect(response.status).toBe(200)
      expect(response.body).toContain('hi')
    })
  },
  ['socket'],
)
