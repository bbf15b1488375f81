import type { Context } from '../context/context.ts'
import { createJsonParser } from '../body/default-parsers.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { ReplyImpl } from '../request/reply.ts'
import type { Handshake } from '../request/route-plan.ts'
import type { RequestServices } from '../request/services.ts'
import { defineRoute, shortcutOptions, type RoutedApp } from '../routes/define-route.ts'
import { findRoute } from '../routes/route-table.ts'
import { handshakeOf } from '../routes/schemas/plan-schemas.ts'
import { kHandshake } from '../symbols.ts'
import type { Transport } from '../transport/transport.ts'
import { openSocket } from './handshake.ts'
import { MessageSocketImpl } from './message-socket.ts'
import { splitOptions, type Limits } from './socket-limits.ts'

/** The parts of an app that WebSocket routes need. */
export interface SocketApp extends RoutedApp, RequestServices {
  readonly options: AppOptions
  readonly methods: RoutedApp['methods']
  readonly transport: Transport
}

/**
 * Defines a WebSocket route: a GET route whose handler switches the protocol and passes the socket to the application's
 * handler.
 *
 * @throws the errors of `defineRoute`, and `CLO_ERR_ROUTE_OPTION_INVALID`
 */
export function defineSocket(
  app: SocketApp,
  context: Context,
  args: readonly [path: unknown, second: unknown, third: unknown],
  callSite: CallSite,
): void {
  const { handler, ...given } = shortcutOptions('GET', ...args)
  const label = `GET:${String(args[0])}`
  if (!isFunction(handler)) throw createError('ROUTE_HANDLER_NOT_FN', { what: 'Handler', route: label })
  if (/Generator/.test(Object.prototype.toString.call(handler))) {
    const problem = 'the handler of a WebSocket cannot be a generator; send messages with socket.send()'
    throw createError('ROUTE_OPTION_INVALID', { route: label, problem })
  }
  if (isRecord(given['schema'])) refuseParts(given['schema'], label)
  const { route, limits } = splitOptions(given, label, app.options.bodyLimit)
  app.transport.node?.acceptUpgrades((url) => {
    const found = findRoute(app.routes, { method: 'GET', url })
    return found !== null && handshakeOf(found.stored) !== null
  })
  const handshake = createHandshake(app, limits, handler)
  defineRoute(
    app,
    context,
    { ...route, exposeHeadRoute: false, handler: handshake.handle, [kHandshake]: handshake },
    callSite,
  )
}

function refuseParts(schema: object, label: string): void {
  for (const [part, instead] of [
    ['body', 'incoming'],
    ['response', 'outgoing'],
  ] as const) {
    if (Reflect.get(schema, part) === undefined) continue
    const problem = `'schema.${part}' is no part of a WebSocket route; its messages have 'schema.${instead}'`
    throw createError('ROUTE_OPTION_INVALID', { route: label, problem })
  }
}

function createHandshake(app: SocketApp, limits: Limits, handler: AnyFunction): Handshake {
  const parseJson = createJsonParser(app.options.onProtoPoisoning, app.options.onConstructorPoisoning)
  function handle(this: unknown, request: unknown, reply: unknown): void {
    if (!(reply instanceof ReplyImpl)) return
    openSocket(reply, limits, app.transport.node, (connection) => {
      const socket = new MessageSocketImpl(connection, reply, limits, (text) => parseJson(null, text))
      const handled = socket.serve(async () => handler.call(this, socket, request))
      const stream = { close: () => socket.leave(), handled }
      app.eventStreams.add(stream)
      void handled.then(() => socket.closed).then(() => app.eventStreams.delete(stream))
    })
  }
  Object.defineProperty(handle, 'name', { value: handler.name, configurable: true })
  return { handle, limits }
}
