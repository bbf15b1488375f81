/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import { websocket } from '@cloister/websocket'
import type { MessageSocket, SocketRouteMethod } from '@cloister/websocket'
import { definePlugin } from 'cloister'

import { app, is, it, shop as root } from '../../cloister/test-d/support.ts'
import type { User } from '../../cloister/test-d/support.ts'

const shop = root.register(websocket)

const note = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const

it('is there in the context that registers the plugin and below, and nowhere else', () => {
  // @ts-expect-error -- the plugin is not registered
  app.ws('/live', async () => {})
  app.register(websocket).register(async (child) => {
    child.ws('/live', async (socket) => void (await socket.closed))
  })
})

it('is what a plugin may need', () => {
  const rooms = definePlugin<{ needs: { app: { ws: SocketRouteMethod } } }>({
    name: 'rooms',
    plugin: (own) => {
      own.ws('/rooms', { schema: { incoming: note } }, async (socket) => {
        for await (const { text } of socket) is<string>()(text)
      })
    },
  })
  shop.register(rooms)
  // @ts-expect-error -- the app has no ws
  app.register(rooms)
})

it('types the messages of a WebSocket both ways, and the request of its handshake', () => {
  shop.ws(
    '/rooms/:room',
    {
      schema: {
        querystring: { page: { type: 'integer', default: 1 } },
        incoming: { $ref: 'book' },
        outgoing: note,
      },
    },
    async (socket, request) => {
      is<string>()(request.params.room)
      is<number>()(request.query.page)
      is<User | null>()(request.user)
      for await (const book of socket) is<string>()(book.title)
      await socket.send({ text: 'hi' })
      // @ts-expect-error -- the property has another type
      await socket.send({ text: 5 })
    },
  )
})

it('leaves messages without a schema unknown', () => {
  shop.ws('/raw', async (socket) => {
    is<MessageSocket<unknown, unknown>>()(socket)
  })
})

it('holds the handler of a WebSocket to a promise, and its schemas to what the context has', () => {
  // @ts-expect-error -- the socket would be closed at once
  shop.ws('/sync', () => {})
  // @ts-expect-error -- no schema has this id
  shop.ws('/none', { schema: { incoming: { $ref: 'boook' } } }, async () => {})
  // @ts-expect-error -- JSON Schema has no such type
  shop.ws('/body', { schema: { incoming: { type: 'strng' } } }, async () => {})
})
