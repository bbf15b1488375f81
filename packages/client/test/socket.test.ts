import { createRequire } from 'node:module'

import { client } from '@cloister/client'
import type { SocketClass } from '@cloister/client'
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
const { WebSocket }: { readonly WebSocket: SocketClass } = createRequire(import.meta.url)('ws')

const message = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
const options = { WebSocket }

describe('sockets', () => {
  let app: ReturnType<typeof cloister>
  let api: ReturnType<typeof client<Api>>

  beforeEach(async () => {
    app = cloister()
    const params = { type: 'object', properties: { by: { type: 'integer' } }, required: ['by'] } as const
    const querystring = { type: 'object', properties: { from: { type: 'integer', default: 0 } } } as const
    app.ws(
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

  it('need a URL', () => {
    expect(() => client<Api>(app.fetch, options).ws('GET /double/:by', { params: { by: 1 } })).toThrow(
      'sockets need a URL and a WebSocket',
    )
  })
})
