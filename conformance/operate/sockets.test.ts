// WebSockets of an app with the plugin: they are no open requests, and the drain ends them.
import { operate } from '@cloister/operate'
import websocket from '@fastify/websocket'
import { describe, expect, it } from 'vitest'
import { LANES, connect, useSocketApps } from '../sockets/client.ts'
import type { Client } from '../sockets/client.ts'

const create = useSocketApps()
/** The option of `@fastify/websocket` is none of the framework. */
const ROUTE = { websocket: true, config: {} }

describe.each(Object.entries(LANES))('idle WebSockets (%s)', (_lane, options) => {
  it.each(['app.ws', '@fastify/websocket'])(
    'of %s are no open requests after their handshake; the drain ends them',
    async (maker) => {
      const { app: root } = await create({ ...options, forceCloseConnections: 'idle' })
      const app = root.register(operate, { signals: false, drainMs: 0, shedding: { openRequests: 2 } })
      if (maker === 'app.ws') {
        app.ws('/', async (socket) => {
          for await (const _ of socket);
        })
      } else {
        app.register(websocket)
        app.register(async (child) => {
          child.get('/', ROUTE, () => {})
        })
      }
      const origin = await app.listen({ port: 0 })
      const clients: Client[] = []
      for (let n = 0; n < 6; n++) clients.push(await connect(origin, '/'))
      expect(app.operate.openRequests).toBe(0)
      // A handshake that is refused is open until its response.
      await expect(connect(origin, '/nowhere')).rejects.toThrow('404')
      for (const client of clients.splice(3)) {
        client.socket.close()
        await client.closed
      }
      await expect.poll(() => app.operate.openRequests).toBe(0)
      await app.operate.drain()
      for (const { closed } of clients) expect(await closed).toMatch(/^100[15]/)
    },
  )
})
