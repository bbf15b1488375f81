import type { DefinedPlugin } from 'cloister'
import { openOnNode } from './platforms/node.ts'
import { createPlugin, type WebSocketContract } from './plugin.ts'

/**
 * Adds `app.ws`, which defines WebSocket routes whose messages have schemas, to the context that registers it and those
 * below. The handshake is a GET request: the hooks and the validation of its route run first, and may reject it with an
 * ordinary response. Then the handler gets the socket.
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { websocket } from '@cloister/websocket'
 *
 * const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const
 * const app = await cloister().register(websocket)
 * app.ws('/echo', { schema: { incoming: text, outgoing: text } }, async (socket) => {
 *   for await (const { text } of socket) await socket.send({ text: `you said ${text}` })
 * })
 * ```
 */
export const websocket: DefinedPlugin<WebSocketContract> = createPlugin(openOnNode)
export { bunWebSocket } from './platforms/bun.ts'
export type { BunSocket, BunWebSocketHandlers } from './platforms/bun.ts'
export { WebSocketError } from './errors.ts'
export type { WebSocketErrorCode } from './errors.ts'
export type { WebSocketContract } from './plugin.ts'
export type * from './types.ts'
