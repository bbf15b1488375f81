// The span of a WebSocket ends when the socket is closed.
import { otel } from '@cloister/otel'
import { describe, expect, it } from 'vitest'
import { LANES, connect, useSocketApps } from '../sockets/client.ts'
import { shown, useTelemetry } from './telemetry.ts'

const create = useSocketApps()

describe.each(Object.entries(LANES))('spans of WebSockets (%s)', (_lane, options) => {
  const received = useTelemetry()

  it('end when the socket is closed, with the status of the handshake, or when it is refused', async () => {
    const { app: root } = await create({ ...options, forceCloseConnections: 'idle' })
    const app = root.register(otel)
    app.ws('/live', async (socket) => {
      for await (const _ of socket);
    })
    const origin = await app.listen({ port: 0 })
    const client = await connect(origin, '/live')
    expect(received.now).toEqual([])
    client.socket.close()
    await client.closed
    await expect(connect(origin, '/nowhere')).rejects.toThrow('404')
    const seen = await received.spans(2)
    expect(seen.map(shown)).toMatchObject([
      { name: 'GET /live', status: 101, isError: false, errorType: undefined },
      { name: 'GET', status: 404, isError: false },
    ])
  })
})
