// What the connection of a request says itself, whatever proxies are believed.
import { connectionOf } from 'cloister/inspect'
import { isPeer } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

describeTransports(
  'the connection of a request',
  ({ createApp, send, it, expect, transport, protocol }) => {
    if (isPeer) return
    it('is read past the headers of trusted proxies, and past what a hook makes of the headers', async () => {
      const app = createApp({ trustProxy: true })
      app.addHook('onRequest', async (request) => {
        request.headers = { host: 'hook.example', 'x-extra': 'hook' }
      })
      app.get('/', (request) => {
        const { address, host, isEncrypted, fields } = connectionOf(request)
        return {
          address,
          host,
          isEncrypted,
          ip: request.ip,
          hostname: request.hostname,
          names: fields.map(([name]) => name),
        }
      })
      const headers = {
        [transport === 'http2' ? ':authority' : 'host']: 'client.example:1',
        'x-forwarded-for': '10.0.0.7',
        'x-forwarded-host': 'proxy.example',
        'x-mixed': 'yes',
      }
      const seen = Object((await send(app, { path: '/', headers })).json())
      expect(seen).toMatchObject({
        host: 'client.example:1',
        hostname: 'proxy.example',
        isEncrypted: protocol === 'https',
      })
      if (transport !== 'memory') expect(seen).toMatchObject({ address: '127.0.0.1', ip: '10.0.0.7' })
      expect(seen.names).toContain('x-mixed')
      expect(seen.names).not.toContain('x-extra')
    })

    it('is that of a request and of nothing else', () => {
      expect(() => connectionOf({})).toThrow('connectionOf takes a request of this framework, got object')
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
