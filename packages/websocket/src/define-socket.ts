import type { FastifyReply, RouteUpgrade } from 'cloister/types'
import { WebSocketError } from './errors.ts'
import { isFunction, isRecord, look, type AnyFunction } from './guards.ts'
import { openSocket, refuseRequest, type OpenOnNode } from './handshake.ts'
import { splitOptions, type Limits } from './limits.ts'
import { MessageSocketImpl } from './message-socket.ts'

/**
 * Defines a WebSocket route: a GET route that switches the protocol and passes the socket to the application's handler.
 *
 * @param app - the instance that `ws` was called on
 * @throws the errors of `app.route`, and WebSocketError `CLO_ERR_SOCKET_OPTION`
 */
export function defineSocket(
  app: unknown,
  args: readonly [path: unknown, second: unknown, third: unknown],
  openOnNode: OpenOnNode | null,
): void {
  const [path, second, third] = args
  const label = `GET:${String(path)}`
  const { handler, given } = readArguments(second, third, label)
  const { route, limits } = splitOptions(given, label, Number(look(look(app, 'initialConfig'), 'bodyLimit')))
  const own = { method: 'GET', url: path, exposeHeadRoute: false }
  const define: unknown = look(app, 'route')
  if (!isFunction(define)) throw new TypeError('ws must be called on an app or on the instance of a plugin')
  // Without a function as its handler, the route is refused by the app.
  const parts = isFunction(handler)
    ? { handler: namedLike(handler), upgrade: upgradeTo(handler, limits, openOnNode) }
    : { handler }
  define.call(app, { ...route, ...own, ...parts })
}

interface Arguments {
  readonly handler: unknown
  readonly given: Readonly<Record<string, unknown>>
}

/** Reads `(path, handler)` or `(path, options, handler)`. The options may contain the handler. */
function readArguments(second: unknown, third: unknown, label: string): Arguments {
  const refused = (problem: string): WebSocketError =>
    new WebSocketError('CLO_ERR_SOCKET_OPTION', `Error in the options of route '${label}': ${problem}`)
  const { handler: inside, ...given } = isRecord(second) ? second : {}
  const handler = third ?? (isFunction(second) ? second : inside)
  if (third !== undefined && !isRecord(second)) throw refused('they must be an object')
  if (third !== undefined && inside !== undefined) throw refused('there are two handlers')
  if (/Generator/.test(Object.prototype.toString.call(handler)))
    throw refused('the handler of a WebSocket cannot be a generator; send messages with socket.send()')
  const schema = isRecord(given['schema']) ? given['schema'] : {}
  for (const [part, instead] of [
    ['body', 'incoming'],
    ['response', 'outgoing'],
  ] as const) {
    if (schema[part] === undefined) continue
    throw refused(`'schema.${part}' is no part of a WebSocket route; its messages have 'schema.${instead}'`)
  }
  return { handler, given }
}

/** Responds to requests that do not ask for a WebSocket. */
function namedLike({ name }: AnyFunction): (request: unknown, reply: FastifyReply) => never {
  const handle = (_request: unknown, reply: FastifyReply): never => refuseRequest(reply)
  return Object.defineProperty(handle, 'name', { value: name, configurable: true })
}

function upgradeTo(handler: AnyFunction, limits: Limits, openOnNode: OpenOnNode | null): RouteUpgrade {
  return {
    protocol: 'websocket',
    settings: limits,
    take(upgrade, request, reply) {
      openSocket({ upgrade, request, reply, limits, openOnNode }, (connection) => {
        const socket = new MessageSocketImpl(connection, upgrade, request.log, limits)
        const ended = socket.serve(async () => handler.call(this, socket, request))
        upgrade.hold({ close: () => socket.leave(), ended })
      })
    },
  }
}
