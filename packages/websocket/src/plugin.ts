import { definePlugin } from 'cloister'
import type { DefinedPlugin } from 'cloister'
import { defineSocket } from './define-socket.ts'
import { WebSocketError } from './errors.ts'
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
    once: 'context',
    ownOptions: true,
    plugin: (app, options) => {
      assertNone(options)
      return app.decorate('ws', ws)
    },
  })
}

/**
 * Refuses options, which would have no effect: limits belong to routes.
 *
 * @throws WebSocketError `CLO_ERR_SOCKET_OPTION`
 */
function assertNone(options: object): void {
  const unknown = Object.keys(options)
  if (unknown.length === 0) return
  const text = `@cloister/websocket has no option '${unknown.join("', '")}'; limits are options of a route: app.ws(path, { maxPayload }, handler)`
  throw new WebSocketError('CLO_ERR_SOCKET_OPTION', text)
}
