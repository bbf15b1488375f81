import { definePlugin } from 'cloister'
import type { DefinedPlugin } from 'cloister'
import { defineSocket } from './define-socket.ts'
import type { OpenOnNode } from './handshake.ts'
import type { SocketRouteMethod } from './types.ts'

/** What the plugin provides. */
export interface WebSocketContract {
  /** The method `ws`, for the context that registers the plugin and those below. */
  readonly provides: { readonly app: { readonly ws: SocketRouteMethod } }
}

export function createPlugin(openOnNode: OpenOnNode | null): DefinedPlugin<WebSocketContract> {
  function ws<T>(this: T, path: unknown, second?: unknown, third?: unknown): T {
    defineSocket(this, [path, second, third], openOnNode)
    return this
  }
  return definePlugin<WebSocketContract>({
    name: '@cloister/websocket',
    plugin: (app) => app.decorate('ws', ws),
  })
}
