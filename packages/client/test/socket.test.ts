import { createRequire } from 'node:module'

import { client, JsonError } from '@cloister/client'
import type { SocketClass } from '@cloister/client'
import { websocket } from '@cloister/websocket'
import { cloister } from 'cloister'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

interface Api {
  'GET /double/:by': {
    params: { by: number }
    query?: { from?: number }
    messages: { incoming: { n: number }; outgoing: { n: number } }
    replies: {}
  }
}

// Its classes as published; the package of their types is no dependency.
const { WebSocket, WebSocketServer }: Sockets = createRequire(import.meta.url)('ws')

interface Sockets {
  readonly WebSocket: SocketClass
  readonly WebSocketServer: new (options: { port: number }) => {
    on(event: 'connection', listener: (connection: { send(data: string | Buffer): void }) => void): void
    address(): { port: number }
    close(): void
  }
}

const message = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
const options = { WebSocket }

describe('sockets', () => {
  let app: ReturnType<typeof cloister>
  let api: ReturnType<typeof client<Api>>

  beforeEach(async () => {
    app = cloister()
    const params = { type: 'object', properties: { by: { type: 'integer' } }, required: ['by'] } as const
    const querystring = { type: 'object', properties: { from: { type: 'integer', default: 0 } } } as const
    const live = await app.register(websocket)
    live.ws(
      '/double/:by',
      { schema: { params, querystring, incoming: message, outgoing: message }, protocols: ['a', 'b'] },
      async (socket, { params: { by }, query: { from } }) => {
        for await (const { n } of socket) await socket.send({ n: n * by + from })
      },
    )
    api = client<Api>(await app.listen({ port: 0 }), options)
  })
  afterEach(() => app.close())

  it('send messages once they are open, and give those of the app', async () => {
    const socket = api.ws('GET /double/:by', { params: { by: 3 }, query: { from: 1 }, protocols: ['b'] })
    await socket.send({ n: 1 })
    await socket.send({ n: 2 })
    const got: number[] = []
    for await (const { n } of socket) {
      got.push(n)
      if (got.length === 2) break
    }
    expect(got).toEqual([4, 7])
    // Leaving the loop has closed it.
    expect((await socket.closed).code).toBe(1005)
    await expect(socket.send({ n: 3 })).rejects.toThrow('the socket is closed (1005 )')
  })

  it('say why the app has closed them', async () => {
    const socket = api.ws('GET /double/:by', { params: { by: 3 } })
    await socket.send({ n: 1.5 })
    for await (const _ of socket) throw new Error('nothing comes')
    expect(await socket.closed).toEqual({ code: 1008, reason: 'message 1: /n must be integer' })
  })

  it('are closed where the handshake is refused', async () => {
    const socket = api.ws('GET /double/:by', { params: { by: 1.5 } })
    for await (const _ of socket) throw new Error('nothing comes')
    expect((await socket.closed).code).toBe(1006)
    await expect(socket.send({ n: 1 })).rejects.toThrow('the socket is closed (1006 )')
  })

  it.each([
    ['text', 'pong', 'message 2 is no JSON: pong'],
    ['bytes', Buffer.of(1), 'message 2 is no JSON: \u0001'],
  ])('end their loop with an error at %s that are no JSON, and close', async (_kind, bad, message) => {
    const server = new WebSocketServer({ port: 0 })
    server.on('connection', (connection) => {
      for (const sent of ['{"n":1}', bad, '{"n":3}']) connection.send(sent)
    })
    try {
      const { port } = server.address()
      const socket = client<Api>(`http://localhost:${port}`, options).ws('GET /double/:by', {
        params: { by: 1 },
      })
      const got: unknown[] = []
      const loop = async (): Promise<void> => {
        for await (const one of socket) got.push(one)
      }
      const error: unknown = await loop().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(JsonError)
      expect(error).toMatchObject({ code: 'CLO_ERR_CLIENT_JSON', message })
      expect(got).toEqual([{ n: 1 }])
      expect((await socket.closed).code).toBe(1005)
    } finally {
      server.close()
    }
  })

  it('need a URL', () => {
    expect(() => client<Api>(app.fetch, options).ws('GET /double/:by', { params: { by: 1 } })).toThrow(
      'sockets need a URL and a WebSocket',
    )
  })
})
