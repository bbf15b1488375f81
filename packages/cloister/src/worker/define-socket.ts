import { createError } from '../errors.ts'
import { defineRoute, shortcutOptions } from '../routes/define-route.ts'
import type * as replaced from '../sockets/define-socket.ts'

/** A worker can't switch the protocol of a connection. The route exists, but rejects every handshake. */
export const defineSocket: typeof replaced.defineSocket = (app, context, args, callSite) => {
  const handler = (): never => {
    throw createError('SOCKET_UNSUPPORTED', {})
  }
  defineRoute(app, context, { ...shortcutOptions('GET', ...args), exposeHeadRoute: false, handler }, callSite)
}
